/* SPDX-License-Identifier: Apache-2.0 */
#include "solved.h"

#include "../attempts/fenced.h"
#include "../../fuzz/inputs/values.h"
#include "scalar.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TERMS = 200000 };

static char text[300];

#define WRONG(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

typedef struct asked {
  const spw_tensor *a, *b;
  const spw_triangle *wanted;
} asked;

/* ---- Squares ------------------------------------------------------------------------------------- */

void square_random(square *s, dice *d)
{
  static const spw_dtype types[] = {SPW_FLOAT32, SPW_FLOAT64, SPW_COMPLEX64, SPW_COMPLEX128};
  plan p = plan_random(d);
  const int64_t n = roll_below(d, 6);
  p.dense_ndim = roll_below(d, 20) == 0;
  p.has_size = roll_below(d, 20) > 0;
  p.batch_ndim = roll_below(d, 2) ? 0 : 1 + roll_below(d, 2);
  for (int64_t i = 0; i < p.batch_ndim; i++) p.batch[i] = 1 + roll_below(d, 2);
  if (roll_below(d, 30) == 0) p.batch[0] = 0;
  p.block[1] = p.block[0];
  p.C = p.P = n;
  if (roll_below(d, 30) == 0) p.P++;
  p.sparse_dim = 2 + (p.batch_ndim > 0);
  p.sparse_size[0] = p.batch_ndim > 0 ? p.batch[0] : n;
  p.sparse_size[1] = n;
  p.sparse_size[2] = p.P;
  if (p.sparse_dim == 2) p.sparse_size[1] = p.P;
  int64_t grid = p.C * p.P;
  if (p.layout == SPW_COO && p.sparse_dim == 3) grid *= p.sparse_size[0];
  p.nse = roll_below(d, 4) ? grid : roll_below(d, grid + 1);
  p.scattered = p.layout == SPW_COO && p.coalesced != SPW_CLAIM_YES && grid > 0 && roll_below(d, 4) == 0;
  if (p.scattered) p.nse = roll_below(d, 3 * grid);
  specimen_make(&s->specimen, &p, d);
  s->tensor = s->specimen.tensor;
  const spw_array *const v = &s->tensor.values.array;
  s->values.array.ndim = v->ndim;
  memcpy(s->values.shape, s->specimen.shape[2], sizeof s->values.shape);
  const spw_dtype dtype = roll_below(d, 30) ? types[roll_below(d, 4)] : (spw_dtype)(1 + roll_below(d, SPW_DTYPE_COUNT - 1));
  const int64_t most = 1 << FUZZ_SMALL | 1 << FUZZ_NUMBER, classes = roll_below(d, 4) ? most : FUZZ_EVERY_CLASS;
  strided_make(&s->values, dtype, classes, true, d);
  s->tensor.values.array = s->values.array;
  s->tensor.values.data = s->values.data;
  if (p.declares) s->tensor.dtype = dtype;
}

void square_free(square *s)
{
  strided_free(&s->values);
}

/* ---- What stands in its way ---------------------------------------------------------------------- */

static bool is_solved_for(spw_dtype dtype)
{
  return dtype == SPW_FLOAT32 || dtype == SPW_FLOAT64 || dtype == SPW_COMPLEX64 || dtype == SPW_COMPLEX128;
}

/* The dimension of the unknowns in B; -1: B has no such dimension. */
static int64_t unknowns(const asked *q)
{
  const int64_t batches = q->a->ndim - 2, ndim = q->b->values.array.ndim;
  return ndim == batches + 1 ? batches : ndim == batches + 2 ? batches + q->wanted->right : -1;
}

/* Is this obstacle, of those that sizes and types tell, there? */
static bool is_there(const asked *q, const spw_refusal *r)
{
  const spw_tensor *const a = q->a;
  const spw_array *const b = &q->b->values.array;
  spw_numbers n;
  spw_numbers_of(a, &n);
  const int64_t at = a->has_size && a->ndim >= 2 ? unknowns(q) : -1, batches = a->has_size ? a->ndim - 2 : 0;
  switch (r->obstacle) {
  case SPW_OBSTACLE_NO_SIZE: return !a->has_size && r->operand == 0;
  case SPW_OBSTACLE_HYBRID: return n.dense_dims > 0 && r->lhs == n.dense_dims && r->operand == 0;
  case SPW_OBSTACLE_TYPES:
    if (r->operand == 0) return !is_solved_for(a->values.array.dtype) && r->rhs == -1;
    return b->dtype != a->values.array.dtype && r->lhs == (int64_t)b->dtype && r->rhs == (int64_t)a->values.array.dtype;
  case SPW_OBSTACLE_DIMENSIONS: return r->operand == 0 ? a->ndim < 2 : at < 0 && r->lhs == b->ndim && r->rhs == batches + 2;
  case SPW_OBSTACLE_SHAPES:
    if (r->operand == 0) return a->size[batches] != a->size[batches + 1] && r->place == batches + 1;
    if (r->place < 0 || r->place >= b->ndim || r->lhs != b->shape[r->place] || r->lhs == r->rhs) return false;
    return r->place < batches ? r->rhs == a->size[r->place] : r->place == at && r->rhs == a->size[batches];
  default: return false;
  }
}

static bool anything_is_there(const asked *q)
{
  const spw_array *const b = &q->b->values.array;
  const spw_tensor *const a = q->a;
  spw_numbers n;
  spw_numbers_of(a, &n);
  if (!a->has_size || a->ndim < 2 || n.dense_dims > 0 || !is_solved_for(a->values.array.dtype)) return true;
  if (a->size[a->ndim - 2] != a->size[a->ndim - 1] || b->dtype != a->values.array.dtype || unknowns(q) < 0) return true;
  for (int64_t d = 0; d < a->ndim - 2; d++)
    if (b->shape[d] != a->size[d]) return true;
  return b->shape[unknowns(q)] != a->size[a->ndim - 1];
}

/* ---- Numbers ------------------------------------------------------------------------------------- */

typedef struct number {
  double re, im;
} number;

/* Rounded to the type of the parts. */
static double in(spw_dtype dtype, double x)
{
  return scalar_part_type(dtype) == SPW_FLOAT32 || dtype == SPW_COMPLEX64 ? (double)(float)x : x;
}

static spw_dtype part_of(spw_dtype dtype)
{
  return dtype == SPW_COMPLEX64 ? SPW_FLOAT32 : dtype == SPW_COMPLEX128 ? SPW_FLOAT64 : dtype;
}

static number number_of(spw_dtype dtype, const void *scalar)
{
  number x = {scalar_to_double(part_of(dtype), scalar_bits(dtype, scalar, 0)), 0};
  if (scalar_is_complex(dtype)) x.im = scalar_to_double(part_of(dtype), scalar_bits(dtype, scalar, 1));
  return x;
}

static bool same_number(spw_dtype dtype, number x, const void *scalar)
{
  char bytes[16];
  const uint64_t parts[2] = {scalar_of_double(part_of(dtype), x.re), scalar_of_double(part_of(dtype), x.im)};
  const size_t width = (size_t)scalar_width(part_of(dtype));
  memcpy(bytes, &parts[0], width);
  if (scalar_is_complex(dtype)) memcpy(bytes + width, &parts[1], width);
  return scalar_same(dtype, bytes, scalar, true);
}

static number less(spw_dtype t, number a, number m, number x)
{
  if (!scalar_is_complex(t)) return (number){in(t, a.re - in(t, m.re * x.re)), 0};
  const double re = in(t, in(t, m.re * x.re) - in(t, m.im * x.im)), im = in(t, in(t, m.re * x.im) + in(t, m.im * x.re));
  return (number){in(t, a.re - re), in(t, a.im - im)};
}

static number over(spw_dtype t, number a, number m)
{
  if (!scalar_is_complex(t)) return (number){in(t, a.re / m.re), 0};
  if (fabs(m.re) >= fabs(m.im)) {
    const double r = in(t, m.im / m.re), q = in(t, m.re + in(t, m.im * r));
    return (number){in(t, in(t, a.re + in(t, a.im * r)) / q), in(t, in(t, a.im - in(t, a.re * r)) / q)};
  }
  const double r = in(t, m.re / m.im), q = in(t, in(t, m.re * r) + m.im);
  return (number){in(t, in(t, in(t, a.re * r) + a.im) / q), in(t, in(t, in(t, a.im * r) - a.re) / q)};
}

/* ---- Solving ------------------------------------------------------------------------------------- */

/* Element (row, column) of A of a batch; false: it is not stored. */
static bool find(const asked *q, const meaning *m, int64_t batch, int64_t row, int64_t column, number *x)
{
  for (int64_t k = 0; k < m->count; k++) {
    const int64_t *const at = m->cells[k].at;
    int64_t own = 0;
    for (int64_t d = 0; d < m->leading - 2; d++) own = own * q->a->size[d] + at[d];
    if (own != batch || at[m->leading - 2] != row || at[m->leading - 1] != column) continue;
    *x = number_of(m->dtype, m->cells[k].scalars);
    return true;
  }
  return false;
}

/* Element (i, k) of the matrix M of M X = B, on the side that is asked for. */
static bool element(const asked *q, const meaning *m, int64_t batch, int64_t i, int64_t k, number *x)
{
  const spw_triangle *const w = q->wanted;
  const bool turned = (w->transpose || w->adjoint) != w->right;
  const int64_t row = turned ? k : i, column = turned ? i : k;
  if (w->upper ? column < row : column > row) return false;
  if (!find(q, m, batch, row, column, x)) return false;
  if (w->adjoint) x->im = -x->im;
  return true;
}

static int64_t place_of(const asked *q, const spw_array *b, int64_t batch, int64_t i, int64_t j)
{
  const int64_t batches = q->a->ndim - 2, at = unknowns(q);
  int64_t place = b->offset + i * b->strides[at];
  if (b->ndim == batches + 2) place += j * b->strides[2 * batches + 1 - at];
  for (int64_t d = batches - 1; d >= 0; d--) {
    place += batch % b->shape[d] * b->strides[d];
    batch /= b->shape[d];
  }
  return place;
}

static const void *scalar_in(const spw_value_array *v, int64_t place)
{
  return (const char *)v->data + place * scalar_width(v->array.dtype);
}

static const char *wrong_column(const asked *q, const meaning *m, const spw_tensor *x, int64_t batch, int64_t j)
{
  const spw_triangle *const w = q->wanted;
  const int64_t n = q->a->size[q->a->ndim - 1];
  const bool down = w->upper != ((w->transpose || w->adjoint) != w->right);
  number known[64];
  for (int64_t s = 0; s < n; s++) {
    const int64_t i = down ? n - 1 - s : s;
    number sum = number_of(m->dtype, scalar_in(&q->b->values, place_of(q, &q->b->values.array, batch, i, j))), v;
    for (int64_t r = 0; r < s; r++) {
      const int64_t k = down ? n - 1 - r : r;
      if (element(q, m, batch, i, k, &v)) sum = less(m->dtype, sum, v, known[k]);
    }
    if (!w->unit) sum = element(q, m, batch, i, i, &v) ? over(m->dtype, sum, v) : (number){NAN, NAN};
    known[i] = sum;
    if (!same_number(m->dtype, sum, scalar_in(&x->values, place_of(q, &x->values.array, batch, i, j))))
      return WRONG("batch %lld, unknown %lld of right side %lld: %a %a is expected", (long long)batch, (long long)i, (long long)j,
                   sum.re, sum.im);
  }
  return NULL;
}

typedef struct counted {
  int64_t batches, n, width;
} counted;

static counted count(const asked *q)
{
  const int64_t dims = q->a->ndim - 2;
  const spw_array *const b = &q->b->values.array;
  counted c = {1, q->a->size[dims], b->ndim == dims + 1 ? 1 : b->shape[2 * dims + 1 - unknowns(q)]};
  for (int64_t d = 0; d < dims; d++) c.batches *= q->a->size[d];
  return c;
}

/* Of which batch and row the diagonal element is missing, or 0, first; false: of none. */
static bool first_pivot(const asked *q, const meaning *m, int64_t *batch, int64_t *row, bool *stored)
{
  const counted c = count(q);
  if (q->wanted->unit) return false;
  for (*batch = 0; *batch < c.batches; ++*batch)
    for (*row = 0; *row < c.n; ++*row) {
      number v = {0, 0};
      *stored = find(q, m, *batch, *row, *row, &v);
      if (v.re == 0 && v.im == 0) return true;
    }
  return false;
}

static const char *wrong_numbers(const asked *q, const meaning *m, spw_status status, const spw_refusal *r, const spw_tensor *x)
{
  const counted c = count(q);
  int64_t batch = 0, row = 0;
  bool stored = false;
  const bool pivot = first_pivot(q, m, &batch, &row, &stored);
  if (status != SPW_OK) return pivot && r->obstacle == SPW_OBSTACLE_PIVOT && r->other == batch && r->place == row
      && r->lhs == stored ? NULL : "no such diagonal element is missing";
  if (pivot) return "a missing diagonal is not refused";
  const spw_array *const b = &q->b->values.array, *const v = &x->values.array;
  if (x->layout != SPW_DENSE || v->ndim != b->ndim || v->dtype != b->dtype) return "the result is another array";
  for (int64_t d = 0; d < b->ndim; d++)
    if (v->shape[d] != b->shape[d]) return "the result has another shape";
  for (batch = 0; batch < c.batches; batch++)
    for (int64_t j = 0; j < c.width; j++) {
      const char *const wrong = wrong_column(q, m, x, batch, j);
      if (wrong) return wrong;
    }
  return NULL;
}

/* ---- Trying -------------------------------------------------------------------------------------- */

static spw_status size_asked(const void *context, bool judged, spw_room *room, spw_refusal *refusal)
{
  const asked *const q = context;
  return (judged ? spw_solve_triangular_size : spw_solve_triangular_size_unchecked)(q->a, q->b, q->wanted, room, refusal);
}

static spw_status fill_asked(const void *context, bool judged, const spw_buffers *buffers, spw_tensor *result,
                             spw_refusal *refusal)
{
  const asked *const q = context;
  return (judged ? spw_solve_triangular : spw_solve_triangular_unchecked)(q->a, q->b, q->wanted, buffers, result, refusal);
}

static const char *wrong_asked(const void *context, spw_status status, const spw_refusal *refusal, const spw_room *room,
                               const spw_tensor *result, bool *seen)
{
  const asked *const q = context;
  meaning m;
  *seen = true;
  (void)room;
  if (q->a->has_size && q->a->ndim > SPW_STRUCTURE_DIMS) return status == SPW_OK ? "so many dimensions are taken" : NULL;
  if (status == SPW_ERANGE && refusal->obstacle != SPW_OBSTACLE_PIVOT) return is_there(q, refusal) ? NULL
      : WRONG("obstacle %d of operand %d is not there", (int)refusal->obstacle, refusal->operand);
  if (status != SPW_OK && status != SPW_ERANGE) return WRONG("status %d", (int)status);
  if (anything_is_there(q)) return "it is not refused";
  if (!result) return NULL;
  *seen = false;
  const counted c = count(q);
  if (c.n > 64 || c.batches * c.n * c.n * c.width > MOST_TERMS || !meaning_of(q->a, 0, &m)) return NULL;
  *seen = true;
  meaning_sort(&m);
  meaning_combine(&m, SPW_COMBINE_SUM);
  const char *const wrong = wrong_numbers(q, &m, status, refusal, result);
  meaning_free(&m);
  return wrong;
}

static const char *attempt_solve(const asked *q, spw_status *status, bool *seen)
{
  static const two_calls calls = {size_asked, fill_asked, wrong_asked};
  bool valid = false;
  spw_room room = {.dims = -77};
  spw_refusal refusal;
  *status = spw_is_valid(q->a, SPW_CANONICAL, &valid);
  if (*status == SPW_OK && !valid) *status = SPW_EINVALID;
  if (*status != SPW_OK) {
    *seen = true;
    return spw_solve_triangular_size(q->a, q->b, q->wanted, &room, &refusal) == *status && room.dims == -77
        ? NULL : "an invalid operand is taken";
  }
  const char *const wrong = attempt_two_calls(&calls, q, status, seen);
  return wrong || *status != SPW_OK ? wrong : attempt_short_buffers(&calls, q);
}

/* A right side that fits, or now and then does not. */
static void draw_side(const spw_tensor *a, const spw_triangle *w, strided *b, dice *d)
{
  const bool sized = a->has_size && a->ndim >= 2 && a->ndim < STRIDED_DIMS;
  const int64_t batches = sized ? a->ndim - 2 : 0, n = sized ? a->size[batches + 1] : 2;
  const bool vector = roll_below(d, 3) == 0;
  b->array.ndim = batches + (vector ? 1 : 2);
  for (int64_t i = 0; i < batches; i++) b->shape[i] = a->size[i];
  b->shape[batches] = b->shape[batches + !vector] = roll_below(d, 5);
  b->shape[batches + (!vector && w->right)] = n;
  for (int64_t i = 0; i < b->array.ndim; i++)
    if (b->shape[i] < 0) b->shape[i] = 0;
  if (roll_below(d, 25) == 0) b->shape[roll_below(d, b->array.ndim)]++;
  if (roll_below(d, 40) == 0) b->array.ndim--;
}

const char *attempt_any_solve(const spw_tensor *a, dice *d, spw_triangle *wanted, spw_status *status, bool *seen)
{
  strided b;
  const spw_dtype dtype = roll_below(d, 40) ? a->values.array.dtype : SPW_FLOAT32;
  const int64_t few = 1 << FUZZ_SMALL | 1 << FUZZ_NUMBER;
  *wanted = (spw_triangle){.upper = roll_below(d, 2), .unit = roll_below(d, 3) == 0, .right = roll_below(d, 3) == 0};
  *(roll_below(d, 2) ? &wanted->transpose : &wanted->adjoint) = roll_below(d, 2);
  *seen = false;
  *status = SPW_EINVAL;
  if (spw_dtype_size(a->values.array.dtype) == 0) return NULL;
  draw_side(a, wanted, &b, d);
  if (!strided_small(&b)) return NULL;
  strided_make(&b, dtype, roll_below(d, 2) ? few : FUZZ_EVERY_CLASS, true, d);
  const spw_tensor side = {.layout = SPW_DENSE, .values = {b.array, b.data}};
  const asked q = {a, &side, wanted};
  const char *const wrong = attempt_solve(&q, status, seen);
  strided_free(&b);
  return wrong;
}

/* ---- Judging ------------------------------------------------------------------------------------- */

static spw_status judge(const spw_solution_claim *claim, spw_solution_judgement *j, spw_refusal *refusal)
{
  size_t bytes = 0;
  spw_status status = spw_judge_solution_work(claim, &bytes, refusal);
  if (status != SPW_OK) return status;
  char *const work = malloc(bytes);
  if (!work) abort();
  j->numbers = -77;
  if (spw_judge_solution(claim, work, bytes - 1, j, refusal) != SPW_EINVAL || j->numbers != -77) status = SPW_EIO;
  if (status == SPW_OK) status = spw_judge_solution(claim, work, bytes, j, refusal);
  free(work);
  return status;
}

/* Makes a part of a number twice as large, and more. */
static void change(spw_tensor *x, dice *d)
{
  const spw_dtype part = part_of(x->values.array.dtype);
  const int64_t width = scalar_width(part);
  char *const place = (char *)x->values.data + roll_below(d, x->values.array.length) * scalar_width(x->values.array.dtype);
  uint64_t bits = 0;
  memcpy(&bits, place, (size_t)width);
  const double value = scalar_to_double(part, bits);
  bits = scalar_of_double(part, 2 * value + (value < 0 ? -1 : 1));
  memcpy(place, &bits, (size_t)width);
}

/* Where no matrix element is above 8: is the error of every equation below 1, as the change of one unknown is not? */
static bool is_tame(const spw_tensor *x, const counted *c)
{
  double most = 1;
  for (int64_t k = 0; k < x->values.array.length; k++) {
    const number v = number_of(x->values.array.dtype, scalar_in(&x->values, k));
    most = fmax(most, fabs(v.re) + fabs(v.im));
  }
  return most * 64 * (double)((c->n + 1) * (c->n + 14)) < (part_of(x->values.array.dtype) == SPW_FLOAT32 ? 0x1p24 : 0x1p53);
}

/* Of small whole numbers: a change of one unknown is more than any error. */
static const char *changed_passes(const asked *q, spw_solution_claim *claim, spw_tensor *x, dice *d)
{
  spw_solution_judgement j;
  change(x, d);
  if (judge(claim, &j, NULL) != SPW_OK) return "a changed solution is refused";
  if (j.wrong == 0 && j.undecided == 0) return "a changed solution is right";
  if (q->wanted->right) return NULL;
  claim->triangle = NULL;
  claim->omega = 0;
  if (judge(claim, &j, NULL) != SPW_OK) return "judging by a backward error is refused";
  const spw_verdict verdict = j.verdict;
  claim->omega = j.omega;
  if (j.omega < INFINITY && judge(claim, &j, NULL) == SPW_OK && j.wrong > 0) return "the backward error is larger than it says";
  return verdict == SPW_WRONG || j.omega == 0 ? NULL : "a backward error is within 0";
}

static const char *judge_solved(const asked *q, bool small, dice *d, bool *seen)
{
  spw_owned *made = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE}, again = {.obstacle = SPW_OBSTACLE_NONE};
  spw_solution_judgement j;
  const spw_status status = spw_solve_triangular_new(q->a, q->b, q->wanted, 0, &made, &refusal);
  spw_tensor x = status == SPW_OK ? *spw_owned_tensor(made) : *q->b;
  spw_solution_claim claim = {.a = q->a, .x = &x, .b = q->b, .triangle = q->wanted};
  const spw_status judged = judge(&claim, &j, &again);
  const char *wrong = NULL;
  const bool size = refusal.obstacle == SPW_OBSTACLE_SIZE || refusal.obstacle == SPW_OBSTACLE_INDEX ||
                    again.obstacle == SPW_OBSTACLE_SIZE;
  if (judged != status && !size && status != SPW_ENOMEM) wrong = WRONG("status %d, not %d", (int)judged, (int)status);
  if (!wrong && judged == SPW_ERANGE && !size && (again.obstacle != refusal.obstacle || again.place != refusal.place ||
                                                  again.lhs != refusal.lhs || again.rhs != refusal.rhs))
    wrong = WRONG("obstacle %d, not %d", (int)again.obstacle, (int)refusal.obstacle);
  if (!wrong && status == SPW_OK && judged == SPW_OK) {
    *seen = j.numbers > 0;
    if (j.wrong > 0) wrong = WRONG("row %lld of batch %lld is wrong: %g beyond %g", (long long)j.row, (long long)j.batch,
                                   j.residual, j.bound);
    const counted c = count(q);
    if (!wrong && small && is_tame(&x, &c) && j.numbers > 0 && j.bounded == j.numbers) wrong = changed_passes(q, &claim, &x, d);
  }
  spw_owned_free(made);
  return wrong;
}

/* Are all values small whole numbers, and not 0? */
static bool is_small(const spw_tensor *a)
{
  meaning m;
  if (!meaning_of(a, 0, &m)) return false;
  bool small = m.count > 0;
  meaning_sort(&m);
  meaning_combine(&m, SPW_COMBINE_SUM);
  for (int64_t k = 0; k < m.count * m.scalars && small; k++) {
    const number v = number_of(m.dtype, m.cells[k / m.scalars].scalars + k % m.scalars * scalar_width(m.dtype));
    small = fabs(v.re) <= 8 && fabs(v.im) <= 8 && v.re == floor(v.re) && v.im == floor(v.im);
  }
  meaning_free(&m);
  return small;
}

const char *attempt_any_solution(const spw_tensor *a, dice *d, bool *seen)
{
  strided b;
  spw_triangle w = {.upper = roll_below(d, 2), .unit = roll_below(d, 3) == 0, .right = roll_below(d, 3) == 0};
  *(roll_below(d, 2) ? &w.transpose : &w.adjoint) = roll_below(d, 2);
  bool valid = false;
  *seen = false;
  if (!is_solved_for(a->values.array.dtype)) return NULL;
  if (spw_is_valid(a, SPW_CANONICAL, &valid) != SPW_OK || !valid) return NULL;
  draw_side(a, &w, &b, d);
  if (!strided_small(&b)) return NULL;
  strided_make(&b, a->values.array.dtype, 1 << FUZZ_SMALL, true, d);
  const spw_tensor side = {.layout = SPW_DENSE, .values = {b.array, b.data}};
  const asked q = {a, &side, &w};
  const char *const wrong = judge_solved(&q, is_small(a), d, seen);
  strided_free(&b);
  return wrong;
}

/* ---- Any square matrix --------------------------------------------------------------------------- */

enum { MOST_UNKNOWNS = 64 };

static number side_number(const asked *q, const spw_tensor *x, int64_t batch, int64_t i, int64_t j)
{
  return number_of(x->values.array.dtype, scalar_in(&x->values, place_of(q, &x->values.array, batch, i, j)));
}

/* Looks for a row that is free for the column, or whose column may take another one. */
static bool gets_row(const asked *q, const meaning *m, int64_t batch, int64_t n, int64_t column, int64_t *owner, bool *tried)
{
  number v;
  for (int64_t i = 0; i < n; i++) {
    if (tried[i] || !find(q, m, batch, i, column, &v)) continue;
    tried[i] = true;
    if (owner[i] >= 0 && !gets_row(q, m, batch, n, owner[i], owner, tried)) continue;
    owner[i] = column;
    return true;
  }
  return false;
}

/* The largest rank that numbers in the stored places can have. */
static int64_t structural_rank(const asked *q, const meaning *m, int64_t batch, int64_t n)
{
  int64_t rank = 0, owner[MOST_UNKNOWNS];
  for (int64_t i = 0; i < n; i++) owner[i] = -1;
  for (int64_t column = 0; column < n; column++) {
    bool tried[MOST_UNKNOWNS] = {false};
    rank += gets_row(q, m, batch, n, column, owner, tried);
  }
  return rank;
}

static bool is_finite(number x)
{
  return isfinite(x.re) && isfinite(x.im);
}

static bool all_finite(const asked *q, const meaning *m, const counted *c)
{
  for (int64_t k = 0; k < m->count; k++)
    if (!is_finite(number_of(m->dtype, m->cells[k].scalars))) return false;
  for (int64_t batch = 0; batch < c->batches; batch++)
    for (int64_t i = 0; i < c->n; i++)
      for (int64_t j = 0; j < c->width; j++)
        if (!is_finite(side_number(q, q->b, batch, i, j))) return false;
  return true;
}

/* Is every diagonal element larger than all others of its row together, and no number very large or small? No system of such a
 * matrix is hard. */
static bool is_easy(const asked *q, const meaning *m, const counted *c)
{
  for (int64_t batch = 0; batch < c->batches; batch++)
    for (int64_t i = 0; i < c->n; i++) {
      double rest = 0, own = 0;
      for (int64_t k = 0; k < c->n; k++) {
        number v = {0, 0};
        if (!find(q, m, batch, i, k, &v)) continue;
        *(k == i ? &own : &rest) += k == i ? hypot(v.re, v.im) : fabs(v.re) + fabs(v.im);
      }
      if (!(own > 2 * rest && own > 0x1p-20 && own < 0x1p20)) return false;
      for (int64_t j = 0; j < c->width; j++) {
        const number b = side_number(q, q->b, batch, i, j);
        const double size = fabs(b.re) + fabs(b.im);
        if (size != 0 && !(size > 0x1p-20 && size < 0x1p20)) return false;
      }
    }
  return true;
}

/* Is the residual of both parts of a row within 4u of the magnitudes, and what sums of long double may lose? */
static bool has_small_residual(const asked *q, const meaning *m, const spw_tensor *x, int64_t n, int64_t batch, int64_t i,
                               int64_t j)
{
  const double u4 = part_of(m->dtype) == SPW_FLOAT32 ? 0x1p-22 : 0x1p-51;
  const number b = side_number(q, q->b, batch, i, j);
  long double r[2] = {b.re, b.im}, gauge[2] = {fabsl(r[0]), fabsl(r[1])};
  for (int64_t k = 0; k < n; k++) {
    number a;
    if (!find(q, m, batch, i, k, &a)) continue;
    const number v = side_number(q, x, batch, k, j);
    const long double parts[2][2] = {{(long double)a.re * v.re, -(long double)a.im * v.im},
                                     {(long double)a.re * v.im, (long double)a.im * v.re}};
    for (int part = 0; part < 2; part++) {
      r[part] -= parts[part][0];
      r[part] -= parts[part][1];
      gauge[part] += fabsl(parts[part][0]) + fabsl(parts[part][1]);
    }
  }
  for (int part = 0; part < 2; part++)
    if (!(fabsl(r[part]) <= (u4 + (long double)(4 * n + 4) * LDBL_EPSILON) * gauge[part])) return false;
  return true;
}

static const char *wrong_general(const asked *q, const meaning *m, const spw_tensor *x, double omega)
{
  const counted c = count(q);
  const double u4 = part_of(m->dtype) == SPW_FLOAT32 ? 0x1p-22 : 0x1p-51;
  const spw_solution_claim claim = {.a = q->a, .x = x, .b = q->b, .omega = u4};
  spw_solution_judgement j;
  if (x->values.array.ndim != q->b->values.array.ndim || x->values.array.dtype != q->b->values.array.dtype)
    return "a solution of another shape or type";
  for (int64_t k = 0; k < x->values.array.ndim; k++)
    if (x->values.array.shape[k] != q->b->values.array.shape[k]) return "a solution of another size";
  if (judge(&claim, &j, NULL) != SPW_OK || j.verdict != SPW_RIGHT_BOUNDED) return "the judge refuses a solution";
  if (!(omega == j.omega && omega <= u4)) return WRONG("a backward error of %a, not %a", omega, j.omega);
  for (int64_t batch = 0; batch < c.batches; batch++)
    for (int64_t i = 0; i < c.n; i++)
      for (int64_t k = 0; k < c.width; k++)
        if (!has_small_residual(q, m, x, c.n, batch, i, k))
          return WRONG("batch %lld, row %lld, right side %lld: a large residual", (long long)batch, (long long)i, (long long)k);
  return NULL;
}

static const char *wrong_refusal(const asked *q, const meaning *m, const spw_refusal *r)
{
  const counted c = count(q);
  if (r->obstacle != SPW_OBSTACLE_UNSOLVED) return WRONG("obstacle %d", (int)r->obstacle);
  if (r->other < 0 || r->other >= c.batches) return "a batch that is not there";
  if (r->lhs != SPW_UNSOLVED_ROW && !all_finite(q, m, &c)) return NULL;
  const int64_t rank = structural_rank(q, m, r->other, c.n);
  if ((r->lhs == SPW_UNSOLVED_RANK) != (rank < c.n)) return r->lhs == SPW_UNSOLVED_ROW ? NULL : "a rank that is not so";
  if (r->lhs == SPW_UNSOLVED_RANK)
    return r->rhs == rank ? NULL : WRONG("rank %lld, not %lld", (long long)r->rhs, (long long)rank);
  if (r->place < (r->lhs == SPW_UNSOLVED_COLUMN ? -1 : 0) || r->place >= c.n) return "a row or column that is not there";
  return is_easy(q, m, &c) ? "an easy system is refused" : NULL;
}

static const char *solve_generally(const asked *q, const meaning *m, bool *seen)
{
  spw_owned *made = NULL;
  spw_room room;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE}, other = {.obstacle = SPW_OBSTACLE_NONE};
  double omega = -1;
  const spw_status fits = spw_solve_triangular_size(q->a, q->b, q->wanted, &room, &other);
  const spw_status status = spw_solve_new(q->a, q->b, &omega, 0, &made, &refusal);
  const char *wrong = NULL;
  if (fits != SPW_OK || other.obstacle == SPW_OBSTACLE_SIZE)
    wrong = status == fits && refusal.obstacle == other.obstacle && refusal.place == other.place ? NULL : "another refusal";
  else if (status == SPW_OK)
    wrong = wrong_general(q, m, spw_owned_tensor(made), omega);
  else if (status == SPW_ERANGE)
    wrong = omega == -1 && !made ? wrong_refusal(q, m, &refusal) : "a refusal writes";
  else
    wrong = WRONG("status %d", (int)status);
  *seen = status == SPW_OK && q->b->values.array.length > 0;
  spw_owned_free(made);
  return wrong;
}

const char *attempt_any_general_solution(const spw_tensor *a, dice *d, bool *seen)
{
  static const spw_triangle none = {0};
  strided b;
  meaning m;
  const char *wrong = NULL;
  bool valid = false;
  *seen = false;
  if (spw_dtype_size(a->values.array.dtype) == 0) return NULL;
  if (spw_is_valid(a, SPW_CANONICAL, &valid) != SPW_OK || !valid) return NULL;
  draw_side(a, &none, &b, d);
  if (!strided_small(&b)) return NULL;
  strided_make(&b, a->values.array.dtype, 1 << FUZZ_SMALL | 1 << FUZZ_NUMBER, true, d);
  const spw_tensor side = {.layout = SPW_DENSE, .values = {b.array, b.data}};
  const asked q = {a, &side, &none};
  if (meaning_of(a, 0, &m)) {
    meaning_sort(&m);
    meaning_combine(&m, SPW_COMBINE_SUM);
    if (!a->has_size || a->ndim < 2 || a->size[a->ndim - 1] <= MOST_UNKNOWNS) wrong = solve_generally(&q, &m, seen);
    meaning_free(&m);
  }
  strided_free(&b);
  return wrong;
}
