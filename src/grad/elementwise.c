/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients of sums and products element by element. */
#include "grad.h"
#include "../io/numbers/widen.h"

#include <string.h>

static const spw_elementwise_request times = {.kind = SPW_TIMES};

/* What is added to nothing is multiplied by its scalar, if there is one. */
static const spw_tensor *of_second(spw_composition *c, const spw_tensor *g, const spw_elementwise_request *wanted)
{
  const spw_unary_request negation = {.function = SPW_UNARY_NEG};
  unsigned char room[16];
  const void *const scalar = spw_grad_conjugate_of(g->values.array.dtype, wanted->scalar, room);
  const spw_tensor *const scaled = scalar ? spw_grad_scaled(c, g, scalar, SPW_SCALE) : g;
  spw_owned *made = NULL;
  if (wanted->kind == SPW_PLUS || !scaled) return scaled;
  return spw_compose_keep(c, spw_unary_new(scaled, &negation, c->left, &made, c->refusal), &made);
}

/* g at spec(v) times the conjugate of the other operand, where that is specified. */
static const spw_tensor *of_factor(spw_composition *c, const spw_tensor *at, const spw_tensor *other, const spw_tensor *pattern,
                                   int number)
{
  const spw_tensor *const partner = spw_grad_conjugate(c, other);
  const spw_tensor *const product = spw_compose_elementwise(c, at, partner, &times);
  return other->layout == SPW_DENSE ? product : spw_grad_at(c, product, pattern, number);
}

/* Of a dense factor: g times the conjugate of the sparse one, as a dense array. */
static spw_status of_dense_factor(spw_composition *c, const spw_tensor *a, const spw_tensor *b, const spw_tensor *g,
                                  spw_owned **out)
{
  const spw_variable v = spw_grad_variable(c, a, 0);
  if (spw_compose_judge(c, b, 1)) spw_grad_judge_upstream(c, g, a->values.array.dtype, 2);
  const spw_tensor *const at = c->status == SPW_OK ? spw_grad_at(c, g, v.pattern, 2) : NULL;
  const spw_tensor *const partner = at ? spw_grad_conjugate(c, v.pattern) : NULL;
  const spw_tensor *const product = spw_compose_elementwise(c, at, partner, &times);
  return spw_compose_end(c, spw_compose_layout(c, product, SPW_DENSE, 0), out);
}

/* Of a sum with a dense array of the same size, which is dense: with respect to the array, all of g. */
static spw_status of_dense_sum(spw_composition *c, const spw_tensor *a, const spw_tensor *b,
                               const spw_elementwise_request *wanted, const spw_tensor *g, const spw_vjp_request *how,
                               spw_owned **out)
{
  const int number = a->layout == SPW_DENSE;
  const spw_tensor *const sparse = number ? b : a, *const dense = number ? a : b;
  const spw_variable v = spw_grad_variable(c, sparse, number);
  if (c->status == SPW_OK) spw_grad_judge_upstream(c, dense, sparse->values.array.dtype, 1 - number);
  if (c->status == SPW_OK) spw_grad_judge_size(c, dense, 1 - number, sparse->ndim, sparse->size);
  if (c->status == SPW_OK) spw_grad_judge_upstream(c, g, sparse->values.array.dtype, 2);
  if (c->status != SPW_OK) return spw_compose_end(c, NULL, out);
  const bool of_sparse = how->operand == number;
  const spw_tensor *const at = spw_grad_at(c, g, of_sparse ? v.pattern : spw_grad_as_cell(c, dense), 2);
  const spw_tensor *const gradient = at && how->operand == 1 ? of_second(c, at, wanted) : at;
  if (of_sparse) return spw_grad_end(c, &v, how, gradient, out);
  return spw_compose_end(c, gradient ? spw_grad_as_dense(c, gradient) : NULL, out);
}

static const spw_tensor *gradient_of(spw_composition *c, const spw_variable *v, const spw_tensor *other,
                                     const spw_elementwise_request *wanted, const spw_tensor *at, int number)
{
  unsigned char room[16];
  if (!at) return NULL;
  switch (wanted->kind) {
  case SPW_PLUS: case SPW_MINUS: return number == 0 ? at : of_second(c, at, wanted);
  case SPW_TIMES: return of_factor(c, at, other, v->pattern, number);
  case SPW_SCALE:
    return spw_grad_scaled(c, at, spw_grad_conjugate_of(at->values.array.dtype, wanted->scalar, room), SPW_SCALE);
  default: return spw_grad_scaled(c, at, wanted->scalar, SPW_DIVIDE);
  }
}

/* Do the operands fit each other? The operation itself says so, of how much it takes. */
static void judge_operation(spw_composition *c, const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted)
{
  spw_room room;
  if (c->status == SPW_OK) c->status = spw_elementwise_size_unchecked(a, b, wanted, &room, c->refusal);
}

/* ---- Scalars --------------------------------------------------------------------------------------- */

/* The fold of all values of a tensor that a step has made, as one cell. */
static const spw_tensor *folded(spw_composition *c, const spw_tensor *t)
{
  static const uint64_t zero[2];
  const spw_tensor scalar = {.layout = SPW_DENSE, .values = {{t ? t->values.array.dtype : SPW_BOOL, 0, NULL, NULL, 0, 1}, zero}};
  const spw_tensor *const made = t ? spw_grad_zeros(c, spw_grad_as_cell(c, &scalar), t->values.array.dtype) : NULL;
  const int64_t n = made ? spw_grad_count(t) : 0;
  int64_t *const ones = made ? spw_compose_memory(c, n, sizeof *ones) : NULL;
  if (!ones) return NULL;
  for (int64_t i = 0; i < n; i++) ones[i] = 1;
  spw_grad_fold(t->values.array.dtype, spw_grad_values(made), t->values.data, ones, n);
  return made;
}

/* Of a quotient: negated, and divided twice. */
static const spw_tensor *of_divisor(spw_composition *c, const spw_tensor *sum, const void *scalar, spw_dtype dtype)
{
  const double wide = spw_widen_float(dtype, scalar);
  const float single = (float)wide;
  const spw_unary_request negation = {.function = SPW_UNARY_NEG};
  const void *const divisor = dtype == SPW_FLOAT64 ? (const void *)&wide : &single;
  spw_owned *made = NULL;
  if (!sum) return NULL;
  const spw_tensor *const less = spw_compose_keep(c, spw_unary_new(sum, &negation, c->left, &made, c->refusal), &made);
  const spw_tensor *const once = less ? spw_grad_scaled(c, less, divisor, SPW_DIVIDE) : NULL;
  return once ? spw_grad_scaled(c, once, divisor, SPW_DIVIDE) : NULL;
}

/* The fold of g times the conjugate of a, in row-major order, in the wide type. */
static spw_status of_scalar(spw_composition *c, const spw_tensor *a, const spw_elementwise_request *wanted, const spw_tensor *g,
                            spw_owned **out)
{
  const spw_variable v = spw_grad_variable(c, a, 0);
  const spw_dtype dtype = a->values.array.dtype;
  judge_operation(c, a, NULL, wanted);
  if (c->status == SPW_OK) spw_grad_judge_upstream(c, g, dtype, 1);
  const spw_tensor *const at = c->status == SPW_OK ? spw_compose_widened(c, spw_grad_at(c, g, v.pattern, 1)) : NULL;
  const spw_tensor *const partner = at ? spw_grad_conjugate(c, spw_compose_widened(c, v.pattern)) : NULL;
  const spw_tensor *const product = spw_compose_elementwise(c, at, partner, &times);
  const spw_tensor *made = folded(c, spw_compose_layout(c, product, SPW_COO, 1));
  if (wanted->kind == SPW_DIVIDE) made = of_divisor(c, made, wanted->scalar, dtype);
  return spw_compose_end(c, spw_grad_as_dense(c, spw_compose_narrowed(c, made, dtype)), out);
}

spw_status spw_vjp_elementwise_new(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted,
                                   const spw_tensor *g, const spw_vjp_request *how, size_t limit, spw_owned **out,
                                   spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  if (!a || !wanted || !g || !how || !out || (int)wanted->kind < 0 || wanted->kind > SPW_DIVIDE) return SPW_EINVAL;
  const bool two = wanted->kind <= SPW_TIMES;
  if (two != (b != NULL) || how->operand < 0 || how->operand > 1 || wanted->duplicates != SPW_COMBINE_SUM) return SPW_EINVAL;
  if (!two && how->operand == 1) return of_scalar(&c, a, wanted, g, out);
  const spw_tensor *const own = how->operand == 0 ? a : b, *const other = how->operand == 0 ? b : a;
  if (own->layout == SPW_DENSE && how->operand == 1 && wanted->kind == SPW_TIMES) return of_dense_factor(&c, a, b, g, out);
  if (two && wanted->kind != SPW_TIMES && (a->layout == SPW_DENSE) != (b->layout == SPW_DENSE))
    return of_dense_sum(&c, a, b, wanted, g, how, out);
  const spw_variable v = spw_grad_variable(&c, own, how->operand);
  if (c.status == SPW_OK && two) spw_compose_judge(&c, other, 1 - how->operand);
  judge_operation(&c, a, b, wanted);
  if (c.status == SPW_OK) spw_grad_judge_upstream(&c, g, own->values.array.dtype, two ? 2 : 1);
  const spw_tensor *const at = c.status == SPW_OK ? spw_grad_at(&c, g, v.pattern, two ? 2 : 1) : NULL;
  return spw_grad_end(&c, &v, how, gradient_of(&c, &v, other, wanted, at, how->operand), out);
}
