/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a tensor as a JSON file: one compact line that reads back with the same bits. */
#include "element_print.h"
#include "json_format.h"
#include "../../owned/owned.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUN_LENGTH = 64 }; /* longer storages of equal elements are written as length and fill */

/* A text that grows; `lost` once there was no memory for all of it. */
typedef struct text {
  char *bytes;
  size_t used, capacity;
  bool lost;
} text;

/* ---- Text ---- */

static bool reserve(text *t, size_t more)
{
  if (t->lost || more > SIZE_MAX / 4 - t->used) return false;
  if (t->used + more <= t->capacity) return true;
  const size_t capacity = 2 * (t->used + more);
  char *grown = realloc(t->bytes, capacity);
  if (!grown) return false;
  t->bytes = grown;
  t->capacity = capacity;
  return true;
}

static void put(text *t, const char *string)
{
  const size_t length = strlen(string);
  if (!reserve(t, length)) {
    t->lost = true;
    return;
  }
  memcpy(t->bytes + t->used, string, length);
  t->used += length;
}

static void put_integer(text *t, int64_t number)
{
  char digits[24];
  snprintf(digits, sizeof digits, "%" PRId64, number);
  put(t, digits);
}

static void put_integers(text *t, const int64_t *numbers, int64_t count)
{
  put(t, "[");
  for (int64_t i = 0; i < count; i++) {
    if (i) put(t, ",");
    put_integer(t, numbers[i]);
  }
  put(t, "]");
}

static void put_name(text *t, const char *key, const char *name)
{
  put(t, key);
  put(t, "\"");
  put(t, name);
  put(t, "\"");
}

/* ---- Arrays ---- */

static bool has_default_strides(const spw_array *array)
{
  int64_t stride = 1;
  for (int64_t d = array->ndim - 1; d >= 0; d--) {
    if (array->strides[d] != stride) return false;
    stride = spw_json_next_stride(stride, array->shape[d]);
  }
  return true;
}

/* The types that only 2:4 matrices have are written as bytes. */
static spw_dtype written_as(spw_dtype dtype)
{
  return dtype == SPW_FLOAT8_E4M3FN || dtype == SPW_FLOAT8_E5M2 ? SPW_UINT8 : dtype;
}

static bool is_run(const spw_array *array, const char *data)
{
  const size_t size = (size_t)spw_dtype_size(written_as(array->dtype)), length = (size_t)array->length;
  return length > RUN_LENGTH && memcmp(data, data + size, (length - 1) * size) == 0;
}

/* Returns how many of the elements were written: fewer than `count` when one has no JSON text. */
static int64_t put_elements(text *t, spw_dtype dtype, const char *data, int64_t count)
{
  const int64_t size = spw_dtype_size(dtype);
  char element[SPW_ELEMENT_TEXT];
  for (int64_t i = 0; i < count && !t->lost; i++) {
    if (!spw_element_print(dtype, data + i * size, element)) return i;
    if (i) put(t, ",");
    put(t, element);
  }
  return count;
}

static spw_status put_storage(text *t, const char *member, const spw_array *array, const char *data,
                              spw_error *error)
{
  const bool run = is_run(array, data);
  const int64_t count = run ? 1 : array->length;
  char where[64];
  if (run) {
    put(t, ",\"length\":");
    put_integer(t, array->length);
  }
  put(t, run ? ",\"fill\":" : ",\"data\":[");
  const int64_t written = put_elements(t, written_as(array->dtype), data, count);
  put(t, run ? "}" : "]}");
  if (written == count) return SPW_OK;
  snprintf(where, sizeof where, "$.%s.data[%" PRId64 "]", member, written);
  return spw_fail(SPW_EUNSUPPORTED, error, where, "a bool that is neither 0 nor 1");
}

static spw_status check_array(const char *member, const spw_array *array, const void *data,
                              spw_error *error)
{
  char where[64];
  snprintf(where, sizeof where, "$.%s", member);
  if (array->ndim < 0 || array->length < 0)
    return spw_fail(SPW_EINVAL, error, where, "negative ndim or length");
  if (array->ndim > SPW_NDIM_MAX) return spw_fail(SPW_EINVAL, error, where, "more than 2^30 dimensions");
  if (array->ndim > 0 && (!array->shape || !array->strides))
    return spw_fail(SPW_EINVAL, error, where, "null shape or strides");
  if (array->length > 0 && !data) return spw_fail(SPW_EINVAL, error, where, "null storage");
  if (!spw_dtype_size(strcmp(member, "packed") == 0 ? written_as(array->dtype) : array->dtype))
    return spw_fail(SPW_EUNSUPPORTED, error, where, "not an element type");
  if (array->length > SPW_JSON_MAX_LENGTH)
    return spw_fail(SPW_EUNSUPPORTED, error, where, "more than 2^31 storage elements");
  return SPW_OK;
}

static spw_status put_array(text *t, const char *member, const spw_array *array, const void *data,
                            spw_error *error)
{
  const spw_status status = check_array(member, array, data, error);
  if (status) return status;
  put_name(t, ",", member);
  put_name(t, ":{\"dtype\":", spw_semi_dtype_name(array->dtype));
  put(t, ",\"shape\":");
  put_integers(t, array->shape, array->ndim);
  if (!has_default_strides(array)) {
    put(t, ",\"strides\":");
    put_integers(t, array->strides, array->ndim);
  }
  if (array->offset) {
    put(t, ",\"offset\":");
    put_integer(t, array->offset);
  }
  return put_storage(t, member, array, data, error);
}

static spw_status put_index_array(text *t, const char *member, const spw_index_array *indices,
                                  spw_error *error)
{
  const void *data = indices->raw;
  if (indices->array.dtype == SPW_INT32) data = indices->i32;
  if (indices->array.dtype == SPW_INT64) data = indices->i64;
  return put_array(t, member, &indices->array, data, error);
}

/* ---- The tensor ---- */

static spw_status check_tensor(const spw_tensor *tensor, spw_error *error)
{
  const bool is_dense = tensor->layout == SPW_DENSE; /* nothing is looked at but what it has */
  if (!is_dense && tensor->has_size && (tensor->ndim < 0 || (tensor->ndim > 0 && !tensor->size)))
    return spw_fail(SPW_EINVAL, error, "$.size", "negative ndim or null size");
  if (!is_dense && tensor->has_size && tensor->ndim > SPW_NDIM_MAX)
    return spw_fail(SPW_EINVAL, error, "$.size", "more than 2^30 dimensions");
  if (!spw_layout_name(tensor->layout))
    return spw_fail(SPW_EUNSUPPORTED, error, "$.layout", "not a layout");
  if (!is_dense && tensor->index_dtype && !spw_dtype_size(tensor->index_dtype))
    return spw_fail(SPW_EUNSUPPORTED, error, "$.index_dtype", "not an element type");
  if (tensor->dtype && !spw_dtype_size(tensor->dtype))
    return spw_fail(SPW_EUNSUPPORTED, error, "$.dtype", "not an element type");
  return SPW_OK;
}

static void put_head(text *t, const spw_tensor *tensor)
{
  const bool is_dense = tensor->layout == SPW_DENSE;
  put_name(t, "{\"spw\":1,\"layout\":", spw_layout_name(tensor->layout));
  if (tensor->has_size && !is_dense) {
    put(t, ",\"size\":");
    put_integers(t, tensor->size, tensor->ndim);
  }
  if (tensor->index_dtype && !is_dense)
    put_name(t, ",\"index_dtype\":", spw_dtype_name(tensor->index_dtype));
  if (tensor->dtype) put_name(t, ",\"dtype\":", spw_dtype_name(tensor->dtype));
  if (tensor->layout == SPW_COO && tensor->coalesced != SPW_CLAIM_NONE)
    put(t, tensor->coalesced ? ",\"coalesced\":true" : ",\"coalesced\":false");
}

static spw_status put_members(text *t, const spw_tensor *tensor, spw_error *error)
{
  spw_status status = SPW_OK;
  if (tensor->layout == SPW_COO) {
    status = put_index_array(t, "indices", &tensor->plain, error);
  } else if (tensor->layout != SPW_DENSE) {
    status = put_index_array(t, "compressed_indices", &tensor->compressed, error);
    if (!status) status = put_index_array(t, "plain_indices", &tensor->plain, error);
  }
  if (!status)
    status = put_array(t, "values", &tensor->values.array, tensor->values.data, error);
  put(t, "}\n");
  return status;
}

/* The bytes of what was written, or why there are none. */
static spw_status finish(text *t, spw_status status, void **bytes, size_t *size, spw_error *error)
{
  if (!status && t->lost) status = spw_fail(SPW_ENOMEM, error, "", "no memory for the text");
  if (status) {
    free(t->bytes);
    return status;
  }
  *bytes = t->bytes;
  *size = t->used;
  return SPW_OK;
}

spw_status spw_write_json(const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error)
{
  if (!tensor || !bytes || !size) return spw_fail(SPW_EINVAL, error, "", "null argument");
  text t = {0};
  spw_status status = check_tensor(tensor, error);
  if (!status) put_head(&t, tensor);
  if (!status) status = put_members(&t, tensor, error);
  return finish(&t, status, bytes, size, error);
}

/* ---- A 2:4 matrix ---- */

static spw_status put_semi(text *t, const spw_semi *semi, spw_error *error)
{
  const int64_t size[2] = {semi->rows, semi->columns};
  const char *const order = spw_semi_order_name(semi->order), *const dtype = spw_semi_dtype_name(semi->dtype);
  if (!order) return spw_fail(SPW_EUNSUPPORTED, error, "$.order", "not an order");
  if (semi->dtype && !dtype) return spw_fail(SPW_EUNSUPPORTED, error, "$.dtype", "not an element type");
  put_name(t, "{\"spw\":1,\"layout\":", "semi");
  put_name(t, ",\"order\":", order);
  put(t, ",\"size\":");
  put_integers(t, size, 2);
  if (semi->dtype) put_name(t, ",\"dtype\":", dtype);
  spw_status status = put_array(t, "packed", &semi->packed.array, semi->packed.data, error);
  if (!status) status = put_array(t, "metadata", &semi->metadata.array, semi->metadata.data, error);
  put(t, "}\n");
  return status;
}

spw_status spw_write_semi_json(const spw_semi *semi, void **bytes, size_t *size, spw_error *error)
{
  if (!semi || !bytes || !size) return spw_fail(SPW_EINVAL, error, "", "null argument");
  text t = {0};
  const spw_status status = put_semi(&t, semi, error);
  return finish(&t, status, bytes, size, error);
}
