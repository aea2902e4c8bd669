/* SPDX-License-Identifier: Apache-2.0 */
#include "combine.h"
#include "values.h"
#include "../number/half.h"

#include <math.h>
#include <string.h>

/* Which NaN a sum is, the order of operands in machine code would decide, which is not the same for one scalar and for many.
 * So that every layout has the same bits: the first of the two that is one, made quiet, or one without payload. */
static inline float sum_of_floats(float a, float b)
{
  const float sum = a + b;
  if (sum == sum) return sum;
  return spw_float_of_bits(a != a || b != b ? spw_bits_of_float(a != a ? a : b) | 0x00400000 : 0x7fc00000);
}

static inline double sum_of_doubles(double a, double b)
{
  const double sum = a + b;
  if (sum == sum) return sum;
  const double first = a != a ? a : b;
  uint64_t bits = UINT64_C(0x7ff8000000000000);
  if (first != first) memcpy(&bits, &first, sizeof bits);
  bits |= UINT64_C(0x0008000000000000);
  double nan;
  memcpy(&nan, &bits, sizeof nan);
  return nan;
}

#define SUM(a, b) ((a) + (b))
#define ADD(TYPE, SUM_OF)                                           \
  for (int64_t i = 0; i < n; i++) {                                 \
    TYPE a, b;                                                      \
    memcpy(&a, sum + (size_t)i * sizeof a, sizeof a);               \
    memcpy(&b, more + (size_t)i * sizeof b, sizeof b);              \
    a = (TYPE)SUM_OF(a, b);                                         \
    memcpy(sum + (size_t)i * sizeof a, &a, sizeof a);               \
  }                                                                 \
  return

/* The sum of two of them, rounded to 24 bits, is rounded again to 11 (8): with p' >= 2p + 2 bits in between this
 * is the sum rounded once (S. A. Figueroa, When is double rounding innocuous?, 1995). */
static void add_halves(char *sum, const char *more, int64_t n, float (*to)(uint16_t), uint16_t (*from)(float))
{
  for (int64_t i = 0; i < n; i++) {
    uint16_t a, b;
    memcpy(&a, sum + 2 * i, 2);
    memcpy(&b, more + 2 * i, 2);
    a = from(sum_of_floats(to(a), to(b)));
    memcpy(sum + 2 * i, &a, 2);
  }
}

void spw_add_scalars(spw_dtype dtype, char *sum, const char *more, int64_t n)
{
  switch (dtype) {
  case SPW_BOOL:
    for (int64_t i = 0; i < n; i++) sum[i] = sum[i] || more[i];
    return;
  case SPW_UINT8: case SPW_INT8: ADD(uint8_t, SUM);
  case SPW_INT16: ADD(uint16_t, SUM);
  case SPW_INT32: ADD(uint32_t, SUM);
  case SPW_INT64: ADD(uint64_t, SUM);
  case SPW_FLOAT16: add_halves(sum, more, n, spw_float_of_float16, spw_float16_of_float); return;
  case SPW_BFLOAT16: add_halves(sum, more, n, spw_float_of_bfloat16, spw_bfloat16_of_float); return;
  case SPW_COMPLEX64: n *= 2; ADD(float, sum_of_floats);
  case SPW_FLOAT32: ADD(float, sum_of_floats);
  case SPW_COMPLEX128: n *= 2; ADD(double, sum_of_doubles);
  case SPW_FLOAT64: ADD(double, sum_of_doubles);
  case SPW_DTYPE_NONE: break;
  }
}

bool spw_is_nan(spw_dtype dtype, const void *scalar)
{
  uint16_t half;
  float single;
  double whole;
  switch (dtype) {
  case SPW_FLOAT16: case SPW_BFLOAT16:
    memcpy(&half, scalar, sizeof half);
    return isnan(dtype == SPW_FLOAT16 ? spw_float_of_float16(half) : spw_float_of_bfloat16(half));
  case SPW_FLOAT32: memcpy(&single, scalar, sizeof single); return isnan(single);
  case SPW_FLOAT64: memcpy(&whole, scalar, sizeof whole); return isnan(whole);
  default: return false;
  }
}
