/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients of what only moves values. The adjoint of any move is written once: the operation is done with numbers in place of
 * the values, and each number of the result says where its upstream gradient belongs. */
#include "grad.h"

#include <string.h>

/* ---- The image map ------------------------------------------------------------------------------ */

const spw_tensor *spw_grad_numbered(spw_composition *c, const spw_tensor *pattern)
{
  const spw_tensor *const t = spw_grad_zeros(c, pattern, SPW_INT64);
  if (!t) return NULL;
  int64_t *const numbers = spw_grad_values(t);
  const int64_t n = spw_grad_count(t);
  for (int64_t i = 0; i < n; i++) numbers[i] = i + 1;
  return t;
}

/* `image`: what the operation gives of numbered(pattern). Each upstream gradient goes where its position came from, in the order
 * of positions; halves are added in float. */
static const spw_tensor *adjoint(spw_composition *c, const spw_tensor *pattern, const spw_tensor *image, const spw_tensor *g,
                                 int number)
{
  /* COO is sorted already, or has the columns of a mask: copies of a position would be summed by a conversion. */
  const spw_tensor *const sorted = image->layout == SPW_COO ? image : spw_compose_layout(c, image, SPW_COO, number);
  const spw_tensor *const at = spw_compose_widened(c, spw_grad_at(c, g, sorted, number));
  const spw_tensor *const sums = at ? spw_grad_zeros(c, pattern, at->values.array.dtype) : NULL;
  if (!sums) return NULL;
  spw_grad_fold(at->values.array.dtype, spw_grad_values(sums), at->values.data, sorted->values.data, spw_grad_count(sorted));
  return spw_compose_narrowed(c, sums, g->values.array.dtype);
}

/* ---- Structure operations ----------------------------------------------------------------------- */

/* All operands, with zeros in place of the values of those that are not asked for. Duplicates are combined, except those of a
 * mask. */
static const spw_tensor **with_numbers(spw_composition *c, const spw_tensor *const *operands, int64_t count, int asked,
                                       const spw_tensor *pattern, bool masks)
{
  const spw_tensor **const all = spw_compose_memory(c, count, sizeof *all);
  if (!all) return NULL;
  for (int64_t i = 0; i < count; i++) {
    const spw_tensor *const other = i == asked ? NULL : spw_grad_variable(c, operands[i], (int)i).pattern;
    if (c->status != SPW_OK) return NULL;
    all[i] = i == asked ? spw_grad_numbered(c, pattern) : spw_grad_zeros(c, masks ? operands[i] : other, SPW_INT64);
    if (!all[i]) return NULL;
  }
  return all;
}

/* Of a dense array that is masked, which is one cell of numbers. */
static spw_status of_masked(spw_composition *c, const spw_tensor *dense, const spw_tensor *mask, const spw_structure *wanted,
                            const spw_tensor *g, spw_owned **out)
{
  spw_owned *made = NULL;
  spw_grad_variable(c, mask, 1);
  if (spw_compose_judge(c, dense, 0)) spw_grad_judge_size(c, dense, 0, mask->ndim, mask->size);
  if (c->status == SPW_OK) spw_grad_judge_upstream(c, g, dense->values.array.dtype, 2);
  const spw_tensor *const cell = c->status == SPW_OK ? spw_grad_as_cell(c, dense) : NULL;
  const spw_tensor *const numbered = cell ? spw_grad_numbered(c, cell) : NULL;
  const spw_tensor *const all[] = {numbered ? spw_grad_as_dense(c, numbered) : NULL, spw_grad_zeros(c, mask, SPW_INT64)};
  if (!all[0] || !all[1]) return spw_compose_end(c, NULL, out);
  const spw_status status = spw_restructure_new(all, 2, wanted, c->left, &made, c->refusal);
  const spw_tensor *const image = spw_compose_keep(c, status, &made);
  const spw_tensor *const gradient = image ? adjoint(c, cell, image, g, 2) : NULL;
  return spw_compose_end(c, gradient ? spw_grad_as_dense(c, gradient) : NULL, out);
}

spw_status spw_vjp_restructure_new(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted,
                                   const spw_tensor *g, const spw_vjp_request *how, size_t limit, spw_owned **out,
                                   spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  if (!operands || !wanted || !g || !how || !out || how->operand < 0 || how->operand >= count) return SPW_EINVAL;
  if (wanted->duplicates != SPW_COMBINE_SUM || (wanted->kind == SPW_SPARSE_MASK && how->operand != 0)) return SPW_EINVAL;
  if (wanted->kind == SPW_SPARSE_MASK && count == 2 && operands[0]->layout == SPW_DENSE && !how->full)
    return of_masked(&c, operands[0], operands[1], wanted, g, out);
  const spw_variable v = spw_grad_variable(&c, operands[how->operand], how->operand);
  if (c.status == SPW_OK) spw_grad_judge_upstream(&c, g, v.t->values.array.dtype, (int)count);
  const spw_tensor **const all = c.status == SPW_OK ? with_numbers(&c, operands, count, how->operand, v.pattern,
                                                                    wanted->kind == SPW_SPARSE_MASK) : NULL;
  const spw_tensor *gradient = NULL;
  spw_owned *made = NULL;
  if (all) {
    const spw_status status = spw_restructure_new(all, count, wanted, c.left, &made, refusal);
    const spw_tensor *const image = spw_compose_keep(&c, status, &made);
    gradient = image ? adjoint(&c, v.pattern, image, g, (int)count) : NULL;
  }
  return spw_grad_end(&c, &v, how, gradient, out);
}

static bool is_move(spw_make_kind kind)
{
  return kind == SPW_MAKE_CLONE || kind == SPW_MAKE_SLICE || kind == SPW_MAKE_DIAGONAL || kind == SPW_MAKE_LOWER ||
         kind == SPW_MAKE_UPPER;
}

/* Cells that would be left out have no gradient. */
static const spw_tensor *of_resplit(spw_composition *c, const spw_variable *v, const spw_making *wanted, const spw_tensor *g)
{
  spw_owned *made = NULL;
  if (c->status != SPW_OK) return NULL;
  const spw_status status = spw_make_new(&v->pattern, 1, wanted, c->left, &made, c->refusal);
  return spw_grad_at(c, spw_grad_at(c, g, spw_compose_keep(c, status, &made), 1), v->pattern, 1);
}

/* Entry [i, j] of a dense operand is at (j - numbers[i], j). */
static spw_status of_diagonals(spw_composition *c, const spw_tensor *a, const spw_making *wanted, const spw_tensor *g,
                               spw_owned **out)
{
  spw_room room;
  if (a->layout != SPW_DENSE) return SPW_EINVAL;
  if (spw_compose_judge(c, a, 0)) c->status = spw_make_size(&a, 1, wanted, &room, c->refusal);
  if (c->status == SPW_OK && spw_grad_judge_upstream(c, g, a->values.array.dtype, 1))
    spw_grad_judge_size(c, g, 1, 2, wanted->size);
  const spw_tensor *const ordered = c->status == SPW_OK ? spw_grad_ordered(c, g, 1) : NULL;
  const spw_tensor *const made = ordered ? spw_grad_zeros_like(c, a) : NULL;
  if (!made) return spw_compose_end(c, NULL, out);
  const int64_t length = a->values.array.shape[a->values.array.ndim - 1], scalar = spw_dtype_size(a->values.array.dtype);
  char *const to = spw_grad_values(made);
  for (int64_t i = 0; i < wanted->count; i++)
    for (int64_t j = 0; j < length && j < wanted->size[1]; j++) {
      int64_t at[2] = {0, j};
      if (__builtin_sub_overflow(j, wanted->numbers[i], &at[0]) || at[0] < 0 || at[0] >= wanted->size[0]) continue;
      const char *const value = spw_grad_find(ordered, at);
      if (value) memcpy(to + (i * length + j) * scalar, value, (size_t)scalar);
    }
  return spw_compose_end(c, made, out);
}

spw_status spw_vjp_make_new(const spw_tensor *a, const spw_making *wanted, const spw_tensor *g, const spw_vjp_request *how,
                            size_t limit, spw_owned **out, spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  if (!a || !wanted || !g || !how || !out || how->operand != 0) return SPW_EINVAL;
  if (wanted->kind == SPW_MAKE_DIAGONALS) return of_diagonals(&c, a, wanted, g, out);
  if (!is_move(wanted->kind) && wanted->kind != SPW_MAKE_RESPLIT) return SPW_EINVAL;
  const spw_variable v = spw_grad_variable(&c, a, 0);
  if (c.status == SPW_OK) spw_grad_judge_upstream(&c, g, a->values.array.dtype, 1);
  if (wanted->kind == SPW_MAKE_RESPLIT) return spw_grad_end(&c, &v, how, of_resplit(&c, &v, wanted, g), out);
  const spw_tensor *const numbers = c.status == SPW_OK ? spw_grad_numbered(&c, v.pattern) : NULL;
  const spw_tensor *gradient = NULL;
  spw_owned *made = NULL;
  if (numbers) {
    const spw_status status = spw_make_new(&numbers, 1, wanted, c.left, &made, refusal);
    const spw_tensor *const image = spw_compose_keep(&c, status, &made);
    gradient = image ? adjoint(&c, v.pattern, image, g, 1) : NULL;
  }
  return spw_grad_end(&c, &v, how, gradient, out);
}

/* ---- Conversions: every position stays ----------------------------------------------------------- */

/* Of a dense operand: g where the result stores something. */
static spw_status from_dense(spw_composition *c, const spw_tensor *a, const spw_conversion *wanted, const spw_tensor *g,
                             spw_owned **out)
{
  const spw_conversion dense = {.layout = SPW_DENSE, .batch_dims = -1, .dense_dims = -1};
  if (wanted->layout == SPW_DENSE) c->status = SPW_EINVAL;
  if (spw_compose_judge(c, a, 0)) spw_grad_judge_upstream(c, g, a->values.array.dtype, 1);
  const spw_tensor *const result = c->status == SPW_OK ? spw_compose_convert(c, a, wanted, 0) : NULL;
  const spw_tensor *const at = spw_grad_at(c, g, result, 1);
  return spw_compose_end(c, spw_compose_convert(c, at, &dense, 0), out);
}

spw_status spw_vjp_convert_new(const spw_tensor *a, const spw_conversion *wanted, const spw_tensor *g, const spw_vjp_request *how,
                               size_t limit, spw_owned **out, spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  if (!a || !wanted || !g || !how || !out || how->operand != 0) return SPW_EINVAL;
  if (wanted->duplicates != SPW_COMBINE_SUM || wanted->canonicalize) return SPW_EINVAL;
  if (a->layout == SPW_DENSE) return from_dense(&c, a, wanted, g, out);
  const spw_variable v = spw_grad_variable(&c, a, 0);
  if (c.status == SPW_OK) spw_grad_judge_upstream(&c, g, a->values.array.dtype, 1);
  const spw_tensor *at = c.status == SPW_OK ? g : NULL;
  if (at && wanted->prune) at = spw_grad_at(&c, g, spw_compose_convert(&c, v.pattern, wanted, 0), 1);
  return spw_grad_end(&c, &v, how, spw_grad_at(&c, at, v.pattern, 1), out);
}

/* ---- Permutations -------------------------------------------------------------------------------- */

typedef struct permuted {
  const int64_t *order;
  int64_t ndim, scalar;
  const spw_tensor *g;
  char *to;
} permuted;

static void take_permuted(void *context, const int64_t *position, int64_t number)
{
  const permuted *const p = context;
  int64_t at[SPW_STRUCTURE_DIMS];
  for (int64_t d = 0; d < p->ndim; d++) at[d] = position[p->order[d]];
  const char *const value = spw_grad_find(p->g, at);
  if (value) memcpy(p->to + number * p->scalar, value, (size_t)p->scalar);
}

static bool judge_order(spw_composition *c, const spw_tensor *a, const int64_t *order)
{
  bool seen[SPW_STRUCTURE_DIMS] = {false};
  for (int64_t d = 0; d < a->ndim && c->status == SPW_OK; d++) {
    const int64_t from = order[d];
    const bool fits = from >= 0 && from < a->ndim && !seen[from];
    if (fits)
      seen[from] = true;
    else
      spw_compose_refuse(c, 0, SPW_OBSTACLE_DIMENSION, d, from, a->ndim);
  }
  return c->status == SPW_OK;
}

/* Is the size of g that of `a` with its dimensions in that order? */
static bool judge_permuted_size(spw_composition *c, const spw_tensor *a, const int64_t *order, const spw_tensor *g)
{
  int64_t size[SPW_STRUCTURE_DIMS];
  for (int64_t d = 0; d < a->ndim; d++) size[d] = a->size[order[d]];
  spw_grad_judge_size(c, g, 1, a->ndim, size);
  return c->status == SPW_OK;
}

spw_status spw_vjp_permute_new(const spw_tensor *a, const int64_t *order, const spw_tensor *g, const spw_vjp_request *how,
                               size_t limit, spw_owned **out, spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  if (!a || !order || !g || !how || !out || how->operand != 0) return SPW_EINVAL;
  const spw_variable v = spw_grad_variable(&c, a, 0);
  if (c.status == SPW_OK) spw_grad_judge_upstream(&c, g, a->values.array.dtype, 1);
  const bool fits = c.status == SPW_OK && judge_order(&c, a, order) && judge_permuted_size(&c, a, order, g);
  const spw_tensor *const ordered = fits ? spw_grad_ordered(&c, g, 1) : NULL;
  const spw_tensor *const gradient = ordered ? spw_grad_zeros(&c, v.pattern, g->values.array.dtype) : NULL;
  if (gradient) {
    permuted p = {order, a->ndim, spw_dtype_size(g->values.array.dtype), ordered, spw_grad_values(gradient)};
    spw_grad_visit_positions(v.pattern, take_permuted, &p);
  }
  return spw_grad_end(&c, &v, how, gradient, out);
}
