/* SPDX-License-Identifier: Apache-2.0 */
/* Products of other forms, and triangular systems. */
#include "gradient_parts.h"

#include "../expected/meaning.h"
#include "../expected/scalar.h"

#include <stdio.h>
#include <string.h>

enum { MOST = GRADIENT_MOST, DIMS = SPW_STRUCTURE_DIMS };

static char text[200];

/* A sparse tensor of integers in a layout, with as many elements in each batch. `diagonal`: there are ones of either sign. */
static const spw_tensor *draw_sparse(attempted *a, int64_t ndim, const int64_t *shape, spw_layout layout, bool diagonal)
{
  dice *const d = a->bag.d;
  const spw_tensor *const all = gradient_dense(&a->bag, a->dtype, ndim, shape, 1);
  const int64_t n = gradient_count(shape, ndim), rows = shape[ndim - 2], columns = shape[ndim - 1];
  const int64_t width = scalar_width(a->dtype);
  spw_conversion wanted = {.layout = layout, .batch_dims = layout == SPW_COO ? -1 : ndim - 2, .dense_dims = -1};
  bool keeps[MOST];
  spw_owned *owned = NULL;
  if (n > MOST) return NULL;
  for (int64_t i = 0; i < rows * columns && i < MOST; i++)
    keeps[i] = roll_below(d, 3) > 0 || (diagonal && i % (columns + 1) == 0);
  char *const values = (char *)(uintptr_t)all->values.data;
  for (int64_t i = 0; i < n; i++) {
    const int64_t place = i % (rows * columns);
    if (!keeps[place]) gradient_put(a->dtype, values + i * width, 0, 0);
    if (diagonal && place % (columns + 1) == 0) gradient_put(a->dtype, values + i * width, roll_below(d, 2) ? 1 : -1, 0);
  }
  if (layout == SPW_BSR || layout == SPW_BSC) {
    wanted.block_rows = rows > 0 && rows % 2 == 0 ? 2 : 1;
    wanted.block_columns = columns > 0 && columns % 2 == 0 && !diagonal ? 2 : 1;
    if (diagonal) wanted.block_columns = wanted.block_rows;
  }
  return spw_convert_new(all, &wanted, 0, &owned, NULL) == SPW_OK ? gradient_keep(&a->bag, owned) : NULL;
}

static spw_layout draw_layout(attempted *a)
{
  static const spw_layout layouts[] = {SPW_COO, SPW_CSR, SPW_CSC, SPW_BSR, SPW_BSC};
  return layouts[roll_below(a->bag.d, 5)];
}

static const void *draw_factor(attempted *a)
{
  char *const factor = gradient_hold(&a->bag, 16);
  gradient_draw(&a->bag, a->dtype, factor, 1, 1);
  return roll_below(a->bag.d, 2) ? factor : NULL;
}

/* ---- Kronecker products, diagonals ---------------------------------------------------------------- */

spw_status gradient_try_kron(attempted *a)
{
  const spw_making kron = {.kind = SPW_MAKE_KRON};
  const spw_tensor *const other = gradient_retyped(&a->bag, a->x, a->dtype, 1);
  const spw_tensor *t[2] = {a->x, other};
  a->how.operand = (int)roll_below(a->bag.d, 2);
  if (a->how.operand == 1) t[0] = other, t[1] = a->x;
  /* A larger result would take most of the time of all gradients. */
  if (gradient_count(a->x->values.array.shape, a->x->values.array.ndim) > 1 << 8) return SPW_OK;
  a->status = spw_make_new(t, 2, &kron, 0, &a->made, NULL);
  if (!gradient_upstream(a, false, 1)) return SPW_OK;
  return spw_vjp_kron_new(t[0], t[1], a->g, &a->how, 0, &a->made, NULL);
}

/* The layout of the result is that of x. */
spw_status gradient_try_diagonals(attempted *a)
{
  dice *const d = a->bag.d;
  int64_t numbers[3], shape[2], size[2] = {1 + roll_below(d, 5), 1 + roll_below(d, 5)};
  const bool vector = roll_below(d, 3) == 0;
  shape[0] = vector ? 1 : roll_below(d, 4);
  shape[1] = roll_below(d, 6);
  numbers[0] = roll_below(d, 9) - 5;
  for (int i = 1; i < 3; i++) numbers[i] = numbers[i - 1] + 1 + roll_below(d, 3);
  const spw_making wanted = {.kind = SPW_MAKE_DIAGONALS, .layout = a->x->layout, .size = size, .ndim = 2, .numbers = numbers,
                             .count = shape[0], .block_rows = is_blocked(a->x->layout),
                             .block_columns = is_blocked(a->x->layout)};
  a->x = gradient_dense(&a->bag, a->dtype, vector ? 1 : 2, vector ? shape + 1 : shape, 1);
  a->status = spw_make_new(&a->x, 1, &wanted, 0, &a->made, NULL);
  if (!gradient_upstream(a, false, 1)) return SPW_OK;
  return spw_vjp_make_new(a->x, &wanted, a->g, &a->how, 0, &a->made, NULL);
}

/* ---- Sparse times sparse, and what is added to it --------------------------------------------------- */

/* x is what is added: alpha is 0. */
static spw_status try_added(attempted *a)
{
  static const uint64_t zero[2];
  dice *const d = a->bag.d;
  const spw_tensor *const x = a->x;
  const int64_t inner = roll_below(d, 3), left[2] = {x->size[0], inner}, right[2] = {inner, x->size[1]};
  const bool sparse = roll_below(d, 2) && (x->layout == SPW_CSR || x->layout == SPW_CSC);
  const spw_factors how = {.alpha = zero, .beta = draw_factor(a)};
  const spw_tensor *const first = draw_sparse(a, 2, left, sparse ? x->layout : draw_layout(a), false);
  const spw_tensor *const second = sparse ? draw_sparse(a, 2, right, x->layout, false)
                                          : gradient_dense(&a->bag, a->dtype, 2, right, 1);
  if (!first || !second) return a->status = SPW_ERANGE;
  a->how.operand = 2;
  a->status = sparse ? spw_multiply_add_sparse_new(x, first, second, &how, 0, &a->made, NULL)
                     : spw_sspaddmm_new(x, first, second, &how, 0, &a->made, NULL);
  if (!gradient_upstream(a, false, 1)) return SPW_OK;
  return sparse ? spw_vjp_multiply_sparse_new(first, second, x, &how, a->g, &a->how, 0, &a->made, NULL)
                : spw_vjp_sspaddmm_new(x, first, second, &how, a->g, &a->how, 0, &a->made, NULL);
}

spw_status gradient_try_sparse(attempted *a)
{
  dice *const d = a->bag.d;
  const spw_tensor *const x = a->x;
  const int64_t ndim = x->ndim;
  const bool left = roll_below(d, 2);
  int64_t shape[DIMS];
  if (ndim < 2) return a->status = SPW_ERANGE;
  if (ndim == 2 && x->plain.array.ndim <= 2 && roll_below(d, 4) == 0) return try_added(a);
  for (int64_t i = 0; i < ndim; i++) shape[i] = x->size[i];
  shape[ndim - 2] = left ? x->size[ndim - 1] : roll_below(d, 4);
  shape[ndim - 1] = left ? roll_below(d, 4) : x->size[ndim - 2];
  const spw_tensor *const other = draw_sparse(a, ndim, shape, draw_layout(a), false);
  if (!other) return a->status = SPW_ERANGE;
  const spw_tensor *const first = left ? x : other, *const second = left ? other : x;
  const spw_factors how = {.alpha = draw_factor(a)};
  a->how.operand = left ? 0 : 1;
  a->status = spw_multiply_sparse_new(first, second, 0, 0, &a->made, NULL);
  if (a->status == SPW_OK && how.alpha) {
    const spw_elementwise_request scale = {.kind = SPW_SCALE, .scalar = how.alpha};
    const spw_tensor *const product = gradient_keep(&a->bag, a->made);
    a->status = spw_elementwise_new(product, NULL, &scale, 0, &a->made, NULL);
  }
  if (!gradient_upstream(a, false, 1)) return SPW_OK;
  return spw_vjp_multiply_sparse_new(first, second, NULL, &how, a->g, &a->how, 0, &a->made, NULL);
}

/* ---- Products of any dimensions --------------------------------------------------------------------- */

/* Batch dimensions of a partner of x: of its size, or of 1, or repeating those of x that are 1; and some before these. */
static int64_t draw_batches(attempted *a, int64_t *shape)
{
  dice *const d = a->bag.d;
  const int64_t own = a->x->ndim > 2 ? a->x->ndim - 2 : 0, dims = roll_below(d, own < 3 ? own + 2 : 4);
  for (int64_t i = 0; i < dims; i++) {
    const int64_t at = own - dims + i, of_x = at < 0 ? 1 : a->x->size[at];
    shape[i] = of_x == 1 ? roll_below(d, 4) : roll_below(d, 3) > 0 ? of_x : 1;
  }
  return dims;
}

/* With a vector, or a matrix, or batches of them. */
spw_status gradient_try_matmul(attempted *a)
{
  dice *const d = a->bag.d;
  const spw_tensor *const x = a->x;
  const bool left = roll_below(d, 2), of_other = roll_below(d, 2), vector = roll_below(d, 3) == 0;
  int64_t shape[DIMS + 2], dims = 0;
  const int64_t inner = left || x->ndim == 1 ? x->size[x->ndim - 1] : x->size[x->ndim - 2], outer = roll_below(d, 4);
  if (x->ndim < 1 || x->ndim > DIMS - 2) return a->status = SPW_ERANGE;
  if (!vector) dims = draw_batches(a, shape);
  if (vector || left) shape[dims++] = inner;
  if (!vector) shape[dims++] = outer;
  if (!vector && !left) shape[dims++] = inner;
  if (gradient_count(shape, dims) > MOST / 8) return a->status = SPW_ERANGE;
  const bool sparse = !vector && roll_below(d, 3) == 0;
  const spw_tensor *const other = sparse ? draw_sparse(a, dims, shape, draw_layout(a), false)
                                         : gradient_dense(&a->bag, a->dtype, dims, shape, 1);
  if (!other) return a->status = SPW_ERANGE;
  const spw_tensor *const first = left ? x : other, *const second = left ? other : x;
  a->how.operand = of_other == left;
  a->status = spw_matmul_new(first, second, 0, &a->made, NULL);
  if (!gradient_upstream(a, false, 1)) return SPW_OK;
  const bool of_rows = first->layout == SPW_COO && first->plain.array.shape[0] == 1 && first->ndim == 2;
  a->how.full = !sparse && !of_other && !of_rows && roll_below(d, 3) == 0;
  if (of_other) a->x = other;
  return spw_vjp_matmul_new(first, second, a->g, &a->how, 0, &a->made, NULL);
}

/* ---- Linear --------------------------------------------------------------------------------------- */

spw_status gradient_try_linear(attempted *a)
{
  dice *const d = a->bag.d;
  const spw_tensor *const sparse = a->x;
  const bool sparse_x = roll_below(d, 2), of_bias = roll_below(d, 3) == 0;
  int64_t shape[3] = {1 + roll_below(d, 2), 1 + roll_below(d, 3), 0};
  if (sparse->ndim != 2) return a->status = SPW_ERANGE;
  shape[2] = sparse->size[1];
  const int64_t own = sparse_x ? 2 : 1 + roll_below(d, 3); /* dimensions of the dense operand */
  const spw_tensor *const dense = gradient_dense(&a->bag, a->dtype, own, shape + 3 - own, 1);
  const spw_tensor *x = sparse_x ? sparse : dense;
  const spw_tensor *const w = sparse_x ? dense : sparse;
  const int64_t outs = sparse_x ? shape[1] : sparse->size[0];
  const spw_tensor *const bias = of_bias ? gradient_dense(&a->bag, a->dtype, 1, &outs, 1) : NULL;
  a->how.operand = of_bias ? 2 : (int)roll_below(d, 2);
  if (of_bias && sparse_x) x = gradient_retyped(&a->bag, sparse, a->dtype, 0);
  if (of_bias && !sparse_x) x = gradient_dense(&a->bag, a->dtype, own, shape + 3 - own, 0);
  a->status = spw_linear_new(x, w, bias, 0, &a->made, NULL);
  if (!gradient_upstream(a, false, 1)) return SPW_OK;
  a->x = of_bias ? bias : a->how.operand == 0 ? x : w;
  return spw_vjp_linear_new(x, w, bias, a->g, &a->how, 0, &a->made, NULL);
}

/* ---- Reductions of products ------------------------------------------------------------------------ */

/* Extremes are linear in each operand while the same product attains them. */
spw_status gradient_try_reduced(attempted *a)
{
  static const int64_t last = -1;
  const spw_dims_reduction rows = {.kind = SPW_DIMS_MEAN, .dims = &last, .count = 1};
  dice *const d = a->bag.d;
  spw_reduction wanted = {.kind = (spw_reduction_kind)roll_below(d, 4)};
  const spw_tensor *const x = a->x;
  const int64_t ndim = x->ndim;
  const bool with_b = ndim >= 2 && roll_below(d, 4) > 0, vector = ndim == 2 && roll_below(d, 3) == 0;
  const bool mean = wanted.kind == SPW_REDUCE_MEAN;
  const spw_tensor *b = NULL, *of = x;
  int64_t shape[DIMS];
  if (ndim < 2 || ndim > DIMS - 1) return a->status = SPW_ERANGE;
  for (int64_t i = 0; i < ndim; i++) shape[i] = x->size[i];
  shape[ndim - 2] = x->size[ndim - 1];
  shape[ndim - 1] = 1 + roll_below(d, 3);
  if (mean && a->dtype == SPW_FLOAT32) return a->status = SPW_ERANGE; /* which has no room for such numbers */
  if (mean) of = gradient_retyped(&a->bag, x, a->dtype, GRADIENT_FACTOR);
  if (with_b) b = gradient_dense(&a->bag, a->dtype, vector ? 1 : ndim, shape, 1);
  else wanted.span = (spw_reduction_span)roll_below(d, 3);
  a->how.operand = with_b ? (int)roll_below(d, 2) : 0;
  a->status = spw_reduce_new(of, b, &wanted, 0, &a->made, NULL);
  if (!gradient_upstream(a, false, mean ? GRADIENT_FACTOR : 1)) return SPW_OK;
  if (mean && (wanted.span != SPW_EACH_ROW || !gradient_divides(a, &rows))) a->result = NULL;
  a->x = a->how.operand == 0 ? of : b;
  return spw_vjp_reduce_new(of, b, &wanted, a->g, &a->how, 0, &a->made, NULL);
}

/* ---- Triangular systems ----------------------------------------------------------------------------- */

typedef struct system_drawn {
  const spw_tensor *a, *b;
  spw_triangle how;
} system_drawn;

/* The element of an (n, r) matrix of a batch, or of an (r, n) one. */
static int64_t place(const system_drawn *s, const spread_out *of_a, int64_t wide, int64_t batch, int64_t i, int64_t j)
{
  const int64_t n = of_a->size[of_a->ndim - 1];
  return batch * n * wide + (s->how.right ? j * n + i : i * wide + j);
}

/* dM = -(S X^H), S: the gradient of B, which the adjoint identity holds. By loops. */
static const char *model_solve(attempted *a, const spw_tensor *gradient)
{
  static spread_out of_a, x, s, got;
  const system_drawn *const sys = a->wanted;
  const spw_vjp_request of_b = {.operand = 1};
  spw_owned *made = NULL, *solution = NULL;
  if (spw_vjp_solve_triangular_new(sys->a, sys->b, &sys->how, a->g, &of_b, 0, &made, NULL) != SPW_OK) return "no gradient of B";
  gradient_keep(&a->bag, made);
  if (spw_solve_triangular_new(sys->a, sys->b, &sys->how, 0, &solution, NULL) != SPW_OK) return "no solution";
  gradient_keep(&a->bag, solution);
  if (!gradient_spread(sys->a, &of_a, true) || !gradient_spread(spw_owned_tensor(solution), &x, true)) return NULL;
  if (!gradient_spread(spw_owned_tensor(made), &s, true) || !gradient_spread(gradient, &got, false)) return NULL;
  const int64_t n = of_a.size[of_a.ndim - 1], wide = n > 0 && of_a.count > 0 ? x.count / (of_a.count / n) : 0;
  for (int64_t e = 0; e < of_a.count; e++) {
    const int64_t batch = e / (n * n), row = e / n % n, column = e % n;
    const bool swaps = sys->how.transpose || sys->how.adjoint;
    const int64_t i = swaps ? column : row, k = swaps ? row : column; /* of M */
    double re = 0, im = 0;
    for (int64_t j = 0; j < wide; j++) {
      /* left: S[i, j] conj X[k, j]; right: conj X[j, i] S[j, k] */
      const int64_t at_s = place(sys, &of_a, wide, batch, sys->how.right ? k : i, j);
      const int64_t at_x = place(sys, &of_a, wide, batch, sys->how.right ? i : k, j);
      re -= s.re[at_s] * x.re[at_x] + s.im[at_s] * x.im[at_x];
      im -= s.im[at_s] * x.re[at_x] - s.re[at_s] * x.im[at_x];
    }
    const bool read = (sys->how.upper ? column >= row : column <= row) && !(sys->how.unit && row == column);
    if (!read) re = im = 0;
    if (sys->how.adjoint) im = -im;
    if (!of_a.there[e] || (got.re[e] == re && got.im[e] == im)) continue;
    return snprintf(text, sizeof text, "[%lld, %lld]: %g, not %g", (long long)row, (long long)column, got.re[e], re), text;
  }
  return NULL;
}

spw_status gradient_try_solve(attempted *a)
{
  dice *const d = a->bag.d;
  spw_numbers numbers;
  const spw_layout layout = a->x->layout;
  const bool batched = spw_numbers_of(a->x, &numbers) == SPW_OK && numbers.batch_dims > 0;
  const bool vector = !batched && roll_below(d, 3) == 0;
  const int64_t n = roll_below(d, 5), wide = vector ? 1 : roll_below(d, 4);
  system_drawn *const s = gradient_hold(&a->bag, sizeof *s);
  s->how = (spw_triangle){.upper = roll_below(d, 2), .unit = roll_below(d, 3) == 0, .right = roll_below(d, 2)};
  const int64_t which = roll_below(d, 3);
  s->how.transpose = which == 1;
  s->how.adjoint = which == 2;
  const int64_t shape[3] = {2, n, n}, of_b[3] = {2, s->how.right ? wide : n, s->how.right ? n : wide};
  s->a = draw_sparse(a, batched ? 3 : 2, batched ? shape : shape + 1, layout, true);
  s->b = vector ? gradient_dense(&a->bag, a->dtype, 1, shape + 1, 1)
                : gradient_dense(&a->bag, a->dtype, batched ? 3 : 2, batched ? of_b : of_b + 1, 1);
  if (!s->a) return a->status = SPW_ERANGE;
  a->how.operand = (int)roll_below(d, 2);
  a->wanted = s;
  a->status = spw_solve_triangular_new(s->a, s->b, &s->how, 0, &a->made, NULL);
  if (!gradient_upstream(a, false, 1)) return SPW_OK;
  a->x = a->how.operand == 0 ? s->a : s->b;
  if (a->how.operand == 0) a->result = NULL, a->model = model_solve;
  return spw_vjp_solve_triangular_new(s->a, s->b, &s->how, a->g, &a->how, 0, &a->made, NULL);
}
