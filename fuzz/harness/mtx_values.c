/* SPDX-License-Identifier: Apache-2.0 */
/* What a Matrix Market file can say, and whether what is read of it is the same. */
#include "mtx_values.h"

#include "target.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Numbers --------------------------------------------------------------------------------- */

static uint64_t bits_of(double number)
{
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

static double double_of(uint64_t bits)
{
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
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

/* ---- What has a text ------------------------------------------------------------------------- */

bool fuzz_is_mtx(const spw_tensor *x)
{
  bool valid;
  return x->layout == SPW_COO && x->has_size &&
         spw_is_valid(x, SPW_SHAPE, &valid) == SPW_OK && valid &&
         x->plain.array.shape[0] == 2 && x->values.array.ndim == 1;
}

/* A NaN is written as nan or -nan: another payload than none is lost. */
static bool part_has_text(spw_dtype dtype, const char *at)
{
  const int fraction = dtype == SPW_FLOAT16    ? 10
                       : dtype == SPW_BFLOAT16 ? 7
                       : dtype == SPW_FLOAT32  ? 23
                                               : 52;
  uint64_t bits = 0;
  memcpy(&bits, at, (size_t)spw_dtype_size(dtype));
  const uint64_t payload = bits & (((uint64_t)1 << fraction) - 1);
  if (!isnan(double_of(widened(dtype, at)))) return true;
  return payload == (uint64_t)1 << (fraction - 1);
}

static bool value_has_text(spw_dtype dtype, const char *at)
{
  switch (dtype) {
    case SPW_BOOL: /* a pattern has no numbers, so that all are true */
      if ((uint8_t)*at > 1) return false;
      return *at == 1;
    case SPW_FLOAT16: case SPW_BFLOAT16: case SPW_FLOAT32: case SPW_FLOAT64:
      return part_has_text(dtype, at);
    case SPW_COMPLEX64: return part_has_text(SPW_FLOAT32, at) && part_has_text(SPW_FLOAT32, at + 4);
    case SPW_COMPLEX128:
      return part_has_text(SPW_FLOAT64, at) && part_has_text(SPW_FLOAT64, at + 8);
    default: return true;
  }
}

static const char *value_at(const spw_value_array *values, int64_t k)
{
  const spw_array *a = &values->array;
  return (const char *)values->data + fuzz_place_of(a, k) * spw_dtype_size(a->dtype);
}

/* Two values at one position of a type that the file's is wider than, unless the tensor claims that there are none. */
static bool sums_are_lost(const spw_tensor *x)
{
  const int64_t nse = x->plain.array.shape[1];
  const spw_dtype dtype = x->values.array.dtype;
  if (x->coalesced == SPW_CLAIM_YES || dtype == SPW_BOOL || dtype == SPW_INT64 || dtype == SPW_FLOAT64 || dtype == SPW_COMPLEX128)
    return false;
  for (int64_t k = 0; k < nse; k++)
    for (int64_t before = 0; before < k; before++)
      if (index_at(&x->plain, k) == index_at(&x->plain, before) &&
          index_at(&x->plain, nse + k) == index_at(&x->plain, nse + before))
        return true;
  return false;
}

bool fuzz_mtx_has_text(const spw_tensor *x)
{
  if (!fuzz_is_mtx(x) || sums_are_lost(x)) return false;
  const int64_t nse = x->plain.array.shape[1];
  for (int64_t i = 0; i < 2 * nse; i++)
    if (index_at(&x->plain, i) == INT64_MAX) return false; /* files count from 1 */
  for (int64_t k = 0; k < nse; k++)
    if (!value_has_text(x->values.array.dtype, value_at(&x->values, k))) return false;
  return true;
}

/* ---- What comes back ------------------------------------------------------------------------- */

static const char *say(const char *what, int64_t number)
{
  static char text[40];
  snprintf(text, sizeof text, "%s number %d", what, (int)number);
  return text;
}

/* Of an array, every number; its file is read as one, row by row or column by column. */
static const char *array_difference(const spw_tensor *x, const spw_tensor *y)
{
  const spw_array *from = &x->values.array, *to = &y->values.array;
  if (y->layout != SPW_DENSE || to->ndim != 2 || to->shape[0] != from->shape[0] || to->shape[1] != from->shape[1])
    return "another shape";
  for (int64_t k = 0; from->shape[0] > 0 && k < from->shape[0] * from->shape[1]; k++)
    if (!same_number(from->dtype, value_at(&x->values, k), to->dtype, value_at(&y->values, k)))
      return say(spw_dtype_name(from->dtype), k);
  return NULL;
}

const char *fuzz_mtx_difference(const spw_tensor *x, const spw_tensor *y)
{
  if (x->layout == SPW_DENSE) return array_difference(x, y);
  const spw_array *from = &x->values.array, *to = &y->values.array;
  const int64_t nse = x->plain.array.shape[1];
  if (y->plain.array.shape[1] != nse || to->shape[0] != nse) return "another nse";
  for (int64_t i = 0; i < 2 * nse; i++)
    if (index_at(&x->plain, i) != index_at(&y->plain, i)) return say("index", i);
  for (int64_t k = 0; k < nse; k++)
    if (!same_number(from->dtype, value_at(&x->values, k), to->dtype, value_at(&y->values, k)))
      return say(spw_dtype_name(from->dtype), k);
  return NULL;
}
