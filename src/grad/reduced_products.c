/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients of products that reduce otherwise than by a sum: means, whose upstream gradient is divided first, and extremes, where
 * it goes to the first product that attains them. */
#include "grad.h"

#include <string.h>

/* ---- Without a second operand ---------------------------------------------------------------------- */

static spw_status of_reduction(const spw_tensor *a, const spw_reduction *wanted, const spw_tensor *g, const spw_vjp_request *how,
                               size_t limit, spw_owned **out, spw_refusal *refusal)
{
  static const spw_dims_kind kinds[] = {SPW_DIMS_SUM, SPW_DIMS_MEAN, SPW_DIMS_AMAX, SPW_DIMS_AMIN};
  static const int64_t dims[] = {-1, -2};
  const spw_dims_reduction same = {.kind = kinds[wanted->kind], .dims = wanted->span == SPW_EACH_COLUMN ? dims + 1 : dims,
                                   .count = wanted->span == SPW_EACH_MATRIX ? 2 : 1};
  return spw_vjp_reduce_dims_new(a, &same, g, how, limit, out, refusal);
}

/* ---- Means ----------------------------------------------------------------------------------------- */

/* Each row of g, a dense array without gaps, divided by how many elements the row has; rows without one do not matter. */
static const spw_tensor *divided_rows(spw_composition *c, const spw_tensor *g, const spw_tensor *pattern)
{
  static const int64_t last = -1;
  const spw_dims_reduction rows = {.kind = SPW_DIMS_SUM, .dims = &last, .count = 1};
  const spw_tensor *const counts = spw_compose_layout(c, spw_grad_counts(c, pattern, &rows), SPW_DENSE, 0);
  if (!counts || !g) return NULL;
  const int64_t *const count = counts->values.data, n = spw_grad_count(counts), width = n > 0 ? spw_grad_count(g) / n : 0;
  for (int64_t i = 0; i < n; i++)
    if (count[i] > 0) spw_grad_divide(g, i * width, (i + 1) * width, (double)count[i]);
  return g;
}

/* ---- Extremes -------------------------------------------------------------------------------------- */

/* Elements are visited row by row. All arrays are without gaps. */
typedef struct routing {
  const int64_t *numbers, *size; /* of the elements; of A */
  int64_t batches, inner, width, scalar, row;
  const char *a, *b, *g, *extremes;
  char *of_a, *of_b; /* gradients, or null */
  bool *found;       /* in this row */
  spw_dtype dtype;
  spw_grad_product *product;
} routing;

static void route(void *context, const int64_t *position, int64_t number)
{
  routing *const r = context;
  const int64_t k = r->numbers[number] - 1;
  int64_t batch = 0;
  for (int64_t d = 0; d < r->batches; d++) batch = batch * r->size[d] + position[d];
  const int64_t row = batch * r->size[r->batches] + position[r->batches], line = batch * r->inner + position[r->batches + 1];
  if (row != r->row) memset(r->found, 0, (size_t)r->width);
  r->row = row;
  for (int64_t j = 0; j < r->width; j++) {
    char value[8] = {0};
    const int64_t to = (row * r->width + j) * r->scalar, from = (line * r->width + j) * r->scalar;
    r->product(value, r->a + k * r->scalar, r->b + from);
    if (r->found[j] || !spw_grad_attains(r->dtype, value, r->extremes + to)) continue;
    r->found[j] = true;
    if (r->of_a) r->product(r->of_a + k * r->scalar, r->g + to, r->b + from);
    if (r->of_b) r->product(r->of_b + from, r->g + to, r->a + k * r->scalar);
  }
}

static const spw_tensor *routed(spw_composition *c, const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted,
                                const spw_tensor *g, int operand)
{
  spw_owned *made = NULL;
  const spw_tensor *const own = spw_grad_at(c, a, a, 0), *const dense = spw_compose_layout(c, b, SPW_DENSE, 1);
  const spw_tensor *const order = spw_compose_layout(c, spw_grad_numbered(c, a), SPW_COO, 0);
  const spw_tensor *const gradient = own && dense && order ? spw_grad_zeros_like(c, operand == 0 ? own : dense) : NULL;
  if (!gradient || !g) return NULL;
  const spw_tensor *const extremes = spw_compose_keep(c, spw_reduce_new(a, b, wanted, c->left, &made, c->refusal), &made);
  const int64_t batches = a->ndim - 2, width = b->values.array.ndim == 1 ? 1 : b->values.array.shape[b->values.array.ndim - 1];
  const spw_dtype dtype = own->values.array.dtype;
  routing r = {.numbers = order->values.data, .size = a->size, .batches = batches, .inner = a->size[batches + 1], .width = width,
               .scalar = spw_dtype_size(dtype), .row = -1, .a = own->values.data, .b = dense->values.data, .g = g->values.data,
               .extremes = extremes ? extremes->values.data : NULL, .found = spw_compose_memory(c, width, sizeof(bool)),
               .dtype = dtype, .product = spw_grad_product_of(dtype)};
  *(operand == 0 ? &r.of_a : &r.of_b) = spw_grad_values(gradient);
  if (c->status == SPW_OK) spw_grad_visit_positions(order, route, &r);
  return gradient;
}

/* ---- The call -------------------------------------------------------------------------------------- */

/* Of operands that fit, in the wide type. */
static const spw_tensor *gradient_of(spw_composition *c, const spw_variable *v, const spw_tensor *b, const spw_reduction *wanted,
                                     const spw_tensor *g, int operand)
{
  const spw_tensor *const a = spw_compose_widened(c, v->pattern), *const wide_b = spw_compose_widened(c, b);
  const spw_tensor *const copy = spw_compose_layout(c, spw_compose_widened(c, g), SPW_DENSE, 2);
  spw_owned *made = NULL;
  if (!a || !wide_b || !copy) return NULL;
  if (wanted->kind != SPW_REDUCE_MEAN) return routed(c, a, wide_b, wanted, copy, operand);
  const spw_tensor *const divided = divided_rows(c, copy, a);
  if (!divided) return NULL;
  const spw_vjp_request how = {.operand = operand};
  return spw_compose_keep(c, spw_vjp_multiply_new(a, wide_b, NULL, divided, &how, c->left, &made, c->refusal), &made);
}

spw_status spw_vjp_reduce_new(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, const spw_tensor *g,
                              const spw_vjp_request *how, size_t limit, spw_owned **out, spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  spw_room room;
  if (!a || !wanted || !g || !how || !out || how->operand < 0 || how->operand > (b != NULL)) return SPW_EINVAL;
  const spw_variable v = spw_grad_variable(&c, a, 0);
  if (c.status == SPW_OK) c.status = spw_reduce_size(a, b, wanted, &room, refusal);
  if (c.status != SPW_OK) return spw_compose_end(&c, NULL, out);
  if (!b || wanted->kind == SPW_REDUCE_SUM) {
    spw_compose_end(&c, NULL, out);
    return b ? spw_vjp_multiply_new(a, b, NULL, g, how, limit, out, refusal)
             : of_reduction(a, wanted, g, how, limit, out, refusal);
  }
  spw_grad_judge_product(&c, a, b, g, 2);
  const spw_tensor *const gradient = c.status == SPW_OK ? gradient_of(&c, &v, b, wanted, g, how->operand) : NULL;
  const spw_tensor *const made = gradient ? spw_compose_narrowed(&c, gradient, a->values.array.dtype) : NULL;
  return how->operand == 0 ? spw_grad_end(&c, &v, how, made, out) : spw_compose_end(&c, made, out);
}
