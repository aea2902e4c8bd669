/* SPDX-License-Identifier: Apache-2.0 */
/* Any tensors to files and back: JSON can say all of them, the other formats some; and what a file
 * says, it says with the same bits. All are read before the first is looked at, so that none may
 * lie in the memory of another. Operation: the format. */
#include "target.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORK = 20000 };

/* ---- The checker's verdict ------------------------------------------------------------------- */

/* Does some shape rule not hold? 1.6 and 3.11 of an inferred size wait for the indices. */
static bool breaks_shape(const spw_report *report)
{
  for (int rule = 0; rule < SPW_RULE_COUNT; rule++)
    if (report->findings[rule].state == SPW_VIOLATED &&
        spw_rule_get((spw_rule)rule)->phase == SPW_SHAPE)
      return true;
  return false;
}

/* npz and mtx files say nothing of strides and declared types, and mtx nothing of the type of the
 * indices, so that shape rules may come to hold; but where they do hold, indices are neither mended
 * nor broken. */
static void expect_verdict(const fuzz_format *f, const spw_tensor *x, const spw_tensor *y)
{
  spw_report before, after;
  if (fuzz_work(x) > WORK) return;
  const spw_status one = spw_check(x, SPW_STRUCTURE, &before);
  if (one == SPW_OK && breaks_shape(&before)) return;
  const spw_status two = spw_check(y, SPW_STRUCTURE, &after);
  if (one != two || (one == SPW_OK && before.valid != after.valid))
    fuzz_fail("a tensor comes back with another verdict", "%s", f->name);
}

/* ---- Values of a Matrix Market file ---------------------------------------------------------- */

static uint64_t bits_of(double number)
{
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

/* A half of 1 sign, 5 exponent and 10 fraction bits. */
static double number_of_half(uint16_t bits)
{
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double number = exponent == 31  ? (fraction ? (double)NAN : (double)INFINITY)
                        : exponent == 0 ? ldexp(fraction, -24)
                                        : ldexp(1024 + fraction, exponent - 25);
  return bits >> 15 ? -number : number;
}

static double number_of_single(uint32_t bits)
{
  float number;
  memcpy(&number, &bits, sizeof number);
  return (double)number;
}

/* A floating number as the equal float64. A NaN keeps its sign, and has nothing else to keep. */
static uint64_t widened(spw_dtype dtype, const char *at)
{
  uint64_t bits = 0;
  memcpy(&bits, at, (size_t)spw_dtype_size(dtype));
  if (dtype == SPW_FLOAT64) return bits;
  const double number = dtype == SPW_FLOAT16    ? number_of_half((uint16_t)bits)
                        : dtype == SPW_BFLOAT16 ? number_of_single((uint32_t)bits << 16)
                                                : number_of_single((uint32_t)bits);
  const uint64_t sign = bits >> (8 * spw_dtype_size(dtype) - 1) << 63;
  return isnan(number) ? sign | UINT64_C(0x7ff8000000000000) : bits_of(number);
}

static int64_t integer_at(spw_dtype dtype, const char *at)
{
  uint64_t bits = 0;
  const int size = (int)spw_dtype_size(dtype), rest = 64 - 8 * size;
  memcpy(&bits, at, (size_t)size);
  return dtype == SPW_UINT8 ? (int64_t)bits : (int64_t)(bits << rest) >> rest;
}

/* Is the value at `from` what the file's reader gives at `to`? */
static bool same_number(spw_dtype dtype, const char *from, spw_dtype read, const char *to)
{
  uint64_t word[2] = {0, 0};
  memcpy(word, to, (size_t)spw_dtype_size(read));
  switch (dtype) {
    case SPW_BOOL: return read == SPW_BOOL && *from == 1 && *to == 1;
    case SPW_FLOAT16: case SPW_BFLOAT16: case SPW_FLOAT32: case SPW_FLOAT64:
      return read == SPW_FLOAT64 && word[0] == widened(dtype, from);
    case SPW_COMPLEX64:
      return read == SPW_COMPLEX128 && word[0] == widened(SPW_FLOAT32, from) &&
             word[1] == widened(SPW_FLOAT32, from + 4);
    case SPW_COMPLEX128: return read == SPW_COMPLEX128 && memcmp(from, to, 16) == 0;
    default: return read == SPW_INT64 && (int64_t)word[0] == integer_at(dtype, from);
  }
}

static int64_t index_at(const spw_index_array *a, int64_t number)
{
  const int64_t place = fuzz_place_of(&a->array, number);
  return a->array.dtype == SPW_INT32 ? a->i32[place] : a->i64[place];
}

/* Equal numbers in the same order, of wider types. */
static void expect_entries(const spw_tensor *x, const spw_tensor *y)
{
  const spw_array *from = &x->values.array, *to = &y->values.array;
  const int64_t nse = x->plain.array.shape[1];
  if (y->plain.array.shape[1] != nse || to->shape[0] != nse) fuzz_fail("another nse", "mtx");
  for (int64_t i = 0; i < 2 * nse; i++)
    if (index_at(&x->plain, i) != index_at(&y->plain, i))
      fuzz_fail("an index comes back as another", "mtx, number %lld", (long long)i);
  for (int64_t k = 0; k < nse; k++) {
    const char *one = x->values.data, *two = y->values.data;
    one += fuzz_place_of(from, k) * spw_dtype_size(from->dtype);
    two += fuzz_place_of(to, k) * spw_dtype_size(to->dtype);
    if (!same_number(from->dtype, one, to->dtype, two))
      fuzz_fail("a value comes back as another", "mtx, %s, number %lld",
                spw_dtype_name(from->dtype), (long long)k);
  }
}

/* ---- There and back -------------------------------------------------------------------------- */

static bool has_odd_bool(const spw_array *a, const void *data)
{
  for (int64_t i = 0; a->dtype == SPW_BOOL && i < a->length; i++)
    if (((const uint8_t *)data)[i] > 1) return true;
  return false;
}

/* The one thing that JSON has no text for: a bool that is neither 0 nor 1. */
static bool json_has_text(const spw_tensor *x)
{
  return !has_odd_bool(&x->values.array, x->values.data) &&
         !has_odd_bool(&x->plain.array, fuzz_index_data(&x->plain)) &&
         (x->layout == SPW_COO ||
          !has_odd_bool(&x->compressed.array, fuzz_index_data(&x->compressed)));
}

/* What is read of the file; null when there is none. */
static spw_owned *there_and_back(const fuzz_format *f, const spw_tensor *x)
{
  void *bytes;
  size_t size;
  spw_error error = {"", ""};
  spw_owned *again = NULL;
  const bool is_json = f->write == spw_write_json, may_refuse = !is_json || !json_has_text(x);
  const spw_status status = f->write(x, &bytes, &size, &error);
  if (status == SPW_EUNSUPPORTED && may_refuse && error.message[0]) return NULL;
  if (status) fuzz_fail("a tensor that no file can say", "%s: %s", f->name, error.message);
  if (is_json && may_refuse) fuzz_fail("a bool that is none is written", "see the input");
  if (f->read(bytes, size, 0, &again, &error))
    fuzz_fail("what was written cannot be read", "%s: %s %s", f->name, error.where, error.message);
  if (!is_json) (void)fuzz_try_reader(f, bytes, size); /* may be another tensor */
  free(bytes);
  return again;
}

static void expect_return(const fuzz_format *f, const spw_tensor *x, const spw_tensor *y)
{
  if (f->write == spw_write_json && !fuzz_same_tensor(x, y, true))
    fuzz_fail("a tensor that comes back as another", "%s", f->name);
  if (f->write == spw_write_npz && !fuzz_same_elements(x, y))
    fuzz_fail("elements that come back as others", "%s", f->name);
  if (f->write == spw_write_mtx) expect_entries(x, y);
  expect_verdict(f, x, y);
}

static bool is_type(spw_dtype dtype)
{
  return spw_dtype_size(dtype) > 0;
}

/* Numbers that name no element type have no word in a file. */
static bool has_words(const spw_tensor *x)
{
  return (is_type(x->index_dtype) || !x->index_dtype) && (is_type(x->dtype) || !x->dtype) &&
         (x->layout == SPW_COO || is_type(x->compressed.array.dtype)) &&
         is_type(x->plain.array.dtype) && is_type(x->values.array.dtype);
}

static const spw_tensor *small_tensor(const fuzz_model *model, int64_t number)
{
  const fuzz_tensor *t = fuzz_tensor_from(model, number, 1e300);
  const bool is_small = t && t->has_values && has_words(&t->tensor) && fuzz_volume(&t->tensor) <= WORK;
  return is_small ? &t->tensor : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const spw_tensor *tensors[FUZZ_OPERANDS];
  spw_owned *again[FUZZ_OPERANDS];
  const fuzz_model *model = fuzz_model_from(data, size);
  if (!model) return 0;
  const fuzz_format *f = &fuzz_formats[fuzz_operation(model, FUZZ_FORMATS)];
  for (int64_t i = 0; i < model->operands; i++) {
    tensors[i] = small_tensor(model, i);
    again[i] = tensors[i] ? there_and_back(f, tensors[i]) : NULL;
  }
  for (int64_t i = 0; i < model->operands; i++) {
    if (again[i]) expect_return(f, tensors[i], spw_owned_tensor(again[i]));
    spw_owned_free(again[i]);
  }
  return 0;
}
