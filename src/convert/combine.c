/* SPDX-License-Identifier: Apache-2.0 */
#include "combine.h"
#include "values.h"
#include "../number/half.h"

#include <math.h>
#include <string.h>

#define ADD(TYPE)                                                   \
  for (int64_t i = 0; i < n; i++) {                                 \
    TYPE a, b;                                                      \
    memcpy(&a, sum + (size_t)i * sizeof a, sizeof a);               \
    memcpy(&b, more + (size_t)i * sizeof b, sizeof b);              \
    a = (TYPE)(a + b);                                              \
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
    a = from(to(a) + to(b));
    memcpy(sum + 2 * i, &a, 2);
  }
}

void spw_add_scalars(spw_dtype dtype, char *sum, const char *more, int64_t n)
{
  switch (dtype) {
  case SPW_BOOL:
    for (int64_t i = 0; i < n; i++) sum[i] = sum[i] || more[i];
    return;
  case SPW_UINT8: case SPW_INT8: ADD(uint8_t);
  case SPW_INT16: ADD(uint16_t);
  case SPW_INT32: ADD(uint32_t);
  case SPW_INT64: ADD(uint64_t);
  case SPW_FLOAT16: add_halves(sum, more, n, spw_float_of_float16, spw_float16_of_float); return;
  case SPW_BFLOAT16: add_halves(sum, more, n, spw_float_of_bfloat16, spw_bfloat16_of_float); return;
  case SPW_COMPLEX64: n *= 2; ADD(float);
  case SPW_FLOAT32: ADD(float);
  case SPW_COMPLEX128: n *= 2; ADD(double);
  case SPW_FLOAT64: ADD(double);
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
