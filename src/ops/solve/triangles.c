/* SPDX-License-Identifier: Apache-2.0 */
/* Substitution for each value type. */
#include "triangle.h"

#include <math.h>
#include <string.h>

#define PASTE(name, value, index) name##_##value##_##index
#define PASTED(name, value, index) PASTE(name, value, index)
#define JOIN(name) PASTED(name, NAME, BITS)
#define SAME(v) (v)
#define LESS_REAL(a, m, x) ((a) - (m) * (x))
#define OVER_REAL(a, m) ((a) / (m))
#define ZERO_REAL(v) ((v) == 0)

#define LESS_PRODUCT LESS_REAL
#define QUOTIENT OVER_REAL
#define CONJUGATE SAME
#define IS_ZERO ZERO_REAL
#define VALUE float
#define NAME f32
#include "triangle_each.inc"
#undef VALUE
#undef NAME
#define VALUE double
#define NAME f64
#include "triangle_each.inc"
#undef VALUE
#undef NAME
#undef LESS_PRODUCT
#undef QUOTIENT
#undef CONJUGATE
#undef IS_ZERO

/* Complex numbers as pairs; quotients by Smith's formulas, each operation rounded. */
#define COMPLEX(REAL, type, less, over, conjugate, is_zero)                             \
  typedef struct type {                                                                 \
    REAL re, im;                                                                        \
  } type;                                                                               \
  static inline type less(type a, type m, type x)                                       \
  {                                                                                     \
    const REAL re = m.re * x.re - m.im * x.im, im = m.re * x.im + m.im * x.re;          \
    return (type){a.re - re, a.im - im};                                                \
  }                                                                                     \
  static inline type over(type a, type m)                                               \
  {                                                                                     \
    if (FABS(m.re) >= FABS(m.im)) {                                                     \
      const REAL r = m.im / m.re, q = m.re + m.im * r;                                  \
      return (type){(a.re + a.im * r) / q, (a.im - a.re * r) / q};                      \
    }                                                                                   \
    const REAL r = m.re / m.im, q = m.re * r + m.im;                                    \
    return (type){(a.re * r + a.im) / q, (a.im * r - a.re) / q};                        \
  }                                                                                     \
  static inline type conjugate(type v)                                                  \
  {                                                                                     \
    return (type){v.re, -v.im};                                                         \
  }                                                                                     \
  static inline bool is_zero(type v)                                                    \
  {                                                                                     \
    return v.re == 0 && v.im == 0;                                                      \
  }

#define FABS fabsf
COMPLEX(float, pair32, less32, over32, conjugate32, is_zero32)
#undef FABS
#define FABS fabs
COMPLEX(double, pair64, less64, over64, conjugate64, is_zero64)

#define LESS_PRODUCT less32
#define QUOTIENT over32
#define CONJUGATE conjugate32
#define IS_ZERO is_zero32
#define VALUE pair32
#define NAME c64
#include "triangle_each.inc"
#undef LESS_PRODUCT
#undef QUOTIENT
#undef CONJUGATE
#undef IS_ZERO
#undef VALUE
#undef NAME
#define LESS_PRODUCT less64
#define QUOTIENT over64
#define CONJUGATE conjugate64
#define IS_ZERO is_zero64
#define VALUE pair64
#define NAME c128
#include "triangle_each.inc"
