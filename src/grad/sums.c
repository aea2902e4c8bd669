/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients of reductions over dimensions; of sums and means themselves. */
#include "grad.h"

#include <string.h>

/* Where positions are projected to, and what is taken from there. */
typedef struct projection {
  const spw_tensor *from;
  bool reduced[SPW_STRUCTURE_DIMS], keepdim;
  int64_t ndim, scalar;
  char *to;
} projection;

static void take(void *context, const int64_t *position, int64_t number)
{
  const projection *const p = context;
  int64_t at[SPW_STRUCTURE_DIMS], n = 0;
  for (int64_t d = 0; d < p->ndim; d++) {
    if (p->reduced[d] && !p->keepdim) continue;
    at[n++] = p->reduced[d] ? 0 : position[d];
  }
  const char *const value = spw_grad_find(p->from, at);
  if (value) memcpy(p->to + number * p->scalar, value, (size_t)p->scalar);
}

static void read_dims(projection *p, const spw_tensor *a, const spw_dims_reduction *wanted)
{
  p->ndim = a->ndim;
  p->keepdim = wanted->keepdim;
  for (int64_t d = 0; d < a->ndim; d++) p->reduced[d] = !wanted->dims;
  for (int64_t i = 0; wanted->dims && i < wanted->count; i++)
    p->reduced[wanted->dims[i] + (wanted->dims[i] < 0 ? a->ndim : 0)] = true;
}

const spw_tensor *spw_grad_spread(spw_composition *c, const spw_tensor *from, const spw_tensor *pattern,
                                  const spw_dims_reduction *wanted, int number)
{
  projection p = {.from = c->status == SPW_OK ? spw_grad_ordered(c, from, number) : NULL};
  const spw_tensor *const made = p.from ? spw_grad_zeros(c, pattern, from->values.array.dtype) : NULL;
  if (!made) return NULL;
  read_dims(&p, pattern, wanted);
  p.scalar = spw_dtype_size(from->values.array.dtype);
  p.to = spw_grad_values(made);
  spw_grad_visit_positions(pattern, take, &p);
  return made;
}

const spw_tensor *spw_grad_reduced(spw_composition *c, const spw_tensor *t, const spw_dims_reduction *wanted, spw_dims_kind kind)
{
  spw_dims_reduction other = *wanted;
  spw_owned *made = NULL;
  if (!t || c->status != SPW_OK) return NULL;
  other.kind = kind;
  return spw_compose_keep(c, spw_reduce_dims_new(t, &other, c->left, &made, c->refusal), &made);
}

/* Entries that are no dimensions are refused by the operation itself, of ones. */
const spw_tensor *spw_grad_counts(spw_composition *c, const spw_tensor *pattern, const spw_dims_reduction *wanted)
{
  const spw_tensor *const ones = spw_grad_zeros(c, pattern, SPW_INT64);
  if (!ones) return NULL;
  int64_t *const values = spw_grad_values(ones);
  const int64_t n = spw_grad_count(ones);
  for (int64_t i = 0; i < n; i++) values[i] = 1;
  return spw_grad_reduced(c, ones, wanted, SPW_DIMS_SUM);
}

int64_t spw_grad_reduced_positions(const spw_tensor *a, const spw_dims_reduction *wanted)
{
  projection p;
  int64_t count = 1;
  read_dims(&p, a, wanted);
  for (int64_t d = 0; d < a->ndim; d++)
    if (p.reduced[d] && __builtin_mul_overflow(count, a->size[d], &count)) count = INT64_MAX; /* then nothing is stored */
  return count;
}

void spw_grad_judge_like(spw_composition *c, const spw_tensor *g, int number, const spw_tensor *result)
{
  const bool dense = result && result->layout == SPW_DENSE;
  if (!result || c->status != SPW_OK) return;
  spw_grad_judge_size(c, g, number, dense ? result->values.array.ndim : result->ndim,
                      dense ? result->values.array.shape : result->size);
}

/* Divides in the wide type by a number for each value, or by `whole`, rounded to it. */
static const spw_tensor *divided(spw_composition *c, const spw_tensor *t, const int64_t *counts, int64_t whole)
{
  const spw_dtype dtype = t->values.array.dtype;
  const spw_tensor *const wide = spw_compose_widened(c, t);
  if (!wide) return NULL;
  const int64_t n = spw_grad_count(t);
  for (int64_t i = 0; counts && i < n; i++) spw_grad_divide(wide, i, i + 1, (double)counts[i]);
  if (!counts) spw_grad_divide(wide, 0, n, (double)whole);
  if (wide == t) return t;
  const spw_tensor *const made = spw_grad_zeros(c, t, SPW_FLOAT32);
  if (!made) return NULL;
  memcpy(spw_grad_values(made), wide->values.data, (size_t)n * sizeof(float));
  return spw_compose_narrowed(c, made, dtype);
}

static const spw_tensor *of_sum(spw_composition *c, const spw_variable *v, const spw_dims_reduction *wanted, const spw_tensor *g)
{
  const spw_tensor *const counts = spw_grad_counts(c, v->pattern, wanted);
  spw_grad_judge_like(c, g, 1, counts);
  const spw_tensor *const made = spw_grad_spread(c, g, v->pattern, wanted, 1);
  if (!made || wanted->kind == SPW_DIMS_SUM) return made;
  if (wanted->kind == SPW_DIMS_MEAN_DENSE) return divided(c, made, NULL, spw_grad_reduced_positions(v->t, wanted));
  const spw_tensor *const each = spw_grad_spread(c, counts, v->pattern, wanted, 0);
  return each ? divided(c, made, each->values.data, 1) : NULL;
}

static spw_dtype type_of_result(spw_dims_kind kind, spw_dtype dtype)
{
  const bool norm = kind >= SPW_DIMS_NORM_0 && kind <= SPW_DIMS_NORM_INF;
  if (norm && dtype == SPW_COMPLEX64) return SPW_FLOAT32;
  return norm && dtype == SPW_COMPLEX128 ? SPW_FLOAT64 : dtype;
}

static bool has_gradient(spw_dims_kind kind)
{
  return kind >= SPW_DIMS_SUM && kind <= SPW_DIMS_NORM_INF && kind != SPW_DIMS_ANY && kind != SPW_DIMS_ALL;
}

spw_status spw_vjp_reduce_dims_new(const spw_tensor *a, const spw_dims_reduction *wanted, const spw_tensor *g,
                                   const spw_vjp_request *how, size_t limit, spw_owned **out, spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  if (!a || !wanted || !g || !how || !out || how->operand != 0) return SPW_EINVAL;
  const bool mean = wanted->kind == SPW_DIMS_MEAN || wanted->kind == SPW_DIMS_MEAN_DENSE;
  if (!has_gradient(wanted->kind) || wanted->dtype != SPW_DTYPE_NONE) return SPW_EINVAL;
  const spw_variable v = spw_grad_variable(&c, a, 0);
  const spw_dtype dtype = a->values.array.dtype;
  if (c.status == SPW_OK && mean && (dtype < SPW_FLOAT16 || dtype > SPW_FLOAT64))
    spw_compose_refuse(&c, 0, SPW_OBSTACLE_TYPES, -1, (int64_t)dtype, -1);
  if (c.status == SPW_OK) spw_grad_judge_upstream(&c, g, type_of_result(wanted->kind, dtype), 1);
  if (c.status != SPW_OK) return spw_grad_end(&c, &v, how, NULL, out);
  const bool sums = mean || wanted->kind == SPW_DIMS_SUM;
  return spw_grad_end(&c, &v, how, sums ? of_sum(&c, &v, wanted, g) : spw_grad_of_extreme(&c, &v, wanted, g), out);
}
