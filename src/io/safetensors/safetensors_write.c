/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a sparse tensor as the dense tensors of a .safetensors file. */
#include "../arrays/row_major.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PREFIX = 8, ALIGNMENT = 8, MOST = 3, HEADER = 8192 };

typedef struct member {
  const char *name;
  const spw_array *array;
  const void *storage;
  size_t width, bytes; /* of an element, and of all */
} member;

typedef struct writer {
  const spw_tensor *tensor;
  const spw_semi *semi; /* where there is no tensor */
  spw_error *error;
  member members[MOST];
  int count;
  char header[HEADER];
  size_t length;
} writer;

static const char *type_name(spw_dtype dtype)
{
  static const char *const names[SPW_DTYPE_COUNT] = {
      [SPW_BOOL] = "BOOL",   [SPW_UINT8] = "U8",    [SPW_INT8] = "I8",      [SPW_INT16] = "I16",  [SPW_INT32] = "I32",
          [SPW_INT64] = "I64",
      [SPW_FLOAT16] = "F16", [SPW_BFLOAT16] = "BF16", [SPW_FLOAT32] = "F32", [SPW_FLOAT64] = "F64", [SPW_COMPLEX64] = "C64"};
  if (dtype == SPW_FLOAT8_E4M3FN) return "F8_E4M3";
  if (dtype == SPW_FLOAT8_E5M2) return "F8_E5M2";
  return dtype >= 0 && dtype < SPW_DTYPE_COUNT ? names[dtype] : NULL;
}

static size_t width_of(spw_dtype dtype)
{
  return dtype == SPW_FLOAT8_E4M3FN || dtype == SPW_FLOAT8_E5M2 ? 1 : (size_t)spw_dtype_size(dtype);
}

/* ---- Members --------------------------------------------------------------------------------- */

static spw_status add_member(writer *w, const char *name, const spw_array *array, const void *storage)
{
  const spw_status status = spw_row_major_check(array, storage, name, w->error);
  if (status) return status;
  if (!type_name(array->dtype))
    return spw_fail(SPW_EUNSUPPORTED, w->error, name, "safetensors has no type for %s",
                    array->dtype == SPW_COMPLEX128 ? "complex128" : "these elements");
  const size_t width = width_of(array->dtype);
  w->members[w->count++] = (member){name, array, storage, width, spw_row_major_bytes(array, width)};
  return SPW_OK;
}

static spw_status add_index(writer *w, spw_member which, const spw_index_array *index)
{
  const char *const name = spw_member_torch_name(w->tensor->layout, which);
  const spw_dtype dtype = index->array.dtype;
  if (dtype == SPW_INT32) return add_member(w, name, &index->array, index->i32);
  if (dtype == SPW_INT64) return add_member(w, name, &index->array, index->i64);
  return spw_fail(SPW_EUNSUPPORTED, w->error, name, "index arrays of another type than int32 and int64 would be read as int64");
}

static spw_status add_members(writer *w)
{
  const spw_tensor *const t = w->tensor;
  spw_status status = t->layout == SPW_COO ? SPW_OK : add_index(w, SPW_MEMBER_COMPRESSED, &t->compressed);
  if (!status) status = add_index(w, SPW_MEMBER_PLAIN, &t->plain);
  return status ? status : add_member(w, "values", &t->values.array, t->values.data);
}

/* Wide elements first: each then lies at a multiple of its size. */
static int by_width(const void *first, const void *second)
{
  const member *const a = first, *const b = second;
  return a->width != b->width ? (b->width > a->width) - (b->width < a->width) : strcmp(a->name, b->name);
}

/* ---- The header ------------------------------------------------------------------------------ */

static void put(writer *w, const char *text)
{
  const size_t length = strlen(text);
  if (length < HEADER - w->length) memcpy(w->header + w->length, text, length);
  w->length += length < HEADER - w->length ? length : HEADER - w->length;
}

static void put_number(writer *w, int64_t number)
{
  char text[24];
  snprintf(text, sizeof text, "%lld", (long long)number);
  put(w, text);
}

static void put_list(writer *w, int64_t count, const int64_t *numbers)
{
  put(w, "[");
  for (int64_t i = 0; i < count && w->length < HEADER; i++) {
    if (i > 0) put(w, ",");
    put_number(w, numbers[i]);
  }
  put(w, "]");
}

static void put_metadata_of_semi(writer *w)
{
  const int64_t size[2] = {w->semi->rows, w->semi->columns};
  put(w, "{\"__metadata__\":{\"sparse_format\":\"semi\",\"order\":\"");
  put(w, spw_semi_order_name(w->semi->order));
  put(w, "\",\"size\":\"");
  put_list(w, 2, size);
  put(w, "\"}");
}

static void put_metadata(writer *w)
{
  const spw_tensor *const t = w->tensor;
  put(w, "{\"__metadata__\":{\"sparse_format\":\"");
  put(w, spw_layout_name(t->layout));
  if (t->has_size) {
    put(w, "\",\"size\":\"");
    put_list(w, t->ndim, t->size);
  }
  if (t->layout == SPW_COO && t->coalesced != SPW_CLAIM_NONE)
    put(w, t->coalesced == SPW_CLAIM_YES ? "\",\"coalesced\":\"true" : "\",\"coalesced\":\"false");
  put(w, "\"}");
}

static void put_member(writer *w, const member *m, size_t begin)
{
  put(w, ",\"");
  put(w, m->name);
  put(w, "\":{\"dtype\":\"");
  put(w, type_name(m->array->dtype));
  put(w, "\",\"shape\":");
  put_list(w, m->array->ndim, m->array->shape);
  put(w, ",\"data_offsets\":");
  put_list(w, 2, (const int64_t[]){(int64_t)begin, (int64_t)(begin + m->bytes)});
  put(w, "}");
}

/* Returns the bytes of all elements. */
static size_t put_header(writer *w)
{
  size_t begin = 0;
  if (w->semi)
    put_metadata_of_semi(w);
  else
    put_metadata(w);
  for (int i = 0; i < w->count; i++) {
    put_member(w, &w->members[i], begin);
    begin += w->members[i].bytes;
  }
  put(w, "}");
  while (w->length % ALIGNMENT != 0) put(w, " ");
  return begin;
}

/* ---- The file -------------------------------------------------------------------------------- */

static void fill(const writer *w, char *file)
{
  for (size_t i = 0; i < PREFIX; i++) file[i] = (char)(w->length >> 8 * i & 0xff);
  memcpy(file + PREFIX, w->header, w->length);
  char *at = file + PREFIX + w->length;
  for (int i = 0; i < w->count; i++) {
    const member *const m = &w->members[i];
    if (m->bytes > 0) spw_row_major_copy(m->array, m->storage, m->width, at);
    at += m->bytes;
  }
}

static spw_status check(const spw_tensor *t, spw_error *error)
{
  if (t->layout < 0 || t->layout >= SPW_LAYOUT_COUNT)
    return spw_fail(SPW_EUNSUPPORTED, error, "", "only sparse tensors are written to safetensors");
  if (!t->has_size) return SPW_OK;
  if (t->ndim < 0 || (t->ndim > 0 && !t->size)) return spw_fail(SPW_EINVAL, error, "size", "null pointer or negative length");
  if (t->ndim > SPW_ROW_MAJOR_DIMS)
    return spw_fail(SPW_EUNSUPPORTED, error, "size", "more than %d dimensions", SPW_ROW_MAJOR_DIMS);
  for (int64_t d = 0; d < t->ndim; d++)
    if (t->size[d] == INT64_MAX || t->size[d] == INT64_MIN)
      return spw_fail(SPW_EUNSUPPORTED, error, "size", "an entry at the end of 64 bits");
  return SPW_OK;
}

static spw_status write_members(writer *w, void **bytes, size_t *size)
{
  qsort(w->members, (size_t)w->count, sizeof *w->members, by_width);
  const size_t elements = put_header(w);
  char *const file = elements < SIZE_MAX / 2 ? malloc(PREFIX + w->length + elements) : NULL;
  if (!file) return spw_fail(SPW_ENOMEM, w->error, "", "no memory");
  fill(w, file);
  *bytes = file;
  *size = PREFIX + w->length + elements;
  return SPW_OK;
}

spw_status spw_write_safetensors(const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error)
{
  if (!tensor || !bytes || !size) return spw_fail(SPW_EINVAL, error, "", "null pointer");
  spw_status status = check(tensor, error);
  if (status) return status;
  writer w = {.tensor = tensor, .error = error};
  status = add_members(&w);
  return status ? status : write_members(&w, bytes, size);
}

spw_status spw_write_semi_safetensors(const spw_semi *semi, void **bytes, size_t *size, spw_error *error)
{
  if (!semi || !bytes || !size) return spw_fail(SPW_EINVAL, error, "", "null pointer");
  if (!spw_semi_order_name(semi->order)) return spw_fail(SPW_EINVAL, error, "order", "no order");
  if (semi->rows == INT64_MAX || semi->columns == INT64_MAX || semi->rows == INT64_MIN || semi->columns == INT64_MIN)
    return spw_fail(SPW_EUNSUPPORTED, error, "size", "an entry at the end of 64 bits");
  writer w = {.semi = semi, .error = error};
  spw_status status = add_member(&w, "packed", &semi->packed.array, semi->packed.data);
  if (!status) status = add_member(&w, "meta", &semi->metadata.array, semi->metadata.data);
  return status ? status : write_members(&w, bytes, size);
}
