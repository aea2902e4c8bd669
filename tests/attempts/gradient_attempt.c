/* SPDX-License-Identifier: Apache-2.0 */
#include "gradient_parts.h"

#include "../expected/meaning.h"
#include "../expected/scalar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = GRADIENT_MOST, LARGEST = 1 << 16, DIMS = SPW_STRUCTURE_DIMS, FACTOR = GRADIENT_FACTOR };

static char text[300];

#define WRONG(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

/* ---- Operands ------------------------------------------------------------------------------------ */

static void empty_bag(bag *b)
{
  for (int i = 0; i < b->owned_count; i++) spw_owned_free(b->owned[i]);
  for (int i = 0; i < b->memory_count; i++) free(b->memory[i]);
}

void *gradient_hold(bag *b, size_t bytes)
{
  return b->memory[b->memory_count++] = calloc(bytes + 1, 1);
}

const spw_tensor *gradient_keep(bag *b, spw_owned *owned)
{
  b->owned[b->owned_count++] = owned;
  return spw_owned_tensor(owned);
}

void gradient_put(spw_dtype dtype, char *to, int64_t re, int64_t im)
{
  const spw_dtype part = scalar_part_type(dtype);
  const uint64_t whole = part == SPW_BOOL ? re != 0 : (uint64_t)re;
  const uint64_t bits[2] = {part < SPW_FLOAT16 ? whole : scalar_of_double(part, (double)re),
                            scalar_is_complex(dtype) ? scalar_of_double(part, (double)im) : 0};
  const size_t width = (size_t)scalar_width(part);
  memcpy(to, &bits[0], width);
  if (scalar_is_complex(dtype)) memcpy(to + width, &bits[1], width);
}

void gradient_draw(bag *b, spw_dtype dtype, char *to, int64_t n, int64_t factor)
{
  for (int64_t i = 0; i < n; i++) {
    const int64_t re = (1 + roll_below(b->d, 3)) * (roll_below(b->d, 2) ? 1 : -1), im = roll_below(b->d, 5) - 2;
    gradient_put(dtype, to + i * scalar_width(dtype), factor * re, factor * im);
  }
}

int64_t gradient_count(const int64_t *shape, int64_t n)
{
  int64_t all = 1;
  for (int64_t i = 0; i < n; i++)
    if (shape[i] == 0) return 0;
  for (int64_t i = 0; i < n; i++) all *= shape[i];
  return all;
}

const spw_tensor *gradient_retyped(bag *b, const spw_tensor *t, spw_dtype dtype, int64_t factor)
{
  const int64_t ndim = t->values.array.ndim, n = gradient_count(t->values.array.shape, ndim);
  int64_t *const strides = gradient_hold(b, (size_t)ndim * sizeof *strides);
  char *const values = gradient_hold(b, (size_t)(n * scalar_width(dtype)));
  spw_tensor *const made = gradient_hold(b, sizeof *made);
  if (spw_row_major_strides(ndim, t->values.array.shape, strides) != SPW_OK) return NULL;
  gradient_draw(b, dtype, values, n, factor);
  *made = *t;
  made->dtype = dtype;
  made->values.array = (spw_array){dtype, ndim, t->values.array.shape, strides, 0, n};
  made->values.data = values;
  return made;
}

const spw_tensor *gradient_dense(bag *b, spw_dtype dtype, int64_t ndim, const int64_t *shape, int64_t factor)
{
  int64_t *const own = gradient_hold(b, (size_t)ndim * sizeof *own);
  if (ndim > 0) memcpy(own, shape, (size_t)ndim * sizeof *own);
  const spw_tensor like = {.layout = SPW_DENSE, .values = {.array = {.ndim = ndim, .shape = own}}};
  return gradient_retyped(b, &like, dtype, factor);
}

/* ---- Sums ---------------------------------------------------------------------------------------- */

static double part_of(spw_dtype dtype, const void *scalar, int which)
{
  if (which && !scalar_is_complex(dtype)) return 0;
  const uint64_t bits = scalar_bits(dtype, scalar, which);
  return dtype == SPW_INT64 ? (double)(int64_t)bits : scalar_to_double(scalar_part_type(dtype), bits);
}

bool gradient_spread(const spw_tensor *t, spread_out *s, bool adds)
{
  meaning m;
  if (!meaning_of(t, 0, &m)) return false;
  memset(s, 0, sizeof *s);
  s->ndim = m.ndim;
  s->count = gradient_count(m.size, m.ndim);
  memcpy(s->size, m.size, sizeof m.size);
  for (int64_t k = 0; s->count <= MOST && k < m.count; k++)
    for (int64_t i = 0; i < m.scalars; i++) {
      int64_t at = 0;
      for (int64_t d = 0; d < m.leading; d++) at = at * m.size[d] + m.cells[k].at[d];
      at = at * m.scalars + i;
      const void *const scalar = m.cells[k].scalars + i * scalar_width(m.dtype);
      const double re = part_of(m.dtype, scalar, 0), im = part_of(m.dtype, scalar, 1);
      s->re[at] = adds ? re + s->re[at] : re;
      s->im[at] = adds ? im + s->im[at] : im;
      s->there[at] = true;
    }
  meaning_free(&m);
  return s->count <= MOST;
}

/* The real part of the sum of conj(a) b. */
static double dot(const spread_out *a, const spread_out *b)
{
  double sum = 0;
  for (int64_t i = 0; i < a->count; i++) sum += a->re[i] * b->re[i] + a->im[i] * b->im[i];
  return sum;
}

/* ---- What must hold ------------------------------------------------------------------------------ */

static bool same_indices(const spw_tensor *a, const spw_tensor *b)
{
  const spw_tensor *const t[2] = {a, b};
  meaning m[2];
  bool same = meaning_of(a, 0, &m[0]);
  if (!same) return true;
  if (!meaning_of(b, 0, &m[1])) return meaning_free(&m[0]), false;
  same = m[0].count == m[1].count && m[0].scalars == m[1].scalars && t[0]->layout == t[1]->layout &&
         t[0]->plain.array.dtype == t[1]->plain.array.dtype;
  for (int64_t k = 0; same && k < m[0].count; k++)
    for (int64_t d = 0; d < m[0].leading; d++) same = same && m[0].cells[k].at[d] == m[1].cells[k].at[d];
  meaning_free(&m[0]);
  meaning_free(&m[1]);
  return same;
}

/* Each position once, or the columns of the operand. */
static const char *wrong_pattern(const spw_tensor *x, const spw_tensor *gradient, const spw_vjp_request *how)
{
  bool valid = false;
  spw_owned *canonical = NULL;
  const spw_conversion coo = {.layout = SPW_COO, .batch_dims = -1, .dense_dims = -1};
  if (x->layout == SPW_DENSE || how->full) return gradient->layout == SPW_DENSE ? NULL : "the gradient is not dense";
  if (spw_is_valid(gradient, SPW_CANONICAL, &valid) != SPW_OK || !valid) return "the gradient is not valid";
  const bool combined = x->layout == SPW_COO && x->coalesced != SPW_CLAIM_YES && x->plain.array.shape[1] > 1 && !how->values;
  if (!combined) return same_indices(x, gradient) ? NULL : "the gradient has other index arrays";
  if (spw_convert_new(x, &coo, 0, &canonical, NULL) != SPW_OK) return "no coalesced operand";
  const bool same = same_indices(spw_owned_tensor(canonical), gradient);
  spw_owned_free(canonical);
  return same && gradient->coalesced == SPW_CLAIM_YES ? NULL : "the gradient is not stored where the operand is";
}

/* sum of conj(G) J(x) and of conj(gradient) x. Copies of a position have its derivative each, which is not added. */
static const char *wrong_identity(const spw_tensor *x, const spw_tensor *result, const spw_tensor *g, const spw_tensor *gradient,
                                  bool *seen)
{
  static spread_out of_x, of_result, of_g, of_gradient;
  *seen = false;
  if (!gradient_spread(x, &of_x, true) || !gradient_spread(result, &of_result, true)) return NULL;
  if (!gradient_spread(g, &of_g, true)) return NULL;
  if (!gradient_spread(gradient, &of_gradient, false)) return "the gradient is larger than the operand";
  if (of_gradient.count != of_x.count) return "the gradient has another size";
  *seen = true;
  const double forward = dot(&of_g, &of_result), backward = dot(&of_gradient, &of_x);
  if (forward != backward) return WRONG("%.0f forward, %.0f backward", forward, backward);
  return NULL;
}

/* An upstream gradient of a result: dense, or sparse, of the result's positions, or of other layouts. */
static const spw_tensor *draw_upstream(bag *b, const spw_tensor *result, spw_dtype dtype, int64_t factor, bool dense_only)
{
  const spw_conversion coo = {.layout = SPW_COO, .batch_dims = -1, .dense_dims = -1};
  const bool of_dense = result->layout == SPW_DENSE;
  const int64_t ndim = of_dense ? result->values.array.ndim : result->ndim;
  const int64_t *const size = of_dense ? result->values.array.shape : result->size;
  double count = 1;
  for (int64_t d = 0; d < ndim; d++) count *= (double)size[d];
  if (count > MOST) return NULL;
  spw_owned *owned = NULL;
  const int64_t which = dense_only ? 0 : roll_below(b->d, of_dense ? 2 : 3);
  const spw_tensor *const all = which == 2 ? result : gradient_dense(b, dtype, ndim, size, factor);
  if (which == 2) return gradient_retyped(b, result, dtype, factor);
  if (which == 0 || spw_convert_new(all, &coo, 0, &owned, NULL) != SPW_OK) return all;
  spw_tensor *const sparse = gradient_hold(b, sizeof *sparse); /* the first half of its elements */
  *sparse = *gradient_keep(b, owned);
  return sparse;
}

/* ---- Operations ---------------------------------------------------------------------------------- */

bool gradient_upstream(attempted *a, bool dense_only, int64_t factor)
{
  if (a->status != SPW_OK) return false;
  a->result = gradient_keep(&a->bag, a->made);
  a->made = NULL;
  a->g = draw_upstream(&a->bag, a->result, a->dtype, factor, dense_only);
  return a->g;
}

/* A dense array that is no gradient of anything, for calls that have to be refused. */
static const spw_tensor *any_upstream(attempted *a)
{
  return a->g ? a->g : gradient_dense(&a->bag, a->dtype, 0, NULL, 1);
}

static spw_status try_convert(attempted *a)
{
  dice *const d = a->bag.d;
  spw_conversion wanted = {.layout = (spw_layout)roll_below(d, 6), .batch_dims = -1, .dense_dims = -1};
  if (is_blocked(wanted.layout)) wanted.block_rows = 1 + roll_below(d, 2), wanted.block_columns = 1 + roll_below(d, 2);
  a->status = spw_convert_new(a->x, &wanted, 0, &a->made, NULL);
  if (!gradient_upstream(a, false, 1)) return SPW_OK;
  return spw_vjp_convert_new(a->x, &wanted, a->g, &a->how, 0, &a->made, NULL);
}

/* By a loop over the dense array. */
static spw_status try_permute(attempted *a)
{
  dice *const d = a->bag.d;
  int64_t order[DIMS], size[DIMS];
  const int64_t ndim = a->x->ndim;
  static spread_out from;
  for (int64_t i = 0; i < ndim; i++) order[i] = i;
  for (int64_t i = ndim - 1; i > 0; i--) {
    const int64_t j = roll_below(d, i + 1), kept = order[i];
    order[i] = order[j];
    order[j] = kept;
  }
  for (int64_t i = 0; i < ndim; i++) size[i] = a->x->size[order[i]];
  a->status = SPW_OK;
  if (!gradient_spread(a->x, &from, true)) return SPW_OK;
  const spw_tensor *const to = gradient_dense(&a->bag, a->dtype, ndim, size, 1);
  for (int64_t i = 0; i < from.count; i++) {
    int64_t at[DIMS], rest = i, place = 0;
    for (int64_t k = ndim - 1; k >= 0; rest /= size[k], k--) at[order[k]] = rest % size[k];
    for (int64_t k = 0; k < ndim; k++) place = place * a->x->size[k] + at[k];
    gradient_put(a->dtype, (char *)(uintptr_t)to->values.data + i * scalar_width(a->dtype), (int64_t)from.re[place],
                (int64_t)from.im[place]);
  }
  a->result = to;
  a->g = draw_upstream(&a->bag, to, a->dtype, 1, false);
  return spw_vjp_permute_new(a->x, order, a->g, &a->how, 0, &a->made, NULL);
}

static spw_status try_restructure(attempted *a)
{
  dice *const d = a->bag.d;
  int64_t numbers[DIMS + 4];
  const int64_t ndim = a->x->ndim;
  spw_structure wanted = {.kind = (spw_structure_kind)roll_below(d, 9), .dim = roll_below(d, ndim + 1), .numbers = numbers};
  const int64_t size = wanted.dim < ndim ? a->x->size[wanted.dim] : 1;
  wanted.start = size > 0 ? roll_below(d, size) : 0;
  const int64_t left = size - wanted.start;
  wanted.length = wanted.kind == SPW_BROADCAST ? roll_below(d, 4) : left > 0 ? 1 + roll_below(d, left) : 0;
  if (wanted.kind == SPW_INDEX_SELECT)
    for (const int64_t most = size > 0 ? roll_below(d, 4) : 0; wanted.count < most; wanted.count++)
      numbers[wanted.count] = roll_below(d, size);
  if (wanted.kind == SPW_RESIZE)
    for (; wanted.count < ndim; wanted.count++) numbers[wanted.count] = a->x->size[wanted.count] + (roll_below(d, 2) ? 0 : 2);
  const bool several = wanted.kind == SPW_CAT || wanted.kind == SPW_STACK, mask = wanted.kind == SPW_SPARSE_MASK;
  const int64_t count = several || mask ? 2 : 1;
  const spw_tensor *operands[2] = {a->x, several || mask ? gradient_retyped(&a->bag, a->x, a->dtype, several ? 0 : 1) : NULL};
  if (several && roll_below(d, 2)) {
    operands[0] = operands[1];
    operands[1] = a->x;
    a->how.operand = 1;
  }
  if (mask && roll_below(d, 2)) operands[0] = a->x = gradient_dense(&a->bag, a->dtype, ndim, a->x->size, 1);
  a->status = spw_restructure_new(operands, count, &wanted, 0, &a->made, NULL);
  if (!gradient_upstream(a, false, 1)) return SPW_OK;
  return spw_vjp_restructure_new(operands, count, &wanted, a->g, &a->how, 0, &a->made, NULL);
}

static spw_status try_make(attempted *a)
{
  static const spw_make_kind kinds[] = {SPW_MAKE_CLONE, SPW_MAKE_SLICE, SPW_MAKE_DIAGONAL, SPW_MAKE_LOWER, SPW_MAKE_UPPER,
                                        SPW_MAKE_RESPLIT};
  dice *const d = a->bag.d;
  const int64_t ndim = a->x->ndim;
  spw_making wanted = {.kind = kinds[roll_below(d, 6)], .dim = ndim > 0 ? roll_below(d, ndim) : 0, .step = 1 + roll_below(d, 2),
                       .diagonal = roll_below(d, 3) - 1, .sparse_dims = roll_below(d, ndim + 1)};
  const int64_t size = ndim > 0 ? a->x->size[wanted.dim] : 0;
  wanted.start = size > 0 ? roll_below(d, size) : 0;
  wanted.length = size > 0 ? (size - wanted.start + wanted.step - 1) / wanted.step : 0;
  a->status = spw_make_new(&a->x, 1, &wanted, 0, &a->made, NULL);
  if (!gradient_upstream(a, false, 1)) return SPW_OK;
  return spw_vjp_make_new(a->x, &wanted, a->g, &a->how, 0, &a->made, NULL);
}

bool gradient_divides(attempted *a, const spw_dims_reduction *wanted)
{
  const spw_conversion coo = {.layout = SPW_COO, .batch_dims = -1, .dense_dims = -1};
  spw_dims_reduction sum = *wanted;
  spw_owned *owned = NULL;
  const spw_tensor *t = a->x;
  int64_t whole = 1;
  if (t->layout == SPW_COO && spw_convert_new(t, &coo, 0, &owned, NULL) == SPW_OK) t = gradient_keep(&a->bag, owned);
  t = gradient_retyped(&a->bag, t, SPW_INT64, 0);
  const int64_t n = gradient_count(t->values.array.shape, t->values.array.ndim);
  for (int64_t i = 0; i < n; i++) gradient_put(SPW_INT64, (char *)(uintptr_t)t->values.data + i * 8, 1, 0);
  sum.kind = SPW_DIMS_SUM;
  if (spw_reduce_dims_new(t, &sum, 0, &owned, NULL) != SPW_OK) return false;
  t = gradient_keep(&a->bag, owned);
  const int64_t *const counts = t->values.data, groups = gradient_count(t->values.array.shape, t->values.array.ndim);
  for (int64_t i = 0; i < groups; i++)
    if (wanted->kind == SPW_DIMS_MEAN && counts[i] != 0 && FACTOR % counts[i] != 0) return false;
  for (int64_t i = 0; i < wanted->count && wanted->dims; i++) {
    const int64_t dim = wanted->dims[i];
    whole *= a->x->size[dim < 0 ? dim + a->x->ndim : dim];
  }
  for (int64_t i = 0; i < a->x->ndim && !wanted->dims; i++) whole *= a->x->size[i];
  return wanted->kind == SPW_DIMS_MEAN || (whole > 0 && FACTOR % whole == 0);
}

/* Of a mean, every number is a multiple of all that it is divided by. */
static spw_status try_reduce(attempted *a, bool mean)
{
  dice *const d = a->bag.d;
  int64_t dims[DIMS], count = 0;
  for (int64_t e = 0; e < a->x->ndim; e++)
    if (roll_below(d, 2)) dims[count++] = roll_below(d, 2) ? e : e - a->x->ndim;
  const spw_dims_reduction wanted = {.kind = !mean ? SPW_DIMS_SUM : roll_below(d, 2) ? SPW_DIMS_MEAN : SPW_DIMS_MEAN_DENSE,
                                     .dims = roll_below(d, 4) ? dims : NULL, .count = count, .keepdim = roll_below(d, 2)};
  spw_dims_reduction sum = wanted;
  sum.kind = SPW_DIMS_SUM;
  a->status = spw_reduce_dims_new(a->x, mean ? &wanted : &sum, 0, &a->made, NULL);
  if (!gradient_upstream(a, false, mean ? FACTOR : 1)) return SPW_OK;
  if (mean && !gradient_divides(a, &wanted)) a->result = NULL; /* then only the pattern is known */
  return spw_vjp_reduce_dims_new(a->x, &wanted, a->g, &a->how, 0, &a->made, NULL);
}

static spw_status try_elementwise(attempted *a)
{
  dice *const d = a->bag.d;
  char *const scalar = gradient_hold(&a->bag, 16);
  spw_elementwise_request wanted = {.kind = (spw_elementwise_kind)roll_below(d, 4)};
  gradient_draw(&a->bag, a->dtype, scalar, 1, 1);
  if (wanted.kind == SPW_SCALE || (wanted.kind != SPW_TIMES && roll_below(d, 2))) wanted.scalar = scalar;
  const bool sums = wanted.kind <= SPW_MINUS, with_dense = wanted.kind != SPW_SCALE && roll_below(d, 2);
  const spw_tensor *other = NULL, *first = a->x, *second;
  if (wanted.kind != SPW_SCALE)
    other = with_dense ? gradient_dense(&a->bag, a->dtype, a->x->ndim, a->x->size, sums ? 0 : 1)
                       : gradient_retyped(&a->bag, a->x, a->dtype, sums ? 0 : 1);
  second = other;
  if (!other && roll_below(d, 2)) { /* with respect to the scalar */
    const spw_tensor *const first_operand = a->x;
    spw_tensor *const number = gradient_hold(&a->bag, sizeof *number);
    *number = (spw_tensor){.layout = SPW_DENSE, .values = {{a->dtype, 0, NULL, NULL, 0, 1}, scalar}};
    a->how = (spw_vjp_request){.operand = 1};
    a->status = spw_elementwise_new(first_operand, NULL, &wanted, 0, &a->made, NULL);
    a->x = number;
    if (!gradient_upstream(a, false, 1)) return SPW_OK;
    return spw_vjp_elementwise_new(first_operand, NULL, &wanted, a->g, &a->how, 0, &a->made, NULL);
  }
  if (other && roll_below(d, 2)) { /* with respect to the second operand */
    a->how.operand = 1;
    if (with_dense && sums) {
      first = gradient_retyped(&a->bag, a->x, a->dtype, 0);
      a->x = second = gradient_dense(&a->bag, a->dtype, a->x->ndim, a->x->size, 1);
    } else if (with_dense) {
      a->x = other;
    } else {
      first = other, second = a->x;
    }
  }
  a->status = with_dense && sums ? spw_combine_new(first, second, &wanted, 0, &a->made, NULL)
                                 : spw_elementwise_new(first, second, &wanted, 0, &a->made, NULL);
  if (!gradient_upstream(a, false, 1)) return SPW_OK;
  return spw_vjp_elementwise_new(first, second, &wanted, a->g, &a->how, 0, &a->made, NULL);
}

static const void *draw_factor(attempted *a)
{
  char *const factor = gradient_hold(&a->bag, 16);
  gradient_draw(&a->bag, a->dtype, factor, 1, 1);
  return roll_below(a->bag.d, 2) ? factor : NULL;
}

/* alpha (A B) as a dense tensor. */
static spw_status multiply(attempted *a, const spw_tensor *left, const spw_tensor *right, const spw_factors *how)
{
  int64_t dimension, entry, shape[DIMS];
  const spw_tensor *const of = left->layout == SPW_DENSE ? left : right;
  const spw_array *const v = &of->values.array;
  a->status = spw_multiply_shape(left, right, &dimension, &entry, NULL);
  if (a->status != SPW_OK || v->ndim > DIMS) return a->status;
  for (int64_t i = 0; i < v->ndim; i++) shape[i] = i == dimension ? entry : v->shape[i];
  const spw_tensor *const zero = gradient_dense(&a->bag, a->dtype, v->ndim, shape, 0);
  const spw_factors with = {.alpha = how->alpha, .beta = NULL};
  return a->status = spw_multiply_add_new(left, right, zero, &with, 0, &a->made, NULL);
}

/* Stored rows, times a matrix; a matrix times such rows is refused. */
static spw_status multiply_rows(attempted *a)
{
  const int64_t shape[2] = {a->x->size[1], 1 + roll_below(a->bag.d, 3)};
  const spw_tensor *const other = gradient_dense(&a->bag, a->dtype, 2, shape, 1), *const x = a->x;
  const spw_factors how = {.alpha = draw_factor(a)};
  const spw_elementwise_request scale = {.kind = SPW_SCALE, .scalar = how.alpha};
  spw_owned *product = NULL;
  a->how.operand = (int)roll_below(a->bag.d, 2);
  a->status = spw_matmul_new(x, other, 0, &product, NULL);
  if (a->status == SPW_OK && how.alpha)
    a->status = spw_elementwise_new(gradient_keep(&a->bag, product), NULL, &scale, 0, &a->made, NULL);
  else
    a->made = product;
  if (!gradient_upstream(a, false, 1)) return SPW_OK;
  if (a->how.operand == 1) a->x = other;
  return spw_vjp_multiply_new(x, other, &how, a->g, &a->how, 0, &a->made, NULL);
}

static spw_status try_multiply(attempted *a)
{
  dice *const d = a->bag.d;
  const int64_t ndim = a->x->ndim, columns = 1 + roll_below(d, 3);
  const bool left = roll_below(d, 2), vector = ndim == 2 && roll_below(d, 3) == 0;
  int64_t shape[DIMS];
  if (ndim < 2) return a->status = SPW_ERANGE;
  if (left && a->x->layout == SPW_COO && a->x->plain.array.shape[0] == 1 && a->x->values.array.ndim == 2) return multiply_rows(a);
  for (int64_t i = 0; i < ndim; i++) shape[i] = a->x->size[i];
  shape[ndim - 2] = left ? a->x->size[ndim - 1] : columns;
  shape[ndim - 1] = left ? columns : a->x->size[ndim - 2];
  if (vector) shape[0] = left ? a->x->size[1] : a->x->size[0];
  const spw_tensor *const other = gradient_dense(&a->bag, a->dtype, vector ? 1 : ndim, shape, 1), *const x = a->x;
  const spw_tensor *const first = left ? x : other, *const second = left ? other : x;
  const spw_factors how = {.alpha = draw_factor(a)};
  const bool of_other = roll_below(d, 2);
  a->how.operand = of_other == left;
  if (multiply(a, first, second, &how) != SPW_OK) return a->status;
  if (!gradient_upstream(a, false, 1)) return SPW_OK;
  a->how.full = !of_other && roll_below(d, 3) == 0;
  if (of_other) a->x = other;
  return spw_vjp_multiply_new(first, second, &how, a->g, &a->how, 0, &a->made, NULL);
}

static spw_status try_sampled(attempted *a)
{
  dice *const d = a->bag.d;
  const int64_t ndim = a->x->ndim, depth = roll_below(d, 4);
  int64_t shape[2][DIMS];
  if (ndim < 2) return a->status = SPW_ERANGE;
  for (int64_t i = 0; i < ndim; i++) shape[0][i] = shape[1][i] = a->x->size[i];
  shape[0][ndim - 1] = shape[1][ndim - 2] = depth;
  const spw_tensor *const s = a->x, *m[2];
  for (int i = 0; i < 2; i++) m[i] = gradient_dense(&a->bag, a->dtype, ndim, shape[i], 1);
  a->how.operand = (int)roll_below(d, 3);
  const spw_factors how = {.alpha = draw_factor(a), .beta = draw_factor(a)}, product_only = {.alpha = how.alpha};
  static const uint64_t zero[2];
  const spw_factors own_only = {.alpha = zero, .beta = how.beta};
  a->status = spw_sampled_multiply_new(s, m[0], m[1], a->how.operand == 0 ? &own_only : &product_only, 0, &a->made, NULL);
  if (s->layout == SPW_COO && s->coalesced != SPW_CLAIM_YES && a->status == SPW_OK) { /* a position counts once (G1) */
    spw_owned_free(a->made);
    a->made = NULL;
    return a->status = SPW_ERANGE;
  }
  if (!gradient_upstream(a, false, 1)) return SPW_OK;
  if (a->how.operand > 0) a->x = m[a->how.operand - 1];
  return spw_vjp_sampled_multiply_new(s, m[0], m[1], &how, a->g, &a->how, 0, &a->made, NULL);
}

/* ---- Attempts ------------------------------------------------------------------------------------ */

static spw_status try(attempted *a, gradient_kind kind)
{
  switch (kind) {
  case GRADIENT_CONVERT: return try_convert(a);
  case GRADIENT_PERMUTE: return try_permute(a);
  case GRADIENT_RESTRUCTURE: return try_restructure(a);
  case GRADIENT_MAKE: return try_make(a);
  case GRADIENT_SUM: return try_reduce(a, false);
  case GRADIENT_MEAN: return try_reduce(a, true);
  case GRADIENT_ELEMENTWISE: return try_elementwise(a);
  case GRADIENT_MULTIPLY: return try_multiply(a);
  case GRADIENT_SAMPLED: return try_sampled(a);
  case GRADIENT_EXTREME: return gradient_try_extreme(a);
  case GRADIENT_SOFTMAX: return gradient_try_softmax(a);
  case GRADIENT_KRON: return gradient_try_kron(a);
  case GRADIENT_SPARSE: return gradient_try_sparse(a);
  case GRADIENT_LINEAR: return gradient_try_linear(a);
  case GRADIENT_REDUCED: return gradient_try_reduced(a);
  case GRADIENT_SOLVE: return gradient_try_solve(a);
  case GRADIENT_MATMUL: return gradient_try_matmul(a);
  default: return gradient_try_diagonals(a);
  }
}

/* What has a gradient at all; what breaks a rule, or has no size, is refused. */
static const char *refused(const spw_tensor *x, dice *d, spw_status *status)
{
  attempted a = {.bag = {.d = d}, .dtype = x->values.array.dtype};
  const spw_conversion coo = {.layout = SPW_COO, .batch_dims = -1, .dense_dims = -1};
  bool valid = false;
  spw_refusal why = {.obstacle = SPW_OBSTACLE_NONE};
  const spw_status checked = spw_is_valid(x, SPW_CANONICAL, &valid);
  a.dtype = a.dtype == SPW_DTYPE_NONE ? SPW_FLOAT64 : a.dtype;
  *status = spw_vjp_convert_new(x, &coo, any_upstream(&a), &a.how, 0, &a.made, &why);
  empty_bag(&a.bag);
  if (a.made) return spw_owned_free(a.made), "it is not refused";
  if (checked != SPW_OK) return *status == checked ? NULL : "what the checker refuses has a gradient";
  if (!valid) return *status == SPW_EINVALID && why.operand == 0 ? NULL : "an invalid operand is not named";
  return *status == SPW_ERANGE || *status == SPW_EUNSUPPORTED ? NULL : WRONG("status %d", (int)*status);
}

/* Are dense arrays of about its sizes small enough to be made, even where one of the sizes is 0? */
static bool is_small(const spw_tensor *x)
{
  int64_t all = 1;
  for (int64_t d = 0; d < x->ndim; d++) {
    if (x->size[d] > LARGEST / all) return false;
    all *= x->size[d] > 0 ? x->size[d] : 1;
  }
  return true;
}

const char *attempt_any_gradient(const spw_tensor *x, dice *d, gradient_kind *kind, spw_status *status, bool *seen)
{
  static const spw_dtype types[] = {SPW_FLOAT64, SPW_FLOAT64, SPW_FLOAT32, SPW_INT64, SPW_COMPLEX128, SPW_COMPLEX64, SPW_FLOAT16};
  bool valid = false;
  meaning m;
  *seen = false;
  *kind = (gradient_kind)roll_below(d, GRADIENT_KINDS);
  const bool judged = spw_is_valid(x, SPW_CANONICAL, &valid) == SPW_OK && valid;
  if (!judged || !x->has_size || x->ndim > SPW_STRUCTURE_DIMS) return refused(x, d, status);
  *status = SPW_OK;
  if (!is_small(x) || !meaning_of(x, 0, &m)) return NULL;
  meaning_free(&m);
  attempted a = {.bag = {.d = d}, .dtype = types[roll_below(d, 7)], .how = {.values = roll_below(d, 2)}};
  if (*kind == GRADIENT_MEAN) a.dtype = SPW_FLOAT64;
  if (*kind >= GRADIENT_ELEMENTWISE && a.dtype == SPW_FLOAT16) a.dtype = SPW_FLOAT32;
  a.x = gradient_retyped(&a.bag, x, a.dtype, *kind == GRADIENT_MEAN ? FACTOR : 1);
  *status = a.x ? try(&a, *kind) : SPW_OK;
  const char *wrong = NULL;
  if (a.x && a.status == SPW_OK && a.g && *status != SPW_OK) wrong = WRONG("status %d of the gradient", (int)*status);
  if (a.made && !a.g) wrong = "a gradient of nothing";
  const spw_tensor *const gradient = spw_owned_tensor(a.made);
  if (!wrong && gradient) wrong = wrong_pattern(a.x, gradient, &a.how);
  if (!wrong && gradient && gradient->values.array.dtype != a.dtype) wrong = "the gradient has another type";
  if (!wrong && gradient && a.result) wrong = wrong_identity(a.x, a.result, a.g, gradient, seen);
  if (!wrong && gradient && a.model) wrong = a.model(&a, gradient), *seen = true;
  spw_owned_free(a.made);
  empty_bag(&a.bag);
  return wrong;
}
