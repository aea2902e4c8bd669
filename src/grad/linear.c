/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients of linear: X W transposed, and a vector that is added to each row. */
#include "grad.h"

typedef struct linear_map {
  const spw_tensor *x, *w, *bias, *g; /* g: dense, without gaps, in rows */
  int64_t rows, in, out;
} linear_map;

static const spw_tensor *rows_of(spw_composition *c, const spw_tensor *t, int number)
{
  return spw_compose_rows(c, spw_compose_layout(c, t, SPW_DENSE, number));
}

static void judge_operands(spw_composition *c, const linear_map *l)
{
  const bool dense = l->x->layout == SPW_DENSE;
  const int64_t *const w = dense ? l->w->size : l->w->values.array.shape;
  const int64_t ndim = dense ? l->x->values.array.ndim : l->x->ndim, wide = dense ? l->w->ndim : l->w->values.array.ndim;
  const int64_t *const x = dense ? l->x->values.array.shape : l->x->size;
  if (wide != 2) spw_compose_refuse(c, 1, SPW_OBSTACLE_DIMENSIONS, -1, wide, 2);
  if (dense ? ndim < 1 : ndim != 2) spw_compose_refuse(c, 0, SPW_OBSTACLE_DIMENSIONS, -1, ndim, 2);
  if (c->status == SPW_OK && x[ndim - 1] != w[1]) spw_compose_refuse(c, 1, SPW_OBSTACLE_SHAPES, 1, w[1], x[ndim - 1]);
  if (c->status == SPW_OK && l->x->values.array.dtype != l->w->values.array.dtype)
    spw_compose_refuse(c, 1, SPW_OBSTACLE_TYPES, -1, (int64_t)l->w->values.array.dtype, (int64_t)l->x->values.array.dtype);
}

static void judge_upstream(spw_composition *c, linear_map *l)
{
  int64_t shape[SPW_STRUCTURE_DIMS];
  const bool dense = l->x->layout == SPW_DENSE;
  const int64_t ndim = dense ? l->x->values.array.ndim : 2, *const size = dense ? l->x->values.array.shape : l->x->size;
  if (c->status != SPW_OK || !spw_grad_judge_upstream(c, l->g, l->x->values.array.dtype, 3)) return;
  if (ndim > SPW_STRUCTURE_DIMS) c->status = SPW_EUNSUPPORTED;
  for (int64_t d = 0; c->status == SPW_OK && d < ndim - 1; d++) shape[d] = size[d];
  if (c->status != SPW_OK) return;
  shape[ndim - 1] = (dense ? l->w->size : l->w->values.array.shape)[0];
  spw_grad_judge_size(c, l->g, 3, ndim, shape);
  l->g = rows_of(c, l->g, 3);
}

/* Column sums of g, rows ascending. */
static const spw_tensor *of_bias(spw_composition *c, const linear_map *l)
{
  const spw_dtype dtype = l->g->values.array.dtype;
  const int64_t columns = l->g->values.array.shape[1], n = spw_grad_count(l->g);
  spw_grad_judge_size(c, l->bias, 2, 1, &columns);
  const spw_tensor *const wide = spw_compose_widened(c, l->g);
  const spw_tensor *const cell = c->status == SPW_OK ? spw_grad_as_cell(c, l->bias) : NULL;
  const spw_tensor *const bias = cell ? spw_grad_zeros(c, cell, wide->values.array.dtype) : NULL;
  int64_t *const numbers = bias ? spw_compose_memory(c, n, sizeof *numbers) : NULL;
  if (!numbers) return NULL;
  for (int64_t i = 0; i < n; i++) numbers[i] = 1 + i % columns;
  spw_grad_fold(wide->values.array.dtype, spw_grad_values(bias), wide->values.data, numbers, n);
  return spw_grad_as_dense(c, spw_compose_narrowed(c, bias, dtype));
}

/* Of a sparse operand: at its positions. Of a dense one: a product with the sparse one. */
static const spw_tensor *gradient_of(spw_composition *c, const linear_map *l, int operand, const spw_variable *v)
{
  const bool sparse_x = l->x->layout != SPW_DENSE;
  const spw_tensor *const g = l->g;
  if (operand == 0 && sparse_x) return spw_grad_sampled(c, v->pattern, g, spw_grad_conjugate(c, l->w), NULL);
  if (operand == 0) return spw_grad_product_like(c, g, spw_grad_conjugate(c, l->w), NULL, l->x, SPW_GRAD_ROWS);
  const spw_tensor *const partner = spw_grad_conjugate(c, sparse_x ? l->x : rows_of(c, l->x, 0));
  if (sparse_x) return spw_grad_product_like(c, spw_compose_transposed(c, g), partner, NULL, l->w, SPW_GRAD_AS_IS);
  return spw_grad_sampled(c, v->pattern, spw_compose_transposed(c, g), partner, NULL);
}

spw_status spw_vjp_linear_new(const spw_tensor *x, const spw_tensor *w, const spw_tensor *bias, const spw_tensor *g,
                              const spw_vjp_request *how, size_t limit, spw_owned **out, spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  if (!x || !w || !g || !how || !out || how->operand < 0 || how->operand > 2) return SPW_EINVAL;
  if ((x->layout == SPW_DENSE) == (w->layout == SPW_DENSE)) return SPW_EINVAL;
  if (how->operand == 2 && (!bias || bias->layout != SPW_DENSE)) return SPW_EINVAL;
  const bool sparse_x = x->layout != SPW_DENSE;
  linear_map l = {.x = x, .w = w, .bias = bias, .g = g};
  const spw_variable v = spw_grad_variable(&c, sparse_x ? x : w, sparse_x ? 0 : 1);
  if (spw_compose_judge(&c, sparse_x ? w : x, sparse_x ? 1 : 0)) judge_operands(&c, &l);
  if (bias) spw_compose_judge(&c, bias, 2);
  if (c.status == SPW_OK) judge_upstream(&c, &l);
  if (c.status != SPW_OK) return spw_compose_end(&c, NULL, out);
  if (how->operand == 2) return spw_compose_end(&c, of_bias(&c, &l), out);
  const spw_tensor *const gradient = gradient_of(&c, &l, how->operand, &v);
  const bool sparse = how->operand == (sparse_x ? 0 : 1);
  return sparse ? spw_grad_end(&c, &v, how, gradient, out) : spw_compose_end(&c, gradient, out);
}
