/* SPDX-License-Identifier: Apache-2.0 */
/* Is it a solution? Each row is judged by its exact residual. */
#include "judge.h"
#include "../../core/size.h"
#include "../../convert/values.h"
#include "../../convert/plan.h"
#include "../../oracle/operands.h"
#include "../../operand/overlap.h"

#include <math.h>
#include <string.h>

/* ---- The claim ----------------------------------------------------------------------------------- */

typedef struct judging {
  spw_triangle_plan plan;
  spw_operand x;
  bool general, complex;
  double omega;
  spw_format format;
  spw_matrices m; /* of plan.a, once it is combined */
  spw_rows rows;  /* of the matrix M of M X = B */
  const spw_tensor *given_x;
  spw_solution_judgement *j;
} judging;

static spw_status read_claim(const spw_solution_claim *claim, judging *g, spw_refusal *refusal)
{
  static const spw_triangle none = {0};
  memset(g, 0, sizeof *g);
  if (!claim || !claim->x || claim->x->layout != SPW_DENSE) return SPW_EINVAL;
  g->general = !claim->triangle;
  g->omega = claim->omega;
  g->given_x = claim->x;
  if (g->general && !(claim->omega >= 0 && isfinite(claim->omega))) return SPW_EINVAL;
  spw_status status = spw_triangle_fits(claim->a, claim->b, g->general ? &none : claim->triangle, true, &g->plan, refusal);
  if (status == SPW_OK) status = spw_operand_take(claim->x, 2, true, 1, &g->x, refusal);
  if (status == SPW_OK) status = spw_side_fits(&g->plan, claim->x, 2, refusal);
  g->complex = spw_is_complex(g->plan.dtype);
  g->format = spw_format_of(g->plan.dtype);
  return status;
}

/* Duplicates of COO are combined; the rows of what comes of that are listed. */
static spw_status lay_out(judging *g, char *base, int64_t *bytes, spw_refusal *refusal)
{
  spw_arena arena = {base, 0};
  spw_triangle_plan *const plan = &g->plan;
  const spw_status status = spw_judge_combined(&plan->a, &plan->combined, &arena, refusal);
  if (status != SPW_OK) return status;
  if (spw_matrices_of(plan->a, &g->m) != SPW_OK) return spw_refuse_operand(refusal, 2, SPW_OBSTACLE_SIZE, -1, -1, -1);
  /* What duplicates are combined into has no more elements. */
  int64_t *const room = spw_take(&arena, spw_rows_room(&g->m, plan->transposed), sizeof *room);
  *bytes = arena.used;
  if (!base) return SPW_OK;
  int64_t twice;
  g->rows = spw_gather_rows(plan->a, &g->m, plan->transposed, room);
  (void)spw_sort_rows(&g->rows, &g->m, &twice);
  return SPW_OK;
}

static spw_status make(const spw_solution_claim *claim, judging *g, int64_t *bytes, spw_refusal *refusal)
{
  spw_status status = read_claim(claim, g, refusal);
  if (status == SPW_OK) status = lay_out(g, NULL, bytes, refusal);
  if (status == SPW_OK && !spw_is_object_size(*bytes)) status = spw_refuse_operand(refusal, 2, SPW_OBSTACLE_SIZE, -1, -1, -1);
  return status;
}

/* ---- Rows ---------------------------------------------------------------------------------------- */

/* One equation for one right side. */
typedef struct equation {
  spw_exact residual[2], gauge[2]; /* of both parts; the gauge of the products */
  int64_t terms;
  double b[2], x[2], pivot[2]; /* pivot: 1 if it is taken to be */
  bool finite, others_finite;  /* all numbers; all but x */
  double special;              /* b - m x, of real types, with 0 for all that is finite */
} equation;

static void add_product(equation *q, int part, double m, double x)
{
  (void)spw_exact_add_product(&q->residual[part], -m, x);
  (void)spw_exact_add_product(&q->gauge[part], fabs(m), fabs(x));
}

/* The number m times the one x is taken away; is it the unknown of this equation? */
static void take_term(const judging *g, equation *q, const double m[2], const double x[2], bool own)
{
  const bool finite = isfinite(m[0]) && isfinite(m[1]), with_x = isfinite(x[0]) && isfinite(x[1]);
  q->terms++;
  q->finite = q->finite && finite && with_x;
  q->others_finite = q->others_finite && finite && (own || with_x);
  if (!own && !(finite && with_x)) q->special -= m[0] * x[0];
  if (!finite || !with_x) return;
  add_product(q, 0, m[0], x[0]);
  if (!g->complex) return;
  add_product(q, 0, -m[1], x[1]);
  add_product(q, 1, m[0], x[1]);
  add_product(q, 1, m[1], x[0]);
}

static void start_equation(const judging *g, const spw_solution_judgement *at, equation *q)
{
  for (int part = 0; part < 2; part++) {
    spw_exact_start(&q->residual[part]);
    spw_exact_start(&q->gauge[part]);
  }
  q->terms = 0;
  q->pivot[0] = 1;
  q->pivot[1] = 0;
  spw_number_at(&g->plan.b->values, spw_side_place(&g->plan, &g->plan.b->values.array, at->batch, at->row, at->column), false,
                q->b);
  spw_number_at(&g->given_x->values, spw_side_place(&g->plan, &g->given_x->values.array, at->batch, at->row, at->column), false,
                q->x);
  q->finite = q->others_finite = isfinite(q->b[0]) && isfinite(q->b[1]);
  q->special = q->finite ? 0 : q->b[0];
  for (int part = 0; part < 2 && q->finite; part++) (void)spw_exact_add(&q->residual[part], q->b[part]);
}

/* Is column k of row i on the side that is read? */
static bool is_read(const judging *g, int64_t i, int64_t k)
{
  if (g->general) return true;
  if (k == i) return !g->plan.wanted.unit;
  return g->plan.upper ? k > i : k < i;
}

static void gather(const judging *g, const spw_solution_judgement *at, equation *q)
{
  static const double one[2] = {1, 0};
  const int64_t row = at->batch * g->plan.n + at->row;
  start_equation(g, at, q);
  for (int64_t e = g->rows.starts[row]; e < g->rows.starts[row + 1]; e++) {
    const int64_t k = g->rows.entries[e].column;
    double m[2], x[2];
    if (!is_read(g, at->row, k)) continue;
    spw_number_at(&g->plan.a->values, g->rows.entries[e].place, g->plan.conjugate, m);
    spw_number_at(&g->given_x->values, spw_side_place(&g->plan, &g->given_x->values.array, at->batch, k, at->column), false, x);
    if (k == at->row) memcpy(q->pivot, m, sizeof m);
    take_term(g, q, m, x, k == at->row);
  }
  if (!g->general && g->plan.wanted.unit) take_term(g, q, one, q->x, true);
}

/* ---- Bounds -------------------------------------------------------------------------------------- */

static spw_upper one_norm(const double x[2])
{
  return spw_upper_add(spw_upper_magnitude(x[0]), spw_upper_magnitude(x[1]));
}

/* What operations that fall below the normal numbers add, in units of half of the smallest number. */
static spw_upper count_underflow(const judging *g, const equation *q)
{
  const spw_upper one = spw_upper_power(0), terms = spw_upper_of((uint64_t)q->terms, 0, false);
  if (!g->complex) return spw_upper_add(terms, spw_upper_magnitude(q->pivot[0]));
  const spw_upper both = spw_upper_mul(spw_upper_add(one, one_norm(q->pivot)), spw_upper_add(one, one_norm(q->x)));
  return spw_upper_mul(spw_upper_add(spw_upper_add(terms, both), spw_upper_power(1)), spw_upper_power(2));
}

/* The error that substitution may have (V2). */
static spw_upper bound_of(const judging *g, const equation *q)
{
  uint32_t gauge[SPW_EXACT_LIMBS];
  const spw_upper growth = spw_upper_shrunk(g->format.bits, q->terms + (g->complex ? 12 : 1));
  memcpy(gauge, q->gauge[0].positive, sizeof gauge);
  if (g->complex) spw_wide_add(gauge, q->gauge[1].positive);
  const spw_upper lost = spw_upper_mul(count_underflow(g, q), spw_upper_power(spw_format_lowest(g->format) - 1));
  return spw_upper_add(spw_upper_mul(growth, spw_wide_upper(gauge)),
                       spw_upper_mul(lost, spw_upper_add(spw_upper_power(0), growth)));
}

/* May the sum before the division be beyond all numbers, or the quotient? */
static bool may_overflow(const judging *g, const equation *q, bool quotient)
{
  spw_exact all = q->gauge[0];
  if (g->complex) return true;
  (void)spw_exact_add(&all, fabs(q->b[0]));
  const int32_t top = spw_wide_top(all.positive), most = g->format.most - 1;
  if (top > most) return true;
  return quotient && top - spw_binary_top(spw_binary_of(q->pivot[0])) + 1 > most;
}

/* ---- Verdicts ------------------------------------------------------------------------------------ */

static bool is_within(const uint32_t *residual, const uint32_t *limit)
{
  uint32_t rest[SPW_EXACT_LIMBS];
  return spw_wide_difference(rest, residual, limit) <= 0;
}

/* May the denominator of a complex quotient be beyond all numbers? A part above half of the largest one lets it. */
static bool may_divide_by_infinity(const judging *g, const equation *q)
{
  bool may = false;
  for (int part = 0; part < 2; part++) {
    const spw_binary b = spw_binary_of(q->pivot[part]);
    may = may || (b.kind == SPW_KIND_FINITE && spw_binary_top(b) > g->format.most);
  }
  return g->complex && may;
}

static spw_verdict judge_bounded(const judging *g, const equation *q, int part, spw_solution_judgement *number)
{
  uint32_t residual[SPW_EXACT_LIMBS], limit[SPW_EXACT_LIMBS] = {0};
  const spw_upper bound = bound_of(g, q);
  (void)spw_wide_difference(residual, q->residual[part].positive, q->residual[part].negative);
  number->residual = spw_upper_double(spw_wide_upper(residual));
  number->bound = spw_upper_double(bound);
  number->ratio = spw_upper_ratio(spw_wide_upper(residual), bound);
  if (!spw_wide_add_upper(limit, bound) || is_within(residual, limit)) return SPW_RIGHT_BOUNDED;
  return may_divide_by_infinity(g, q) ? SPW_UNDECIDED : SPW_WRONG;
}

/* Any square matrix: within omega times the gauge, b included. */
static spw_verdict judge_general(const judging *g, const equation *q, int part, spw_solution_judgement *number)
{
  uint32_t residual[SPW_EXACT_LIMBS], limit[SPW_EXACT_LIMBS] = {0};
  const spw_binary omega = spw_binary_of(g->omega);
  spw_exact gauge = q->gauge[part];
  (void)spw_exact_add(&gauge, fabs(q->b[part]));
  (void)spw_wide_difference(residual, q->residual[part].positive, q->residual[part].negative);
  if (omega.kind == SPW_KIND_FINITE) spw_wide_add_scaled(limit, gauge.positive, omega.mantissa, omega.exponent);
  const spw_upper r = spw_wide_upper(residual), bound = spw_wide_upper(limit);
  number->residual = spw_upper_double(r);
  number->bound = spw_upper_double(bound);
  number->ratio = spw_upper_ratio(r, bound);
  if (r.m > 0) number->omega = spw_upper_above(spw_upper_over(r, spw_wide_lower(gauge.positive)));
  return is_within(residual, limit) ? SPW_RIGHT_BOUNDED : SPW_WRONG;
}

/* Where b, M or another unknown is no finite number: what a sum in any order gives, divided. */
static spw_verdict judge_class(const equation *q)
{
  const double wanted = q->special / q->pivot[0], x = q->x[0];
  if (isnan(q->special) || isnan(wanted)) return isnan(x) ? SPW_RIGHT_SPECIAL : SPW_WRONG;
  if (isinf(wanted)) return x == wanted ? SPW_RIGHT_SPECIAL : isnan(x) ? SPW_UNDECIDED : SPW_WRONG;
  return x == 0 ? SPW_RIGHT_SPECIAL : isnan(x) ? SPW_UNDECIDED : SPW_WRONG; /* something finite over an infinity */
}

static spw_verdict judge_special(const judging *g, const equation *q, spw_solution_judgement *number)
{
  number->residual = number->bound = number->ratio = INFINITY;
  if (g->general) {
    number->omega = INFINITY;
    return SPW_WRONG;
  }
  if (!q->others_finite) return g->complex ? SPW_UNDECIDED : judge_class(q);
  return may_overflow(g, q, isinf(q->x[0])) ? SPW_UNDECIDED : SPW_WRONG;
}

/* ---- The whole ----------------------------------------------------------------------------------- */

static void note(spw_solution_judgement *j, const spw_solution_judgement *number, spw_verdict verdict)
{
  const bool first_wrong = verdict == SPW_WRONG && j->wrong == 0;
  const bool most = j->wrong == 0 && (j->numbers == 0 || number->ratio > j->ratio);
  if (first_wrong || most) {
    j->batch = number->batch;
    j->row = number->row;
    j->column = number->column;
    j->part = number->part;
    j->residual = number->residual;
    j->bound = number->bound;
    j->ratio = number->ratio;
  }
  if (number->omega > j->omega) j->omega = number->omega;
  j->numbers++;
  j->bounded += verdict == SPW_RIGHT_BOUNDED;
  j->special += verdict == SPW_RIGHT_SPECIAL;
  j->undecided += verdict == SPW_UNDECIDED;
  j->wrong += verdict == SPW_WRONG;
}

static void judge_row(judging *g, int64_t batch, int64_t row, int64_t column)
{
  equation q;
  spw_solution_judgement at = {.batch = batch, .row = row, .column = column};
  gather(g, &at, &q);
  for (int part = 0; part < (g->complex ? 2 : 1); part++) {
    at.part = part;
    const spw_verdict verdict = !q.finite    ? judge_special(g, &q, &at)
                                : g->general ? judge_general(g, &q, part, &at)
                                             : judge_bounded(g, &q, part, &at);
    note(g->j, &at, verdict);
  }
}

/* The first diagonal element that is not stored, or == 0. */
static spw_status judge_pivots(const judging *g, spw_refusal *refusal)
{
  const int64_t n = g->plan.n;
  if (g->general || g->plan.wanted.unit) return SPW_OK;
  for (int64_t row = 0; row < g->m.rows; row++) {
    double m[2] = {0, 0};
    bool stored = false;
    for (int64_t e = g->rows.starts[row]; e < g->rows.starts[row + 1] && !stored; e++) {
      stored = g->rows.entries[e].column == row % n;
      if (stored) spw_number_at(&g->plan.a->values, g->rows.entries[e].place, false, m);
    }
    if (m[0] != 0 || m[1] != 0) continue; /* NaN is != 0 */
    return spw_refuse(refusal, SPW_OBSTACLE_PIVOT, row % n, row / n, stored, -1);
  }
  return SPW_OK;
}

static void judge_all(judging *g)
{
  spw_solution_judgement *const j = g->j;
  const int64_t n = g->plan.n;
  for (int64_t row = 0; row < g->m.rows; row++)
    for (int64_t column = 0; column < g->plan.width; column++) judge_row(g, row / n, row % n, column);
  j->verdict = j->wrong > 0 ? SPW_WRONG : j->undecided > 0 ? SPW_UNDECIDED : j->bounded > 0 || j->numbers == 0
      ? SPW_RIGHT_BOUNDED : SPW_RIGHT_SPECIAL;
}

spw_status spw_judge_solution_work(const spw_solution_claim *claim, size_t *bytes, spw_refusal *refusal)
{
  judging g;
  int64_t used = 0;
  if (!bytes) return SPW_EINVAL;
  const spw_status status = make(claim, &g, &used, refusal);
  if (status == SPW_OK) *bytes = (size_t)used;
  return status;
}

static bool lies_on_claim(const spw_solution_claim *claim, const judging *g, const void *work, int64_t bytes)
{
  const spw_byte_range all = spw_byte_range_of(work, bytes, 1);
  const spw_triangle *const t = claim->triangle;
  for (int i = 0; i < 2; i++)
    if (spw_meets(&g->plan.operands[i].memory, all)) return true;
  return spw_meets(&g->x.memory, all) || spw_work_on(claim, sizeof *claim, work, (size_t)bytes) ||
         (t && spw_work_on(t, sizeof *t, work, (size_t)bytes));
}

spw_status spw_judge_solution(const spw_solution_claim *claim, void *work, size_t bytes, spw_solution_judgement *judgement,
                              spw_refusal *refusal)
{
  judging g;
  int64_t used = 0;
  if (!judgement) return SPW_EINVAL;
  spw_status status = make(claim, &g, &used, refusal);
  if (status != SPW_OK) return status;
  if (!work || (uintptr_t)work % 8 != 0 || bytes < (size_t)used || lies_on_claim(claim, &g, work, used)) return SPW_EINVAL;
  status = lay_out(&g, work, &used, refusal);
  if (status == SPW_OK) status = judge_pivots(&g, refusal);
  if (status != SPW_OK) return status;
  const spw_solution_judgement none = {.batch = -1, .row = -1, .column = -1};
  *judgement = none;
  g.j = judgement;
  judge_all(&g);
  return SPW_OK;
}
