/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients of softmax and log_softmax: one sum for each fibre, which its elements share. */
#include "grad.h"

static const spw_tensor *softmax_of(spw_composition *c, const spw_tensor *t, const spw_softmax_request *wanted)
{
  spw_owned *made = NULL;
  if (!t || c->status != SPW_OK) return NULL;
  return spw_compose_keep(c, spw_softmax_new(t, wanted, c->left, &made, c->refusal), &made);
}

static const spw_tensor *exponential(spw_composition *c, const spw_tensor *t)
{
  const spw_unary_request wanted = {.function = SPW_UNARY_EXP_SPECIFIED};
  spw_owned *made = NULL;
  if (!t || c->status != SPW_OK) return NULL;
  return spw_compose_keep(c, spw_unary_new(t, &wanted, c->left, &made, c->refusal), &made);
}

/* g y; then y (g - t), or g - exp(y) t. */
#define STEPS(name, type)                                                                                              \
  static void multiply_##name(void *to, const void *g, const void *y, int64_t n)                                      \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++) ((type *)to)[i] = ((const type *)g)[i] * ((const type *)y)[i];                     \
  }                                                                                                                    \
  static void finish_##name(void *to, const void *g, const void *y, const void *t, bool logarithm, int64_t n)         \
  {                                                                                                                    \
    const type *const up = g, *const own = y, *const sum = t;                                                          \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      const type product = own[i] * sum[i], difference = up[i] - sum[i];                                               \
      ((type *)to)[i] = logarithm ? up[i] - product : own[i] * difference;                                             \
    }                                                                                                                  \
  }
STEPS(float, float)
STEPS(double, double)

static const spw_tensor *gradient_of(spw_composition *c, const spw_variable *v, const spw_softmax_request *wanted,
                                     const spw_tensor *g)
{
  const spw_dtype dtype = g->values.array.dtype;
  const spw_tensor *const at = spw_compose_widened(c, spw_grad_read_at(c, g, v->pattern, 1));
  const spw_tensor *const result = softmax_of(c, spw_compose_widened(c, v->pattern), wanted);
  const spw_tensor *const y = wanted->logarithm ? exponential(c, result) : result;
  const spw_tensor *const made = at && y ? spw_grad_zeros(c, v->pattern, at->values.array.dtype) : NULL;
  if (!made) return NULL;
  const bool wide = made->values.array.dtype == SPW_FLOAT64;
  const int64_t n = spw_grad_count(made);
  void *const to = spw_grad_values(made);
  if (!wanted->logarithm) (wide ? multiply_double : multiply_float)(to, at->values.data, y->values.data, n);
  const spw_dims_reduction fibre = {.kind = SPW_DIMS_SUM, .dims = &wanted->dim, .count = 1, .keepdim = true, .sparse = true};
  const spw_tensor *const sums = spw_grad_reduced(c, wanted->logarithm ? at : made, &fibre, SPW_DIMS_SUM);
  const spw_tensor *const t = spw_grad_spread(c, sums, v->pattern, &fibre, 0);
  if (!t) return NULL;
  (wide ? finish_double : finish_float)(to, at->values.data, y->values.data, t->values.data, wanted->logarithm, n);
  return spw_compose_narrowed(c, made, dtype);
}

spw_status spw_vjp_softmax_new(const spw_tensor *a, const spw_softmax_request *wanted, const spw_tensor *g,
                               const spw_vjp_request *how, size_t limit, spw_owned **out, spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  spw_room room;
  if (!a || !wanted || !g || !how || !out || how->operand != 0) return SPW_EINVAL;
  const spw_variable v = spw_grad_variable(&c, a, 0);
  if (c.status == SPW_OK) c.status = spw_softmax_size_unchecked(v.pattern, wanted, &room, refusal);
  if (c.status == SPW_OK) spw_grad_judge_upstream(&c, g, a->values.array.dtype, 1);
  return spw_grad_end(&c, &v, how, c.status == SPW_OK ? gradient_of(&c, &v, wanted, g) : NULL, out);
}
