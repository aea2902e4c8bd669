/* SPDX-License-Identifier: Apache-2.0 */
#include "judge_sparse.h"
#include "precision.h"
#include "rows.h"
#include "../convert/arena.h"
#include "../convert/plan.h"
#include "../core/size.h"
#include "../view/usable.h"

bool spw_is_complex(spw_dtype dtype)
{
  return dtype == SPW_COMPLEX64 || dtype == SPW_COMPLEX128;
}

bool spw_is_float(spw_dtype dtype)
{
  return spw_format_of(dtype).width > 0;
}

int64_t spw_dense_place(const spw_operands *o, const spw_tensor *t, int64_t batch, int64_t line, int64_t column)
{
  const spw_array *a = &t->values.array;
  const int64_t B = o->m.batch_dims, base = a->offset + spw_position_of(a->shape, a->strides, B, batch);
  return base + line * a->strides[B] + (o->is_vector ? 0 : column * a->strides[B + 1]);
}

static spw_status refuse(spw_judgement *j, spw_status status, spw_fault fault, const spw_tensor *operand)
{
  j->fault = fault;
  j->operand = operand;
  return status;
}

/* ---- Each operand for itself ------------------------------------------------------------------- */

static spw_status breaks(spw_judgement *j, const spw_tensor *operand, spw_violation v)
{
  j->violation = v;
  return refuse(j, SPW_EINVALID, SPW_FAULT_RULE, operand);
}

static spw_status judge_sparse(const spw_tensor *t, spw_judgement *j)
{
  spw_violation v;
  if (t->layout == SPW_DENSE) return refuse(j, SPW_EUNSUPPORTED, SPW_FAULT_LAYOUT, t);
  const spw_status status = spw_first_violation(t, SPW_CANONICAL, &v);
  return status != SPW_OK || v.rule == SPW_RULE_NONE ? status : breaks(j, t, v);
}

/* Only the values of a dense array are looked at. */
static spw_status judge_dense(const spw_tensor *t, spw_judgement *j)
{
  if (!t) return SPW_EINVAL;
  if (t->layout != SPW_DENSE) return refuse(j, SPW_EUNSUPPORTED, SPW_FAULT_LAYOUT, t);
  if (!spw_dense_given(&t->values.array, t->values.data)) return SPW_EINVAL;
  spw_violation first;
  return spw_dense_breaks(&t->values.array, &first) ? breaks(j, t, first) : SPW_OK;
}

/* ---- Do they fit each other? ------------------------------------------------------------------- */

/* May a number of one type be that of a result of another? */
static bool is_of_kind(spw_dtype a, spw_dtype b)
{
  return a == b || (spw_is_float(a) && spw_is_float(b) && spw_is_complex(a) == spw_is_complex(b));
}

/* Has an operand, of a size with so many entries, the shape: batch dimensions, `rows`, and the columns of x where it has some? */
static bool size_differs(const spw_tensor *t, int64_t has, const int64_t *size, const spw_operands *o, int64_t rows,
                         spw_judgement *j)
{
  const int64_t B = o->m.batch_dims, ndim = B + (o->is_vector ? 1 : 2);
  j->fault = SPW_FAULT_SHAPE;
  j->operand = t;
  j->place = -1;
  j->lhs = has;
  j->rhs = ndim;
  if (has != ndim) return true;
  for (int64_t d = 0; d < ndim; d++) {
    const int64_t wanted = d < B ? o->m.size[d] : d == B ? rows : o->columns;
    j->place = d;
    j->lhs = size[d];
    j->rhs = wanted;
    if (size[d] != wanted) return true;
  }
  j->fault = SPW_FAULT_NONE;
  j->operand = NULL;
  j->place = -1;
  j->lhs = j->rhs = 0;
  return false;
}

static bool shape_differs(const spw_tensor *dense, const spw_operands *o, int64_t rows, spw_judgement *j)
{
  return size_differs(dense, dense->values.array.ndim, dense->values.array.shape, o, rows, j);
}

static bool type_differs(const spw_tensor *t, bool fits, spw_dtype wanted, spw_judgement *j)
{
  if (fits) return false;
  j->fault = SPW_FAULT_TYPE;
  j->operand = t;
  j->lhs = (int64_t)t->values.array.dtype;
  j->rhs = (int64_t)wanted;
  return true;
}

/* Has the precision the range of an operand's type? */
static spw_status judge_precision(const spw_tensor *t, spw_precision precision, spw_judgement *j)
{
  const spw_format f = spw_format_of(t->values.array.dtype), sum = spw_accumulation_of(precision).sum;
  if (f.width == 0 || (sum.width > 0 && sum.most >= f.most)) return SPW_OK;
  j->lhs = (int64_t)t->values.array.dtype;
  j->rhs = (int64_t)precision;
  return refuse(j, SPW_ERANGE, SPW_FAULT_PRECISION, t);
}

static bool is_zero_weight(spw_weight w, spw_dtype dtype)
{
  if (!spw_is_float(dtype)) return w.integer == 0;
  return spw_binary_of(w.real).kind == SPW_KIND_ZERO
         && (!spw_is_complex(dtype) || spw_binary_of(w.imaginary).kind == SPW_KIND_ZERO);
}

/* x, and c where it is read. */
static spw_status judge_inputs(const spw_product_claim *claim, spw_operands *o, spw_judgement *j)
{
  const spw_dtype dtype = claim->a->values.array.dtype;
  const spw_array *x = &claim->x->values.array;
  o->is_vector = !o->x_sparse && x->ndim == o->m.batch_dims + 1;
  o->columns = o->x_sparse ? o->x.columns : o->is_vector || x->ndim == 0 ? 1 : x->shape[x->ndim - 1];
  if (o->x_sparse ? size_differs(claim->x, o->x.batch_dims + 2, o->x.size, o, o->m.columns, j)
                  : shape_differs(claim->x, o, o->m.columns, j))
    return SPW_ERANGE;
  if (type_differs(claim->x, x->dtype == dtype, dtype, j)) return SPW_ERANGE;
  spw_status status = judge_precision(claim->a, claim->precision, j);
  if (status != SPW_OK || !o->reads_c) return status;
  if (shape_differs(claim->c, o, o->m.size[o->m.batch_dims], j)) return SPW_ERANGE;
  if (type_differs(claim->c, is_of_kind(claim->c->values.array.dtype, dtype), dtype, j)) return SPW_ERANGE;
  return judge_precision(claim->c, claim->precision, j);
}

static spw_status count_work(spw_operands *o, spw_judgement *j)
{
  const int64_t numbers = o->x_sparse ? spw_judge_sparse_room(o) : spw_rows_room(&o->m, false);
  const int64_t bytes = spw_mul_saturated(numbers, (int64_t)sizeof(int64_t));
  if (!spw_is_object_size(bytes)) return refuse(j, SPW_ERANGE, SPW_FAULT_WORK, NULL);
  o->bytes = (size_t)bytes;
  return SPW_OK;
}

/* A result that has not the shape or type of the product is wrong whatever it holds. */
static void judge_result(const spw_product_claim *claim, const spw_operands *o, spw_judgement *j)
{
  const spw_tensor *const y = claim->y;
  const spw_dtype dtype = claim->a->values.array.dtype;
  const int64_t rows = o->m.size[o->m.batch_dims];
  if ((o->y_sparse ? size_differs(y, y->ndim, y->size, o, rows, j) : shape_differs(y, o, rows, j))
      || type_differs(y, is_of_kind(y->values.array.dtype, dtype), dtype, j))
    j->verdict = SPW_WRONG;
}

/* A sparse operand's matrices. */
static spw_status read_sparse(const spw_tensor *t, spw_matrices *m, spw_judgement *j)
{
  const spw_status status = spw_matrices_of(t, m);
  return status == SPW_OK ? status : refuse(j, status, status == SPW_ERANGE ? SPW_FAULT_WORK : SPW_FAULT_LAYOUT, t);
}

/* The size that a result without one implies says nothing of what its author meant: it may end in empty rows. */
static spw_status refuse_without_size(const spw_tensor *y, spw_judgement *j)
{
  if (y->has_size) return SPW_OK;
  j->lhs = j->rhs = -1;
  return refuse(j, SPW_ERANGE, SPW_FAULT_SHAPE, y);
}

static bool is_sparse(const spw_tensor *t)
{
  return t && t->layout != SPW_DENSE;
}

static spw_status judge_tensor(const spw_tensor *t, bool sparse, spw_judgement *j)
{
  return sparse ? judge_sparse(t, j) : judge_dense(t, j);
}

/* Which are sparse: a sparse result is that of two sparse operands, and nothing is added to it. */
static spw_status judge_each(const spw_product_claim *claim, spw_operands *o, spw_judgement *j)
{
  o->x_sparse = is_sparse(claim->x);
  o->y_sparse = is_sparse(claim->y) && o->x_sparse;
  spw_status status = judge_sparse(claim->a, j);
  if (status == SPW_OK) status = judge_tensor(claim->x, o->x_sparse, j);
  if (status == SPW_OK) status = judge_tensor(claim->y, o->y_sparse, j);
  if (status != SPW_OK) return status;
  const spw_dtype dtype = claim->a->values.array.dtype;
  o->reads_product = !is_zero_weight(claim->alpha, dtype);
  o->reads_c = !is_zero_weight(claim->beta, dtype);
  if (o->reads_c && claim->c && o->y_sparse) return refuse(j, SPW_EUNSUPPORTED, SPW_FAULT_LAYOUT, claim->c);
  return o->reads_c ? judge_dense(claim->c, j) : SPW_OK;
}

spw_status spw_operands_of(const spw_product_claim *claim, spw_operands *o, spw_judgement *j)
{
  if (!claim || !claim->a || claim->most < 0) return SPW_EINVAL;
  spw_status status = judge_each(claim, o, j);
  if (status == SPW_OK) status = read_sparse(claim->a, &o->m, j);
  if (status == SPW_OK && o->x_sparse) status = read_sparse(claim->x, &o->x, j);
  if (status == SPW_OK && o->y_sparse) status = refuse_without_size(claim->y, j);
  if (status == SPW_OK) status = judge_inputs(claim, o, j);
  if (status != SPW_OK) return status;
  o->bytes = 0;
  judge_result(claim, o, j); /* before its matrices are read: of a wrong shape it may have none */
  if (j->verdict == SPW_WRONG) return SPW_OK;
  if (o->y_sparse) status = read_sparse(claim->y, &o->y, j);
  return status == SPW_OK ? count_work(o, j) : status;
}
