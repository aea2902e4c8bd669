/* SPDX-License-Identifier: Apache-2.0 */
#include "pattern.h"
#include "../convert/indices.h"
#include "../convert/shape.h"
#include "../core/size.h"

#include <string.h>

spw_room spw_pattern_room(const spw_form *m, int64_t scalars)
{
  const spw_tensor *const t = m->t;
  const bool coo = m->layout == SPW_COO;
  const int64_t batches = coo ? 1 : m->batches, cells = m->nse == 0 ? 0 : spw_mul_saturated(batches, m->nse);
  const spw_room r = {.index_dtype = t->plain.array.dtype,
                      .dtype = t->values.array.dtype,
                      .nse = m->nse,
                      .dims = m->ndim + 2 * (t->values.array.ndim + t->plain.array.ndim + (coo ? 0 : t->compressed.array.ndim)),
                      .compressed = coo ? 0 : spw_mul_saturated(batches, spw_add_saturated(m->C, 1)),
                      .plain = coo ? spw_mul_saturated(m->leading, m->nse) : cells,
                      .values = cells == 0 ? 0 : spw_mul_saturated(cells, scalars)};
  return r;
}

/* How many dimensions are left before the last ones, which lie without a gap; those together have *run entries. */
static int64_t before_packed(const spw_array *a, int64_t *run)
{
  int64_t d = a->ndim;
  for (*run = 1; d > 0 && (a->shape[d - 1] == 1 || a->strides[d - 1] == *run); d--) *run *= a->shape[d - 1];
  return d;
}

/* Entries of an index array, n of them, `step` apart from one to the next. */
static void copy_line(const spw_index_array *from, int64_t at, int64_t step, int64_t n, spw_indices to)
{
  for (int64_t i = 0; i < n; i++) spw_put_index(to, i, spw_index_at(from, at + i * step));
}

/* A contiguous copy of an index array that has an entry. */
static void copy_indices(const spw_index_array *from, spw_indices to)
{
  const spw_array *a = &from->array;
  const size_t size = (size_t)spw_dtype_size(a->dtype);
  int64_t run, lines = before_packed(a, &run);
  const bool strided = run == 1 && lines > 0;
  if (strided) run = a->shape[--lines];
  const int64_t n = spw_product(a->shape, a->ndim) / run;
  for (int64_t i = 0; i < n; i++) {
    const int64_t at = a->offset + spw_position_of(a->shape, a->strides, lines, i);
    const spw_indices into = spw_indices_from(to, i * run);
    if (strided)
      copy_line(from, at, a->strides[lines], run, into);
    else
      memcpy(spw_indices_data(into), spw_indices_at(from, at), (size_t)run * size);
  }
}

void spw_pattern_copy(const spw_form *m, const spw_room *room, const spw_buffers *b)
{
  const bool wide = room->index_dtype == SPW_INT64;
  const spw_indices c = {b->compressed_i32, b->compressed_i64, wide};
  const spw_indices p = {b->plain_i32, b->plain_i64, wide};
  if (room->compressed > 0) copy_indices(&m->t->compressed, c);
  if (room->plain > 0) copy_indices(&m->t->plain, p);
}

/* The same shape, without gaps. */
static spw_array packed(const spw_array *a, int64_t **dims)
{
  const spw_shape s = spw_take_shape(dims, a->ndim);
  for (int64_t d = 0; d < a->ndim; d++) s.entries[d] = a->shape[d];
  return spw_array_of(a->dtype, s);
}

void spw_pattern_view(const spw_form *m, const spw_room *room, const spw_buffers *b, spw_tensor *result)
{
  const bool wide = room->index_dtype == SPW_INT64;
  int64_t *dims = b->dims;
  int64_t *const size = spw_take_numbers(&dims, m->ndim);
  spw_tensor r = {.layout = m->layout, .has_size = true, .ndim = m->ndim, .size = size, .index_dtype = room->index_dtype,
                  .dtype = room->dtype, .coalesced = m->t->coalesced};
  for (int64_t d = 0; d < m->ndim; d++) size[d] = m->size[d];
  if (m->layout != SPW_COO) {
    r.compressed.array = packed(&m->t->compressed.array, &dims);
    r.compressed.i32 = wide ? NULL : b->compressed_i32;
    r.compressed.i64 = wide ? b->compressed_i64 : NULL;
  }
  r.plain.array = packed(&m->t->plain.array, &dims);
  r.plain.i32 = wide ? NULL : b->plain_i32;
  r.plain.i64 = wide ? b->plain_i64 : NULL;
  r.values.array = packed(&m->t->values.array, &dims);
  r.values.data = b->values;
  *result = r;
}
