/* SPDX-License-Identifier: Apache-2.0 */
/* Which instance works on values of a type; and quotients, which only real floats have. */
#include "elementwise.h"
#include "../instances/instances.h"
#include "../../number/half.h"

#include <string.h>

#define UNITE_LINES(type, name) case type: spw_unite_lines_##name(u, from, to, done); break;

void spw_unite_lines(const spw_line_union *u, spw_dtype dtype, int64_t from, int64_t to, int64_t done)
{
  switch (dtype) {
  case SPW_DTYPE_NONE: break;
  SPW_EACH_VALUE_TYPE(UNITE_LINES)
  }
}

#define UNITE_VALUES(type, name) case type: spw_unite_values_##name(u, n, done); break;

void spw_unite_values(const spw_line_union *u, spw_dtype dtype, int64_t n, int64_t done)
{
  switch (dtype) {
  case SPW_DTYPE_NONE: break;
  SPW_EACH_VALUE_TYPE(UNITE_VALUES)
  }
}

#define SCALE_VALUES(type, name) case type: spw_scale_values_##name(values, n, by, step); break;

void spw_scale_values(void *values, spw_dtype dtype, int64_t n, const void *by, int64_t step)
{
  switch (dtype) {
  case SPW_DTYPE_NONE: break;
  SPW_EACH_VALUE_TYPE(SCALE_VALUES)
  }
}

/* ---- Quotients -------------------------------------------------------------------------------- */

bool spw_has_quotients(spw_dtype dtype)
{
  return dtype == SPW_FLOAT16 || dtype == SPW_BFLOAT16 || dtype == SPW_FLOAT32 || dtype == SPW_FLOAT64;
}

static void divide_f16(uint16_t *v, int64_t n, uint16_t by)
{
  for (int64_t i = 0; i < n; i++) v[i] = spw_float16_of_float(spw_float_of_float16(v[i]) / spw_float_of_float16(by));
}

static void divide_bf16(uint16_t *v, int64_t n, uint16_t by)
{
  for (int64_t i = 0; i < n; i++) v[i] = spw_bfloat16_of_float(spw_float_of_bfloat16(v[i]) / spw_float_of_bfloat16(by));
}

static void divide_f32(float *v, int64_t n, float by)
{
  for (int64_t i = 0; i < n; i++) v[i] = v[i] / by;
}

static void divide_f64(double *v, int64_t n, double by)
{
  for (int64_t i = 0; i < n; i++) v[i] = v[i] / by;
}

void spw_divide_values(void *values, spw_dtype dtype, int64_t n, const void *by)
{
  union {
    uint16_t half;
    float f32;
    double f64;
  } divisor;
  memcpy(&divisor, by, (size_t)spw_dtype_size(dtype));
  if (dtype == SPW_FLOAT16) divide_f16(values, n, divisor.half);
  if (dtype == SPW_BFLOAT16) divide_bf16(values, n, divisor.half);
  if (dtype == SPW_FLOAT32) divide_f32(values, n, divisor.f32);
  if (dtype == SPW_FLOAT64) divide_f64(values, n, divisor.f64);
}
