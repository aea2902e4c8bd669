/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients of sums and means over dimensions. */
#include "grad.h"

#include <string.h>

/* Where positions are projected to, and what is taken from there. */
typedef struct projection {
  const spw_tensor *g, *counts; /* counts: of specified elements, or null */
  bool reduced[SPW_STRUCTURE_DIMS], keepdim;
  int64_t ndim, scalar;
  char *to;
  double *divisors; /* or null */
} projection;

static void take(void *context, const int64_t *position, int64_t number)
{
  const projection *const p = context;
  int64_t at[SPW_STRUCTURE_DIMS], n = 0, count = 1;
  for (int64_t d = 0; d < p->ndim; d++) {
    if (p->reduced[d] && !p->keepdim) continue;
    at[n++] = p->reduced[d] ? 0 : position[d];
  }
  const char *const value = spw_grad_find(p->g, at);
  if (value) memcpy(p->to + number * p->scalar, value, (size_t)p->scalar);
  if (!p->counts) return;
  const char *const found = spw_grad_find(p->counts, at);
  if (found) memcpy(&count, found, sizeof count);
  p->divisors[number] = (double)count;
}

/* Entries that are no dimensions are refused by the operation itself, of ones. */
static const spw_tensor *count_elements(spw_composition *c, const spw_tensor *pattern, const spw_dims_reduction *wanted)
{
  spw_dims_reduction sum = *wanted;
  const spw_tensor *const ones = spw_grad_zeros(c, pattern, SPW_INT64);
  spw_owned *made = NULL;
  if (!ones) return NULL;
  int64_t *const values = spw_grad_values(ones);
  const int64_t n = spw_grad_count(ones);
  for (int64_t i = 0; i < n; i++) values[i] = 1;
  sum.kind = SPW_DIMS_SUM;
  return spw_compose_keep(c, spw_reduce_dims_new(ones, &sum, c->left, &made, c->refusal), &made);
}

static void read_dims(projection *p, const spw_tensor *a, const spw_dims_reduction *wanted)
{
  p->ndim = a->ndim;
  p->keepdim = wanted->keepdim;
  for (int64_t d = 0; d < a->ndim; d++) p->reduced[d] = !wanted->dims;
  for (int64_t i = 0; wanted->dims && i < wanted->count; i++)
    p->reduced[wanted->dims[i] + (wanted->dims[i] < 0 ? a->ndim : 0)] = true;
}

static int64_t positions_reduced(const projection *p, const spw_tensor *a)
{
  int64_t count = 1;
  for (int64_t d = 0; d < a->ndim; d++)
    if (p->reduced[d]) count *= a->size[d];
  return count;
}

/* Divides in the wide type; the divisor is rounded to it. */
static const spw_tensor *divided(spw_composition *c, const spw_tensor *t, const double *divisors)
{
  const spw_dtype dtype = t->values.array.dtype;
  const spw_tensor *const wide = spw_compose_widened(c, t);
  if (!wide) return NULL;
  float *const floats = spw_grad_values(wide);
  double *const doubles = spw_grad_values(wide);
  const int64_t n = spw_grad_count(t);
  for (int64_t i = 0; i < n; i++) {
    if (dtype == SPW_FLOAT64)
      doubles[i] = doubles[i] / divisors[i];
    else
      floats[i] = floats[i] / (float)divisors[i];
  }
  if (wide == t) return t;
  const spw_tensor *const made = spw_grad_zeros(c, t, SPW_FLOAT32);
  if (!made) return NULL;
  memcpy(spw_grad_values(made), floats, (size_t)n * sizeof *floats);
  return spw_compose_narrowed(c, made, dtype);
}

static const spw_tensor *project(spw_composition *c, const spw_variable *v, const spw_dims_reduction *wanted, const spw_tensor *g)
{
  const bool mean = wanted->kind == SPW_DIMS_MEAN, whole = wanted->kind == SPW_DIMS_MEAN_DENSE;
  const spw_dtype dtype = g->values.array.dtype;
  const spw_tensor *const counts = count_elements(c, v->pattern, wanted);
  const bool dense = counts && counts->layout == SPW_DENSE;
  if (counts)
    spw_grad_judge_size(c, g, 1, dense ? counts->values.array.ndim : counts->ndim,
                        dense ? counts->values.array.shape : counts->size);
  projection p = {.g = c->status == SPW_OK ? spw_grad_ordered(c, g, 1) : NULL, .scalar = spw_dtype_size(dtype)};
  const spw_tensor *const made = p.g ? spw_grad_zeros(c, v->pattern, dtype) : NULL;
  const int64_t n = made ? spw_grad_count(made) : 0;
  if (made && (mean || whole)) p.divisors = spw_compose_memory(c, n, sizeof *p.divisors);
  if (!made || c->status != SPW_OK) return NULL;
  read_dims(&p, v->t, wanted);
  p.to = spw_grad_values(made);
  p.counts = mean ? spw_grad_ordered(c, counts, 0) : NULL;
  if (mean && !p.counts) return NULL;
  for (int64_t i = 0; whole && i < n; i++) p.divisors[i] = (double)positions_reduced(&p, v->t);
  spw_grad_visit_positions(v->pattern, take, &p);
  return p.divisors ? divided(c, made, p.divisors) : made;
}

spw_status spw_vjp_reduce_dims_new(const spw_tensor *a, const spw_dims_reduction *wanted, const spw_tensor *g,
                                   const spw_vjp_request *how, size_t limit, spw_owned **out, spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  if (!a || !wanted || !g || !how || !out || how->operand != 0) return SPW_EINVAL;
  const bool mean = wanted->kind == SPW_DIMS_MEAN || wanted->kind == SPW_DIMS_MEAN_DENSE;
  if ((wanted->kind != SPW_DIMS_SUM && !mean) || wanted->dtype != SPW_DTYPE_NONE) return SPW_EINVAL;
  const spw_variable v = spw_grad_variable(&c, a, 0);
  const spw_dtype dtype = a->values.array.dtype;
  if (c.status == SPW_OK && mean && (dtype < SPW_FLOAT16 || dtype > SPW_FLOAT64))
    spw_compose_refuse(&c, 0, SPW_OBSTACLE_TYPES, -1, (int64_t)dtype, -1);
  if (c.status == SPW_OK) spw_grad_judge_upstream(&c, g, dtype, 1);
  return spw_grad_end(&c, &v, how, c.status == SPW_OK ? project(&c, &v, wanted, g) : NULL, out);
}
