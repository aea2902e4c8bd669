/* SPDX-License-Identifier: Apache-2.0 */
/* Is it an eigenpair, or a singular triple? Intervals from exact residuals. */
#include "judge.h"
#include "../../convert/plan.h"
#include "../../convert/values.h"
#include "../../operand/fits.h"
#include "../../operand/overlap.h"
#include "../../oracle/operands.h"

#include <math.h>
#include <string.h>

enum { MATRIX, VALUES, LEFT, RIGHT, CENTER, OPERANDS }; /* vectors are the left ones, weights stand at RIGHT */

typedef struct enclosing {
  spw_operand taken[OPERANDS]; /* t is null: it is not there */
  spw_dtype dtype, part;
  int64_t m, n, k; /* A is m x n; k claims */
  bool singular, finite;
  spw_specified combined;
  const spw_tensor *a;
  spw_matrices matrices;
  spw_rows rows, columns;
} enclosing;

/* ---- What stands in its way ---------------------------------------------------------------------- */

static spw_status read_matrix(enclosing *g, const spw_tensor *a, spw_refusal *refusal)
{
  if (!a || a->layout == SPW_DENSE) return SPW_EINVAL;
  spw_status status = spw_operand_take(a, MATRIX, true, 1, &g->taken[MATRIX], refusal);
  if (status == SPW_OK) status = spw_matrices_fit(&g->taken[MATRIX], MATRIX, refusal);
  if (status == SPW_OK) status = spw_dims_fit(a->ndim, 2, MATRIX, refusal);
  if (status != SPW_OK) return status;
  g->a = a;
  g->m = a->size[0];
  g->n = a->size[1];
  g->dtype = a->values.array.dtype;
  g->part = spw_part_type(g->dtype);
  if (g->part == SPW_FLOAT32 || g->part == SPW_FLOAT64) return SPW_OK;
  return spw_refuse_operand(refusal, MATRIX, SPW_OBSTACLE_TYPES, -1, (int64_t)g->dtype, -1);
}

/* A dense operand with `rows` rows, and `columns` of them if that is not below 0. */
static spw_status read_dense(enclosing *g, int number, const spw_tensor *t, spw_dtype dtype, int64_t rows, int64_t columns,
                             spw_refusal *refusal)
{
  if (!t || t->layout != SPW_DENSE) return SPW_EINVAL;
  spw_status status = spw_operand_take(t, number, true, 1, &g->taken[number], refusal);
  if (status == SPW_OK) status = spw_type_fits(t->values.array.dtype, dtype, number, refusal);
  if (status == SPW_OK) status = spw_dims_fit(t->values.array.ndim, columns < 0 ? 1 : 2, number, refusal);
  if (status == SPW_OK) status = spw_size_fits(t->values.array.shape[0], rows, 0, number, refusal);
  if (status != SPW_OK || columns < 0) return status;
  return spw_size_fits(t->values.array.shape[1], columns, 1, number, refusal);
}

/* The values, whose number says how many claims there are. */
static spw_status read_values(enclosing *g, const spw_tensor *t, spw_refusal *refusal)
{
  if (!t || t->layout != SPW_DENSE) return SPW_EINVAL;
  g->k = t->values.array.ndim == 1 ? t->values.array.shape[0] : 0;
  return read_dense(g, VALUES, t, g->part, g->k, -1, refusal);
}

static spw_status lay_out(enclosing *g, char *base, int64_t *bytes, spw_refusal *refusal)
{
  spw_arena arena = {base, 0};
  const spw_status status = spw_judge_combined(&g->a, &g->combined, &arena, refusal);
  if (status != SPW_OK) return status;
  if (spw_matrices_of(g->a, &g->matrices) != SPW_OK) return spw_refuse_operand(refusal, MATRIX, SPW_OBSTACLE_SIZE, -1, -1, -1);
  int64_t *const rows = spw_take(&arena, spw_rows_room(&g->matrices, false), sizeof *rows), *columns = NULL;
  if (g->singular) columns = spw_take(&arena, spw_rows_room(&g->matrices, true), sizeof *columns);
  *bytes = arena.used;
  if (!spw_is_object_size(arena.used)) return spw_refuse_operand(refusal, MATRIX, SPW_OBSTACLE_SIZE, -1, -1, -1);
  if (!base) return SPW_OK;
  int64_t twice;
  g->rows = spw_gather_rows(g->a, &g->matrices, false, rows);
  (void)spw_sort_rows(&g->rows, &g->matrices, &twice);
  if (g->singular) g->columns = spw_gather_rows(g->a, &g->matrices, true, columns);
  return SPW_OK;
}

/* ---- Numbers ------------------------------------------------------------------------------------- */

/* Entry (i, j) of a dense operand, j is 0 of a vector. */
static void dense_at(const enclosing *g, int number, int64_t i, int64_t j, double x[2])
{
  const spw_value_array *const v = &g->taken[number].t->values;
  const spw_array *const a = &v->array;
  spw_number_at(v, a->offset + i * a->strides[0] + (a->ndim > 1 ? j * a->strides[1] : 0), false, x);
}

static bool is_finite_number(const double x[2])
{
  return isfinite(x[0]) && isfinite(x[1]);
}

static bool is_finite_column(const enclosing *g, int number, int64_t rows, int64_t j)
{
  double x[2];
  for (int64_t i = 0; i < rows; i++) {
    dense_at(g, number, i, j, x);
    if (!is_finite_number(x)) return false;
  }
  return true;
}

/* An exact complex number. */
typedef struct exactly {
  spw_exact part[2];
} exactly;

static void start(exactly *s)
{
  spw_exact_start(&s->part[0]);
  spw_exact_start(&s->part[1]);
}

/* s += a * x, where a is conjugated on request */
static void add(exactly *s, const double a[2], const double x[2], bool conjugate)
{
  const double im = conjugate ? -a[1] : a[1];
  (void)spw_exact_add_product(&s->part[0], a[0], x[0]);
  (void)spw_exact_add_product(&s->part[0], -im, x[1]);
  (void)spw_exact_add_product(&s->part[1], a[0], x[1]);
  (void)spw_exact_add_product(&s->part[1], im, x[0]);
}

static void add_scaled(spw_exact *s, const spw_exact *other, double factor)
{
  if (factor != 0) (void)spw_exact_add_scaled(s, other, factor);
}

static void magnitude_of(const spw_exact *s, uint32_t *wide)
{
  (void)spw_wide_difference(wide, s->positive, s->negative);
}

static spw_upper upper_of(const spw_exact *s)
{
  uint32_t wide[SPW_EXACT_LIMBS];
  magnitude_of(s, wide);
  return spw_wide_upper(wide);
}

/* |s|^2 */
static spw_upper squared(const exactly *s)
{
  const spw_upper re = upper_of(&s->part[0]), im = upper_of(&s->part[1]);
  return spw_upper_add(spw_upper_mul(re, re), spw_upper_mul(im, im));
}

/* A row of the matrix, or a conjugated column, times a column of a dense operand. */
static void multiply(const enclosing *g, const spw_rows *rows, int64_t row, int operand, int64_t j, bool conjugate, exactly *s)
{
  double a[2], x[2];
  for (int64_t e = rows->starts[row]; e < rows->starts[row + 1]; e++) {
    spw_number_at(&g->a->values, rows->entries[e].place, false, a);
    dense_at(g, operand, rows->entries[e].column, j, x);
    add(s, a, x, conjugate);
  }
}

static bool is_finite_matrix(const enclosing *g)
{
  double a[2];
  for (int64_t e = 0; e < g->rows.starts[g->m]; e++) {
    spw_number_at(&g->a->values, g->rows.entries[e].place, false, a);
    if (!is_finite_number(a)) return false;
  }
  return true;
}

/* ---- Enclosures ---------------------------------------------------------------------------------- */

static spw_enclosure unknown(void)
{
  const spw_enclosure e = {false, INFINITY, -INFINITY, INFINITY};
  return e;
}

/* From the squares of the residual and of the vectors. */
static spw_enclosure enclose(double value, spw_upper residual, spw_lower norm)
{
  if (norm.m == 0) return unknown();
  const double radius = spw_upper_above(spw_upper_root(spw_upper_over(residual, norm)));
  if (radius == 0) return (spw_enclosure){true, 0, value, value};
  return (spw_enclosure){isfinite(radius), radius, spw_next_below(value - radius), spw_next_above(value + radius)};
}

static double weight_at(const enclosing *g, int64_t i)
{
  double w[2] = {1, 0};
  if (g->taken[RIGHT].t) dense_at(g, RIGHT, i, 0, w);
  return w[0];
}

/* a x - theta w x in row i: products of three. */
static void residual_of(const enclosing *g, int64_t i, int64_t j, double theta, exactly *r)
{
  const double w[2] = {weight_at(g, i), 0};
  exactly scaled;
  double x[2];
  start(r);
  multiply(g, &g->rows, i, LEFT, j, false, r);
  dense_at(g, LEFT, i, j, x);
  start(&scaled);
  add(&scaled, w, x, false);
  for (int part = 0; part < 2; part++) add_scaled(&r->part[part], &scaled.part[part], -theta);
}

/* w x conj(y) of one row, added to s. */
static void add_inner(const enclosing *g, int operand, int64_t i, int64_t p, int64_t q, bool weighs, exactly *s)
{
  double x[2], y[2];
  exactly product;
  dense_at(g, operand, i, p, x);
  dense_at(g, operand, i, q, y);
  if (!weighs) {
    add(s, x, y, true);
    return;
  }
  start(&product);
  add(&product, x, y, true);
  for (int part = 0; part < 2; part++) add_scaled(&s->part[part], &product.part[part], weight_at(g, i));
}

static spw_lower norm_of(const enclosing *g, int operand, int64_t rows, int64_t j, bool weighs)
{
  uint32_t wide[SPW_EXACT_LIMBS];
  exactly s;
  start(&s);
  for (int64_t i = 0; i < rows; i++) add_inner(g, operand, i, j, j, weighs, &s);
  magnitude_of(&s.part[0], wide);
  return spw_wide_lower(wide);
}

static spw_enclosure enclose_eigenvalue(const enclosing *g, int64_t j)
{
  double theta[2];
  spw_upper sum = {0, 0};
  dense_at(g, VALUES, j, 0, theta);
  if (!g->finite || !isfinite(theta[0]) || !is_finite_column(g, LEFT, g->n, j)) return unknown();
  for (int64_t i = 0; i < g->n; i++) {
    exactly r;
    residual_of(g, i, j, theta[0], &r);
    const spw_upper weight = spw_upper_magnitude(weight_at(g, i));
    const spw_lower below = {weight.m, weight.e};
    sum = spw_upper_add(sum, spw_upper_over(squared(&r), below));
  }
  return enclose(theta[0], sum, norm_of(g, LEFT, g->n, j, g->taken[RIGHT].t != NULL));
}

/* The sums that a center needs: of center * v, and of u. */
static void sum_center(const enclosing *g, int64_t j, exactly *cv, exactly *u)
{
  static const double one[2] = {1, 0};
  double c[2], x[2];
  start(cv);
  start(u);
  for (int64_t i = 0; i < g->n && g->taken[CENTER].t; i++) {
    dense_at(g, CENTER, i, 0, c);
    dense_at(g, RIGHT, i, j, x);
    add(cv, c, x, false);
  }
  for (int64_t i = 0; i < g->m && g->taken[CENTER].t; i++) {
    dense_at(g, LEFT, i, j, x);
    add(u, one, x, false);
  }
}

/* |A v - sigma u|^2 */
static spw_upper left_residual(const enclosing *g, int64_t j, double sigma, const exactly *cv)
{
  const double minus[2] = {-sigma, 0};
  spw_upper sum = {0, 0};
  for (int64_t i = 0; i < g->m; i++) {
    exactly r;
    double x[2];
    start(&r);
    multiply(g, &g->rows, i, RIGHT, j, false, &r);
    for (int part = 0; part < 2; part++) add_scaled(&r.part[part], &cv->part[part], -1);
    dense_at(g, LEFT, i, j, x);
    add(&r, minus, x, false);
    sum = spw_upper_add(sum, squared(&r));
  }
  return sum;
}

/* |A^H u - sigma v|^2 */
static spw_upper right_residual(const enclosing *g, int64_t j, double sigma, const exactly *u)
{
  const double minus[2] = {-sigma, 0};
  spw_upper sum = {0, 0};
  for (int64_t i = 0; i < g->n; i++) {
    exactly r;
    double x[2], c[2] = {0, 0};
    start(&r);
    multiply(g, &g->columns, i, LEFT, j, true, &r);
    if (g->taken[CENTER].t) dense_at(g, CENTER, i, 0, c);
    add_scaled(&r.part[0], &u->part[0], -c[0]);
    add_scaled(&r.part[0], &u->part[1], -c[1]);
    add_scaled(&r.part[1], &u->part[1], -c[0]);
    add_scaled(&r.part[1], &u->part[0], c[1]);
    dense_at(g, RIGHT, i, j, x);
    add(&r, minus, x, false);
    sum = spw_upper_add(sum, squared(&r));
  }
  return sum;
}

static spw_enclosure enclose_singular_value(const enclosing *g, int64_t j)
{
  double sigma[2];
  exactly cv, u;
  dense_at(g, VALUES, j, 0, sigma);
  if (!g->finite || !isfinite(sigma[0]) || !is_finite_column(g, LEFT, g->m, j) || !is_finite_column(g, RIGHT, g->n, j))
    return unknown();
  sum_center(g, j, &cv, &u);
  const spw_upper both = spw_upper_add(left_residual(g, j, sigma[0], &cv), right_residual(g, j, sigma[0], &u));
  spw_enclosure e = enclose(sigma[0], both, spw_lower_add(norm_of(g, LEFT, g->m, j, false), norm_of(g, RIGHT, g->n, j, false)));
  e.certified = e.certified && e.radius < sigma[0];
  return e;
}

/* The largest part of X^H X - I. */
static double apart_of(const enclosing *g, int operand, int64_t rows, bool weighs)
{
  double most = 0;
  for (int64_t p = 0; p < g->k; p++)
    if (!is_finite_column(g, operand, rows, p)) return INFINITY;
  for (int64_t p = 0; p < g->k; p++)
    for (int64_t q = p; q < g->k; q++) {
      exactly s;
      start(&s);
      for (int64_t i = 0; i < rows; i++) add_inner(g, operand, i, p, q, weighs, &s);
      if (p == q) (void)spw_exact_add(&s.part[0], -1);
      for (int part = 0; part < 2; part++) {
        const double own = spw_upper_above(upper_of(&s.part[part]));
        if (own > most) most = own;
      }
    }
  return most;
}

/* ---- Hermitian, positive ------------------------------------------------------------------------- */

/* The element of row i in column k; 0 where it is not stored. */
static void element_at(const enclosing *g, int64_t i, int64_t k, double a[2])
{
  int64_t lo = g->rows.starts[i], hi = g->rows.starts[i + 1];
  const int64_t end = hi;
  while (lo < hi) {
    const int64_t middle = lo + (hi - lo) / 2;
    if (g->rows.entries[middle].column < k) lo = middle + 1;
    else hi = middle;
  }
  a[0] = a[1] = 0;
  if (lo < end && g->rows.entries[lo].column == k) spw_number_at(&g->a->values, g->rows.entries[lo].place, false, a);
}

static spw_status judge_symmetry(const enclosing *g, spw_refusal *refusal)
{
  for (int64_t i = 0; i < g->m; i++)
    for (int64_t e = g->rows.starts[i]; e < g->rows.starts[i + 1]; e++) {
      double a[2], b[2];
      spw_number_at(&g->a->values, g->rows.entries[e].place, false, a);
      element_at(g, g->rows.entries[e].column, i, b);
      if (a[0] == b[0] && a[1] == -b[1]) continue;
      return spw_refuse(refusal, SPW_OBSTACLE_HERMITIAN, i, g->rows.entries[e].column, -1, -1);
    }
  return SPW_OK;
}

static spw_status judge_weights(const enclosing *g, spw_refusal *refusal)
{
  for (int64_t i = 0; i < g->n && g->taken[RIGHT].t; i++) {
    const double w = weight_at(g, i);
    if (w > 0 && isfinite(w)) continue;
    return spw_refuse_operand(refusal, RIGHT, SPW_OBSTACLE_VALUE, i, -1, -1);
  }
  return SPW_OK;
}

/* ---- Calls --------------------------------------------------------------------------------------- */

static spw_status read_eigen(const spw_eigen_claim *claim, enclosing *g, int64_t *bytes, spw_refusal *refusal)
{
  memset(g, 0, sizeof *g);
  if (!claim) return SPW_EINVAL;
  spw_status status = read_matrix(g, claim->a, refusal);
  if (status == SPW_OK) status = spw_size_fits(g->n, g->m, 1, MATRIX, refusal);
  if (status == SPW_OK) status = read_values(g, claim->values, refusal);
  if (status == SPW_OK) status = read_dense(g, LEFT, claim->vectors, g->dtype, g->n, g->k, refusal);
  if (status == SPW_OK && claim->weights) status = read_dense(g, RIGHT, claim->weights, g->part, g->n, -1, refusal);
  return status == SPW_OK ? lay_out(g, NULL, bytes, refusal) : status;
}

static spw_status read_singular(const spw_singular_claim *claim, enclosing *g, int64_t *bytes, spw_refusal *refusal)
{
  memset(g, 0, sizeof *g);
  if (!claim) return SPW_EINVAL;
  g->singular = true;
  spw_status status = read_matrix(g, claim->a, refusal);
  if (status == SPW_OK) status = read_values(g, claim->values, refusal);
  if (status == SPW_OK) status = read_dense(g, LEFT, claim->left, g->dtype, g->m, g->k, refusal);
  if (status == SPW_OK) status = read_dense(g, RIGHT, claim->right, g->dtype, g->n, g->k, refusal);
  if (status == SPW_OK && claim->center) status = read_dense(g, CENTER, claim->center, g->dtype, g->n, -1, refusal);
  return status == SPW_OK ? lay_out(g, NULL, bytes, refusal) : status;
}

/* Is the workspace long enough, and apart from the operands? Then the rows are listed there. */
static spw_status begin(enclosing *g, void *work, size_t bytes, int64_t needed, const void *claim, size_t claim_bytes,
                        spw_refusal *refusal)
{
  const spw_byte_range all = spw_byte_range_of(work, needed, 1);
  if (!work || (uintptr_t)work % 8 != 0 || bytes < (size_t)needed || spw_work_on(claim, claim_bytes, work, (size_t)needed))
    return SPW_EINVAL;
  for (int i = 0; i < OPERANDS; i++)
    if (g->taken[i].t && spw_meets(&g->taken[i].memory, all)) return SPW_EINVAL;
  const spw_status status = lay_out(g, work, &needed, refusal);
  if (status == SPW_OK) g->finite = is_finite_matrix(g) && (!g->taken[CENTER].t || is_finite_column(g, CENTER, g->n, 0));
  return status;
}

spw_status spw_judge_eigenpairs_work(const spw_eigen_claim *claim, size_t *bytes, spw_refusal *refusal)
{
  enclosing g;
  int64_t used = 0;
  if (!bytes) return SPW_EINVAL;
  const spw_status status = read_eigen(claim, &g, &used, refusal);
  if (status == SPW_OK) *bytes = (size_t)used;
  return status;
}

spw_status spw_judge_singular_work(const spw_singular_claim *claim, size_t *bytes, spw_refusal *refusal)
{
  enclosing g;
  int64_t used = 0;
  if (!bytes) return SPW_EINVAL;
  const spw_status status = read_singular(claim, &g, &used, refusal);
  if (status == SPW_OK) *bytes = (size_t)used;
  return status;
}

spw_status spw_judge_eigenpairs(const spw_eigen_claim *claim, spw_enclosure *enclosures, double *apart, void *work, size_t bytes,
                                spw_refusal *refusal)
{
  enclosing g;
  int64_t used = 0;
  spw_status status = read_eigen(claim, &g, &used, refusal);
  if (status == SPW_OK && !enclosures && g.k > 0) status = SPW_EINVAL;
  if (status == SPW_OK) status = begin(&g, work, bytes, used, claim, sizeof *claim, refusal);
  if (status == SPW_OK) status = judge_symmetry(&g, refusal);
  if (status == SPW_OK) status = judge_weights(&g, refusal);
  if (status != SPW_OK) return status;
  for (int64_t j = 0; j < g.k; j++) enclosures[j] = enclose_eigenvalue(&g, j);
  if (apart) *apart = apart_of(&g, LEFT, g.n, g.taken[RIGHT].t != NULL);
  return SPW_OK;
}

spw_status spw_judge_singular(const spw_singular_claim *claim, spw_enclosure *enclosures, double *apart, void *work,
                              size_t bytes, spw_refusal *refusal)
{
  enclosing g;
  int64_t used = 0;
  spw_status status = read_singular(claim, &g, &used, refusal);
  if (status == SPW_OK && !enclosures && g.k > 0) status = SPW_EINVAL;
  if (status == SPW_OK) status = begin(&g, work, bytes, used, claim, sizeof *claim, refusal);
  if (status != SPW_OK) return status;
  for (int64_t j = 0; j < g.k; j++) enclosures[j] = enclose_singular_value(&g, j);
  if (!apart) return SPW_OK;
  const double left = apart_of(&g, LEFT, g.m, false), right = apart_of(&g, RIGHT, g.n, false);
  *apart = left > right ? left : right;
  return SPW_OK;
}
