/* SPDX-License-Identifier: Apache-2.0 */
#include "stripes.h"
#include "../../convert/indices.h"
#include "../../convert/shape.h"

#include <string.h>

/* As measured where the third level of the cache has 32 MiB: a vector of 12 MiB takes as long either way, one of 20 MiB half as
 * long in stripes, and stripes of 2^15 to 2^18 columns differ little. */
enum { LARGE = 12 << 20, STRIPE = 1 << 16 };

enum { DIMS = 6 }; /* entries and strides of the indices, and of the values */

/* A cache of 256 KiB, in which each line has one place. */
enum { LINE = 64, PLACES = 4096 };

static bool is_far(const spw_tensor *a, int64_t nse)
{
  const spw_array *const p = &a->plain.array;
  const int64_t of_line = LINE / spw_dtype_size(a->values.array.dtype);
  int32_t there[PLACES];
  int64_t missed = 0;
  memset(there, 0xff, sizeof there); /* -1 is no line */
  for (int64_t k = 0; k < nse && missed <= nse / 2; k++) {
    const int32_t line = (int32_t)(spw_index_at(&a->plain, p->offset + k) / of_line), place = line % PLACES;
    missed += there[place] != line;
    there[place] = line;
  }
  return missed > nse / 2;
}

static int64_t stripes_of(const spw_tensor *a)
{
  return (a->size[1] - 1) / STRIPE + 1;
}

/* Of a stripe's rows, which are gone through in order, one in SPARSEST has an element, or the result is as far as the vector was:
 * with one in 31 a product took 1.3 times as long, with one in 6 it gains. */
enum { SPARSEST = 16 };

static bool meets_rows(const spw_tensor *a, int64_t nse)
{
  return nse / stripes_of(a) >= a->size[0] / SPARSEST;
}

bool spw_gains_by_stripes(const spw_tensor *a, int64_t nse)
{
  const int64_t scalar = spw_dtype_size(a->values.array.dtype);
  return a->layout == SPW_CSR && nse > 0 && a->size[1] > LARGE / scalar && meets_rows(a, nse) && is_far(a, nse);
}

spw_stripes spw_take_stripes(spw_arena *arena, const spw_tensor *a, int64_t nse)
{
  spw_stripes room;
  room.dims = spw_take(arena, DIMS, sizeof *room.dims);
  room.starts = spw_take(arena, stripes_of(a) + 1, sizeof *room.starts);
  room.indices = spw_take(arena, 2 * nse, sizeof *room.indices);
  room.values = spw_take(arena, nse, spw_dtype_size(a->values.array.dtype));
  return room;
}

static void find_stripes(const int32_t *columns, int64_t nse, int64_t stripes, int64_t *starts)
{
  memset(starts, 0, (size_t)(stripes + 1) * sizeof *starts);
  for (int64_t k = 0; k < nse; k++) starts[columns[k] / STRIPE + 1]++;
  for (int64_t i = 0; i < stripes; i++) starts[i + 1] += starts[i];
}

static void put_scalar(char *to, const char *from, int64_t size)
{
  switch (size) { /* lengths that the compiler knows */
    case 1: memcpy(to, from, 1); return;
    case 2: memcpy(to, from, 2); return;
    case 4: memcpy(to, from, 4); return;
    case 8: memcpy(to, from, 8); return;
    default: memcpy(to, from, 16); return;
  }
}

/* Behind those of its stripe that came before: row after row. */
static void put_elements(const spw_tensor *matrix, int64_t nse, const spw_stripes *room)
{
  const spw_array *const v = &matrix->values.array;
  const int32_t *const c = matrix->compressed.i32 + matrix->compressed.array.offset;
  const int32_t *const columns = matrix->plain.i32 + matrix->plain.array.offset;
  const int64_t scalar = spw_dtype_size(v->dtype), step = nse > 1 ? v->strides[0] * scalar : 0;
  const char *const values = (const char *)matrix->values.data + v->offset * scalar;
  for (int64_t r = 0; r < matrix->size[0]; r++)
    for (int64_t k = c[r]; k < c[r + 1]; k++) {
      const int64_t to = room->starts[columns[k] / STRIPE]++;
      room->indices[to] = (int32_t)r;
      room->indices[nse + to] = columns[k];
      put_scalar(room->values + to * scalar, values + k * step, scalar);
    }
}

spw_tensor spw_cut_stripes(const spw_tensor *matrix, int64_t nse, const spw_stripes *room)
{
  const spw_dtype dtype = matrix->values.array.dtype;
  int64_t *dims = room->dims;
  const spw_shape indices = spw_take_shape(&dims, 2), values = spw_take_shape(&dims, 1);
  indices.entries[0] = 2, indices.entries[1] = values.entries[0] = nse;
  find_stripes(matrix->plain.i32 + matrix->plain.array.offset, nse, stripes_of(matrix), room->starts);
  put_elements(matrix, nse, room);
  return (spw_tensor){.layout = SPW_COO, .has_size = true, .ndim = 2, .size = matrix->size, .index_dtype = SPW_INT32,
                      .dtype = dtype, .coalesced = SPW_CLAIM_NO,
                      .plain = {spw_array_of(SPW_INT32, indices), room->indices, NULL, NULL},
                      .values = {spw_array_of(dtype, values), room->values}};
}
