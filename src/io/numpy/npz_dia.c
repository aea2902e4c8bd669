/* SPDX-License-Identifier: Apache-2.0 */
/* Diagonals as COO, one after the other. */
#include "npz_dia.h"

#include <stdlib.h>
#include <string.h>

typedef struct diagonals {
  const spw_value_array *data;
  const spw_index_array *offsets;
  int64_t rows, columns;
  size_t width; /* bytes of an element */
} diagonals;

static int64_t offset_at(const diagonals *m, int64_t d)
{
  const int64_t at = m->offsets->array.offset + d * m->offsets->array.strides[0];
  return m->offsets->array.dtype == SPW_INT32 ? m->offsets->i32[at] : m->offsets->i64[at];
}

static const char *element_at(const diagonals *m, int64_t d, int64_t column)
{
  const spw_array *const a = &m->data->array;
  return (const char *)m->data->data + (size_t)(d * a->strides[0] + column * a->strides[1]) * m->width;
}

/* Minus zero is 0, too. */
static bool is_zero(const diagonals *m, const char *element)
{
  const spw_dtype dtype = m->data->array.dtype;
  const bool pair = dtype == SPW_COMPLEX64 || dtype == SPW_COMPLEX128, real = dtype >= SPW_FLOAT16;
  const size_t part = pair ? m->width / 2 : m->width;
  for (size_t i = 0; i < m->width; i++) {
    const bool has_sign = real && i % part == part - 1;
    if (((unsigned char)element[i] & (has_sign ? 0x7f : 0xff)) != 0) return false;
  }
  return true;
}

/* The columns of a diagonal that lie within the matrix: [*first, *behind). */
static void columns_of(const diagonals *m, int64_t offset, int64_t *first, int64_t *behind)
{
  const int64_t stored = m->data->array.shape[1], most = stored < m->columns ? stored : m->columns;
  int64_t end;
  *first = offset > 0 ? offset : 0;
  if (__builtin_add_overflow(m->rows, offset, &end)) end = offset > 0 ? INT64_MAX : INT64_MIN;
  *behind = end < most ? end : most;
}

typedef struct found {
  int64_t *row, *column; /* null: they are only counted */
  char *values;
  int64_t count;
} found;

static void look_at(const diagonals *m, int64_t d, found *f)
{
  const int64_t offset = offset_at(m, d);
  int64_t first, behind;
  columns_of(m, offset, &first, &behind);
  for (int64_t column = first; column < behind; column++) {
    const char *const element = element_at(m, d, column);
    if (is_zero(m, element)) continue;
    if (f->row) {
      f->row[f->count] = column - offset;
      f->column[f->count] = column;
      memcpy(f->values + (size_t)f->count * m->width, element, m->width);
    }
    f->count++;
  }
}

static int compare(const void *first, const void *second)
{
  const int64_t *const a = first, *const b = second;
  return (*a > *b) - (*a < *b);
}

/* Two diagonals at one place: SciPy refuses them. */
static spw_status check_offsets(spw_owned *owned, const diagonals *m, spw_error *error)
{
  const int64_t count = m->offsets->array.length;
  int64_t *const sorted = spw_npy_allocate(owned, "offsets.npy", (size_t)count, sizeof *sorted, error);
  if (!sorted) return SPW_ENOMEM;
  for (int64_t d = 0; d < count; d++) sorted[d] = offset_at(m, d);
  if (count > 0) qsort(sorted, (size_t)count, sizeof *sorted, compare);
  for (int64_t d = 1; d < count; d++)
    if (sorted[d] == sorted[d - 1])
      return spw_fail(SPW_EFORMAT, error, "offsets.npy", "two diagonals are at %lld", (long long)sorted[d]);
  return SPW_OK;
}

static spw_status hold(spw_owned *owned, const diagonals *m, found *f, spw_tensor *t, spw_error *error)
{
  const int64_t nse = f->count, step = nse > 0 ? nse : 1;
  const spw_dtype dtype = m->data->array.dtype;
  const int64_t pair[] = {2, nse}, steps[] = {step, 1};
  spw_status status = spw_npy_hold_shape(owned, "offsets.npy", SPW_INT64, 2, pair, steps, &t->plain.array, error);
  if (!status) status = spw_npy_hold_shape(owned, "data.npy", dtype, 1, pair + 1, steps + 1, &t->values.array, error);
  if (status) return status;
  f->row = spw_npy_allocate(owned, "offsets.npy", (size_t)nse, 2 * sizeof *f->row, error);
  f->values = spw_npy_allocate(owned, "data.npy", (size_t)nse, m->width, error);
  if (!f->row || !f->values) return SPW_ENOMEM;
  f->column = f->row + nse;
  t->plain.array.length = 2 * nse;
  t->plain.i64 = f->row;
  t->plain.raw = f->row;
  t->values.array.length = nse;
  t->values.data = f->values;
  return SPW_OK;
}

spw_status spw_npz_expand_dia(spw_owned *owned, const spw_value_array *data, const spw_index_array *offsets, spw_tensor *t,
                              spw_error *error)
{
  const spw_dtype type = offsets->array.dtype;
  if (t->ndim != 2 || t->size[0] < 0 || t->size[1] < 0)
    return spw_fail(SPW_EFORMAT, error, "shape.npy", "dia needs two dimensions that are not negative");
  if (offsets->array.ndim != 1 || (type != SPW_INT32 && type != SPW_INT64))
    return spw_fail(SPW_EFORMAT, error, "offsets.npy", "must be 1-D, of int32 or int64");
  if (data->array.ndim != 2 || data->array.shape[0] != offsets->array.shape[0])
    return spw_fail(SPW_EFORMAT, error, "data.npy", "must be 2-D, with a row for each of the %lld diagonals",
                    (long long)offsets->array.shape[0]);
  const diagonals m = {data, offsets, t->size[0], t->size[1], (size_t)spw_dtype_size(data->array.dtype)};
  found f = {NULL, NULL, NULL, 0};
  spw_status status = check_offsets(owned, &m, error);
  for (int64_t d = 0; !status && d < offsets->array.length; d++) look_at(&m, d, &f);
  if (!status) status = hold(owned, &m, &f, t, error);
  f.count = 0;
  for (int64_t d = 0; !status && d < offsets->array.length; d++) look_at(&m, d, &f);
  t->layout = SPW_COO;
  return status;
}
