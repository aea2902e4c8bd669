/* SPDX-License-Identifier: Apache-2.0 */
/* Elements in row-major order, from any strides. */
#include "row_major.h"

#include <string.h>

/* ---- What can be written --------------------------------------------------------------------- */

/* Does the shape reach outside the storage? (Rules 3.12 and 3.14; an invalid tensor may well be
 * written, but not read out of bounds.) */
static bool reaches_outside(const spw_array *array)
{
  int64_t last = array->offset;
  bool empty = false;
  for (int64_t d = 0; d < array->ndim; d++) {
    int64_t way;
    const int64_t extent = array->shape[d];
    if (extent < 0 || array->strides[d] < 0) return true;
    empty = empty || extent == 0;
    if (extent > 0 && (__builtin_mul_overflow(extent - 1, array->strides[d], &way) ||
                       __builtin_add_overflow(last, way, &last)))
      last = INT64_MAX;
  }
  return array->offset < 0 || (!empty && last >= array->length);
}

/* NumPy counts the bytes of an empty array too, without its extents of 0. */
static bool too_large_for_numpy(const spw_array *array)
{
  int64_t bytes = (int64_t)spw_dtype_size(array->dtype);
  for (int64_t d = 0; d < array->ndim; d++)
    if (array->shape[d] > 0 && __builtin_mul_overflow(bytes, array->shape[d], &bytes)) return true;
  return false;
}

spw_status spw_row_major_check(const spw_array *array, const void *storage, const char *name, spw_error *error)
{
  if (array->ndim < 0 || array->length < 0 || (array->length > 0 && !storage) ||
      (array->ndim > 0 && (!array->shape || !array->strides)))
    return spw_fail(SPW_EINVAL, error, name, "null pointer or negative length");
  if (array->ndim > SPW_ROW_MAJOR_DIMS)
    return spw_fail(SPW_EUNSUPPORTED, error, name, "%lld dimensions; NumPy's arrays have at most %d", (long long)array->ndim,
                    SPW_ROW_MAJOR_DIMS);
  if (reaches_outside(array)) return spw_fail(SPW_EUNSUPPORTED, error, name, "the shape reaches outside the storage");
  if (too_large_for_numpy(array))
    return spw_fail(SPW_EUNSUPPORTED, error, name, "the shape is beyond 64 bits of bytes, which NumPy cannot hold");
  return SPW_OK;
}

/* ---- Elements -------------------------------------------------------------------------------- */

/* How many elements lie together in memory in row-major order: those of the last dimensions, behind
 * *outer ones. */
static int64_t run_of(const spw_array *array, int64_t *outer)
{
  int64_t run = 1, d = array->ndim;
  while (d > 0 && (array->shape[d - 1] == 1 || array->strides[d - 1] == run))
    run *= array->shape[--d];
  *outer = d;
  return run;
}

/* Copies the elements, of which there are some, in row-major order. */
void spw_row_major_copy(const spw_array *array, const void *elements, size_t size, char *to)
{
  const char *const storage = elements;
  int64_t index[SPW_ROW_MAJOR_DIMS] = {0}, at = array->offset, d, outer;
  const size_t run = (size_t)run_of(array, &outer) * size;
  do {
    memcpy(to, storage + (size_t)at * size, run);
    to += run;
    for (d = outer; d > 0 && ++index[d - 1] == array->shape[d - 1]; d--) {
      index[d - 1] = 0;
      at -= (array->shape[d - 1] - 1) * array->strides[d - 1];
    }
    if (d > 0) at += array->strides[d - 1];
  } while (d > 0);
}

/* Bytes of the elements of an array that is not too large. */
size_t spw_row_major_bytes(const spw_array *array, size_t size)
{
  size_t bytes = size;
  for (int64_t d = 0; d < array->ndim; d++) bytes *= (size_t)array->shape[d];
  return bytes;
}
