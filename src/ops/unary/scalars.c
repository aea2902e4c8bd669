/* SPDX-License-Identifier: Apache-2.0 */
/* Functions with a scalar: powers, and quotients that are made whole (U6, U7). */
#include "maps.h"
#include "power.h"
#include "round.h"
#include "../../core/names.h"

#include <math.h>

/* ---- Which scalars -------------------------------------------------------------------------------------- */

static double float_scalar(spw_dtype dtype, const void *scalar)
{
  uint16_t half;
  float f;
  double d;
  switch (dtype) {
  case SPW_FLOAT16: return memcpy(&half, scalar, 2), (double)spw_float_of_float16(half);
  case SPW_BFLOAT16: return memcpy(&half, scalar, 2), (double)spw_float_of_bfloat16(half);
  case SPW_FLOAT32: return memcpy(&f, scalar, 4), (double)f;
  default: return memcpy(&d, scalar, 8), d;
  }
}

static int64_t integer_scalar(spw_dtype dtype, const void *scalar)
{
  int16_t i16;
  int32_t i32;
  int64_t i64;
  switch (dtype) {
  case SPW_UINT8: return *(const uint8_t *)scalar;
  case SPW_INT8: return *(const int8_t *)scalar;
  case SPW_INT16: return memcpy(&i16, scalar, 2), i16;
  case SPW_INT32: return memcpy(&i32, scalar, 4), i32;
  default: return memcpy(&i64, scalar, 8), i64;
  }
}

bool spw_scalar_fits(spw_unary_function function, spw_dtype dtype, const void *scalar)
{
  const bool whole = dtype < SPW_FLOAT16;
  if (function == SPW_UNARY_POW) return whole ? integer_scalar(dtype, scalar) >= 1 : float_scalar(dtype, scalar) > 0;
  return !whole || integer_scalar(dtype, scalar) != 0;
}

/* ---- Integers ------------------------------------------------------------------------------------------- */

static uint64_t integer_power(uint64_t x, int64_t e)
{
  uint64_t power = 1;
  for (; e > 0; e >>= 1, x *= x)
    if (e & 1) power *= x;
  return power;
}

/* Of the least number by -1, modulo 2^w. */
static int64_t quotient(int64_t x, int64_t by)
{
  return by == -1 ? (int64_t)(0 - (uint64_t)x) : x / by;
}

static int64_t floor_quotient(int64_t x, int64_t by)
{
  const int64_t q = quotient(x, by);
  return by != -1 && x % by != 0 && (x < 0) != (by < 0) ? q - 1 : q;
}

#define INTEGER_MAP(name, VAL, type, dtype, value)                                                 \
  void spw_map_##name##_##type(const void *in, void *out, int64_t n, const spw_map_how *how)       \
  {                                                                                                \
    const VAL *const from = in;                                                                    \
    VAL *const to = out;                                                                           \
    const int64_t scalar = integer_scalar(dtype, how->scalar);                                     \
    for (int64_t i = 0; i < n; i++) {                                                              \
      const int64_t x = from[i];                                                                   \
      to[i] = (VAL)(value);                                                                        \
    }                                                                                              \
  }
#define INTEGER_MAPS(VAL, type, dtype)                                                             \
  INTEGER_MAP(pow, VAL, type, dtype, integer_power((uint64_t)x, scalar))                           \
  INTEGER_MAP(div_trunc, VAL, type, dtype, quotient(x, scalar))                                    \
  INTEGER_MAP(div_floor, VAL, type, dtype, floor_quotient(x, scalar))
INTEGER_MAPS(uint8_t, u8, SPW_UINT8)
INTEGER_MAPS(int8_t, i8, SPW_INT8)
INTEGER_MAPS(int16_t, i16, SPW_INT16)
INTEGER_MAPS(int32_t, i32, SPW_INT32)
INTEGER_MAPS(int64_t, i64, SPW_INT64)

/* ---- Floats --------------------------------------------------------------------------------------------- */

static int same_float16(double a, double b)
{
  return spw_float16_of_double(a) == spw_float16_of_double(b);
}

static int same_bfloat16(double a, double b)
{
  return spw_bfloat16_of_double(a) == spw_bfloat16_of_double(b);
}

static int same_float32(double a, double b)
{
  return (float)a == (float)b;
}

#define FLOAT_MAP(name, VAL, type, dtype, LOAD, STORE, value)                                      \
  void spw_map_##name##_##type(const void *in, void *out, int64_t n, const spw_map_how *how)       \
  {                                                                                                \
    const VAL *const from = in;                                                                    \
    VAL *const to = out;                                                                           \
    const double scalar = float_scalar(dtype, how->scalar);                                        \
    for (int64_t i = 0; i < n; i++) {                                                              \
      const double x = (double)LOAD(from[i]);                                                      \
      to[i] = (VAL)STORE(value);                                                                   \
    }                                                                                              \
  }
#define FLOAT_MAPS(VAL, type, dtype, LOAD, STORE, same)                                            \
  FLOAT_MAP(pow, VAL, type, dtype, LOAD, STORE, spw_power(x, scalar, same))                        \
  FLOAT_MAP(div_trunc, VAL, type, dtype, LOAD, STORE, spw_whole_quotient(x, scalar, 1, 0))         \
  FLOAT_MAP(div_floor, VAL, type, dtype, LOAD, STORE, spw_whole_quotient(x, scalar, 0, 0))
FLOAT_MAPS(uint16_t, f16, SPW_FLOAT16, spw_float_of_float16, spw_float16_of_double, same_float16)
FLOAT_MAPS(uint16_t, bf16, SPW_BFLOAT16, spw_float_of_bfloat16, spw_bfloat16_of_double, same_bfloat16)
FLOAT_MAPS(float, f32, SPW_FLOAT32, , , same_float32)
FLOAT_MAP(pow, double, f64, SPW_FLOAT64, , , scalar == 1 ? x : pow(x, scalar))
FLOAT_MAP(div_trunc, double, f64, SPW_FLOAT64, , , spw_whole_quotient(x, scalar, 1, 1))
FLOAT_MAP(div_floor, double, f64, SPW_FLOAT64, , , spw_whole_quotient(x, scalar, 0, 1))
