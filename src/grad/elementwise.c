/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients of sums and products element by element. */
#include "grad.h"

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

spw_status spw_vjp_elementwise_new(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted,
                                   const spw_tensor *g, const spw_vjp_request *how, size_t limit, spw_owned **out,
                                   spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  if (!a || !wanted || !g || !how || !out || (int)wanted->kind < 0 || wanted->kind > SPW_DIVIDE) return SPW_EINVAL;
  const bool two = wanted->kind <= SPW_TIMES;
  if (two != (b != NULL) || how->operand < 0 || how->operand > two || wanted->duplicates != SPW_COMBINE_SUM) return SPW_EINVAL;
  const spw_tensor *const own = how->operand == 0 ? a : b, *const other = how->operand == 0 ? b : a;
  if (own->layout == SPW_DENSE && how->operand == 1 && wanted->kind == SPW_TIMES) return of_dense_factor(&c, a, b, g, out);
  const spw_variable v = spw_grad_variable(&c, own, how->operand);
  if (c.status == SPW_OK && two) spw_compose_judge(&c, other, 1 - how->operand);
  judge_operation(&c, a, b, wanted);
  if (c.status == SPW_OK) spw_grad_judge_upstream(&c, g, own->values.array.dtype, two ? 2 : 1);
  const spw_tensor *const at = c.status == SPW_OK ? spw_grad_at(&c, g, v.pattern, two ? 2 : 1) : NULL;
  return spw_grad_end(&c, &v, how, gradient_of(&c, &v, other, wanted, at, how->operand), out);
}
