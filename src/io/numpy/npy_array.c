/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of a .npy file, and of what they are: as the header says, and as an array says. */
#include "npy_array.h"
#include "../numbers/byte_order.h"
#include "../arrays/row_major.h"

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

/* ---- Writing ------------------------------------------------------------------------------- */

spw_status spw_npy_check_array(const spw_array *array, const void *storage, const char *name,
                               spw_error *error)
{
  const spw_status status = spw_row_major_check(array, storage, name, error);
  if (status || spw_npy_descr(array->dtype)) return status;
  return spw_fail(SPW_EUNSUPPORTED, error, name, "NumPy has no type for %s",
                  array->dtype == SPW_BFLOAT16 ? "bfloat16" : "these elements");
}

spw_status spw_npy_print(const char *descr, size_t size, const spw_array *array, const void *storage,
                         const char *name, void **bytes, size_t *length, spw_error *error)
{
  char header[SPW_NPY_WRITTEN];
  const size_t start = spw_npy_format(header, descr, array->ndim, array->shape);
  const size_t elements = spw_row_major_bytes(array, size);
  char *file = malloc(start + elements);
  if (!file) return spw_fail(SPW_ENOMEM, error, name, "no memory");
  memcpy(file, header, start);
  if (elements > 0) spw_row_major_copy(array, storage, size, file + start);
  *bytes = file;
  *length = start + elements;
  return SPW_OK;
}
