/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients of products of two sparse operands: folds over what the upstream gradient and the other one store. */
#include "grad.h"

#include <string.h>

/* ---- Lines ------------------------------------------------------------------------------------------ */

/* A compressed tensor that a conversion has made: without gaps, and int64 indices. */
typedef struct lines {
  const spw_tensor *t;
  int64_t count, nse, scalar;
} lines;

static const spw_tensor *compressed(spw_composition *c, const spw_tensor *t, bool columns, int number)
{
  const spw_conversion wanted = {.layout = columns ? SPW_CSC : SPW_CSR, .batch_dims = -1, .dense_dims = -1,
                                 .index_dtype = SPW_INT64};
  return spw_compose_convert(c, t, &wanted, number);
}

static lines lines_of(const spw_tensor *t)
{
  const int64_t batches = t->ndim - 2;
  return (lines){t, t->compressed.array.shape[batches] - 1, t->plain.array.shape[batches],
                 spw_dtype_size(t->values.array.dtype)};
}

/* The elements of a line: their indices and values. */
typedef struct line {
  const int64_t *indices;
  const char *values;
  int64_t n;
} line;

static line line_at(const lines *l, int64_t batch, int64_t number)
{
  const int64_t *const bounds = l->t->compressed.i64 + batch * (l->count + 1) + number, first = batch * l->nse + bounds[0];
  return (line){l->t->plain.i64 + first, (const char *)l->t->values.data + first * l->scalar, bounds[1] - bounds[0]};
}

/* ---- Sparse times sparse ---------------------------------------------------------------------------- */

/* Of A: rows of g and of B; of B: columns of g and of A. */
typedef struct meeting {
  const spw_tensor *dense; /* g, or null */
  lines g, partner;
  const int64_t *size;
  int64_t batches, scalar;
  bool columns;
  char *to;
  spw_grad_product *product;
} meeting;

/* The place of an index among those of a line from `from` on, or of the first larger one. */
static int64_t place_in(const line *l, int64_t from, int64_t index)
{
  int64_t low = from, high = l->n;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (l->indices[middle] < index)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void meet(void *context, const int64_t *position, int64_t number)
{
  const meeting *const m = context;
  const int64_t b = m->batches, of_g = position[m->columns ? b + 1 : b], of_partner = position[m->columns ? b : b + 1];
  int64_t batch = 0, at[SPW_STRUCTURE_DIMS], place = 0;
  for (int64_t d = 0; d < b; d++) batch = batch * m->size[d] + position[d];
  const line partner = line_at(&m->partner, batch, of_partner), up = m->dense ? (line){0} : line_at(&m->g, batch, of_g);
  for (int64_t d = 0; d < b; d++) at[d] = position[d];
  at[m->columns ? b + 1 : b] = of_g;
  for (int64_t k = 0; k < partner.n; k++) {
    const char *value;
    if (m->dense) {
      at[m->columns ? b : b + 1] = partner.indices[k];
      value = spw_grad_find(m->dense, at);
    } else {
      place = place_in(&up, place, partner.indices[k]);
      if (place == up.n) return;
      if (up.indices[place] != partner.indices[k]) continue;
      value = up.values + place * m->scalar;
    }
    m->product(m->to + number * m->scalar, value, partner.values + k * m->scalar);
  }
}

/* In the wide type. */
static const spw_tensor *of_factor(spw_composition *c, const spw_tensor *pattern, const spw_tensor *partner, const spw_tensor *g,
                                   bool columns)
{
  const spw_tensor *const conjugate = spw_grad_conjugate(c, spw_compose_widened(c, partner));
  const spw_tensor *const wide = spw_compose_widened(c, g), *const other = compressed(c, conjugate, columns, columns ? 0 : 1);
  const bool dense = g && g->layout == SPW_DENSE;
  const spw_tensor *const up = dense ? NULL : compressed(c, wide, columns, 2);
  const spw_tensor *const made = other && wide ? spw_grad_zeros(c, pattern, wide->values.array.dtype) : NULL;
  if (!made || c->status != SPW_OK) return NULL;
  meeting m = {.dense = dense ? wide : NULL, .partner = lines_of(other), .size = pattern->size, .batches = pattern->ndim - 2,
               .scalar = spw_dtype_size(wide->values.array.dtype), .columns = columns, .to = spw_grad_values(made),
               .product = spw_grad_product_of(wide->values.array.dtype)};
  if (up) m.g = lines_of(up);
  spw_grad_visit_positions(pattern, meet, &m);
  return spw_compose_narrowed(c, made, g->values.array.dtype);
}

/* Do the operands fit? The product itself says so, of both in one layout. The size of the result is written. */
static void judge_product(spw_composition *c, const spw_tensor *a, const spw_tensor *b, int64_t *size)
{
  const spw_tensor *const left = compressed(c, a, false, 0), *const right = compressed(c, b, false, 1);
  size_t work;
  int64_t multiplications;
  if (!left || !right) return;
  c->status = spw_multiply_sparse_work_unchecked(left, right, &work, &multiplications, c->refusal);
  for (int64_t d = 0; c->status == SPW_OK && d < a->ndim; d++) size[d] = d == a->ndim - 1 ? b->size[d] : a->size[d];
}

/* What is added, with respect to itself. */
static spw_status of_added(spw_composition *c, const spw_tensor *added, const spw_factors *factors, const spw_tensor *g,
                           const int64_t *size, const spw_vjp_request *how, spw_owned **out)
{
  const spw_variable v = spw_grad_variable(c, added, 2);
  if (c->status == SPW_OK) spw_grad_judge_size(c, added, 2, added->ndim, size);
  const spw_tensor *const at = c->status == SPW_OK ? spw_grad_at(c, g, v.pattern, 3) : NULL;
  return spw_grad_end(c, &v, how, at ? spw_grad_times_beta(c, at, factors) : NULL, out);
}

spw_status spw_vjp_multiply_sparse_new(const spw_tensor *a, const spw_tensor *b, const spw_tensor *added,
                                       const spw_factors *factors, const spw_tensor *g, const spw_vjp_request *how, size_t limit,
                                       spw_owned **out, spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  unsigned char room[16];
  int64_t size[SPW_STRUCTURE_DIMS];
  if (!a || !b || !g || !how || !out || how->operand < 0 || how->operand > 1 + (added != NULL)) return SPW_EINVAL;
  const spw_variable v[2] = {spw_grad_variable(&c, a, 0), spw_grad_variable(&c, b, 1)};
  if (added) spw_compose_judge(&c, added, 2);
  if (c.status == SPW_OK) judge_product(&c, v[0].pattern, v[1].pattern, size);
  const int number = added ? 3 : 2;
  if (c.status == SPW_OK && spw_grad_judge_upstream(&c, g, a->values.array.dtype, number))
    spw_grad_judge_size(&c, g, number, a->ndim, size);
  if (c.status != SPW_OK) return spw_compose_end(&c, NULL, out);
  if (how->operand == 2) return of_added(&c, added, factors, g, size, how, out);
  const spw_variable *const own = &v[how->operand];
  const spw_tensor *made = of_factor(&c, own->pattern, v[1 - how->operand].pattern, g, how->operand == 1);
  const void *const alpha = factors ? spw_grad_conjugate_of(a->values.array.dtype, factors->alpha, room) : NULL;
  if (made && alpha) made = spw_grad_scaled(&c, made, alpha, SPW_SCALE);
  return spw_grad_end(&c, own, how, made, out);
}

/* ---- Kronecker products ------------------------------------------------------------------------------ */

/* Each element of one operand meets all of the other one, in row-major order. */
typedef struct crossing {
  const spw_tensor *g, *partner; /* values by their positions; of the other operand, sorted */
  int64_t ndim, scalar, number;
  const int64_t *sizes, *own; /* of B; the position of the element */
  bool of_b;
  char *to;
  spw_grad_product *product;
} crossing;

static void cross_one(void *context, const int64_t *position, int64_t number)
{
  const crossing *const x = context;
  const int64_t *const p = x->of_b ? position : x->own, *const q = x->of_b ? x->own : position;
  int64_t at[SPW_STRUCTURE_DIMS];
  for (int64_t d = 0; d < x->ndim; d++) at[d] = p[d] * x->sizes[d] + q[d];
  const char *const value = spw_grad_find(x->g, at);
  if (value) x->product(x->to + x->number * x->scalar, value, (const char *)x->partner->values.data + number * x->scalar);
}

static void cross(void *context, const int64_t *position, int64_t number)
{
  crossing *const x = context;
  x->own = position;
  x->number = number;
  spw_grad_visit_positions(x->partner, cross_one, x);
}

static void judge_kron(spw_composition *c, const spw_tensor *const t[2], const spw_tensor *g)
{
  const spw_making kron = {.kind = SPW_MAKE_KRON};
  int64_t size[SPW_STRUCTURE_DIMS];
  spw_room room;
  if (c->status == SPW_OK) c->status = spw_make_size_unchecked(t, 2, &kron, &room, c->refusal);
  for (int64_t d = 0; c->status == SPW_OK && d < t[0]->ndim; d++) size[d] = t[0]->size[d] * t[1]->size[d]; /* which fits */
  if (c->status == SPW_OK && spw_grad_judge_upstream(c, g, t[0]->values.array.dtype, 2))
    spw_grad_judge_size(c, g, 2, t[0]->ndim, size);
}

spw_status spw_vjp_kron_new(const spw_tensor *a, const spw_tensor *b, const spw_tensor *g, const spw_vjp_request *how,
                            size_t limit, spw_owned **out, spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  if (!a || !b || !g || !how || !out || how->operand < 0 || how->operand > 1) return SPW_EINVAL;
  const spw_variable v[2] = {spw_grad_variable(&c, a, 0), spw_grad_variable(&c, b, 1)};
  if (c.status == SPW_OK) judge_kron(&c, (const spw_tensor *[]){v[0].pattern, v[1].pattern}, g);
  const spw_variable *const own = &v[how->operand];
  const spw_tensor *const other = c.status == SPW_OK ? spw_compose_widened(&c, v[1 - how->operand].pattern) : NULL;
  const spw_tensor *const partner = spw_compose_layout(&c, spw_grad_conjugate(&c, other), SPW_COO, 1 - how->operand);
  const spw_tensor *const up = partner ? spw_grad_ordered(&c, spw_compose_widened(&c, g), 2) : NULL;
  const spw_tensor *const made = up ? spw_grad_zeros(&c, own->pattern, partner->values.array.dtype) : NULL;
  if (!made) return spw_compose_end(&c, NULL, out);
  const spw_dtype wide = partner->values.array.dtype;
  crossing x = {.g = up, .partner = partner, .ndim = a->ndim, .scalar = spw_dtype_size(wide), .sizes = b->size,
                .of_b = how->operand == 1, .to = spw_grad_values(made), .product = spw_grad_product_of(wide)};
  spw_grad_visit_positions(own->pattern, cross, &x);
  return spw_grad_end(&c, own, how, spw_compose_narrowed(&c, made, g->values.array.dtype), out);
}
