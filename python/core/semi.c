/* SPDX-License-Identifier: Apache-2.0 */
#include "semi.h"
#include "calls.h"

#include <string.h>

/* ---- Operands -------------------------------------------------------------------------------- */

typedef struct semi_operand {
  operand packed, metadata;
  spw_semi semi;
} semi_operand;

static int take_order(const char *name, spw_semi_order *order)
{
  const int found = spw_semi_order_from_name(name);
  *order = (spw_semi_order)found;
  if (found >= 0) return 0;
  PyErr_Format(PyExc_ValueError, "'%s' is no order of metadata: plain, cutlass, marlin and sm90-1 to sm90-4 are", name);
  return -1;
}

static int take_semi_dtype(const char *name, spw_dtype *dtype)
{
  *dtype = name ? spw_semi_dtype_from_name(name) : SPW_DTYPE_NONE;
  if (!name || *dtype != SPW_DTYPE_NONE) return 0;
  PyErr_Format(PyExc_ValueError, "'%s' is no element type", name);
  return -1;
}

/* What other libraries cannot name, they hand over as bytes. */
static void name_bytes(spw_semi *s)
{
  const bool named = s->dtype == SPW_FLOAT8_E4M3FN || s->dtype == SPW_FLOAT8_E5M2;
  if (named && s->packed.array.dtype == SPW_UINT8) s->packed.array.dtype = s->dtype;
}

static int take_semi(semi_operand *o, PyObject *parts)
{
  const char *order, *dtype;
  long long rows, columns;
  PyObject *packed, *metadata;
  o->packed.count = o->metadata.count = 0;
  if (!PyArg_ParseTuple(parts, "sLLzOO", &order, &rows, &columns, &dtype, &packed, &metadata) ||
      take_order(order, &o->semi.order) != 0 || take_semi_dtype(dtype, &o->semi.dtype) != 0 ||
      operand_take(&o->packed, packed, true) != 0 || operand_take(&o->metadata, metadata, true) != 0)
    return -1;
  o->semi.rows = rows;
  o->semi.columns = columns;
  o->semi.packed = o->packed.tensor.values;
  o->semi.metadata = o->metadata.tensor.values;
  name_bytes(&o->semi);
  return 0;
}

static void release_semi(semi_operand *o)
{
  operand_release(&o->metadata);
  operand_release(&o->packed);
}

static PyObject *raise_semi(spw_status status, const spw_semi_refusal *refusal)
{
  char text[1024];
  const spw_semi_obstacle why = refusal->obstacle;
  if (status == SPW_ENOMEM) return PyErr_NoMemory();
  spw_semi_refusal_text(status, refusal, text, sizeof text);
  const bool invalid = status == SPW_EINVALID && (why == SPW_SEMI_OBSTACLE_RULE || why == SPW_SEMI_OBSTACLE_DENSE);
  PyErr_SetString(invalid ? invalid_error() : refused_error(), text);
  return NULL;
}

/* ---- Rules ----------------------------------------------------------------------------------- */

/* Rules about codes have a place: the word. */
static PyObject *violation_of(const spw_semi *s, const spw_semi_finding *f)
{
  char text[1024];
  const spw_semi_violation *const v = &f->first;
  const bool placed = v->rule == SPW_SEMI_RULE_7_4 || v->rule == SPW_SEMI_RULE_7_6;
  const int64_t position = placed ? v->row * s->metadata.array.shape[1] + v->column : -1;
  spw_semi_violation_text(s, v, text, sizeof text);
  return Py_BuildValue("(sziLLLLs)", spw_semi_rule_get(v->rule)->id, spw_semi_member_name(v->member), 0, (long long)position,
                       (long long)v->lhs, (long long)v->rhs, (long long)f->count, text);
}

static PyObject *list_violations(const spw_semi *s, const spw_semi_report *report)
{
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < SPW_SEMI_RULE_COUNT; i++)
    if (report->findings[i].state == SPW_VIOLATED) list_take(&list, violation_of(s, &report->findings[i]));
  return list;
}

PyObject *semi_violations(PyObject *parts, spw_level level)
{
  semi_operand o;
  spw_semi_report report;
  spw_status status;
  PyObject *list = NULL;
  if (take_semi(&o, parts) == 0) {
    Py_BEGIN_ALLOW_THREADS status = spw_semi_check(&o.semi, level, &report);
    Py_END_ALLOW_THREADS
    list = status == SPW_OK ? list_violations(&o.semi, &report) : raise_refused(NULL, status, NULL);
  }
  release_semi(&o);
  return list;
}

/* ---- Conversions ------------------------------------------------------------------------------ */

static int take_pruning(const char *name, spw_semi_pruning *pruning)
{
  if (!name) return 0;
  *pruning = strcmp(name, "tiles") == 0 ? SPW_SEMI_TILES : SPW_SEMI_LARGEST;
  if (strcmp(name, "largest") == 0 || *pruning == SPW_SEMI_TILES) return 0;
  PyErr_Format(PyExc_ValueError, "prune_24 is 'largest' or 'tiles', not '%s'", name);
  return -1;
}

PyObject *semi_encode(PyObject *module, PyObject *arguments)
{
  PyObject *object, *result = NULL;
  const char *order, *dtype, *prune;
  int bits;
  Py_ssize_t limit;
  operand o = {.count = 0};
  spw_semi_request request;
  spw_semi_pruning pruning = SPW_SEMI_LARGEST;
  spw_owned *owned = NULL;
  const spw_semi *made;
  spw_semi_refusal refusal;
  spw_status status;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "Oszpzn", &object, &order, &dtype, &bits, &prune, &limit) ||
      take_order(order, &request.order) != 0 || take_semi_dtype(dtype, &request.dtype) != 0 || take_pruning(prune, &pruning) != 0)
    return NULL;
  request.bits = bits;
  if (operand_take(&o, object, true) == 0) {
    Py_BEGIN_ALLOW_THREADS status =
        spw_semi_from_new(&o.tensor, &request, prune ? &pruning : NULL, (size_t)limit, &owned, &made, &refusal);
    Py_END_ALLOW_THREADS
    result = status == SPW_OK ? semi_tuple_of(owned, made) : raise_semi(status, &refusal);
  }
  operand_release(&o);
  return result;
}

PyObject *semi_reorder(PyObject *module, PyObject *arguments)
{
  PyObject *parts, *result = NULL;
  const char *name;
  Py_ssize_t limit;
  semi_operand o;
  spw_semi_order order;
  spw_owned *owned = NULL;
  const spw_semi *made;
  spw_semi_refusal refusal;
  spw_status status;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "O!sn", &PyTuple_Type, &parts, &name, &limit) || take_order(name, &order) != 0) return NULL;
  if (take_semi(&o, parts) == 0) {
    Py_BEGIN_ALLOW_THREADS status = spw_semi_reorder_new(&o.semi, order, (size_t)limit, &owned, &made, &refusal);
    Py_END_ALLOW_THREADS
    result = status == SPW_OK ? semi_tuple_of(owned, made) : raise_semi(status, &refusal);
  }
  release_semi(&o);
  return result;
}

PyObject *semi_decode(PyObject *module, PyObject *arguments)
{
  PyObject *parts, *result = NULL;
  const char *layout, *index;
  Py_ssize_t limit;
  semi_operand o;
  spw_dtype index_dtype;
  spw_owned *owned = NULL;
  spw_semi_refusal refusal;
  spw_status status;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "O!szn", &PyTuple_Type, &parts, &layout, &index, &limit) ||
      take_dtype(index ? index : "int64", &index_dtype) != 0)
    return NULL;
  const bool dense = strcmp(layout, "dense") == 0;
  if (take_semi(&o, parts) == 0) {
    Py_BEGIN_ALLOW_THREADS status = dense ? spw_semi_to_dense_new(&o.semi, (size_t)limit, &owned, &refusal)
                                          : spw_semi_to_csr_new(&o.semi, index_dtype, (size_t)limit, &owned, &refusal);
    Py_END_ALLOW_THREADS
    result = status == SPW_OK ? tuple_of(owned) : raise_semi(status, &refusal);
  }
  release_semi(&o);
  return result;
}
