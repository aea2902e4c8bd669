/* SPDX-License-Identifier: Apache-2.0 */
/* Solves any square system with KLU. The factorisation of others is not believed: what is given back was judged by its exact
 * residuals (V3). */
#include "klu_api.h"
#include "../operand/number_at.h"
#include "../owned/compose.h"
#include "../sparsewright.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 10 }; /* of refinement, at most */

typedef struct general_system {
  const spw_tensor *a, *b, *elements; /* elements: those of a, by batch, row and column */
  bool vector;                        /* so are b and x */
  int64_t batch_dims, batches;
  int64_t n, width, parts, most; /* width: right sides; parts: of a number; most: elements of one batch */
  double *omega;
  const spw_tensor *x;
} general_system;

/* One batch in float64: by columns, as KLU reads it, and the arrays of right sides, whose columns lie one after the other. */
typedef struct one_system {
  int64_t number, from, to; /* its elements */
  int64_t *starts, *rows;
  double *values, *b, *x, *step;
  spw_solution_judgement judgement;
} one_system;

static int64_t times(int64_t a, int64_t b)
{
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

/* ---- Refusals ------------------------------------------------------------------------------------ */

static void refuse(spw_composition *c, int64_t batch, int64_t what, int64_t place, int64_t known)
{
  spw_compose_refuse(c, 0, SPW_OBSTACLE_UNSOLVED, place, what, known);
  if (c->refusal && c->refusal->obstacle == SPW_OBSTACLE_UNSOLVED) c->refusal->other = batch;
}

static void refuse_row(spw_composition *c, int64_t batch, int64_t row, double omega)
{
  int64_t bits;
  memcpy(&bits, &omega, sizeof bits);
  refuse(c, batch, SPW_UNSOLVED_ROW, row, bits);
}

/* ---- The arrays of a batch ----------------------------------------------------------------------- */

static int64_t index_of(const general_system *s, int64_t dimension, int64_t k)
{
  const spw_array *const p = &s->elements->plain.array;
  const int64_t at = p->offset + dimension * p->strides[0] + k * p->strides[1];
  return p->dtype == SPW_INT64 ? s->elements->plain.i64[at] : s->elements->plain.i32[at];
}

static int64_t row_of(const general_system *s, int64_t k)
{
  return index_of(s, s->batch_dims, k);
}

static int64_t column_of(const general_system *s, int64_t k)
{
  return index_of(s, s->batch_dims + 1, k);
}

static int64_t batch_of(const general_system *s, int64_t k)
{
  int64_t batch = 0;
  for (int64_t d = 0; d < s->batch_dims; d++) batch = batch * s->a->size[d] + index_of(s, d, k);
  return batch;
}

static void value_of(const general_system *s, int64_t k, double value[2])
{
  const spw_array *const v = &s->elements->values.array;
  spw_number_at(&s->elements->values, v->offset + k * v->strides[0], false, value);
}

/* Element i of right side j of a batch in an array of the shape of b. */
static int64_t place_of(const general_system *s, const spw_array *side, int64_t batch, int64_t i, int64_t j)
{
  int64_t place = side->offset + i * side->strides[s->batch_dims] + (s->vector ? 0 : j * side->strides[s->batch_dims + 1]);
  for (int64_t d = s->batch_dims - 1; d >= 0; d--) {
    place += batch % side->shape[d] * side->strides[d];
    batch /= side->shape[d];
  }
  return place;
}

/* Is every number finite? Else *row is the first that is not. */
static bool fill_matrix(const general_system *s, one_system *o, int64_t *row)
{
  memset(o->starts, 0, (size_t)(s->n + 1) * sizeof *o->starts);
  for (int64_t k = o->from; k < o->to; k++) o->starts[column_of(s, k) + 1]++;
  for (int64_t j = 0; j < s->n; j++) o->starts[j + 1] += o->starts[j];
  for (int64_t k = o->from; k < o->to; k++) {
    double value[2];
    const int64_t at = o->starts[column_of(s, k)]++;
    *row = o->rows[at] = row_of(s, k);
    value_of(s, k, value);
    memcpy(o->values + at * s->parts, value, (size_t)s->parts * sizeof *value);
    if (!isfinite(value[0]) || !isfinite(value[1])) return false;
  }
  memmove(o->starts + 1, o->starts, (size_t)s->n * sizeof *o->starts);
  o->starts[0] = 0;
  return true;
}

static bool fill_right_side(const general_system *s, one_system *o, int64_t *row)
{
  const spw_array *const from = &s->b->values.array;
  for (int64_t i = 0; i < s->n; i++)
    for (int64_t j = 0; j < s->width; j++) {
      double value[2];
      spw_number_at(&s->b->values, place_of(s, from, o->number, i, j), false, value);
      memcpy(o->b + (j * s->n + i) * s->parts, value, (size_t)s->parts * sizeof *value);
      *row = i;
      if (!isfinite(value[0]) || !isfinite(value[1])) return false;
    }
  return true;
}

/* ---- Refinement ---------------------------------------------------------------------------------- */

static void subtract_product(spw_exact sums[2], const double m[2], const double *x, int64_t parts)
{
  (void)spw_exact_add_product(&sums[0], -m[0], x[0]);
  if (parts == 1) return;
  (void)spw_exact_add_product(&sums[0], m[1], x[1]);
  (void)spw_exact_add_product(&sums[1], -m[0], x[1]);
  (void)spw_exact_add_product(&sums[1], -m[1], x[0]);
}

/* o->step: the residuals, each rounded once. */
static void take_residuals(const general_system *s, one_system *o)
{
  for (int64_t j = 0; j < s->width; j++) {
    int64_t k = o->from;
    for (int64_t i = 0; i < s->n; i++) {
      const int64_t at = (j * s->n + i) * s->parts;
      spw_exact sums[2];
      for (int64_t part = 0; part < s->parts; part++) {
        spw_exact_start(&sums[part]);
        (void)spw_exact_add(&sums[part], o->b[at + part]);
      }
      for (; k < o->to && row_of(s, k) == i; k++) {
        double m[2];
        value_of(s, k, m);
        subtract_product(sums, m, o->x + (j * s->n + column_of(s, k)) * s->parts, s->parts);
      }
      for (int64_t part = 0; part < s->parts; part++) {
        const uint64_t bits = spw_exact_round(&sums[part], SPW_FLOAT64);
        memcpy(o->step + at + part, &bits, sizeof bits);
      }
    }
  }
}

static spw_value_array columns_of(const general_system *s, const double *data, const int64_t *shape, const int64_t *strides)
{
  return (spw_value_array){{s->parts == 2 ? SPW_COMPLEX128 : SPW_FLOAT64, 2, shape, strides, 0, s->n * s->width}, data};
}

/* Judges a claim in memory of the composition; false after a failure. */
static bool judge(spw_composition *c, const spw_solution_claim *claim, spw_solution_judgement *judgement)
{
  size_t bytes = 0;
  if (c->status == SPW_OK) c->status = spw_judge_solution_work(claim, &bytes, c->refusal);
  if (c->status == SPW_OK && bytes > c->left) c->status = SPW_ENOMEM;
  void *const work = c->status == SPW_OK ? malloc(bytes ? bytes : 1) : NULL;
  if (c->status == SPW_OK && !work) c->status = SPW_ENOMEM;
  if (c->status == SPW_OK) c->status = spw_judge_solution(claim, work, bytes, judgement, c->refusal);
  free(work);
  return c->status == SPW_OK;
}

/* Is what was found, in float64, a solution? */
static bool is_solved(spw_composition *c, const general_system *s, one_system *o)
{
  const int64_t size[] = {s->n, s->n}, shape[] = {s->n, s->width}, strides[] = {1, s->n}, one[] = {1}, ends[] = {s->n + 1};
  const int64_t nse[] = {o->to - o->from};
  const spw_dtype dtype = s->parts == 2 ? SPW_COMPLEX128 : SPW_FLOAT64;
  const spw_tensor a = {.layout = SPW_CSC, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT64, 1, ends, one, 0, ends[0]}, .i64 = o->starts},
                        .plain = {{SPW_INT64, 1, nse, one, 0, nse[0]}, .i64 = o->rows},
                        .values = {{dtype, 1, nse, one, 0, nse[0]}, o->values}};
  const spw_tensor b = {.layout = SPW_DENSE, .values = columns_of(s, o->b, shape, strides)};
  const spw_tensor x = {.layout = SPW_DENSE, .values = columns_of(s, o->x, shape, strides)};
  const spw_solution_claim claim = {.a = &a, .x = &x, .b = &b, .omega = 0x1p-51};
  return judge(c, &claim, &o->judgement) && o->judgement.verdict == SPW_RIGHT_BOUNDED;
}

static bool solve_columns(const general_system *s, const spw_klu_numbers *klu, spw_klu_symbolic *symbolic,
                          spw_klu_numeric *numeric, double *columns, spw_klu_common *common)
{
  return klu->solve(symbolic, numeric, s->n, s->width, columns, common) != 0;
}

static void refine(spw_composition *c, const general_system *s, const spw_klu_numbers *klu, spw_klu_symbolic *symbolic,
                   spw_klu_numeric *numeric, spw_klu_common *common, one_system *o)
{
  const int64_t count = s->n * s->width * s->parts;
  memcpy(o->x, o->b, (size_t)count * sizeof *o->x);
  bool went = solve_columns(s, klu, symbolic, numeric, o->x, common);
  for (int step = 0; went && !is_solved(c, s, o) && c->status == SPW_OK && step < STEPS; step++) {
    take_residuals(s, o);
    went = solve_columns(s, klu, symbolic, numeric, o->step, common);
    for (int64_t i = 0; i < count; i++) o->x[i] += o->step[i];
  }
  if (!went && c->status == SPW_OK) c->status = SPW_ENOMEM;
  if (c->status == SPW_OK && o->judgement.verdict != SPW_RIGHT_BOUNDED)
    refuse_row(c, o->number, o->judgement.row, o->judgement.omega);
}

/* ---- One batch ----------------------------------------------------------------------------------- */

static void factorise(spw_composition *c, const general_system *s, const spw_klu *klu, one_system *o)
{
  spw_klu_common common;
  memset(&common, 0, sizeof common);
  klu->defaults(&common);
  const spw_klu_numbers *const numbers = s->parts == 2 ? &klu->complex : &klu->real;
  spw_klu_symbolic *symbolic = klu->analyze(s->n, o->starts, o->rows, &common);
  spw_klu_numeric *numeric = NULL;
  if (symbolic && common.structural_rank >= 0 && common.structural_rank < s->n)
    refuse(c, o->number, SPW_UNSOLVED_RANK, -1, common.structural_rank);
  else if (symbolic)
    numeric = numbers->factor(o->starts, o->rows, o->values, symbolic, &common);
  if (c->status == SPW_OK && common.status == SPW_KLU_SINGULAR)
    refuse(c, o->number, SPW_UNSOLVED_COLUMN, common.singular_col, -1);
  if (c->status == SPW_OK && (!symbolic || !numeric || common.mempeak > c->left)) c->status = SPW_ENOMEM;
  if (c->status == SPW_OK) refine(c, s, numbers, symbolic, numeric, &common, o);
  if (numeric) numbers->free_numeric(&numeric, &common);
  if (symbolic) klu->free_symbolic(&symbolic, &common);
}

/* Rounds each number once to the type of the result. */
static void put_solution(const general_system *s, const one_system *o)
{
  const spw_array *const to = &s->x->values.array;
  const bool narrow = to->dtype == SPW_FLOAT32 || to->dtype == SPW_COMPLEX64;
  for (int64_t i = 0; i < s->n; i++)
    for (int64_t j = 0; j < s->width; j++) {
      const double *const value = o->x + (j * s->n + i) * s->parts;
      char *const at = (char *)s->x->values.data + place_of(s, to, o->number, i, j) * spw_dtype_size(to->dtype);
      for (int64_t part = 0; part < s->parts; part++) {
        const float single = (float)value[part];
        if (narrow)
          memcpy(at + 4 * part, &single, sizeof single);
        else
          memcpy(at + 8 * part, &value[part], sizeof value[part]);
      }
    }
}

static void solve_batch(spw_composition *c, const general_system *s, const spw_klu *klu, one_system *o)
{
  int64_t row = 0;
  if (!fill_matrix(s, o, &row) || !fill_right_side(s, o, &row))
    refuse_row(c, o->number, row, INFINITY);
  else
    factorise(c, s, klu, o);
  if (c->status == SPW_OK) put_solution(s, o);
}

static bool take_arrays(spw_composition *c, const general_system *s, one_system *o)
{
  const int64_t count = times(times(s->n, s->width), s->parts);
  o->starts = spw_compose_memory(c, s->n == INT64_MAX ? s->n : s->n + 1, sizeof *o->starts);
  o->rows = spw_compose_memory(c, s->most, sizeof *o->rows);
  o->values = spw_compose_memory(c, times(s->most, s->parts), sizeof *o->values);
  o->b = spw_compose_memory(c, count, sizeof *o->b);
  o->x = spw_compose_memory(c, count, sizeof *o->x);
  o->step = spw_compose_memory(c, count, sizeof *o->step);
  return c->status == SPW_OK;
}

static void solve_batches(spw_composition *c, general_system *s, const spw_klu *klu)
{
  const int64_t nse = s->elements->plain.array.shape[1];
  one_system o = {.to = 0};
  for (int64_t k = 0, first = 0; k < nse; k++) {
    if (batch_of(s, k) != batch_of(s, first)) first = k;
    if (k - first >= s->most) s->most = k - first + 1;
  }
  if (!take_arrays(c, s, &o)) return;
  for (o.number = 0; o.number < s->batches && c->status == SPW_OK; o.number++) {
    o.from = o.to;
    while (o.to < nse && batch_of(s, o.to) == o.number) o.to++;
    solve_batch(c, s, klu, &o);
  }
}

/* ---- The call ------------------------------------------------------------------------------------ */

/* Do the operands fit? They fit if b would do as the solution. */
static bool take_shape(spw_composition *c, general_system *s)
{
  const spw_solution_claim like = {.a = s->a, .x = s->b, .b = s->b};
  size_t bytes;
  c->status = spw_judge_solution_work(&like, &bytes, c->refusal);
  if (c->status != SPW_OK) return false;
  const spw_array *const b = &s->b->values.array;
  s->batch_dims = s->a->ndim - 2;
  s->vector = b->ndim == s->batch_dims + 1;
  s->batches = 1;
  for (int64_t d = 0; d < s->batch_dims; d++) s->batches = times(s->batches, b->shape[d]);
  s->n = b->shape[s->batch_dims];
  s->width = s->vector ? 1 : b->shape[s->batch_dims + 1];
  s->parts = b->dtype >= SPW_COMPLEX64 ? 2 : 1;
  return true;
}

static const spw_tensor *solve(spw_composition *c, general_system *s, const spw_klu *klu)
{
  const spw_conversion by_rows = {.layout = SPW_COO, .batch_dims = -1, .dense_dims = -1, .index_dtype = SPW_INT64};
  if (!take_shape(c, s)) return NULL;
  const spw_dtype dtype = s->b->values.array.dtype;
  s->x = spw_compose_layout(c, s->b, SPW_DENSE, 1); /* of its shape, to be written over */
  s->elements = s->x ? spw_compose_convert(c, s->a, &by_rows, 0) : NULL;
  if (!s->elements) return NULL;
  if (s->n > 0 && s->width > 0 && s->batches > 0) solve_batches(c, s, klu);
  const spw_solution_claim claim = {.a = s->a, .x = s->x, .b = s->b,
                                    .omega = dtype == SPW_FLOAT32 || dtype == SPW_COMPLEX64 ? 0x1p-22 : 0x1p-51};
  spw_solution_judgement judgement;
  if (!judge(c, &claim, &judgement)) return NULL;
  if (judgement.verdict != SPW_RIGHT_BOUNDED) refuse_row(c, judgement.batch, judgement.row, judgement.omega);
  if (s->omega && c->status == SPW_OK) *s->omega = judgement.omega;
  return s->x;
}

bool spw_solve_available(void)
{
  return spw_klu_find() != NULL;
}

spw_status spw_solve_new(const spw_tensor *a, const spw_tensor *b, double *omega, size_t limit, spw_owned **out,
                         spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  general_system s = {.a = a, .b = b, .omega = omega};
  const spw_klu *const klu = spw_klu_find();
  if (!a || !b || !out) return SPW_EINVAL;
  if (!klu) return SPW_EUNSUPPORTED;
  return spw_compose_end(&c, solve(&c, &s, klu), out);
}
