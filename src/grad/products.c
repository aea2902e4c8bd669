/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients of products: products at stored positions, and products with transposes, which are views. */
#include "grad.h"

#include <stdlib.h>
#include <string.h>

/* ---- Dense operands ------------------------------------------------------------------------------ */

/* A matrix or a batch of them, with the last two dimensions swapped. */
static const spw_tensor *turned(spw_composition *c, const spw_tensor *t)
{
  spw_dims_view *const v = t ? spw_compose_view(c, t) : NULL;
  const int64_t n = v ? t->values.array.ndim : 0;
  if (!v || n < 2) return NULL;
  const int64_t shape = v->shape[2][n - 1], stride = v->strides[2][n - 1];
  v->shape[2][n - 1] = v->shape[2][n - 2];
  v->strides[2][n - 1] = v->strides[2][n - 2];
  v->shape[2][n - 2] = shape;
  v->strides[2][n - 2] = stride;
  v->t.has_size = false;
  return &v->t;
}

/* A vector as a column; anything else is what it is. */
static const spw_tensor *as_column(spw_composition *c, const spw_tensor *t)
{
  if (!t || t->values.array.ndim != 1) return t;
  spw_dims_view *const v = spw_compose_view(c, t);
  if (!v) return NULL;
  v->shape[2][1] = 1;
  v->strides[2][1] = 0;
  v->t.values.array.ndim = 2;
  v->t.has_size = false;
  return &v->t;
}

/* Has a dense array this shape? */
static void judge_shape(spw_composition *c, const spw_tensor *t, int number, int64_t ndim, const int64_t *shape)
{
  if (c->status != SPW_OK) return;
  if (t->layout != SPW_DENSE) spw_compose_refuse(c, number, SPW_OBSTACLE_LAYOUT, -1, (int64_t)t->layout, SPW_DENSE);
  if (c->status == SPW_OK) spw_grad_judge_size(c, t, number, ndim, shape);
}

/* ---- Products ------------------------------------------------------------------------------------ */

/* Zeros of the shape of t, or with its index arrays. */
static const spw_tensor *zeros_like(spw_composition *c, const spw_tensor *t)
{
  const bool dense = t->layout == SPW_DENSE;
  const spw_tensor *const from = c->status != SPW_OK ? NULL : dense ? spw_grad_as_cell(c, t) : t;
  const spw_tensor *const made = spw_grad_zeros(c, from, t->values.array.dtype);
  return dense ? spw_grad_as_dense(c, made) : made;
}

/* alpha (A B), one of them sparse, or its transpose, as a dense array of that shape, which may be a vector's. */
static const spw_tensor *product_like(spw_composition *c, const spw_tensor *a, const spw_tensor *b, const void *alpha,
                                      const spw_tensor *like, bool transposes)
{
  const spw_tensor *const made = a && b ? zeros_like(c, like) : NULL, *to = as_column(c, made);
  size_t work = 0;
  if (transposes) to = turned(c, to);
  const spw_factors how = {.alpha = alpha};
  if (!to) return NULL;
  const spw_output out = {to->values.array, spw_grad_values(to)};
  c->status = spw_multiply_size_unchecked(a, b, &how, &out, &work, c->refusal);
  if (c->status == SPW_OK && work > c->left) c->status = SPW_ENOMEM;
  void *const memory = c->status == SPW_OK ? malloc(work ? work : 1) : NULL;
  if (c->status == SPW_OK) c->status = memory ? spw_multiply_unchecked(a, b, &how, &out, memory, work, c->refusal) : SPW_ENOMEM;
  free(memory);
  return c->status == SPW_OK ? made : NULL;
}

/* alpha (A B) of two dense ones at the stored positions of a pattern. */
static const spw_tensor *sampled_product(spw_composition *c, const spw_tensor *pattern, const spw_tensor *a, const spw_tensor *b,
                                         const void *alpha)
{
  const spw_factors how = {.alpha = alpha};
  spw_owned *made = NULL;
  if (!pattern || !a || !b || c->status != SPW_OK) return NULL;
  const spw_status status = spw_sampled_multiply_new(pattern, a, b, &how, c->left, &made, c->refusal);
  return spw_compose_keep(c, status, &made);
}

/* Zeros of beta that is null; else its conjugate times t. */
static const spw_tensor *times_beta(spw_composition *c, const spw_tensor *t, const spw_factors *factors)
{
  unsigned char room[16];
  const void *const beta = factors ? spw_grad_conjugate_of(t->values.array.dtype, factors->beta, room) : NULL;
  return beta ? spw_grad_scaled(c, t, beta, SPW_SCALE) : zeros_like(c, t);
}

/* ---- multiply ------------------------------------------------------------------------------------ */

typedef struct product {
  const spw_tensor *sparse, *dense, *g;
  bool left; /* the sparse one is A */
  const void *alpha;
} product;

/* Of a valid sparse operand: the result's shape is that of the dense one but for one entry. */
static void judge_upstream(spw_composition *c, const product *p)
{
  int64_t shape[SPW_STRUCTURE_DIMS + 1], dimension = 0, size = 0;
  const spw_array *const d = &p->dense->values.array;
  if (c->status != SPW_OK) return;
  c->status = spw_multiply_shape(p->left ? p->sparse : p->dense, p->left ? p->dense : p->sparse, &dimension, &size, c->refusal);
  if (c->status == SPW_OK && d->ndim > SPW_STRUCTURE_DIMS) c->status = SPW_EUNSUPPORTED;
  if (c->status != SPW_OK) return;
  for (int64_t i = 0; i < d->ndim; i++) shape[i] = i == dimension ? size : d->shape[i];
  if (spw_grad_judge_upstream(c, p->g, p->sparse->values.array.dtype, 2)) judge_shape(c, p->g, 2, d->ndim, shape);
}

/* A B: at A's positions G Bᴴ; D S: at S's positions Dᴴ G. */
static const spw_tensor *of_sparse(spw_composition *c, const product *p, const spw_tensor *pattern)
{
  const bool vector = p->dense->values.array.ndim == 1;
  const spw_tensor *const partner = as_column(c, spw_grad_conjugate(c, p->dense)), *const g = as_column(c, p->g);
  const spw_tensor *const across = turned(c, partner);
  if (p->left) return sampled_product(c, pattern, g, across, p->alpha);
  if (vector) return sampled_product(c, pattern, partner, turned(c, g), p->alpha);
  return sampled_product(c, pattern, across, g, p->alpha);
}

/* A B: Aᴴ G = (Gᵀ Ā)ᵀ; D S: G Sᴴ = (S̄ Gᵀ)ᵀ. */
static const spw_tensor *of_dense(spw_composition *c, const product *p)
{
  const spw_tensor *const partner = spw_grad_conjugate(c, p->sparse), *const across = turned(c, as_column(c, p->g));
  if (p->dense->values.array.ndim != 1)
    return product_like(c, p->left ? across : partner, p->left ? partner : across, p->alpha, p->dense, true);
  if (p->left) return product_like(c, across, partner, p->alpha, p->dense, true);
  return product_like(c, partner, turned(c, across), p->alpha, p->dense, false);
}

static const void *alpha_of(const spw_factors *factors, spw_dtype dtype, unsigned char room[16])
{
  return factors ? spw_grad_conjugate_of(dtype, factors->alpha, room) : NULL;
}

/* With respect to what is added: beta is all that matters. */
static spw_status of_added(spw_composition *c, const product *p, const spw_factors *factors, spw_owned **out)
{
  judge_upstream(c, p);
  return spw_compose_end(c, c->status == SPW_OK ? times_beta(c, p->g, factors) : NULL, out);
}

spw_status spw_vjp_multiply_new(const spw_tensor *a, const spw_tensor *b, const spw_factors *factors, const spw_tensor *g,
                                const spw_vjp_request *how, size_t limit, spw_owned **out, spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  unsigned char room[16];
  if (!a || !b || !g || !how || !out || how->operand < 0 || how->operand > 2) return SPW_EINVAL;
  if ((a->layout == SPW_DENSE) == (b->layout == SPW_DENSE)) return SPW_EINVAL;
  const bool left = b->layout == SPW_DENSE;
  product p = {left ? a : b, left ? b : a, g, left, alpha_of(factors, a->values.array.dtype, room)};
  const spw_variable v = spw_grad_variable(&c, p.sparse, left ? 0 : 1);
  if (c.status == SPW_OK) spw_compose_judge(&c, p.dense, left ? 1 : 0);
  if (how->operand == 2) return of_added(&c, &p, factors, out);
  judge_upstream(&c, &p);
  if (c.status != SPW_OK) return spw_compose_end(&c, NULL, out);
  if (how->operand == (left ? 0 : 1)) return spw_grad_end(&c, &v, how, of_sparse(&c, &p, v.pattern), out);
  return spw_compose_end(&c, of_dense(&c, &p), out);
}

/* ---- sampled_multiply ---------------------------------------------------------------------------- */

spw_status spw_vjp_sampled_multiply_new(const spw_tensor *s, const spw_tensor *a, const spw_tensor *b, const spw_factors *factors,
                                        const spw_tensor *g, const spw_vjp_request *how, size_t limit, spw_owned **out,
                                        spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  unsigned char room_of_alpha[16];
  spw_room room;
  if (!s || !a || !b || !g || !how || !out || how->operand < 0 || how->operand > 2) return SPW_EINVAL;
  const spw_variable v = spw_grad_variable(&c, s, 0);
  const spw_factors none = {0};
  if (c.status == SPW_OK) c.status = spw_sampled_multiply_size(s, a, b, factors ? factors : &none, &room, refusal);
  if (c.status == SPW_OK) spw_grad_judge_upstream(&c, g, s->values.array.dtype, 3);
  const spw_tensor *const at = c.status == SPW_OK ? spw_grad_at(&c, g, v.pattern, 3) : NULL;
  if (!at) return spw_compose_end(&c, NULL, out);
  if (how->operand == 0) return spw_grad_end(&c, &v, how, times_beta(&c, at, factors), out);
  const void *const alpha = alpha_of(factors, s->values.array.dtype, room_of_alpha);
  const spw_tensor *gradient;
  if (how->operand == 1) /* G Bᴴ */
    gradient = product_like(&c, at, turned(&c, spw_grad_conjugate(&c, b)), alpha, a, false);
  else /* Aᴴ G */
    gradient = product_like(&c, turned(&c, spw_grad_conjugate(&c, a)), at, alpha, b, false);
  return spw_compose_end(&c, gradient, out);
}
