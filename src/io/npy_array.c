/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of a .npy file, and of what they are: as the header says, and as an array says. */
#include "npy_array.h"
#include "byte_order.h"

#include <stdlib.h>
#include <string.h>

/* ---- Reading ------------------------------------------------------------------------------- */

spw_status spw_npy_check_length(spw_npy_array *a, int64_t width, spw_error *error)
{
  const spw_status status = spw_npy_strides(&a->npy, width, a->name, a->strides, &a->count, error);
  if (status) return status;
  if ((uint64_t)(a->count * width) != a->left)
    return spw_fail(SPW_EFORMAT, error, a->name,
                    "the header declares %lld elements of %lld bytes, but %llu bytes follow",
                    (long long)a->count, (long long)width, (unsigned long long)a->left);
  return SPW_OK;
}

spw_status spw_npy_check_numbers(spw_npy_array *a, spw_error *error)
{
  const spw_status status = spw_npy_dtype(&a->npy, a->name, &a->dtype, &a->swapped, error);
  return status ? status : spw_npy_check_length(a, spw_dtype_size(a->dtype), error);
}

void *spw_npy_allocate(spw_owned *owned, const char *name, size_t count, size_t size, spw_error *error)
{
  void *memory = spw_owned_alloc(owned, count, size);
  if (!memory)
    spw_fail(SPW_ENOMEM, error, name, "%zu elements of %zu bytes: no memory, or over the limit",
             count, size);
  return memory;
}

spw_status spw_npy_hold_shape(spw_owned *owned, const char *name, spw_dtype dtype, int64_t ndim,
                              const int64_t *shape, const int64_t *strides, spw_array *array,
                              spw_error *error)
{
  const size_t size = (size_t)ndim * sizeof(int64_t);
  int64_t *dims = spw_npy_allocate(owned, name, (size_t)ndim, 2 * sizeof(int64_t), error);
  if (!dims) return SPW_ENOMEM;
  memcpy(dims, shape, size);
  memcpy(dims + ndim, strides, size);
  *array = (spw_array){.dtype = dtype, .ndim = ndim, .shape = dims, .strides = dims + ndim};
  return SPW_OK;
}

spw_status spw_npy_hold_numbers(spw_owned *owned, const spw_npy_array *a, spw_array *array,
                                void **storage, spw_error *error)
{
  const spw_status status = spw_npy_hold_shape(owned, a->name, a->dtype, a->npy.ndim, a->npy.shape,
                                               a->strides, array, error);
  if (status) return status;
  const size_t size = (size_t)spw_dtype_size(a->dtype);
  *storage = spw_npy_allocate(owned, a->name, (size_t)a->count, size, error);
  if (!*storage) return SPW_ENOMEM;
  array->length = a->count;
  return SPW_OK;
}

void spw_npy_to_native(const spw_npy_array *a, void *elements)
{
  if (!a->swapped) return;
  const bool pair = a->dtype == SPW_COMPLEX64 || a->dtype == SPW_COMPLEX128;
  spw_reverse_bytes(elements, a->left, (size_t)spw_dtype_size(a->dtype) / (pair ? 2 : 1));
}

/* ---- Writing: what can be ------------------------------------------------------------------ */

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

spw_status spw_npy_check_array(const spw_array *array, const void *storage, const char *name,
                               spw_error *error)
{
  if (array->ndim < 0 || array->length < 0 || (array->length > 0 && !storage) ||
      (array->ndim > 0 && (!array->shape || !array->strides)))
    return spw_fail(SPW_EINVAL, error, name, "null pointer or negative length");
  if (!spw_npy_descr(array->dtype))
    return spw_fail(SPW_EUNSUPPORTED, error, name, "NumPy has no type for %s",
                    array->dtype == SPW_BFLOAT16 ? "bfloat16" : "these elements");
  if (array->ndim > SPW_NPY_DIMS)
    return spw_fail(SPW_EUNSUPPORTED, error, name, "%lld dimensions; NumPy's arrays have at most %d",
                    (long long)array->ndim, SPW_NPY_DIMS);
  if (reaches_outside(array))
    return spw_fail(SPW_EUNSUPPORTED, error, name, "the shape reaches outside the storage");
  if (too_large_for_numpy(array))
    return spw_fail(SPW_EUNSUPPORTED, error, name,
                    "the shape is beyond 64 bits of bytes, which NumPy cannot hold");
  return SPW_OK;
}

/* ---- Writing: the elements ----------------------------------------------------------------- */

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
static void gather(const spw_array *array, const char *storage, size_t size, char *to)
{
  int64_t index[SPW_NPY_DIMS] = {0}, at = array->offset, d, outer;
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
static size_t count_bytes(const spw_array *array, size_t size)
{
  size_t bytes = size;
  for (int64_t d = 0; d < array->ndim; d++) bytes *= (size_t)array->shape[d];
  return bytes;
}

spw_status spw_npy_print(const char *descr, size_t size, const spw_array *array, const void *storage,
                         const char *name, void **bytes, size_t *length, spw_error *error)
{
  char header[SPW_NPY_WRITTEN];
  const size_t start = spw_npy_format(header, descr, array->ndim, array->shape);
  const size_t elements = count_bytes(array, size);
  char *file = malloc(start + elements);
  if (!file) return spw_fail(SPW_ENOMEM, error, name, "no memory");
  memcpy(file, header, start);
  if (elements > 0) gather(array, storage, size, file + start);
  *bytes = file;
  *length = start + elements;
  return SPW_OK;
}
