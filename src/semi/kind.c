/* SPDX-License-Identifier: Apache-2.0 */
/* Types, orders and sizes. */
#include "semi.h"

#include "../core/size.h"

#include <string.h>

static const char *const order_names[SPW_SEMI_ORDER_COUNT] = {"plain",  "cutlass", "marlin", "sm90-1",
                                                             "sm90-2", "sm90-3",  "sm90-4"};

const char *spw_semi_order_name(spw_semi_order order)
{
  const int n = (int)order;
  return n >= 0 && n < SPW_SEMI_ORDER_COUNT ? order_names[n] : NULL;
}

int spw_semi_order_from_name(const char *name)
{
  for (int n = 0; name && n < SPW_SEMI_ORDER_COUNT; n++)
    if (strcmp(order_names[n], name) == 0) return n;
  return -1;
}

const char *spw_semi_dtype_name(spw_dtype dtype)
{
  if (dtype == SPW_FLOAT8_E4M3FN) return "float8_e4m3fn";
  return dtype == SPW_FLOAT8_E5M2 ? "float8_e5m2" : spw_dtype_name(dtype);
}

spw_dtype spw_semi_dtype_from_name(const char *name)
{
  if (name && strcmp(name, "float8_e4m3fn") == 0) return SPW_FLOAT8_E4M3FN;
  if (name && strcmp(name, "float8_e5m2") == 0) return SPW_FLOAT8_E5M2;
  return spw_dtype_from_name(name);
}

bool spw_semi_kind_of(spw_dtype dtype, spw_semi_kind *kind)
{
  static const spw_semi_kind bytes = {1, 4, 2, 8, 2, 0}, float8 = {1, 4, 2, 8, 2, 0x80}, half = {2, 4, 2, 4, 4, 0x8000},
                             single = {4, 2, 1, 4, 4, 0x80000000};
  switch ((int)dtype) {
  case SPW_UINT8:
  case SPW_INT8: *kind = bytes; return true;
  case (int)SPW_FLOAT8_E4M3FN:
  case (int)SPW_FLOAT8_E5M2: *kind = float8; return true;
  case SPW_FLOAT16:
  case SPW_BFLOAT16: *kind = half; return true;
  case SPW_FLOAT32: *kind = single; return true;
  default: return false;
  }
}

spw_dtype spw_semi_metadata_dtype(const spw_semi_kind *kind)
{
  return kind->codes == 8 ? SPW_INT32 : SPW_INT16;
}

static spw_semi_violation of_size(int64_t dimension, int64_t lhs, int64_t rhs)
{
  const spw_semi_violation v = {SPW_SEMI_RULE_7_1, SPW_SEMI_MEMBER_SIZE, dimension, -1, -1, -1, -1, lhs, rhs};
  return v;
}

spw_semi_violation spw_semi_size_violation(spw_semi_order order, const spw_semi_kind *kind, int64_t rows, int64_t columns)
{
  const int64_t blocks = order >= SPW_SEMI_SM90_1 ? 1 + (int64_t)order - SPW_SEMI_SM90_1 : 1;
  const int64_t row_multiple = order == SPW_SEMI_PLAIN ? 1 : order == SPW_SEMI_CUTLASS ? 8 * kind->interleave : 64;
  const int64_t column_multiple = order == SPW_SEMI_PLAIN ? kind->group : 2 * blocks * kind->codes * kind->group;
  if (rows < 0) return of_size(0, rows, 0);
  if (columns < 0) return of_size(1, columns, 0);
  if (!spw_product_fits(rows, columns, INT64_MAX)) return of_size(-1, rows, columns);
  if (rows % row_multiple != 0) return of_size(0, rows, row_multiple);
  if (columns % column_multiple != 0) return of_size(1, columns, column_multiple);
  const spw_semi_violation none = {SPW_SEMI_RULE_NONE, SPW_SEMI_MEMBER_NONE, -1, -1, -1, -1, -1, 0, 0};
  return none;
}

spw_semi_room spw_semi_room_of(const spw_semi_kind *kind, int64_t rows, int64_t columns)
{
  const int64_t groups = columns / kind->group, words = groups / kind->codes + (groups % kind->codes != 0);
  const spw_semi_room room = {spw_semi_metadata_dtype(kind), columns / 2, words, rows * (columns / 2), rows * words};
  return room;
}

spw_status spw_semi_size(spw_semi_order order, spw_dtype dtype, int64_t rows, int64_t columns, spw_semi_room *room)
{
  spw_semi_kind kind;
  if (!room || !spw_semi_order_name(order)) return SPW_EINVAL;
  if (!spw_semi_kind_of(dtype, &kind)) return SPW_EINVALID;
  if (spw_semi_size_violation(order, &kind, rows, columns).rule != SPW_SEMI_RULE_NONE) return SPW_EINVALID;
  *room = spw_semi_room_of(&kind, rows, columns);
  return SPW_OK;
}

/* Two dimensions, row by row, in four numbers. */
static void lay_out(spw_value_array *a, int64_t *numbers, spw_dtype dtype, int64_t rows, int64_t columns, const void *data)
{
  numbers[0] = rows;
  numbers[1] = columns;
  numbers[2] = columns;
  numbers[3] = 1;
  const spw_value_array all = {{dtype, 2, numbers, numbers + 2, 0, rows * columns}, data};
  *a = all;
}

const spw_semi *spw_semi_of(spw_semi_view *view, spw_semi_order order, int64_t rows, int64_t columns, spw_dtype dtype,
                            const void *packed, const void *metadata)
{
  spw_semi_room room = {SPW_INT16, 0, 0, 0, 0};
  const bool sized = spw_semi_size(order, dtype, rows, columns, &room) == SPW_OK;
  spw_semi *const s = &view->semi;
  s->order = order;
  s->rows = rows;
  s->columns = columns;
  s->dtype = dtype;
  lay_out(&s->packed, view->numbers, dtype, sized ? rows : 0, room.packed_columns, packed);
  lay_out(&s->metadata, view->numbers + 4, room.metadata_dtype, sized ? rows : 0, room.metadata_columns, metadata);
  return s;
}
