/* SPDX-License-Identifier: Apache-2.0 */
/* Sums and products of values of any type, each operation rounded once; float16 and bfloat16 have been widened. */
#include "grad.h"

#include <string.h>

#define ADD_ALL(name, type, sum)                                                                   \
  static void name(void *to, const void *from, const int64_t *numbers, int64_t n)                  \
  {                                                                                                \
    type *const t = to;                                                                            \
    const type *const f = from;                                                                    \
    for (int64_t i = 0; i < n; i++) {                                                              \
      if (numbers[i] == 0) continue;                                                               \
      type *const at = t + numbers[i] - 1;                                                         \
      *at = sum;                                                                                   \
    }                                                                                              \
  }
ADD_ALL(add_bool, uint8_t, *at || f[i])
ADD_ALL(add_8, uint8_t, (uint8_t)(*at + f[i]))
ADD_ALL(add_16, uint16_t, (uint16_t)(*at + f[i]))
ADD_ALL(add_32, uint32_t, *at + f[i])
ADD_ALL(add_64, uint64_t, *at + f[i])
ADD_ALL(add_float, float, *at + f[i])
ADD_ALL(add_double, double, *at + f[i])

typedef struct float_pair {
  float re, im;
} float_pair;
typedef struct double_pair {
  double re, im;
} double_pair;
ADD_ALL(add_floats, float_pair, ((float_pair){at->re + f[i].re, at->im + f[i].im}))
ADD_ALL(add_doubles, double_pair, ((double_pair){at->re + f[i].re, at->im + f[i].im}))

void spw_grad_fold(spw_dtype dtype, void *to, const void *from, const int64_t *numbers, int64_t n)
{
  switch (dtype) {
  case SPW_BOOL: add_bool(to, from, numbers, n); break;
  case SPW_UINT8: case SPW_INT8: add_8(to, from, numbers, n); break;
  case SPW_INT16: add_16(to, from, numbers, n); break;
  case SPW_INT32: add_32(to, from, numbers, n); break;
  case SPW_INT64: add_64(to, from, numbers, n); break;
  case SPW_FLOAT32: add_float(to, from, numbers, n); break;
  case SPW_FLOAT64: add_double(to, from, numbers, n); break;
  case SPW_COMPLEX64: add_floats(to, from, numbers, n); break;
  default: add_doubles(to, from, numbers, n); break;
  }
}

void spw_grad_divide(const spw_tensor *made, int64_t from, int64_t to, double divisor)
{
  float *const floats = spw_grad_values(made);
  double *const doubles = spw_grad_values(made);
  if (made->values.array.dtype == SPW_FLOAT64)
    for (int64_t i = from; i < to; i++) doubles[i] = doubles[i] / divisor;
  else
    for (int64_t i = from; i < to; i++) floats[i] = floats[i] / (float)divisor;
}

/* ---- One product more --------------------------------------------------------------------------- */

#define ADD_PRODUCT(name, type, sum)                      \
  static void name(void *to, const void *x, const void *y) \
  {                                                       \
    type s, a, b;                                         \
    memcpy(&s, to, sizeof s);                             \
    memcpy(&a, x, sizeof a);                              \
    memcpy(&b, y, sizeof b);                              \
    s = sum;                                              \
    memcpy(to, &s, sizeof s);                             \
  }
ADD_PRODUCT(product_bool, uint8_t, s || (a && b))
ADD_PRODUCT(product_8, uint8_t, (uint8_t)(s + (unsigned)a * b))
ADD_PRODUCT(product_16, uint16_t, (uint16_t)(s + (unsigned)a * b))
ADD_PRODUCT(product_32, uint32_t, s + a * b)
ADD_PRODUCT(product_64, uint64_t, s + a * b)
ADD_PRODUCT(product_float, float, s + a * b)
ADD_PRODUCT(product_double, double, s + a * b)
ADD_PRODUCT(product_floats, float_pair, ((float_pair){s.re + (a.re * b.re - a.im * b.im), s.im + (a.re * b.im + a.im * b.re)}))
ADD_PRODUCT(product_doubles, double_pair,
            ((double_pair){s.re + (a.re * b.re - a.im * b.im), s.im + (a.re * b.im + a.im * b.re)}))

spw_grad_product *spw_grad_product_of(spw_dtype dtype)
{
  switch (dtype) {
  case SPW_BOOL: return product_bool;
  case SPW_UINT8: case SPW_INT8: return product_8;
  case SPW_INT16: return product_16;
  case SPW_INT32: return product_32;
  case SPW_INT64: return product_64;
  case SPW_FLOAT32: return product_float;
  case SPW_FLOAT64: return product_double;
  case SPW_COMPLEX64: return product_floats;
  default: return product_doubles;
  }
}
