/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of reals in double, each with an error below 4 units in the last place: what the group REAL maps by; and in
 * long double. */
#ifndef SPW_OPS_UNARY_REAL_H
#define SPW_OPS_UNARY_REAL_H

#include <math.h>

/* Those of the C library, and quotients of them. */
static inline double spw_real_sin(double x) { return sin(x); }
static inline double spw_real_tan(double x) { return tan(x); }
static inline double spw_real_asin(double x) { return asin(x); }
static inline double spw_real_atan(double x) { return atan(x); }
static inline double spw_real_sinh(double x) { return sinh(x); }
static inline double spw_real_tanh(double x) { return tanh(x); }
static inline double spw_real_asinh(double x) { return asinh(x); }
static inline double spw_real_atanh(double x) { return atanh(x); }
static inline double spw_real_expm1(double x) { return expm1(x); }
static inline double spw_real_log1p(double x) { return log1p(x); }
static inline double spw_real_erf(double x) { return erf(x); }
static inline double spw_real_sqrt(double x) { return sqrt(x); }
static inline double spw_real_deg2rad(double x) { return x * 0x1.1df46a2529d39p-6; } /* pi / 180 */
static inline double spw_real_rad2deg(double x) { return x * 0x1.ca5dc1a63c1f8p+5; } /* 180 / pi */
static inline double spw_real_acos_specified(double x) { return acos(x); }
static inline double spw_real_cos_specified(double x) { return cos(x); }
static inline double spw_real_cosh_specified(double x) { return cosh(x); }
static inline double spw_real_exp_specified(double x) { return exp(x); }
static inline double spw_real_log_specified(double x) { return log(x); }
static inline double spw_real_log10_specified(double x) { return log10(x); }
static inline double spw_real_log2_specified(double x) { return log2(x); }
static inline double spw_real_rsqrt_specified(double x) { return 1 / sqrt(x); }
static inline double spw_real_reciprocal_specified(double x) { return 1 / x; }

/* Neither quotient loses digits, and neither exponential overflows. */
static inline double spw_real_sigmoid_specified(double x)
{
  const double e = exp(-fabs(x));
  return x < 0 ? e / (1 + e) : 1 / (1 + e);
}

/* One step of Halley from y towards erf(y) = x, of positive numbers. Near 1 the complement is exact, and says more. */
static inline double spw_erfinv_step(double y, double x)
{
  const double beyond = x < 0.875 ? erf(y) - x : (1 - x) - erfc(y);
  const double u = beyond / (0x1.20dd750429b6dp+0 * exp(-y * y)); /* 2 / sqrt(pi) */
  return y - u / (1 + y * u);
}

/* From an approximation to two digits, each step triples the digits. The error of the last is that of erf or erfc, and of a
 * correction that is small. */
static inline double spw_real_erfinv(double x)
{
  const double a = fabs(x);
  if (a < 0x1p-28) return x * 0x1.c5bf891b4ef6bp-1; /* sqrt(pi) / 2 */
  if (!(a < 1)) return a == 1 ? x / 0.0 : x != x ? x : NAN;
  const double l = log1p(-a * a), b = 0x1.152p+2 + l / 2; /* 2 / (pi 0.147) */
  double y = sqrt(sqrt(b * b - l / 0.147) - b);
  y = spw_erfinv_step(spw_erfinv_step(spw_erfinv_step(y, a), a), a);
  return x < 0 ? -y : y;
}

/* ---- The same in long double, for what a double does not decide and no table holds ---------------------- */

static inline long double spw_long_sin(long double x) { return sinl(x); }
static inline long double spw_long_tan(long double x) { return tanl(x); }
static inline long double spw_long_asin(long double x) { return asinl(x); }
static inline long double spw_long_atan(long double x) { return atanl(x); }
static inline long double spw_long_sinh(long double x) { return sinhl(x); }
static inline long double spw_long_tanh(long double x) { return tanhl(x); }
static inline long double spw_long_asinh(long double x) { return asinhl(x); }
static inline long double spw_long_atanh(long double x) { return atanhl(x); }
static inline long double spw_long_expm1(long double x) { return expm1l(x); }
static inline long double spw_long_log1p(long double x) { return log1pl(x); }
static inline long double spw_long_erf(long double x) { return erfl(x); }
static inline long double spw_long_sqrt(long double x) { return sqrtl(x); }
static inline long double spw_long_deg2rad(long double x) { return x * (3.14159265358979323846264338327950288L / 180); }
static inline long double spw_long_rad2deg(long double x) { return x * (180 / 3.14159265358979323846264338327950288L); }
static inline long double spw_long_acos_specified(long double x) { return acosl(x); }
static inline long double spw_long_cos_specified(long double x) { return cosl(x); }
static inline long double spw_long_cosh_specified(long double x) { return coshl(x); }
static inline long double spw_long_exp_specified(long double x) { return expl(x); }
static inline long double spw_long_log_specified(long double x) { return logl(x); }
static inline long double spw_long_log10_specified(long double x) { return log10l(x); }
static inline long double spw_long_log2_specified(long double x) { return log2l(x); }
static inline long double spw_long_rsqrt_specified(long double x) { return 1 / sqrtl(x); }
static inline long double spw_long_reciprocal_specified(long double x) { return 1 / x; }
static inline long double spw_long_sigmoid_specified(long double x) { return 1 / (1 + expl(-x)); }

/* One more step. */
static inline long double spw_long_erfinv(long double x)
{
  const double y = spw_real_erfinv((double)x);
  const long double a = fabsl(x), at = fabsl((long double)y);
  const long double beyond = a < 0.875L ? erfl(at) - a : (1 - a) - erfcl(at);
  const long double u = beyond / (1.12837916709551257389615890312154517L * expl(-at * at));
  return copysignl(at - u / (1 + at * u), x);
}

#endif
