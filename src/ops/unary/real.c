/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of the group REAL (U3, U4): the double of the function, rounded once. */
#include "maps.h"
#include "round.h"

#include <string.h>

/* What the middle of two floats might be nearer to than a double can tell. */
#define UNSURE 0x1p-50

/* The result of a hard case that the table holds. Of another one a long double is rounded: it decides where a double did not,
 * unless the middle of two floats is nearer than all that have been found. */
static float hard_case(const spw_function *f, float x, double y)
{
  const uint32_t wanted = spw_bits_of_float(x);
  int64_t lo = 0, hi = f->hard_count;
  while (lo < hi) {
    const int64_t middle = lo + (hi - lo) / 2;
    if (f->hard[middle].x < wanted)
      lo = middle + 1;
    else
      hi = middle;
  }
  if (lo < f->hard_count && f->hard[lo].x == wanted) return spw_float_of_bits(f->hard[lo].y);
  return y - y == 0 ? (float)f->precise((long double)x) : (float)y;
}

static inline float real_float(const spw_function *f, float x)
{
  const double y = f->real((double)x), unsure = y * UNSURE;
  const float nearest = (float)y;
  return (float)(y - unsure) == (float)(y + unsure) ? nearest : hard_case(f, x, y);
}

void spw_map_real_f32(const void *in, void *out, int64_t n, const spw_map_how *how)
{
  const float *const x = in;
  float *const y = out;
  for (int64_t i = 0; i < n; i++) y[i] = real_float(how->function, x[i]);
}

void spw_map_real_f64(const void *in, void *out, int64_t n, const spw_map_how *how)
{
  const double *const x = in;
  double *const y = out;
  for (int64_t i = 0; i < n; i++) y[i] = how->function->real(x[i]);
}

/* Of 16 bits no operand is hard: every test looks at all of them. */
void spw_map_real_f16(const void *in, void *out, int64_t n, const spw_map_how *how)
{
  const uint16_t *const x = in;
  uint16_t *const y = out;
  for (int64_t i = 0; i < n; i++) y[i] = spw_float16_of_double(how->function->real((double)spw_float_of_float16(x[i])));
}

void spw_map_real_bf16(const void *in, void *out, int64_t n, const spw_map_how *how)
{
  const uint16_t *const x = in;
  uint16_t *const y = out;
  for (int64_t i = 0; i < n; i++) y[i] = spw_bfloat16_of_double(how->function->real((double)spw_float_of_bfloat16(x[i])));
}

/* Integers are rounded to float32 first. */
#define OF_INTEGERS(type, name)                                                                    \
  void spw_map_real_##name(const void *in, void *out, int64_t n, const spw_map_how *how)           \
  {                                                                                                \
    const type *const x = in;                                                                      \
    float *const y = out;                                                                          \
    for (int64_t i = 0; i < n; i++) y[i] = real_float(how->function, (float)x[i]);                 \
  }
OF_INTEGERS(uint8_t, u8)
OF_INTEGERS(int8_t, i8)
OF_INTEGERS(int16_t, i16)
OF_INTEGERS(int32_t, i32)
OF_INTEGERS(int64_t, i64)

void spw_map_real_b8(const void *in, void *out, int64_t n, const spw_map_how *how)
{
  const uint8_t *const x = in;
  float *const y = out;
  for (int64_t i = 0; i < n; i++) y[i] = real_float(how->function, x[i] != 0);
}
