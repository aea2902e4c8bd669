/* SPDX-License-Identifier: Apache-2.0 */
/* 2:4 matrices by the names of dense arrays. */
#include "group.h"
#include "../numbers/widen.h"

static bool has(const spw_group *g, const char *name)
{
  return g->has(g->context, name);
}

const char *spw_group_semi(const spw_group *g)
{
  if (has(g, "packed") && has(g, "meta")) return "packed";
  /* With offsets of rows it is compressed-tensors' other format, sparse-bitmask. */
  return has(g, "compressed") && has(g, "bitmask") && !has(g, "row_offsets") ? "compressed" : NULL;
}

static const char *size_name(const spw_group *g)
{
  return has(g, "size") ? "size" : has(g, "shape") ? "shape" : NULL;
}

size_t spw_group_semi_parts(const spw_group *g)
{
  return spw_group_semi(g) ? 2u + (size_name(g) != NULL) : 0;
}

/* ---- Arrays ------------------------------------------------------------------------------------- */

static spw_status no_room(const char *name, spw_error *error)
{
  return spw_fail(SPW_ENOMEM, error, name, "its elements take more than the memory limit");
}

/* An array of a type that spw_group_read_part refuses. */
static spw_status read_float8(const spw_group *g, spw_owned *owned, const char *name, const spw_part *part,
                              spw_value_array *array, spw_error *error)
{
  const spw_dtype dtype = part->type.kind == '4' ? SPW_FLOAT8_E4M3FN : SPW_FLOAT8_E5M2;
  const spw_status status = spw_part_describe(owned, name, part, dtype, &array->array, error);
  if (status) return status;
  void *const memory = spw_owned_alloc(owned, (size_t)part->count, 1);
  if (!memory) return no_room(name, error);
  array->data = memory;
  return g->read(g->context, name, part, memory, error);
}

static spw_status read_member(const spw_group *g, spw_owned *owned, const char *name, spw_value_array *array, spw_error *error)
{
  spw_part part;
  const spw_status status = g->find(g->context, name, &part, error);
  if (status) return status;
  if (part.type.kind == '4' || part.type.kind == '5') return read_float8(g, owned, name, &part, array, error);
  return spw_group_read_part(g, owned, name, &array->array, &array->data, error);
}

/* Two integers, in whatever shape. */
static spw_status read_size_array(const spw_group *g, spw_owned *owned, const char *name, spw_semi *semi, spw_error *error)
{
  spw_value_array size = {.data = NULL};
  const spw_status status = read_member(g, owned, name, &size, error);
  if (status) return status;
  const spw_dtype dtype = size.array.dtype;
  if (size.array.length != 2 || dtype < SPW_UINT8 || dtype > SPW_INT64)
    return spw_fail(SPW_EFORMAT, error, name, "must be two integers: rows and columns");
  semi->rows = spw_widen_integer(dtype, size.data);
  semi->columns = spw_widen_integer(dtype, (const char *)size.data + spw_dtype_size(dtype));
  return SPW_OK;
}

static spw_status read_size(const spw_group *g, spw_owned *owned, spw_semi *semi, spw_error *error)
{
  const char *const name = size_name(g);
  if (name) return read_size_array(g, owned, name, semi, error);
  const spw_array *const a = &semi->packed.array;
  if (g->ndim >= 0 && g->ndim != 2) return spw_fail(SPW_EFORMAT, error, "size", "needs two entries");
  if (g->ndim < 0 && a->ndim != 2) return spw_fail(SPW_EFORMAT, error, spw_group_semi(g), "must have two dimensions");
  semi->rows = g->ndim == 2 ? g->size[0] : a->shape[0];
  semi->columns = g->ndim == 2 ? g->size[1] : a->shape[1] <= INT64_MAX / 2 ? 2 * a->shape[1] : INT64_MAX;
  return SPW_OK;
}

static spw_status read_order(const spw_group *g, spw_semi_order *order, spw_error *error)
{
  const int known = g->order ? spw_semi_order_from_name(g->order) : (int)SPW_SEMI_CUTLASS;
  if (known < 0) return spw_fail(SPW_EUNSUPPORTED, error, "order", "an unknown order of metadata, '%.31s'", g->order);
  *order = (spw_semi_order)known;
  return SPW_OK;
}

/* ---- Bitmasks ----------------------------------------------------------------------------------- */

static bool is_shape(const spw_array *a, int64_t rows, int64_t columns)
{
  return a->ndim == 2 && a->shape[0] == rows && a->shape[1] == columns;
}

static spw_status refuse_mask(spw_status status, const spw_semi_refusal *why, spw_error *error)
{
  char text[160];
  spw_semi_refusal_text(status, why, text, sizeof text);
  return spw_fail(SPW_EFORMAT, error, "bitmask", "%s", text);
}

/* The metadata, in the plain order, of the array `bitmask`. */
static spw_status read_mask(const spw_group *g, spw_owned *owned, spw_semi *semi, spw_error *error)
{
  const spw_dtype dtype = semi->packed.array.dtype;
  const int64_t rows = semi->rows, columns = semi->columns;
  spw_value_array mask = {.data = NULL};
  spw_semi_room room;
  spw_semi_refusal why;
  const spw_status status = read_member(g, owned, "bitmask", &mask, error);
  if (status) return status;
  if (spw_semi_size(SPW_SEMI_PLAIN, dtype, rows, columns, &room) != SPW_OK)
    return spw_fail(SPW_EUNSUPPORTED, error, "shape", "no 2:4 matrix has this size and type");
  if (mask.array.dtype != SPW_UINT8 || !is_shape(&mask.array, rows, columns / 8 + (columns % 8 != 0)))
    return spw_fail(SPW_EFORMAT, error, "bitmask", "must have a bit for each column, in bytes of uint8");
  if (!is_shape(&semi->packed.array, rows, columns / 2))
    return spw_fail(SPW_EFORMAT, error, "compressed", "must have half of the columns");
  void *const words = spw_owned_alloc(owned, (size_t)room.metadata, (size_t)spw_dtype_size(room.metadata_dtype));
  spw_semi_view *const view = spw_owned_alloc(owned, 1, sizeof *view);
  if (!words || !view) return no_room("bitmask", error);
  const spw_status taken = spw_semi_from_bitmask(SPW_SEMI_PLAIN, dtype, rows, columns, mask.data, words, &why);
  if (taken) return refuse_mask(taken, &why, error);
  *semi = *spw_semi_of(view, SPW_SEMI_PLAIN, rows, columns, dtype, semi->packed.data, words);
  return SPW_OK;
}

spw_status spw_group_read_semi(const spw_group *g, spw_owned *owned, spw_semi *semi, spw_error *error)
{
  const char *const name = spw_group_semi(g);
  if (!name) return spw_fail(SPW_EFORMAT, error, "", "the arrays are those of no 2:4 matrix");
  spw_status status = read_member(g, owned, name, &semi->packed, error);
  if (!status) status = read_size(g, owned, semi, error);
  if (!status && name[0] == 'c') return read_mask(g, owned, semi, error);
  if (!status) status = read_order(g, &semi->order, error);
  return status ? status : read_member(g, owned, "meta", &semi->metadata, error);
}
