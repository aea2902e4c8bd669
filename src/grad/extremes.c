/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients of extremes, which go to the first element that attains them, and of norms. */
#include "grad.h"

#include "../io/numbers/widen.h"

#include <math.h>
#include <string.h>

bool spw_grad_attains(spw_dtype dtype, const char *a, const char *extreme)
{
  if (dtype < SPW_FLOAT16) return memcmp(a, extreme, (size_t)spw_dtype_size(dtype)) == 0;
  const double x = spw_widen_float(dtype, a), y = spw_widen_float(dtype, extreme);
  return x == y || (x != x && y != y);
}

/* Marks the first element of each fibre, in row-major order, that attains its extreme. `reduced` is the result. */
static bool *mark_first(spw_composition *c, const spw_tensor *magnitudes, const spw_dims_reduction *wanted,
                        const spw_tensor *reduced)
{
  const spw_tensor *const extremes = spw_grad_spread(c, reduced, magnitudes, wanted, 0);
  const bool dense = reduced && reduced->layout == SPW_DENSE;
  const spw_tensor *const like = spw_grad_numbered(c, dense ? spw_grad_as_cell(c, reduced) : reduced);
  const spw_tensor *const numbers = dense ? spw_grad_as_dense(c, like) : like;
  const spw_tensor *const fibres = spw_grad_spread(c, numbers, magnitudes, wanted, 0);
  const spw_tensor *const order = spw_compose_layout(c, spw_grad_numbered(c, magnitudes), SPW_COO, 0);
  bool *const marks = extremes && fibres ? spw_compose_memory(c, spw_grad_count(magnitudes), sizeof *marks) : NULL;
  bool *const found = marks && order ? spw_compose_memory(c, spw_grad_count(numbers), sizeof *found) : NULL;
  if (!found) return NULL;
  const spw_dtype dtype = magnitudes->values.array.dtype;
  const int64_t width = spw_dtype_size(dtype), n = spw_grad_count(order), *const at = order->values.data;
  const int64_t *const fibre = fibres->values.data;
  const char *const values = magnitudes->values.data, *const most = extremes->values.data;
  for (int64_t i = 0; i < n; i++) {
    const int64_t k = at[i] - 1;
    if (found[fibre[k] - 1] || !spw_grad_attains(dtype, values + k * width, most + k * width)) continue;
    found[fibre[k] - 1] = marks[k] = true;
  }
  return marks;
}

/* What an unspecified +0 attains belongs to no element. */
static void unmark_implied(spw_composition *c, const spw_tensor *values, const spw_dims_reduction *wanted, bool *marks)
{
  const spw_tensor *const counts = spw_grad_spread(c, spw_grad_counts(c, values, wanted), values, wanted, 0);
  if (!counts) return;
  const int64_t whole = spw_grad_reduced_positions(values, wanted), n = spw_grad_count(values);
  const int64_t *const count = counts->values.data;
  const spw_dtype dtype = values->values.array.dtype;
  const char *const at = values->values.data;
  for (int64_t i = 0; i < n; i++)
    if (count[i] < whole && spw_compares_zero(dtype, at + i * spw_dtype_size(dtype))) marks[i] = false;
}

static const spw_tensor *of_extreme(spw_composition *c, const spw_variable *v, const spw_dims_reduction *wanted,
                                    const spw_tensor *g, const spw_tensor *reduced)
{
  const spw_tensor *const own = spw_grad_read_at(c, v->pattern, v->pattern, 0);
  bool *const marks = own ? mark_first(c, own, wanted, reduced) : NULL;
  const spw_tensor *const made = marks ? spw_grad_spread(c, g, v->pattern, wanted, 1) : NULL;
  if (made && (wanted->kind == SPW_DIMS_MAX || wanted->kind == SPW_DIMS_MIN)) unmark_implied(c, own, wanted, marks);
  if (!made || c->status != SPW_OK) return NULL;
  const size_t width = (size_t)spw_dtype_size(g->values.array.dtype);
  const int64_t n = spw_grad_count(made);
  char *const values = spw_grad_values(made);
  for (int64_t i = 0; i < n; i++)
    if (!marks[i]) memset(values + (size_t)i * width, 0, width);
  return made;
}

/* ---- Norms --------------------------------------------------------------------------------------- */

static const spw_tensor *mapped(spw_composition *c, const spw_tensor *t, spw_unary_function f)
{
  const spw_unary_request wanted = {.function = f};
  spw_owned *made = NULL;
  if (!t || c->status != SPW_OK) return NULL;
  return spw_compose_keep(c, spw_unary_new(t, &wanted, c->left, &made, c->refusal), &made);
}

/* norm 2: (a / norm) g, +0 where the norm is 0; others: g times the sign of a, where it is marked or nothing is. */
#define APPLY_NORM(name, type)                                                                                    \
  static void name(void *to, const void *a, const void *norms, const void *g, const bool *marks, int64_t n, int parts) \
  {                                                                                                               \
    type *const out = to;                                                                                         \
    const type *const values = a, *const norm = norms, *const up = g;                                             \
    for (int64_t i = 0; i < n; i++)                                                                               \
      for (int64_t k = i * parts; k < (i + 1) * parts; k++) {                                                     \
        if (norm && norm[i] != 0) {                                                                               \
          const type direction = values[k] / norm[i];                                                             \
          out[k] = direction * up[i];                                                                             \
        } else if (!norm && (!marks || marks[i])) {                                                               \
          out[k] = up[i] * values[k];                                                                             \
        }                                                                                                         \
      }                                                                                                           \
  }
APPLY_NORM(apply_norm_float, float)
APPLY_NORM(apply_norm_double, double)

static const spw_tensor *of_norm(spw_composition *c, const spw_variable *v, const spw_dims_reduction *wanted, const spw_tensor *g)
{
  const spw_dtype dtype = v->pattern->values.array.dtype;
  const spw_tensor *const own = spw_grad_read_at(c, spw_compose_widened(c, v->pattern), v->pattern, 0);
  const spw_tensor *const up = spw_compose_widened(c, spw_grad_spread(c, g, v->pattern, wanted, 1));
  const bool euclidean = wanted->kind == SPW_DIMS_NORM_2, largest = wanted->kind == SPW_DIMS_NORM_INF;
  const spw_tensor *const made = own && up ? spw_grad_zeros(c, v->pattern, own->values.array.dtype) : NULL;
  if (made && wanted->kind == SPW_DIMS_NORM_0) return spw_compose_narrowed(c, made, dtype);
  const spw_tensor *const magnitudes = largest ? mapped(c, own, SPW_UNARY_ABS) : NULL;
  const spw_tensor *const reduced = made && (euclidean || largest) ? spw_grad_reduced(c, own, wanted, wanted->kind) : NULL;
  const bool *const marks = magnitudes ? mark_first(c, magnitudes, wanted, reduced) : NULL;
  const spw_tensor *const norms = euclidean ? spw_grad_spread(c, reduced, v->pattern, wanted, 0) : NULL;
  const spw_tensor *const factors = euclidean ? own : mapped(c, own, SPW_UNARY_SGN);
  if (!made || !factors || c->status != SPW_OK) return NULL;
  const spw_dtype wide = own->values.array.dtype;
  const bool doubles = wide == SPW_FLOAT64 || wide == SPW_COMPLEX128, complex = wide == SPW_COMPLEX64 || wide == SPW_COMPLEX128;
  (doubles ? apply_norm_double : apply_norm_float)(spw_grad_values(made), factors->values.data,
                                                   norms ? norms->values.data : NULL, up->values.data, marks,
                                                   spw_grad_count(made), complex ? 2 : 1);
  return spw_compose_narrowed(c, made, dtype);
}

const spw_tensor *spw_grad_of_extreme(spw_composition *c, const spw_variable *v, const spw_dims_reduction *wanted,
                                      const spw_tensor *g)
{
  const spw_tensor *const reduced = spw_grad_reduced(c, v->pattern, wanted, wanted->kind);
  spw_grad_judge_like(c, g, 1, reduced);
  if (c->status != SPW_OK) return NULL;
  return wanted->kind >= SPW_DIMS_NORM_0 ? of_norm(c, v, wanted, g) : of_extreme(c, v, wanted, g, reduced);
}
