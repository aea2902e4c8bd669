/* SPDX-License-Identifier: Apache-2.0 */
/* A tensor's arrays as a library with bare pointers takes them. */
#include "kit.h"

#include <string.h>

static const char *plain_array(const spw_array *array, int64_t ndim, bool has_storage)
{
  int64_t stride = 1;
  if (array->ndim != ndim) return "an array with another number of dimensions";
  for (int64_t d = ndim - 1; d >= 0; d--) {
    if (array->shape[d] < 0) return "a negative shape";
    if (array->strides[d] != stride) return "strides";
    if (array->shape[d] > INT64_MAX / stride) return "a huge array";
    stride *= array->shape[d] ? array->shape[d] : 1;
  }
  int64_t count = 1;
  for (int64_t d = 0; d < ndim; d++) count *= array->shape[d];
  if (array->offset) return "an offset";
  if (count > array->length || (count && !has_storage)) return "an array outside its storage";
  return NULL;
}

static const void *index_storage(const spw_index_array *indices)
{
  if (indices->array.dtype == SPW_INT32) return indices->i32;
  if (indices->array.dtype == SPW_INT64) return indices->i64;
  return NULL;
}

static const char *index_array(const spw_index_array *indices, int64_t ndim, spw_dtype dtype)
{
  if (indices->array.dtype != dtype) return "index types that differ";
  if (dtype != SPW_INT32 && dtype != SPW_INT64)
    return "an index type that is neither int32 nor int64";
  return plain_array(&indices->array, ndim, index_storage(indices) != NULL);
}

static const char *compressed_members(const spw_tensor *tensor, kit_matrix *m)
{
  const char *why = index_array(&tensor->compressed, 1, m->index_dtype);
  if (!why) why = index_array(&tensor->plain, 1, m->index_dtype);
  if (why) return why;
  const size_t width = (size_t)spw_dtype_size(m->index_dtype);
  m->compressed_length = tensor->compressed.array.shape[0];
  m->compressed =
      kit_guarded_copy(index_storage(&tensor->compressed), (size_t)m->compressed_length * width);
  m->plain = kit_guarded_copy(index_storage(&tensor->plain), (size_t)m->plain_length * width);
  return NULL;
}

static const char *coo_members(const spw_tensor *tensor, kit_matrix *m)
{
  const char *why = index_array(&tensor->plain, 2, m->index_dtype);
  if (why) return why;
  if (tensor->plain.array.shape[0] != 2) return "not two sparse dimensions";
  const size_t bytes = (size_t)(m->nse * spw_dtype_size(m->index_dtype));
  const char *indices = index_storage(&tensor->plain);
  m->row = kit_guarded_copy(indices, bytes);
  m->column = kit_guarded_copy(bytes ? indices + bytes : indices, bytes);
  return NULL;
}

static const char *blocks(const spw_tensor *tensor, kit_matrix *m)
{
  if (m->layout != SPW_BSR && m->layout != SPW_BSC) return NULL;
  m->block[0] = tensor->values.array.shape[1];
  m->block[1] = tensor->values.array.shape[2];
  if (m->block[0] < 1 || m->block[1] < 1) return "a block size below 1";
  if (m->rows % m->block[0] || m->columns % m->block[1])
    return "blocks that do not divide the size";
  return NULL;
}

const char *kit_matrix_of(const spw_tensor *tensor, kit_matrix *m)
{
  const spw_array *const values = &tensor->values.array, *const plain = &tensor->plain.array;
  const bool blocked = tensor->layout == SPW_BSR || tensor->layout == SPW_BSC;
  *m = (kit_matrix){.layout = tensor->layout,
                    .block = {1, 1},
                    .dtype = values->dtype,
                    .index_dtype = plain->dtype};
  if (!tensor->has_size) return "no size";
  if (tensor->ndim != 2) return "not two dimensions";
  if (tensor->index_dtype && tensor->index_dtype != m->index_dtype)
    return "declared types that differ";
  if (tensor->dtype && tensor->dtype != m->dtype) return "declared types that differ";
  const char *why = plain_array(values, blocked ? 3 : 1, tensor->values.data != NULL);
  if (why) return why;
  m->rows = tensor->size[0];
  m->columns = tensor->size[1];
  if ((why = blocks(tensor, m))) return why;
  if (plain->ndim < 1 || plain->shape[plain->ndim - 1] < 0) return "no plain indices";
  m->nse = m->plain_length = plain->shape[plain->ndim - 1];
  m->values_length = values->shape[0];
  if ((why = (m->layout == SPW_COO ? coo_members : compressed_members)(tensor, m))) return why;
  const int64_t bytes = m->values_length * m->block[0] * m->block[1] * spw_dtype_size(m->dtype);
  m->values = kit_guarded_copy(tensor->values.data, (size_t)bytes);
  return NULL;
}

const char *kit_lengths_of(const kit_matrix *m)
{
  if (m->values_length != m->nse) return "values of another length than the indices";
  if (m->layout == SPW_COO) return NULL;
  const bool by_row = m->layout == SPW_CSR || m->layout == SPW_BSR;
  const int64_t lines = by_row ? m->rows / m->block[0] : m->columns / m->block[1];
  return m->compressed_length == lines + 1 ? NULL : "compressed indices of another length";
}

void kit_widen(kit_matrix *m)
{
  if (m->dtype != SPW_FLOAT32) return;
  const int64_t count = m->values_length * m->block[0] * m->block[1];
  const float *const single = m->values;
  double *const wide = kit_guarded((size_t)count * sizeof *wide);
  for (int64_t k = 0; k < count; k++) wide[k] = (double)single[k];
  m->values = wide;
  m->dtype = SPW_FLOAT64;
}

bool kit_fits_dense(const kit_matrix *m)
{
  return m->rows >= 0 && m->columns >= 0 && m->rows <= KIT_LARGEST_DENSE && m->columns <= KIT_LARGEST_DENSE &&
         m->rows * m->columns <= KIT_LARGEST_DENSE;
}

int64_t kit_index(const void *indices, spw_dtype dtype, int64_t position)
{
  return dtype == SPW_INT32 ? ((const int32_t *)indices)[position]
                            : ((const int64_t *)indices)[position];
}

void *kit_indices_as(const void *indices, spw_dtype from, spw_dtype to, int64_t count)
{
  void *const converted = kit_guarded((size_t)(count * spw_dtype_size(to)));
  for (int64_t i = 0; i < count; i++) {
    const int64_t index = kit_index(indices, from, i);
    if (to == SPW_INT64)
      ((int64_t *)converted)[i] = index;
    else if (index >= INT32_MIN && index <= INT32_MAX)
      ((int32_t *)converted)[i] = (int32_t)index;
    else
      return NULL;
  }
  return converted;
}

kit_dense kit_ones(spw_dtype dtype, int64_t count)
{
  static int64_t shape[1];
  const size_t width = (size_t)spw_dtype_size(dtype);
  if (count < 0) count = 0; /* of a tensor with a negative size: it is the library that must say so */
  kit_dense ones = {dtype, 1, shape, count, kit_guarded((size_t)count * width), NULL};
  shape[0] = count;
  for (int64_t i = 0; i < count; i++) kit_set_one(dtype, (char *)ones.data + (size_t)i * width);
  return ones;
}

void kit_set_one(spw_dtype dtype, void *element)
{
  const int64_t integer = 1; /* little-endian */
  const float single = 1;
  const double real = 1;
  const uint16_t half = dtype == SPW_FLOAT16 ? 0x3c00 : 0x3f80;
  memset(element, 0, (size_t)spw_dtype_size(dtype));
  if (dtype == SPW_FLOAT16 || dtype == SPW_BFLOAT16)
    memcpy(element, &half, sizeof half);
  else if (dtype == SPW_FLOAT32 || dtype == SPW_COMPLEX64)
    memcpy(element, &single, sizeof single);
  else if (dtype == SPW_FLOAT64 || dtype == SPW_COMPLEX128)
    memcpy(element, &real, sizeof real);
  else
    memcpy(element, &integer, (size_t)spw_dtype_size(dtype));
}
