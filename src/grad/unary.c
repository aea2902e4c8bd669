/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients of functions of values: the formulas of G3, in float or double, one rounding for each operation. */
#include "grad.h"
#include "../io/numbers/widen.h"

#include <math.h>
#include <string.h>

/* What a formula needs besides signs: nothing, the operand, the function itself, or another one of the operand. */
typedef enum helper { NOTHING, OPERAND, ITSELF, SINE, COSINE, HYPERBOLIC_SINE, HYPERBOLIC, POWER, BELL, BELL_OF_ITSELF,
                      NONE } helper;

static helper helper_of(spw_unary_function f)
{
  switch (f) {
  case SPW_UNARY_TAN: case SPW_UNARY_TANH: case SPW_UNARY_SQRT: case SPW_UNARY_EXPM1: case SPW_UNARY_EXP_SPECIFIED:
  case SPW_UNARY_RSQRT_SPECIFIED: case SPW_UNARY_RECIPROCAL_SPECIFIED: case SPW_UNARY_SIGMOID_SPECIFIED: return ITSELF;
  case SPW_UNARY_COS_SPECIFIED: return SINE;
  case SPW_UNARY_COSH_SPECIFIED: return HYPERBOLIC_SINE;
  case SPW_UNARY_SIN: return COSINE;
  case SPW_UNARY_SINH: return HYPERBOLIC;
  case SPW_UNARY_POW: return POWER;
  case SPW_UNARY_ERF: return BELL;
  case SPW_UNARY_ERFINV: return BELL_OF_ITSELF;
  case SPW_UNARY_ASIN: case SPW_UNARY_ATAN: case SPW_UNARY_ASINH: case SPW_UNARY_ATANH: case SPW_UNARY_LOG1P:
  case SPW_UNARY_SQUARE: case SPW_UNARY_DIV: case SPW_UNARY_DEG2RAD: case SPW_UNARY_RAD2DEG: case SPW_UNARY_ACOS_SPECIFIED:
  case SPW_UNARY_LOG_SPECIFIED: case SPW_UNARY_LOG10_SPECIFIED: case SPW_UNARY_LOG2_SPECIFIED: return OPERAND;
  case SPW_UNARY_CEIL: case SPW_UNARY_FLOOR: case SPW_UNARY_TRUNC: case SPW_UNARY_ROUND: case SPW_UNARY_FRAC:
  case SPW_UNARY_ABS: case SPW_UNARY_NEG: case SPW_UNARY_POSITIVE: case SPW_UNARY_CONJ_PHYSICAL: case SPW_UNARY_SIGN:
  case SPW_UNARY_SGN: case SPW_UNARY_RELU: case SPW_UNARY_NAN_TO_NUM: return NOTHING;
  default: return NONE;
  }
}

#define REAL float
#define N(name) name##_float
#define SQRT sqrtf
#include "formulas.inc"
#undef REAL
#undef N
#undef SQRT

#define REAL double
#define N(name) name##_double
#define SQRT sqrt
#include "formulas.inc"

/* ---- Helpers ------------------------------------------------------------------------------------- */

static const spw_tensor *map(spw_composition *c, const spw_tensor *t, const spw_unary_request *wanted)
{
  spw_owned *made = NULL;
  if (!t || c->status != SPW_OK) return NULL;
  return spw_compose_keep(c, spw_unary_new(t, wanted, c->left, &made, c->refusal), &made);
}

static const spw_tensor *map_by(spw_composition *c, const spw_tensor *t, spw_unary_function f)
{
  const spw_unary_request wanted = {.function = f};
  return map(c, t, &wanted);
}

/* exp(sign x x) of each value, rounded once. */
static const spw_tensor *bell(spw_composition *c, const spw_tensor *t, bool negative)
{
  const spw_tensor *const square = map_by(c, t, SPW_UNARY_SQUARE);
  return map_by(c, negative ? map_by(c, square, SPW_UNARY_NEG) : square, SPW_UNARY_EXP_SPECIFIED);
}

/* a^(e - 1): 1 of e = 1, where it is not asked. */
static const spw_tensor *lower_power(spw_composition *c, const spw_tensor *a, double e)
{
  const bool wide = a->values.array.dtype == SPW_FLOAT64;
  const float less = (float)e - 1;
  const double less_wide = e - 1;
  const spw_unary_request wanted = {.function = SPW_UNARY_POW, .scalar = wide ? (const void *)&less_wide : &less};
  if (e == 1) return a;
  return map(c, a, &wanted);
}

static const spw_tensor *help(spw_composition *c, const spw_tensor *a, helper h, const spw_unary_request *wanted, double scalar)
{
  switch (h) {
  case ITSELF: return map_by(c, a, wanted->function);
  case SINE: return map_by(c, a, SPW_UNARY_SIN);
  case HYPERBOLIC_SINE: return map_by(c, a, SPW_UNARY_SINH);
  case COSINE: return map_by(c, a, SPW_UNARY_COS_SPECIFIED);
  case HYPERBOLIC: return map_by(c, a, SPW_UNARY_COSH_SPECIFIED);
  case BELL: return bell(c, a, true);
  case BELL_OF_ITSELF: return bell(c, map_by(c, a, SPW_UNARY_ERFINV), false);
  case POWER: return lower_power(c, a, scalar);
  default: return a;
  }
}

/* ---- The call ------------------------------------------------------------------------------------ */

static double scalar_of(spw_dtype dtype, const void *scalar)
{
  if (!scalar) return 0;
  return dtype == SPW_BFLOAT16 || dtype == SPW_FLOAT16 || dtype == SPW_FLOAT32 || dtype == SPW_FLOAT64
             ? spw_widen_float(dtype, scalar)
             : 0;
}

/* All in the wide type, with one array for each of the three. */
static const spw_tensor *gradient_of(spw_composition *c, const spw_variable *v, const spw_unary_request *wanted,
                                     const spw_tensor *g)
{
  const spw_dtype dtype = g->values.array.dtype;
  const double scalar = scalar_of(dtype, wanted->scalar);
  const spw_tensor *const at = spw_compose_widened(c, spw_grad_read_at(c, g, v->pattern, 1));
  const spw_tensor *const a = spw_grad_read_at(c, spw_compose_widened(c, v->pattern), v->pattern, 0);
  const spw_tensor *const y = a ? help(c, a, helper_of(wanted->function), wanted, scalar) : NULL;
  const spw_tensor *const made = at && y ? spw_grad_zeros(c, v->pattern, a->values.array.dtype) : NULL;
  if (!made) return NULL;
  const int64_t n = spw_grad_count(made);
  void *const to = spw_grad_values(made);
  if (a->values.array.dtype == SPW_FLOAT64)
    apply_double(wanted->function, scalar, at->values.data, a->values.data, y->values.data, to, n);
  else
    apply_float(wanted->function, (float)scalar, at->values.data, a->values.data, y->values.data, to, n);
  return spw_compose_narrowed(c, made, dtype);
}

spw_status spw_vjp_unary_new(const spw_tensor *a, const spw_unary_request *wanted, const spw_tensor *g,
                             const spw_vjp_request *how, size_t limit, spw_owned **out, spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  spw_room room;
  if (!a || !wanted || !g || !how || !out || how->operand != 0 || wanted->duplicates != SPW_COMBINE_SUM) return SPW_EINVAL;
  const spw_variable v = spw_grad_variable(&c, a, 0);
  const spw_dtype dtype = a->values.array.dtype;
  if (c.status == SPW_OK && (helper_of(wanted->function) == NONE || dtype < SPW_FLOAT16 || dtype > SPW_FLOAT64))
    spw_compose_refuse(&c, 0, SPW_OBSTACLE_TYPES, -1, (int64_t)dtype, -1);
  if (c.status == SPW_OK) c.status = spw_unary_size_unchecked(v.pattern, wanted, &room, refusal);
  if (c.status == SPW_OK) spw_grad_judge_upstream(&c, g, dtype, 1);
  return spw_grad_end(&c, &v, how, c.status == SPW_OK ? gradient_of(&c, &v, wanted, g) : NULL, out);
}
