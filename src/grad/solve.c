/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients of solves, triangular or general: of B by a solve with the adjoint, of A by a product at its positions. */
#include "grad.h"

#include <string.h>

typedef struct system_of {
  const spw_tensor *a, *b, *g;
  const spw_triangle *wanted; /* null: A is any square matrix */
} system_of;

static const spw_tensor *solved(spw_composition *c, const spw_tensor *a, const spw_tensor *b, const spw_triangle *wanted)
{
  spw_owned *made = NULL;
  if (!a || !b || c->status != SPW_OK) return NULL;
  const spw_status status = wanted ? spw_solve_triangular_new(a, b, wanted, c->left, &made, c->refusal)
                                   : spw_solve_new(a, b, NULL, c->left, &made, c->refusal);
  return spw_compose_keep(c, status, &made);
}

/* With M adjoint: of the transpose, the conjugate. */
static const spw_tensor *of_right_side(spw_composition *c, const system_of *s)
{
  if (!s->wanted) return solved(c, spw_compose_transposed(c, spw_grad_conjugate(c, s->a)), s->g, NULL);
  spw_triangle adjoint = *s->wanted;
  adjoint.transpose = false;
  adjoint.adjoint = !s->wanted->transpose && !s->wanted->adjoint;
  return solved(c, s->wanted->transpose ? spw_grad_conjugate(c, s->a) : s->a, s->g, &adjoint);
}

/* ---- With respect to A -------------------------------------------------------------------------------- */

/* A vector as a column, or on the other side as a row. */
static const spw_tensor *as_matrix(spw_composition *c, const spw_tensor *t, bool row)
{
  const bool vector = t && t->values.array.ndim == 1;
  const spw_tensor *const column = spw_grad_as_column(c, t);
  return vector && row ? spw_compose_transposed(c, column) : column;
}

/* The product whose negation is the gradient: of a left system, of rows of the solution; of A adjoint, the conjugate. */
static const spw_tensor *sampled(spw_composition *c, const system_of *s, const spw_tensor *pattern, const spw_tensor *of_b,
                                 const spw_tensor *x)
{
  static const spw_triangle none = {0};
  const spw_triangle *const w = s->wanted ? s->wanted : &none;
  const bool right = w->right, swaps = w->transpose || w->adjoint;
  const spw_tensor *const d = as_matrix(c, w->adjoint ? spw_grad_conjugate(c, of_b) : of_b, right);
  const spw_tensor *const y = as_matrix(c, w->adjoint ? x : spw_grad_conjugate(c, x), right);
  if (!right && !swaps) return spw_grad_sampled(c, pattern, d, spw_compose_transposed(c, y), NULL);
  if (!right) return spw_grad_sampled(c, pattern, y, spw_compose_transposed(c, d), NULL);
  if (!swaps) return spw_grad_sampled(c, pattern, spw_compose_transposed(c, y), d, NULL);
  return spw_grad_sampled(c, pattern, spw_compose_transposed(c, d), y, NULL);
}

typedef struct side {
  int64_t batches, scalar;
  bool upper, unit;
  char *values;
} side;

static void clear_other_side(void *context, const int64_t *position, int64_t number)
{
  const side *const s = context;
  const int64_t i = position[s->batches], k = position[s->batches + 1];
  if ((s->upper ? i < k : i > k) || (i == k && !s->unit)) return;
  memset(s->values + number * s->scalar, 0, (size_t)s->scalar);
}

static const spw_tensor *of_matrix(spw_composition *c, const system_of *s, const spw_tensor *pattern)
{
  const spw_unary_request negation = {.function = SPW_UNARY_NEG};
  spw_owned *owned = NULL;
  const spw_tensor *const x = solved(c, pattern, s->b, s->wanted), *const of_b = of_right_side(c, s);
  const spw_tensor *const product = x && of_b ? sampled(c, s, pattern, of_b, x) : NULL;
  if (!product) return NULL;
  const spw_tensor *const made = spw_compose_keep(c, spw_unary_new(product, &negation, c->left, &owned, c->refusal), &owned);
  if (!made || !s->wanted) return made;
  side other = {pattern->ndim - 2, spw_dtype_size(made->values.array.dtype), s->wanted->upper, s->wanted->unit,
                spw_grad_values(made)};
  spw_grad_visit_positions(made, clear_other_side, &other);
  return made;
}

spw_status spw_vjp_solve_triangular_new(const spw_tensor *a, const spw_tensor *b, const spw_triangle *wanted,
                                        const spw_tensor *g, const spw_vjp_request *how, size_t limit, spw_owned **out,
                                        spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  static const spw_triangle none = {0};
  spw_room room;
  if (!a || !b || !g || !how || !out || how->operand < 0 || how->operand > 1) return SPW_EINVAL;
  const spw_variable v = spw_grad_variable(&c, a, 0);
  if (c.status == SPW_OK) c.status = spw_solve_triangular_size(a, b, wanted ? wanted : &none, &room, refusal);
  if (c.status == SPW_OK && spw_grad_judge_upstream(&c, g, b->values.array.dtype, 2))
    spw_grad_judge_size(&c, g, 2, b->values.array.ndim, b->values.array.shape);
  const spw_tensor *const up = c.status == SPW_OK ? spw_compose_layout(&c, g, SPW_DENSE, 2) : NULL;
  const system_of s = {v.pattern, b, up, wanted};
  if (!up) return spw_compose_end(&c, NULL, out);
  if (how->operand == 1) return spw_compose_end(&c, of_right_side(&c, &s), out);
  return spw_grad_end(&c, &v, how, of_matrix(&c, &s, v.pattern), out);
}
