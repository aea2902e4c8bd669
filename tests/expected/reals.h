/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of reals by MPFR: the one table of what they mean, for tests that are linked with it. */
#ifndef SPW_TESTS_REALS_H
#define SPW_TESTS_REALS_H

#include "../../src/sparsewright_unary.h"

#include <math.h>
#include <mpfr.h>
#include <stddef.h>

/* y = f(x), all but correctly rounded: within a few units of the precision of y. */
typedef int real_formula(mpfr_t y, const mpfr_t x, mpfr_rnd_t how);

static inline int real_deg2rad(mpfr_t y, const mpfr_t x, mpfr_rnd_t how)
{
  mpfr_const_pi(y, how);
  mpfr_div_ui(y, y, 180, how);
  return mpfr_mul(y, y, x, how);
}

static inline int real_rad2deg(mpfr_t y, const mpfr_t x, mpfr_rnd_t how)
{
  mpfr_const_pi(y, how);
  mpfr_ui_div(y, 180, y, how);
  return mpfr_mul(y, y, x, how);
}

static inline int real_sigmoid(mpfr_t y, const mpfr_t x, mpfr_rnd_t how)
{
  mpfr_neg(y, x, how);
  mpfr_exp(y, y, how);
  mpfr_add_ui(y, y, 1, how);
  return mpfr_ui_div(y, 1, y, how);
}

static inline int real_reciprocal(mpfr_t y, const mpfr_t x, mpfr_rnd_t how)
{
  return mpfr_ui_div(y, 1, x, how);
}

/* IEEE 754 keeps the sign of zero, and MPFR does not. */
static inline int real_rsqrt(mpfr_t y, const mpfr_t x, mpfr_rnd_t how)
{
  if (!mpfr_zero_p(x)) return mpfr_rec_sqrt(y, x, how);
  mpfr_set_inf(y, mpfr_signbit(x) ? -1 : 1);
  return 0;
}

/* A few digits of the inverse of erf: Winitzki's formula, and near 0 the tangent. */
static inline double real_near_erfinv(double x)
{
  const double a = 0.147, l = log1p(-x * x), t = 2 / (3.141592653589793 * a) + l / 2;
  return fabs(x) < 0.5 ? x * 0.886226925452758 : copysign(sqrt(sqrt(t * t - l / a) - t), x);
}

/* Newton's steps on erf, each of which doubles the digits. Of -1 and 1 an infinity, beyond that NaN. */
static inline int real_erfinv(mpfr_t y, const mpfr_t x, mpfr_rnd_t how)
{
  enum { STEPS = 9 };
  const mpfr_prec_t bits = mpfr_get_prec(y) + 40;
  mpfr_t at, e, slope;
  if (mpfr_zero_p(x)) return mpfr_set(y, x, how);
  mpfr_inits2(bits, at, e, slope, (mpfr_ptr)0);
  mpfr_set_d(at, real_near_erfinv(mpfr_get_d(x, MPFR_RNDZ)), how);
  for (int i = 0; i < STEPS && mpfr_number_p(at); i++) {
    mpfr_erf(e, at, how);
    mpfr_sub(e, e, x, how);
    mpfr_sqr(slope, at, how);
    mpfr_exp(slope, slope, how); /* of erf it is 2 / sqrt(pi) / exp(y^2) */
    mpfr_mul(e, e, slope, how);
    mpfr_const_pi(slope, how);
    mpfr_sqrt(slope, slope, how);
    mpfr_mul(e, e, slope, how);
    mpfr_div_ui(e, e, 2, how);
    mpfr_sub(at, at, e, how);
  }
  const int inexact = mpfr_set(y, at, how);
  mpfr_clears(at, e, slope, (mpfr_ptr)0);
  return inexact;
}

static const struct {
  spw_unary_function function;
  real_formula *formula;
} real_formulas[] = {{SPW_UNARY_SIN, mpfr_sin},
                     {SPW_UNARY_TAN, mpfr_tan},
                     {SPW_UNARY_ASIN, mpfr_asin},
                     {SPW_UNARY_ATAN, mpfr_atan},
                     {SPW_UNARY_SINH, mpfr_sinh},
                     {SPW_UNARY_TANH, mpfr_tanh},
                     {SPW_UNARY_ASINH, mpfr_asinh},
                     {SPW_UNARY_ATANH, mpfr_atanh},
                     {SPW_UNARY_EXPM1, mpfr_expm1},
                     {SPW_UNARY_LOG1P, mpfr_log1p},
                     {SPW_UNARY_ERF, mpfr_erf},
                     {SPW_UNARY_ERFINV, real_erfinv},
                     {SPW_UNARY_DEG2RAD, real_deg2rad},
                     {SPW_UNARY_RAD2DEG, real_rad2deg},
                     {SPW_UNARY_SQRT, mpfr_sqrt},
                     {SPW_UNARY_ACOS_SPECIFIED, mpfr_acos},
                     {SPW_UNARY_COS_SPECIFIED, mpfr_cos},
                     {SPW_UNARY_COSH_SPECIFIED, mpfr_cosh},
                     {SPW_UNARY_EXP_SPECIFIED, mpfr_exp},
                     {SPW_UNARY_LOG_SPECIFIED, mpfr_log},
                     {SPW_UNARY_LOG10_SPECIFIED, mpfr_log10},
                     {SPW_UNARY_LOG2_SPECIFIED, mpfr_log2},
                     {SPW_UNARY_RSQRT_SPECIFIED, real_rsqrt},
                     {SPW_UNARY_RECIPROCAL_SPECIFIED, real_reciprocal},
                     {SPW_UNARY_SIGMOID_SPECIFIED, real_sigmoid}};

enum { REAL_FORMULAS = sizeof real_formulas / sizeof real_formulas[0] };

/* Null if the function is none of reals. */
static inline real_formula *real_formula_of(spw_unary_function function)
{
  for (int i = 0; i < REAL_FORMULAS; i++)
    if (real_formulas[i].function == function) return real_formulas[i].formula;
  return NULL;
}

#endif
