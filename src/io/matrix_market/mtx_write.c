/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a 2-D COO tensor without dense dimensions as a Matrix Market file, coordinate general; a dense
 * matrix as array general.
 *
 * spw_read_mtx gives back the size (the inferred one, if the tensor has none), the indices as equal
 * int64 numbers in the same order, and the values with the same bits as bool, int64, float64 or
 * complex128; narrower types come back widened to equal numbers. Strides, declared types and the
 * claim to be coalesced are not written. What cannot come back so is SPW_EUNSUPPORTED: a bool other
 * than true (a pattern has no numbers), a NaN with a payload, an index of 2^63 - 1 (files count
 * from 1), a negative size; and two values of a narrower type at one position, whose sum a wider
 * one may not give. Invalid tensors are written otherwise: negative indices and those
 * beyond the size too. */
#define _GNU_SOURCE 1
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../text/c_locale.h"
#include "../../owned/owned.h"
#include "../arrays/row_major.h"
#include "../text/text_sink.h"
#include "../numbers/widen.h"

typedef struct writer {
  spw_text_sink *sink;
  const spw_tensor *tensor;
  int64_t nse;
  spw_error *error;
} writer;

/* The Matrix Market field of an element type; null: none. */
static const char *field_of(spw_dtype dtype)
{
  switch (dtype) {
  case SPW_BOOL: return "pattern";
  case SPW_UINT8:
  case SPW_INT8:
  case SPW_INT16:
  case SPW_INT32:
  case SPW_INT64: return "integer";
  case SPW_FLOAT16:
  case SPW_BFLOAT16:
  case SPW_FLOAT32:
  case SPW_FLOAT64: return "real";
  case SPW_COMPLEX64:
  case SPW_COMPLEX128: return "complex";
  default: return NULL;
  }
}

static spw_status unsupported(spw_error *error, const char *what)
{
  return spw_fail(SPW_EUNSUPPORTED, error, "", "Matrix Market: %s", what);
}

static spw_status unsupported_entry(const writer *w, int64_t k, const char *what)
{
  char where[64];
  snprintf(where, sizeof where, "entry %" PRId64, k);
  return spw_fail(SPW_EUNSUPPORTED, w->error, where, "Matrix Market: %s", what);
}

/* The rules that make it safe to read the entries, which are those that say what they are. */
static spw_status check_shape(const spw_tensor *tensor, spw_error *error)
{
  static const spw_rule needed[] = {SPW_RULE_1_3, SPW_RULE_6_1,  SPW_RULE_6_2,
                                    SPW_RULE_6_3, SPW_RULE_3_12, SPW_RULE_3_14};
  spw_report report;
  const spw_status status = spw_check(tensor, SPW_SHAPE, &report);
  if (status) return spw_fail(status, error, "", "the tensor is not one that the checker can read");
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if (report.findings[needed[i]].state != SPW_HOLDS)
      return spw_fail(SPW_EUNSUPPORTED, error, "",
                      "Matrix Market: the tensor does not satisfy rule %s",
                      spw_rule_get(needed[i])->id);
  return SPW_OK;
}

static spw_status check_kind(const spw_tensor *tensor, spw_error *error)
{
  if (tensor->layout != SPW_COO) return unsupported(error, "the layout is not coo");
  const spw_status status = check_shape(tensor, error);
  if (status) return status;
  if (tensor->plain.array.shape[0] != 2) return unsupported(error, "the tensor is not a matrix");
  if (tensor->values.array.ndim != 1) return unsupported(error, "the tensor has dense dimensions");
  if (!field_of(tensor->values.array.dtype))
    return unsupported(error, "no field for this element type");
  if (!tensor->values.data && tensor->plain.array.shape[1] > 0)
    return spw_fail(SPW_EINVAL, error, "", "the values are null");
  return SPW_OK;
}

static spw_status write_header(const writer *w)
{
  const spw_tensor *tensor = w->tensor;
  int64_t inferred[2], ndim;
  const int64_t *size = tensor->has_size ? tensor->size : inferred;
  if (!tensor->has_size && spw_infer_size(tensor, inferred, 2, &ndim))
    return unsupported(w->error, "the tensor has no size, and the indices imply none");
  spw_print(w->sink, "%%%%MatrixMarket matrix coordinate %s general\n",
          field_of(tensor->values.array.dtype));
  spw_print(w->sink, "%" PRId64 " %" PRId64 " %" PRId64 "\n", size[0], size[1], w->nse);
  return SPW_OK;
}

static int64_t index_at(const writer *w, int64_t dimension, int64_t k)
{
  const spw_index_array *indices = &w->tensor->plain;
  const int64_t *strides = indices->array.strides;
  const int64_t at = indices->array.offset + dimension * strides[0] + k * strides[1];
  return indices->array.dtype == SPW_INT32 ? indices->i32[at] : indices->i64[at];
}

static spw_status write_indices(const writer *w, int64_t k)
{
  const int64_t row = index_at(w, 0, k), column = index_at(w, 1, k);
  if (row == INT64_MAX || column == INT64_MAX)
    return unsupported_entry(w, k, "an index of 2^63 - 1 cannot be counted from 1");
  spw_print(w->sink, "%" PRId64 " %" PRId64, row + 1, column + 1);
  return SPW_OK;
}

/* The fewest digits that read back as this double. Where 15 digits do, "%g" leaves none to spare,
 * except for subnormal numbers. */
static void write_number(const writer *w, double number)
{
  char text[40];
  int digits = isnormal(number) ? 15 : 1;
  do
    snprintf(text, sizeof text, " %.*g", digits, number);
  while (digits++ < 17 && strtod(text, NULL) != number);
  spw_print(w->sink, "%s", text);
}

static bool has_payload(double number)
{
  static const uint64_t default_nan = UINT64_C(0x7ff8000000000000), all_but_sign = INT64_MAX;
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return isnan(number) && (bits & all_but_sign) != default_nan;
}

static spw_status write_float(const writer *w, int64_t k, spw_dtype dtype, const void *at)
{
  const double number = spw_widen_float(dtype, at);
  if (has_payload(number)) return unsupported_entry(w, k, "a NaN with a payload has no text");
  if (isnan(number))
    spw_print(w->sink, signbit(number) ? " -nan" : " nan");
  else
    write_number(w, number);
  return SPW_OK;
}

static spw_status write_complex(const writer *w, int64_t k, spw_dtype part, const char *at)
{
  const spw_status status = write_float(w, k, part, at);
  return status ? status : write_float(w, k, part, at + spw_dtype_size(part));
}

/* `element` is its place in the storage, and k its number in the file. */
static spw_status write_element(const writer *w, int64_t k, int64_t element)
{
  const spw_array *array = &w->tensor->values.array;
  const char *at = (const char *)w->tensor->values.data + element * spw_dtype_size(array->dtype);
  switch (array->dtype) {
  case SPW_BOOL:
    return *at == 1 ? SPW_OK
                    : unsupported_entry(w, k, "a pattern cannot hold a bool other than true");
  case SPW_FLOAT16:
  case SPW_BFLOAT16:
  case SPW_FLOAT32:
  case SPW_FLOAT64: return write_float(w, k, array->dtype, at);
  case SPW_COMPLEX64: return write_complex(w, k, SPW_FLOAT32, at);
  case SPW_COMPLEX128: return write_complex(w, k, SPW_FLOAT64, at);
  default: spw_print(w->sink, " %" PRId64, spw_widen_integer(array->dtype, at)); return SPW_OK;
  }
}

static spw_status write_value(const writer *w, int64_t k)
{
  const spw_array *array = &w->tensor->values.array;
  return write_element(w, k, array->offset + k * array->strides[0]);
}

/* ---- Dense matrices -------------------------------------------------------------------------- */

static spw_status check_dense(const spw_tensor *t, spw_error *error)
{
  const spw_array *const a = &t->values.array;
  const spw_status status = spw_row_major_check(a, t->values.data, "values", error);
  if (status) return status;
  if (a->ndim != 2) return unsupported(error, "the array is not a matrix");
  if (a->dtype == SPW_BOOL || !field_of(a->dtype)) return unsupported(error, "an array file has no field for this element type");
  return SPW_OK;
}

/* Column by column, a number a line. */
static spw_status write_array(const writer *w)
{
  const spw_array *const a = &w->tensor->values.array;
  spw_status status = SPW_OK;
  spw_print(w->sink, "%%%%MatrixMarket matrix array %s general\n", field_of(a->dtype));
  spw_print(w->sink, "%" PRId64 " %" PRId64 "\n", a->shape[0], a->shape[1]);
  const int64_t columns = a->shape[0] > 0 ? a->shape[1] : 0; /* without rows, however many columns there are */
  for (int64_t column = 0; !status && column < columns; column++)
    for (int64_t row = 0; !status && row < a->shape[0]; row++) {
      status = write_element(w, column * a->shape[0] + row, a->offset + row * a->strides[0] + column * a->strides[1]);
      spw_print(w->sink, "\n");
    }
  return status;
}

/* ---- Duplicates ------------------------------------------------------------------------------ */

typedef struct place {
  int64_t row, column;
} place;

static place place_at(const writer *w, int64_t k)
{
  return (place){index_at(w, 0, k), index_at(w, 1, k)};
}

static int compare_places(const void *first, const void *second)
{
  const place *a = first, *b = second;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  return (a->column > b->column) - (a->column < b->column);
}

static bool in_order(const writer *w)
{
  for (int64_t k = 1; k < w->nse; k++) {
    const place before = place_at(w, k - 1), here = place_at(w, k);
    if (compare_places(&before, &here) >= 0) return false;
  }
  return true;
}

static spw_status look_for_duplicates(const writer *w, place *places)
{
  for (int64_t k = 0; k < w->nse; k++) places[k] = place_at(w, k);
  qsort(places, (size_t)w->nse, sizeof *places, compare_places);
  for (int64_t k = 1; k < w->nse; k++) {
    if (compare_places(&places[k - 1], &places[k])) continue;
    char where[64];
    snprintf(where, sizeof where, "row %" PRId64 ", column %" PRId64, places[k].row, places[k].column);
    return spw_fail(SPW_EUNSUPPORTED, w->error, where,
                    "Matrix Market: two %s values are to be summed there, and the file's type would round them otherwise; "
                    "coalesce the tensor first", spw_dtype_name(w->tensor->values.array.dtype));
  }
  return SPW_OK;
}

/* The sum of duplicates is one of their type. */
static spw_status check_duplicates(const writer *w)
{
  const spw_dtype dtype = w->tensor->values.array.dtype;
  const bool keeps_type =
      dtype == SPW_BOOL || dtype == SPW_INT64 || dtype == SPW_FLOAT64 || dtype == SPW_COMPLEX128;
  if (keeps_type || w->tensor->coalesced == SPW_CLAIM_YES || in_order(w)) return SPW_OK;
  const size_t most = SIZE_MAX / sizeof(place);
  place *const places = (uint64_t)w->nse <= most ? malloc((size_t)w->nse * sizeof *places) : NULL;
  if (!places) return spw_fail(SPW_ENOMEM, w->error, "", "out of memory");
  const spw_status status = look_for_duplicates(w, places);
  free(places);
  return status;
}

/* ---- The file -------------------------------------------------------------------------------- */

static spw_status write_matrix(const writer *w)
{
  spw_status status = write_header(w);
  for (int64_t k = 0; !status && k < w->nse; k++) {
    if (!(status = write_indices(w, k))) status = write_value(w, k);
    spw_print(w->sink, "\n");
  }
  return status;
}

static spw_status write_in_c_locale(const writer *w)
{
  spw_c_locale c;
  if (!spw_enter_c_locale(&c)) return spw_fail(SPW_ENOMEM, w->error, "", "out of memory");
  const spw_status status = w->tensor->layout == SPW_DENSE ? write_array(w) : write_matrix(w);
  spw_leave_c_locale(&c);
  return status;
}

spw_status spw_write_mtx(const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error)
{
  if (!tensor || !bytes || !size) return spw_fail(SPW_EINVAL, error, "", "a pointer is null");
  const bool dense = tensor->layout == SPW_DENSE;
  spw_status status = dense ? check_dense(tensor, error) : check_kind(tensor, error);
  if (status) return status;
  spw_text_sink sink = {0};
  const writer w = {&sink, tensor, dense ? 0 : tensor->plain.array.shape[1], error};
  if (!dense) status = check_duplicates(&w);
  if (!status) status = write_in_c_locale(&w);
  if (!status && sink.lost) status = spw_fail(SPW_ENOMEM, error, "", "out of memory");
  if (status) {
    free(sink.bytes);
    return status;
  }
  *bytes = sink.bytes;
  *size = sink.size;
  return SPW_OK;
}
