/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients of products: products at stored positions, and products with transposes, which are views. */
#include "grad.h"
#include "../owned/matmul.h"

#include <stdlib.h>
#include <string.h>

/* ---- Dense operands ------------------------------------------------------------------------------ */

const spw_tensor *spw_grad_as_column(spw_composition *c, const spw_tensor *t)
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

/* ---- Products ------------------------------------------------------------------------------------ */

const spw_tensor *spw_grad_zeros_like(spw_composition *c, const spw_tensor *t)
{
  const bool dense = t && t->layout == SPW_DENSE;
  const spw_tensor *const from = !t || c->status != SPW_OK ? NULL : dense ? spw_grad_as_cell(c, t) : t;
  const spw_tensor *const made = from ? spw_grad_zeros(c, from, t->values.array.dtype) : NULL;
  return dense ? spw_grad_as_dense(c, made) : made;
}

const spw_tensor *spw_grad_product_like(spw_composition *c, const spw_tensor *a, const spw_tensor *b, const void *alpha,
                                        const spw_tensor *like, spw_grad_form form)
{
  const spw_tensor *const made = a && b ? spw_grad_zeros_like(c, like) : NULL;
  const spw_tensor *to = form == SPW_GRAD_ROWS ? spw_compose_rows(c, made) : spw_grad_as_column(c, made);
  size_t work = 0;
  if (form == SPW_GRAD_TURNED) to = spw_compose_transposed(c, to);
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

const spw_tensor *spw_grad_sampled(spw_composition *c, const spw_tensor *pattern, const spw_tensor *a, const spw_tensor *b,
                                   const void *alpha)
{
  const spw_factors how = {.alpha = alpha};
  spw_owned *made = NULL;
  if (!pattern || !a || !b || c->status != SPW_OK) return NULL;
  const spw_status status = spw_sampled_multiply_new(pattern, a, b, &how, c->left, &made, c->refusal);
  return spw_compose_keep(c, status, &made);
}

const spw_tensor *spw_grad_times_beta(spw_composition *c, const spw_tensor *t, const spw_factors *factors)
{
  unsigned char room[16];
  const void *const beta = factors ? spw_grad_conjugate_of(t->values.array.dtype, factors->beta, room) : NULL;
  return beta ? spw_grad_scaled(c, t, beta, SPW_SCALE) : spw_grad_zeros_like(c, t);
}

/* ---- multiply ------------------------------------------------------------------------------------ */

typedef struct product {
  const spw_tensor *sparse, *dense, *g;
  bool left; /* the sparse one is A */
  const void *alpha;
  int number; /* of g in refusals */
} product;

/* The shape of a product is that of the dense operand but for one entry. */
void spw_grad_judge_product(spw_composition *c, const spw_tensor *a, const spw_tensor *b, const spw_tensor *g, int number)
{
  int64_t shape[SPW_STRUCTURE_DIMS + 1], dimension = 0, size = 0;
  const bool left = b->layout == SPW_DENSE;
  const spw_array *const d = &(left ? b : a)->values.array;
  if (c->status == SPW_OK) c->status = spw_multiply_shape(a, b, &dimension, &size, c->refusal);
  if (c->status == SPW_OK && d->ndim > SPW_STRUCTURE_DIMS) c->status = SPW_EUNSUPPORTED;
  if (c->status != SPW_OK) return;
  for (int64_t i = 0; i < d->ndim; i++) shape[i] = i == dimension ? size : d->shape[i];
  if (spw_grad_judge_upstream(c, g, (left ? a : b)->values.array.dtype, number))
    spw_grad_judge_size(c, g, number, d->ndim, shape);
}

static void judge_upstream(spw_composition *c, product *p)
{
  spw_grad_judge_product(c, p->left ? p->sparse : p->dense, p->left ? p->dense : p->sparse, p->g, p->number);
  if (c->status == SPW_OK && p->g->layout != SPW_DENSE) p->g = spw_compose_layout(c, p->g, SPW_DENSE, p->number);
}

/* A B: at A's positions G Bᴴ; D S: at S's positions Dᴴ G. */
static const spw_tensor *of_sparse(spw_composition *c, const product *p, const spw_tensor *pattern)
{
  const bool vector = p->dense->values.array.ndim == 1;
  const spw_tensor *const partner = spw_grad_as_column(c, spw_grad_conjugate(c, p->dense));
  const spw_tensor *const g = spw_grad_as_column(c, p->g);
  const spw_tensor *const across = spw_compose_transposed(c, partner);
  if (p->left) return spw_grad_sampled(c, pattern, g, across, p->alpha);
  if (vector) return spw_grad_sampled(c, pattern, partner, spw_compose_transposed(c, g), p->alpha);
  return spw_grad_sampled(c, pattern, across, g, p->alpha);
}

/* A B: Aᴴ G = (Gᵀ Ā)ᵀ; D S: G Sᴴ = (S̄ Gᵀ)ᵀ. */
static const spw_tensor *of_dense(spw_composition *c, const product *p)
{
  const spw_tensor *const partner = spw_grad_conjugate(c, p->sparse);
  const spw_tensor *const across = spw_compose_transposed(c, spw_grad_as_column(c, p->g));
  if (p->dense->values.array.ndim != 1)
    return spw_grad_product_like(c, p->left ? across : partner, p->left ? partner : across, p->alpha, p->dense, SPW_GRAD_TURNED);
  if (p->left) return spw_grad_product_like(c, across, partner, p->alpha, p->dense, SPW_GRAD_TURNED);
  return spw_grad_product_like(c, partner, spw_compose_transposed(c, across), p->alpha, p->dense, SPW_GRAD_AS_IS);
}

/* Of every position of the sparse operand, which is a matrix or a batch of them: as one block that holds them all. */
static const spw_tensor *one_block(spw_composition *c, const spw_tensor *t)
{
  static const int32_t bounds[2] = {0, 1}, none = 0;
  static const uint64_t zero[2];
  spw_dims_view *const v = spw_compose_memory(c, 1, sizeof *v);
  const int64_t batches = t->ndim - 2;
  bool empty = false;
  if (!v) return NULL;
  v->t = (spw_tensor){.layout = SPW_BSR, .has_size = true, .ndim = t->ndim, .size = v->size};
  for (int64_t d = 0; d < t->ndim; d++) {
    v->size[d] = t->size[d];
    empty = empty || t->size[d] == 0;
    if (d < batches) v->shape[0][d] = v->shape[1][d] = v->shape[2][d] = t->size[d];
  }
  v->shape[0][batches] = 2;
  v->shape[1][batches] = v->shape[2][batches] = v->strides[0][batches] = v->strides[1][batches] = 1;
  v->shape[2][batches + 1] = t->size[batches];
  v->shape[2][batches + 2] = t->size[batches + 1];
  v->t.compressed = (spw_index_array){.array = {SPW_INT32, batches + 1, v->shape[0], v->strides[0], 0, 2}, .i32 = bounds};
  v->t.plain = (spw_index_array){.array = {SPW_INT32, batches + 1, v->shape[1], v->strides[1], 0, 1}, .i32 = &none};
  v->t.values.array = (spw_array){t->values.array.dtype, batches + 3, v->shape[2], v->strides[2], 0, empty ? 0 : 1};
  v->t.values.data = zero;
  return &v->t;
}

/* The blocks, one for each batch, as a dense array. */
static const spw_tensor *block_as_dense(spw_composition *c, const spw_tensor *made)
{
  spw_owned *const owner = made ? spw_compose_owner(c, made) : NULL;
  if (!owner) return NULL;
  spw_tensor *const t = spw_owned_edit(owner);
  const int64_t ndim = t->ndim;
  int64_t *const dims = spw_owned_alloc(owner, (size_t)(2 * ndim), sizeof *dims), stride = 1;
  if (!dims) return c->status = SPW_ENOMEM, NULL;
  for (int64_t d = ndim - 1; d >= 0; d--) {
    dims[d] = t->size[d];
    dims[ndim + d] = stride;
    stride *= dims[d];
  }
  *t = (spw_tensor){.layout = SPW_DENSE, .values = t->values};
  t->values.array.ndim = ndim;
  t->values.array.shape = dims;
  t->values.array.strides = dims + ndim;
  return t;
}

static int64_t product_of_sizes(const spw_tensor *t)
{
  int64_t all = 1;
  for (int64_t d = 0; d < t->ndim; d++)
    if (t->size[d] == 0 || __builtin_mul_overflow(all, t->size[d], &all)) return t->size[d] == 0 ? 0 : INT64_MAX;
  return all;
}

static spw_status of_all(spw_composition *c, const product *p, spw_owned **out)
{
  const spw_tensor *const t = p->sparse;
  if (c->status == SPW_OK && product_of_sizes(t) == 0) /* there are no blocks without elements */
    return spw_compose_end(c, spw_grad_zeros_like(c, spw_grad_dense_like(c, t)), out);
  const spw_tensor *const block = c->status == SPW_OK ? one_block(c, t) : NULL;
  return spw_compose_end(c, block_as_dense(c, of_sparse(c, p, block)), out);
}

static const void *alpha_of(const spw_factors *factors, spw_dtype dtype, unsigned char room[16])
{
  return factors ? spw_grad_conjugate_of(dtype, factors->alpha, room) : NULL;
}

/* With respect to what is added: beta is all that matters. */
static spw_status of_added(spw_composition *c, product *p, const spw_factors *factors, spw_owned **out)
{
  judge_upstream(c, p);
  return spw_compose_end(c, c->status == SPW_OK ? spw_grad_times_beta(c, p->g, factors) : NULL, out);
}

static const spw_tensor *rows_times(spw_composition *c, const spw_tensor *rows, const spw_tensor *b)
{
  spw_owned *made = NULL;
  if (!rows || !b || c->status != SPW_OK) return NULL;
  return spw_compose_keep(c, spw_matmul_new(rows, b, c->left, &made, c->refusal), &made);
}

/* With each element stored by itself: the same matrix. */
static const spw_tensor *elements_of_rows(spw_composition *c, const spw_tensor *rows)
{
  const spw_making wanted = {.kind = SPW_MAKE_RESPLIT, .sparse_dims = 2};
  spw_owned *made = NULL;
  return spw_compose_keep(c, spw_make_new(&rows, 1, &wanted, c->left, &made, c->refusal), &made);
}

/* The rows of the gradient of A are products of those of g; of B, it is that of a product of matrices. */
static spw_status of_rows(spw_composition *c, const product *p, const spw_variable *v, const spw_vjp_request *how,
                          spw_owned **out)
{
  if (c->status == SPW_OK) spw_grad_judge_upstream(c, p->dense, p->sparse->values.array.dtype, 1);
  const spw_tensor *const result = rows_times(c, v->pattern, p->dense);
  if (result && spw_grad_judge_upstream(c, p->g, p->sparse->values.array.dtype, p->number))
    spw_grad_judge_like(c, p->g, p->number, result);
  const spw_tensor *const at = result && c->status == SPW_OK ? spw_grad_at(c, p->g, result, p->number) : NULL;
  if (!at) return spw_compose_end(c, NULL, out);
  if (how->operand == 0) {
    const spw_tensor *const made = rows_times(c, at, spw_compose_transposed(c, spw_grad_conjugate(c, p->dense)));
    return spw_grad_end(c, v, how, made && p->alpha ? spw_grad_scaled(c, made, p->alpha, SPW_SCALE) : made, out);
  }
  const spw_tensor *const g = spw_compose_layout(c, at, SPW_DENSE, p->number);
  const product matrices = {elements_of_rows(c, v->pattern), p->dense, g, true, p->alpha, p->number};
  return spw_compose_end(c, matrices.sparse && matrices.g ? of_dense(c, &matrices) : NULL, out);
}

static spw_status of_product(spw_composition *c, const spw_tensor *a, const spw_tensor *b, const spw_factors *factors,
                             const spw_tensor *g, int number, const spw_vjp_request *how, spw_owned **out)
{
  unsigned char room[16];
  const bool left = b->layout == SPW_DENSE;
  product p = {left ? a : b, left ? b : a, g, left, alpha_of(factors, a->values.array.dtype, room), number};
  const spw_variable v = spw_grad_variable(c, p.sparse, left ? 0 : 1);
  if (c->status == SPW_OK) spw_compose_judge(c, p.dense, left ? 1 : 0);
  const bool rows = left && spw_matmul_is_of_rows(a);
  if (rows && c->status == SPW_OK && how->operand < 2 && !how->full) return of_rows(c, &p, &v, how, out);
  if (how->operand == 2) return of_added(c, &p, factors, out);
  judge_upstream(c, &p);
  if (c->status != SPW_OK) return spw_compose_end(c, NULL, out);
  if (how->full && how->operand == (left ? 0 : 1)) return of_all(c, &p, out);
  if (how->operand == (left ? 0 : 1)) return spw_grad_end(c, &v, how, of_sparse(c, &p, v.pattern), out);
  return spw_compose_end(c, of_dense(c, &p), out);
}

spw_status spw_vjp_multiply_new(const spw_tensor *a, const spw_tensor *b, const spw_factors *factors, const spw_tensor *g,
                                const spw_vjp_request *how, size_t limit, spw_owned **out, spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  if (!a || !b || !g || !how || !out || how->operand < 0 || how->operand > 2) return SPW_EINVAL;
  if ((a->layout == SPW_DENSE) == (b->layout == SPW_DENSE)) return SPW_EINVAL;
  return of_product(&c, a, b, factors, g, 2, how, out);
}

/* ---- sspaddmm ------------------------------------------------------------------------------------ */

spw_status spw_vjp_sspaddmm_new(const spw_tensor *added, const spw_tensor *a, const spw_tensor *b, const spw_factors *factors,
                                const spw_tensor *g, const spw_vjp_request *how, size_t limit, spw_owned **out,
                                spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  if (!added || !a || !b || !g || !how || !out || how->operand < 0 || how->operand > 2) return SPW_EINVAL;
  if (a->layout == SPW_DENSE || b->layout != SPW_DENSE) return SPW_EINVAL;
  if (a->ndim != 2 || b->values.array.ndim != 2) return SPW_EINVAL;
  if (how->operand != 2) {
    spw_compose_judge(&c, added, 2);
    return of_product(&c, a, b, factors, g, 3, how, out);
  }
  const spw_variable v = spw_grad_variable(&c, added, 2);
  if (spw_compose_judge(&c, a, 0) && spw_compose_judge(&c, b, 1)) spw_grad_judge_upstream(&c, g, b->values.array.dtype, 3);
  int64_t dimension, entry;
  if (c.status == SPW_OK) c.status = spw_multiply_shape(a, b, &dimension, &entry, refusal);
  if (c.status == SPW_OK) spw_grad_judge_size(&c, added, 2, 2, (const int64_t[]){entry, b->values.array.shape[1 - dimension]});
  const spw_tensor *const at = c.status == SPW_OK ? spw_grad_at(&c, g, v.pattern, 3) : NULL;
  return spw_grad_end(&c, &v, how, at ? spw_grad_times_beta(&c, at, factors) : NULL, out);
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
  if (how->operand == 0) return spw_grad_end(&c, &v, how, spw_grad_times_beta(&c, at, factors), out);
  const void *const alpha = alpha_of(factors, s->values.array.dtype, room_of_alpha);
  const spw_tensor *gradient;
  if (how->operand == 1) /* G Bᴴ */
    gradient = spw_grad_product_like(&c, at, spw_compose_transposed(&c, spw_grad_conjugate(&c, b)), alpha, a, SPW_GRAD_AS_IS);
  else /* Aᴴ G */
    gradient = spw_grad_product_like(&c, spw_compose_transposed(&c, spw_grad_conjugate(&c, a)), at, alpha, b, SPW_GRAD_AS_IS);
  return spw_compose_end(&c, gradient, out);
}
