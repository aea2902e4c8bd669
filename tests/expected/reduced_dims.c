/* SPDX-License-Identifier: Apache-2.0 */
#include "reduced_dims.h"

#include "../attempts/fenced.h"
#include "magnitudes.h"
#include "scalar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 700, MOST_DIMS = SPW_STRUCTURE_DIMS + 8 };

static char text[300];

#define WRONG(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

typedef struct asked {
  const spw_tensor *t;
  const spw_dims_reduction *wanted;
} asked;

/* ---- What is asked ------------------------------------------------------------------------------- */

typedef struct shape {
  int64_t ndim, size[MOST_DIMS], batch, leading;
  bool reduced[MOST_DIMS];
  bool misread; /* an entry names no dimension, or one twice */
} shape;

static shape shape_of(const asked *q)
{
  shape s = {.ndim = 0};
  spw_numbers n;
  if (q->t->has_size) {
    s.ndim = q->t->ndim;
    for (int64_t d = 0; d < s.ndim && d < MOST_DIMS; d++) s.size[d] = q->t->size[d];
  } else {
    spw_infer_size(q->t, s.size, MOST_DIMS, &s.ndim);
  }
  spw_numbers_of(q->t, &n);
  s.batch = n.batch_dims;
  s.leading = n.batch_dims + n.sparse_dims;
  if (s.ndim > MOST_DIMS) return s;
  for (int64_t d = 0; d < s.ndim; d++) s.reduced[d] = !q->wanted->dims;
  for (int64_t i = 0; i < q->wanted->count; i++) {
    const int64_t d = q->wanted->dims[i] + (q->wanted->dims[i] < 0 ? s.ndim : 0);
    if (d < 0 || d >= s.ndim || s.reduced[d]) return s.misread = true, s;
    s.reduced[d] = true;
  }
  return s;
}

static spw_dtype own_type(const asked *q)
{
  return q->t->values.array.dtype;
}

/* In which it is summed or compared. */
static spw_dtype type_of(const asked *q)
{
  return q->wanted->dtype ? q->wanted->dtype : own_type(q);
}

/* "int" bits, with a sign or not; else the bits of a significand. */
static bool holds(spw_dtype from, spw_dtype to)
{
  static const char *const all[] = {[SPW_BOOL] = "?BbhiqefdFD.", [SPW_UINT8] = "BhiqefdFD.", [SPW_INT8] = "bhiqefdFD.",
                                    [SPW_INT16] = "hiqfdFD", [SPW_INT32] = "iqdD", [SPW_INT64] = "q", [SPW_FLOAT16] = "efdFD",
                                    [SPW_BFLOAT16] = ".fdFD", [SPW_FLOAT32] = "fdFD", [SPW_FLOAT64] = "dD",
                                    [SPW_COMPLEX64] = "FD", [SPW_COMPLEX128] = "D"};
  static const char letter[] = "\n?Bbhiqe.fdFD";
  return strchr(all[from], letter[to]) != NULL;
}

static bool all_leading(const asked *q, const shape *s)
{
  bool all = !q->wanted->dims || s->leading > 0;
  for (int64_t d = 0; d < s->leading; d++) all = all && s->reduced[d];
  return all;
}

static bool some_leading(const shape *s)
{
  bool some = false;
  for (int64_t d = 0; d < s->leading; d++) some |= s->reduced[d];
  return some;
}

static bool is_norm(const asked *q)
{
  return q->wanted->kind >= SPW_DIMS_NORM_0 && q->wanted->kind <= SPW_DIMS_NORM_INF;
}

static bool is_place(const asked *q)
{
  return q->wanted->kind == SPW_DIMS_ARGMAX || q->wanted->kind == SPW_DIMS_ARGMIN;
}

static bool is_logical(const asked *q)
{
  return q->wanted->kind == SPW_DIMS_ANY || q->wanted->kind == SPW_DIMS_ALL || q->wanted->kind == SPW_DIMS_IS_NONZERO;
}

typedef enum form { COPY, PATTERN, LIST, ARRAY } form;

static form form_of(const asked *q, const shape *s)
{
  if (is_logical(q) || all_leading(q, s)) return ARRAY;
  if (q->wanted->dims && q->wanted->count == 0 && q->wanted->kind == SPW_DIMS_SUM) return COPY;
  if (!some_leading(s)) return PATTERN;
  return q->t->layout == SPW_COO || q->wanted->sparse ? LIST : ARRAY;
}

/* ---- Refusals ------------------------------------------------------------------------------------ */

/* Are there as many positions as that, in all? */
static bool has_positions(const shape *s, int64_t count)
{
  int64_t product = 1;
  for (int64_t d = 0; d < s->ndim; d++)
    if (s->size[d] == 0) return count == 0;
  for (int64_t d = 0; d < s->ndim; d++)
    if (__builtin_mul_overflow(product, s->size[d], &product)) return count == INT64_MAX;
  return product == count;
}

static unsigned obstacles_of(const asked *q, const shape *s)
{
  const spw_dims_kind kind = q->wanted->kind;
  const bool mean = kind == SPW_DIMS_MEAN || kind == SPW_DIMS_MEAN_DENSE;
  const spw_dtype dtype = type_of(q);
  unsigned why = 0;
  if (s->misread) return 1u << SPW_OBSTACLE_DIMENSION;
  if (!holds(own_type(q), dtype)) why |= 1u << SPW_OBSTACLE_TYPES;
  if (is_norm(q) && dtype < SPW_FLOAT16) why |= 1u << SPW_OBSTACLE_TYPES;
  if (kind == SPW_DIMS_NORM_1 && scalar_is_complex(dtype)) why |= 1u << SPW_OBSTACLE_TYPES;
  if (mean && (dtype < SPW_FLOAT16 || scalar_is_complex(dtype))) why |= 1u << SPW_OBSTACLE_TYPES;
  const bool compares = (kind >= SPW_DIMS_AMAX && kind <= SPW_DIMS_MIN) || is_place(q);
  if (compares && scalar_is_complex(dtype)) why |= 1u << SPW_OBSTACLE_TYPES;
  for (int64_t d = 0; d < s->ndim; d++)
    if ((kind == SPW_DIMS_MEAN_DENSE || kind == SPW_DIMS_MAX || kind == SPW_DIMS_MIN || is_place(q)) && s->reduced[d] &&
        s->size[d] == 0)
      why |= 1u << SPW_OBSTACLE_SHAPES;
  if (kind == SPW_DIMS_IS_NONZERO && !has_positions(s, 1)) why |= 1u << SPW_OBSTACLE_SHAPES;
  for (int64_t d = 0; d < s->batch; d++)
    if (s->reduced[d] && !all_leading(q, s)) why |= 1u << SPW_OBSTACLE_LAYOUT;
  return why;
}

/* Could anything be too large to number? */
static bool is_vast(const shape *s)
{
  double volume = 256;
  for (int64_t d = 0; d < s->ndim; d++) volume *= s->size[d] > 1 ? (double)s->size[d] : 2;
  return volume > 0x1p62;
}

static const char *wrong_refusal(const asked *q, const shape *s, spw_status status, const spw_refusal *r)
{
  const unsigned why = obstacles_of(q, s);
  if (status == SPW_OK) return why ? WRONG("it is not refused, and should be: %x", why) : NULL;
  if (status == SPW_EUNSUPPORTED) return meaning_dims(q->t) > SPW_STRUCTURE_DIMS ? NULL : WRONG("it is not supported");
  if (status != SPW_ERANGE) return WRONG("status %d", (int)status);
  if (r->obstacle == SPW_OBSTACLE_SIZE || r->obstacle == SPW_OBSTACLE_INDEX) return why || is_vast(s) ? NULL :
      WRONG("nothing is too large");
  if (!(why >> r->obstacle & 1)) return WRONG("obstacle %d, not one of %x", (int)r->obstacle, why);
  if (r->operand != 0) return WRONG("obstacle %d of operand %d", (int)r->obstacle, r->operand);
  switch (r->obstacle) {
  case SPW_OBSTACLE_DIMENSION: return r->lhs == q->wanted->dims[r->place] && r->rhs == s->ndim ? NULL : "another dimension";
  case SPW_OBSTACLE_SHAPES:
    if (q->wanted->kind == SPW_DIMS_IS_NONZERO) return r->place == -1 && r->rhs == 1 && has_positions(s, r->lhs) ? NULL
        : "another number of positions";
    return s->reduced[r->place] && s->size[r->place] == 0 ? NULL : "another dimension of size 0";
  case SPW_OBSTACLE_LAYOUT: return r->place < s->batch && s->reduced[r->place] ? NULL : "another batch dimension";
  default: return NULL;
  }
}

/* ---- Numbers ------------------------------------------------------------------------------------- */

typedef struct number {
  int64_t at[MEANING_DIMS], cell;
  scalar_sum sum;
  uint8_t best[16];
  int64_t terms, nonzero;
  magnitudes norm;
} number;

static int64_t whole_of(spw_dtype dtype, const uint8_t *x)
{
  int64_t bits = 0;
  memcpy(&bits, x, (size_t)scalar_width(dtype));
  const int shift = (int)(64 - 8 * scalar_width(dtype));
  if (dtype == SPW_BOOL) return bits != 0;
  return dtype == SPW_UINT8 ? bits : (int64_t)((uint64_t)bits << shift) >> shift;
}

static double real_of(spw_dtype dtype, const uint8_t *x)
{
  uint64_t bits = 0;
  memcpy(&bits, x, (size_t)scalar_width(dtype));
  return scalar_to_double(dtype, bits);
}

static void put_real(spw_dtype dtype, double x, uint8_t *out)
{
  const uint64_t bits = scalar_of_double(dtype, x);
  memcpy(out, &bits, (size_t)scalar_width(dtype));
}

static void convert_scalar(spw_dtype from, spw_dtype to, const uint8_t *x, uint8_t *out)
{
  const spw_dtype own = scalar_part_type(from), other = scalar_part_type(to);
  memset(out, 0, 16);
  if (from == to) {
    memcpy(out, x, (size_t)scalar_width(from));
  } else if (from >= SPW_FLOAT16) {
    put_real(other, real_of(own, x), out);
    if (own != from) put_real(other, real_of(own, x + scalar_width(own)), out + scalar_width(other));
  } else if (to >= SPW_FLOAT16) {
    put_real(other, (double)whole_of(from, x), out);
  } else {
    const int64_t whole = whole_of(from, x);
    memcpy(out, &whole, (size_t)scalar_width(to));
  }
}

/* Is x more than y? NaN is, and of two NaN neither. */
static bool exceeds(spw_dtype dtype, bool largest, const uint8_t *x, const uint8_t *y)
{
  if (dtype < SPW_FLOAT16) return largest ? whole_of(dtype, x) > whole_of(dtype, y) : whole_of(dtype, x) < whole_of(dtype, y);
  const double p = real_of(dtype, x), q = real_of(dtype, y);
  if (p != p || q != q) return q == q;
  if (p != q) return largest ? p > q : p < q;
  return __builtin_signbit(p) == __builtin_signbit(q) ? false : !__builtin_signbit(p) == largest;
}

static bool largest_of(const asked *q)
{
  return q->wanted->kind == SPW_DIMS_AMAX || q->wanted->kind == SPW_DIMS_MAX || q->wanted->kind == SPW_DIMS_ARGMAX;
}

static void take_best(const asked *q, number *x, const uint8_t *best)
{
  if (!scalar_is_complex(type_of(q)) && (x->terms == 0 || exceeds(type_of(q), largest_of(q), best, x->best))) memcpy(x->best,
                                                                                                                     best, 16);
}

static void join(const asked *q, number *whole, const number *part)
{
  if (part->terms == 0) return;
  scalar_sum_join(&whole->sum, &part->sum);
  take_best(q, whole, part->best);
  whole->terms += part->terms;
  whole->nonzero += part->nonzero;
  magnitudes_join(&whole->norm, &part->norm);
}

static number number_of(const asked *q, const cell *c, int64_t which, const uint8_t *scalar)
{
  number x = {.cell = which, .sum = scalar_nothing(type_of(q))};
  uint8_t value[16] = {0};
  memcpy(x.at, c->at, sizeof x.at);
  memcpy(value, scalar, (size_t)scalar_width(type_of(q)));
  scalar_sum_grow(&x.sum, value);
  take_best(q, &x, value);
  x.terms = 1;
  if (is_norm(q)) magnitudes_add(&x.norm, type_of(q), value, q->wanted->kind == SPW_DIMS_NORM_1);
  x.nonzero = !scalar_is_zero(type_of(q), scalar);
  return x;
}

/* Every scalar, in the order of storage. */
static int64_t list_numbers(const asked *q, const meaning *m, number *list)
{
  int64_t n = 0;
  for (int64_t k = 0; k < m->count; k++)
    for (int64_t i = 0; i < m->scalars; i++, n++) {
      list[n] = number_of(q, &m->cells[k], k, m->cells[k].scalars + i * scalar_width(m->dtype));
      int64_t rest = i;
      for (int64_t d = m->ndim - 1; d >= m->leading; d--) {
        list[n].at[d] = rest % m->size[d];
        rest /= m->size[d];
      }
    }
  return n;
}

static bool same_position(const number *x, const number *y, int64_t ndim, bool by_cell)
{
  for (int64_t d = 0; d < ndim; d++)
    if (x->at[d] != y->at[d]) return false;
  return !by_cell || x->cell == y->cell;
}

/* Ascending along dimension d, and else as they are. */
static void sort_along(number *list, int64_t n, int64_t d)
{
  for (int64_t i = 1; i < n; i++)
    for (int64_t k = i; k > 0 && list[k].at[d] < list[k - 1].at[d]; k--) {
      const number x = list[k];
      list[k] = list[k - 1];
      list[k - 1] = x;
    }
}

static int64_t fold_along(const asked *q, number *list, int64_t n, int64_t d, int64_t ndim, bool by_cell)
{
  int64_t made = 0;
  number *const out = malloc(sizeof *out * (size_t)(n + 1));
  for (int64_t i = 0; i < n; i++) {
    number part = list[i];
    int64_t k = 0;
    part.at[d] = 0;
    while (k < made && !same_position(&out[k], &part, ndim, by_cell)) k++;
    if (k == made) {
      out[made] = (number){.cell = part.cell, .sum = scalar_nothing(type_of(q))};
      memcpy(out[made++].at, part.at, sizeof part.at);
    }
    join(q, &out[k], &part);
  }
  memcpy(list, out, sizeof *out * (size_t)made);
  free(out);
  return made;
}

/* One dimension after the other, from the last on. Cells stay apart until a leading one is reduced. */
static int64_t reduce_list(const asked *q, const shape *s, number *list, int64_t n)
{
  bool apart = true;
  for (int64_t d = s->ndim - 1; d >= 0; d--) {
    if (!s->reduced[d]) continue;
    if (d < s->leading && !apart) sort_along(list, n, d);
    apart = apart && d >= s->leading;
    n = fold_along(q, list, n, d, s->ndim, apart);
  }
  /* Cells without a leading dimension are all at one position. */
  return apart && form_of(q, s) == ARRAY ? fold_along(q, list, n, MEANING_DIMS - 1, s->ndim, false) : n;
}

static int64_t positions_of(const shape *s)
{
  int64_t count = 1;
  for (int64_t d = 0; d < s->ndim; d++)
    if (s->reduced[d] && __builtin_mul_overflow(count, s->size[d], &count)) count = INT64_MAX;
  for (int64_t d = 0; d < s->ndim; d++)
    if (s->reduced[d] && s->size[d] == 0) return 0;
  return count;
}

/* Null: a fibre without an element. */
static void finish(const asked *q, const shape *s, const number *x, uint8_t *want)
{
  const spw_dims_kind kind = q->wanted->kind;
  const int64_t positions = positions_of(s);
  uint8_t zero[16] = {0};
  memset(want, 0, 16);
  if (kind == SPW_DIMS_ANY || kind == SPW_DIMS_IS_NONZERO) want[0] = x && x->nonzero > 0;
  if (kind == SPW_DIMS_ALL) want[0] = positions == 0 || (x && x->nonzero == positions);
  if (!x || x->terms == 0) return;
  if (kind == SPW_DIMS_SUM) scalar_sum_store(&x->sum, NULL, NULL, want);
  const bool alone = q->wanted->dims && q->wanted->count == 0; /* nothing is added */
  if (kind == SPW_DIMS_MEAN && !alone) scalar_sum_mean(&x->sum, x->terms, want);
  if (kind == SPW_DIMS_MEAN_DENSE && !alone) scalar_sum_mean(&x->sum, positions, want);
  if ((kind >= SPW_DIMS_AMAX && kind <= SPW_DIMS_MIN) || (alone && kind != SPW_DIMS_SUM && !is_logical(q))) memcpy(want,
                                                                                                                   x->best, 16);
  if ((kind == SPW_DIMS_MAX || kind == SPW_DIMS_MIN) && x->terms < positions && exceeds(type_of(q), largest_of(q), zero, x->best))
    memcpy(want, zero, 16);
}

/* ---- Results ------------------------------------------------------------------------------------- */

static spw_dtype result_type(const asked *q)
{
  return is_place(q) ? SPW_INT64 : is_logical(q) ? SPW_BOOL : is_norm(q) ? scalar_part_type(type_of(q)) : type_of(q);
}

/* What is reduced, without duplicates. */
static const meaning *reduced_meaning;

/* Is x better than y, a NaN, or larger (smaller)? -0 is not worse than +0. */
static bool is_better(spw_dtype dtype, bool largest, const uint8_t *x, const uint8_t *y)
{
  if (dtype >= SPW_FLOAT16 && real_of(dtype, x) == real_of(dtype, y)) return false;
  return exceeds(dtype, largest, x, y);
}

/* The number of scalar i of a cell in its fibre; -1: it is in another one than x. */
static int64_t place_in_fibre(const shape *s, const cell *c, int64_t i, const number *x)
{
  const meaning *const m = reduced_meaning;
  int64_t at[MEANING_DIMS], place = 0;
  memcpy(at, c->at, sizeof at);
  for (int64_t d = m->ndim - 1; d >= m->leading; d--) {
    at[d] = i % m->size[d];
    i /= m->size[d];
  }
  for (int64_t d = 0; d < m->ndim; d++) {
    if (!s->reduced[d] && at[d] != x->at[d]) return -1;
    if (s->reduced[d]) place = place * s->size[d] + at[d];
  }
  return place;
}

/* The first place of the fibre of x that nothing beats, where the first one without an element is 0. */
static int64_t expected_place(const asked *q, const shape *s, const number *x)
{
  const meaning *const m = reduced_meaning;
  bool taken[MOST_NUMBERS + 1] = {false};
  uint8_t best[16] = {0}, value[16], zero[16] = {0};
  int64_t found = -1, gap = 0;
  for (int64_t k = 0; k < m->count; k++)
    for (int64_t i = 0; i < m->scalars; i++) {
      const int64_t place = place_in_fibre(s, &m->cells[k], i, x);
      if (place < 0) continue;
      if (place <= MOST_NUMBERS) taken[place] = true;
      memset(value, 0, sizeof value);
      memcpy(value, m->cells[k].scalars + i * scalar_width(m->dtype), (size_t)scalar_width(m->dtype));
      const bool more = found < 0 || is_better(m->dtype, largest_of(q), value, best);
      if (!more && (is_better(m->dtype, largest_of(q), best, value) || place > found)) continue;
      memcpy(best, value, sizeof best);
      found = place;
    }
  while (gap <= MOST_NUMBERS && taken[gap]) gap++;
  if (gap >= positions_of(s)) return found;
  if (found < 0 || is_better(m->dtype, largest_of(q), zero, best)) return gap;
  return is_better(m->dtype, largest_of(q), best, zero) || found < gap ? found : gap;
}

static const char *wrong_scalar(const asked *q, const shape *s, const number *x, const uint8_t *got)
{
  const spw_dtype dtype = result_type(q);
  uint8_t want[16];
  if (is_place(q)) {
    int64_t place;
    memcpy(&place, got, sizeof place);
    const int64_t wanted = x ? expected_place(q, s, x) : 0;
    return place == wanted ? NULL : WRONG("place %lld, not %lld", (long long)place, (long long)wanted);
  }
  if (is_norm(q)) {
    static const magnitudes none;
    return magnitudes_give(x ? &x->norm : &none, dtype, q->wanted->kind, got) ? NULL : WRONG("a norm is another one");
  }
  finish(q, s, x, want);
  if (dtype == SPW_BOOL && *got > 1) return WRONG("a bool is %d", *got);
  return scalar_same(dtype, want, got, true) ? NULL : WRONG("a number is another one");
}

static const char *wrong_size(const asked *q, const shape *s, const spw_tensor *r)
{
  int64_t d = 0;
  if (!r->has_size) return "the result has no size";
  for (int64_t i = 0; i < s->ndim; i++) {
    if (s->reduced[i] && !q->wanted->keepdim) continue;
    if (d >= r->ndim || r->size[d] != (s->reduced[i] ? 1 : s->size[i])) return WRONG("dimension %lld of the result",
                                                                                     (long long)d);
    d++;
  }
  const spw_dtype dtype = result_type(q);
  if (r->values.array.dtype != dtype || r->dtype != dtype) return "the result has another type";
  return d == r->ndim ? NULL : "the result has more dimensions";
}

/* The position in the operand's dimensions, reduced ones 0. */
static void operand_position(const asked *q, const shape *s, const int64_t *at, int64_t *out)
{
  int64_t d = 0;
  for (int64_t i = 0; i < s->ndim; i++) {
    out[i] = s->reduced[i] ? 0 : at[d];
    d += !s->reduced[i] || q->wanted->keepdim;
  }
}

static const number *find_number(const shape *s, const number *list, int64_t n, const number *at, bool by_cell)
{
  for (int64_t k = 0; k < n; k++)
    if (same_position(&list[k], at, s->ndim, by_cell)) return &list[k];
  return NULL;
}

static const char *wrong_array(const asked *q, const shape *s, const number *list, int64_t n, const spw_tensor *r)
{
  int64_t count = 1;
  if (r->layout != SPW_DENSE) return "the result is not dense";
  for (int64_t d = 0; d < r->ndim; d++)
    if (__builtin_mul_overflow(count, r->size[d], &count) || count > MOST_NUMBERS) return NULL;
  if (r->values.array.length != count || r->values.array.offset != 0) return "another storage";
  for (int64_t i = 0; i < count; i++) {
    int64_t at[MOST_DIMS], rest = i;
    number x = {.cell = 0};
    for (int64_t d = r->ndim - 1; d >= 0; d--) {
      at[d] = rest % r->size[d];
      rest /= r->size[d];
    }
    operand_position(q, s, at, x.at);
    const char *const wrong = wrong_scalar(q, s, find_number(s, list, n, &x, false),
                                           (const uint8_t *)r->values.data + i * scalar_width(r->dtype));
    if (wrong) return wrong;
  }
  return NULL;
}

/* How many positions of the result have a cell. */
static int64_t count_cells(const shape *s, const meaning *m)
{
  int64_t count = 0;
  for (int64_t k = 0; k < m->count; k++) {
    bool first = true;
    for (int64_t j = 0; j < k && first; j++) {
      bool same = true;
      for (int64_t d = 0; d < m->leading; d++) same = same && (s->reduced[d] || m->cells[j].at[d] == m->cells[k].at[d]);
      first = !same;
    }
    count += first;
  }
  return count;
}

/* The scalars of a sparse result, cell by cell; by_cell: cell k of it is cell k of the operand. */
static const char *wrong_cells(const asked *q, const shape *s, const number *list, int64_t n, const meaning *r, bool by_cell)
{
  for (int64_t k = 0; k < r->count; k++)
    for (int64_t i = 0; i < r->scalars; i++) {
      int64_t at[MEANING_DIMS], rest = i;
      number x = {.cell = k};
      memcpy(at, r->cells[k].at, sizeof at);
      for (int64_t d = r->ndim - 1; d >= r->leading; d--) {
        at[d] = rest % r->size[d];
        rest /= r->size[d];
      }
      operand_position(q, s, at, x.at);
      const char *const wrong = wrong_scalar(q, s, find_number(s, list, n, &x, by_cell),
                                             r->cells[k].scalars + i * scalar_width(r->dtype));
      if (wrong) return wrong;
    }
  return NULL;
}

static bool same_indices(const spw_index_array *a, const spw_index_array *b)
{
  if (a->array.dtype != b->array.dtype || a->array.ndim != b->array.ndim) return false;
  for (int64_t d = 0; d < a->array.ndim; d++)
    if (a->array.shape[d] != b->array.shape[d]) return false;
  const int64_t count = meaning_count(&a->array);
  for (int64_t i = 0; i < count; i++) {
    const int64_t p = meaning_place(&a->array, i), r = meaning_place(&b->array, i);
    if ((a->array.dtype == SPW_INT64 ? a->i64[p] : a->i32[p]) !=
        (a->array.dtype == SPW_INT64 ? b->i64[r] : b->i32[r])) return false;
  }
  return true;
}

static const char *wrong_sparse(const asked *q, const shape *s, form f, const meaning *m, const number *list, int64_t n,
                                bool combined, const spw_tensor *r)
{
  bool valid = false;
  meaning made;
  if (spw_is_valid(r, SPW_CANONICAL, &valid) != SPW_OK || !valid) return "the result is not valid";
  if (r->layout != (f == LIST ? SPW_COO : q->t->layout)) return "the result has another layout";
  if (r->plain.array.dtype != q->t->plain.array.dtype) return "the indices have another type";
  const bool claims = f == LIST || combined;
  if (r->layout == SPW_COO && r->coalesced != (claims ? SPW_CLAIM_YES : q->t->coalesced)) return "another claim";
  if (f == PATTERN && !combined && q->t->layout != SPW_COO &&
      !same_indices(&q->t->compressed, &r->compressed)) return "other lines";
  if (f == PATTERN && !combined && !same_indices(&q->t->plain, &r->plain)) return "other indices";
  if (!meaning_of(r, 0, &made)) return NULL;
  const char *wrong = NULL;
  if (made.count != (f == LIST ? count_cells(s, m) : m->count)) wrong = WRONG("the result has %lld cells", (long long)made.count);
  if (!wrong) wrong = wrong_cells(q, s, list, n, &made, f == PATTERN);
  meaning_free(&made);
  return wrong;
}

/* Its own values, of another type or not. */
static const char *wrong_copy(const asked *q, const spw_tensor *r)
{
  bool valid = false;
  if (spw_is_valid(r, SPW_CANONICAL, &valid) != SPW_OK || !valid) return "the result is not valid";
  if (r->layout != q->t->layout) return "the result has another layout";
  return type_of(q) == own_type(q) ? meaning_difference(q->t, r, SPW_COMBINE_SUM, false) : NULL;
}

/* All scalars in the type that is asked for. */
static void convert_meaning(spw_dtype to, meaning *m)
{
  const int64_t from = scalar_width(m->dtype), width = scalar_width(to);
  uint8_t *const memory = calloc((size_t)(m->count * m->scalars + 1), 16);
  for (int64_t k = 0; k < m->count; k++) {
    uint8_t *const scalars = memory + k * m->scalars * width;
    for (int64_t i = 0; i < m->scalars; i++) {
      uint8_t value[16];
      convert_scalar(m->dtype, to, m->cells[k].scalars + i * from, value);
      memcpy(scalars + i * width, value, (size_t)width);
    }
    m->cells[k].scalars = scalars;
  }
  free(m->memory);
  m->memory = memory;
  m->dtype = to;
}

static const char *wrong_result_of(const asked *q, const shape *s, const spw_tensor *r, bool *seen)
{
  const form f = form_of(q, s);
  const char *wrong = wrong_size(q, s, r);
  meaning m;
  *seen = f == COPY;
  if (wrong || f == COPY) return wrong ? wrong : wrong_copy(q, r);
  if (!meaning_of(q->t, 0, &m)) return NULL;
  convert_meaning(type_of(q), &m);
  const bool combined = q->wanted->kind != SPW_DIMS_SUM && q->t->layout == SPW_COO && q->t->coalesced != SPW_CLAIM_YES &&
      m.count > 1;
  if (combined || (q->t->layout != SPW_COO && f != PATTERN)) meaning_sort(&m);
  if (combined) meaning_combine(&m, SPW_COMBINE_SUM);
  if (m.scalars == 0 || m.count <= MOST_NUMBERS / m.scalars) {
    reduced_meaning = &m;
    number *const list = malloc(sizeof *list * (size_t)(m.count * m.scalars + 1));
    const int64_t n = reduce_list(q, s, list, list_numbers(q, &m, list));
    *seen = true;
    wrong = f == ARRAY ? wrong_array(q, s, list, n, r) : wrong_sparse(q, s, f, &m, list, n, combined, r);
    free(list);
  }
  meaning_free(&m);
  return wrong;
}

/* ---- Trying -------------------------------------------------------------------------------------- */

static spw_status size_asked(const void *context, bool judged, spw_room *room, spw_refusal *refusal)
{
  const asked *const q = context;
  return (judged ? spw_reduce_dims_size : spw_reduce_dims_size_unchecked)(q->t, q->wanted, room, refusal);
}

static spw_status fill_asked(const void *context, bool judged, const spw_buffers *buffers, spw_tensor *result,
                             spw_refusal *refusal)
{
  const asked *const q = context;
  return (judged ? spw_reduce_dims : spw_reduce_dims_unchecked)(q->t, q->wanted, buffers, result, refusal);
}

static const char *wrong_asked(const void *context, spw_status status, const spw_refusal *refusal, const spw_room *room,
                               const spw_tensor *result, bool *seen)
{
  const asked *const q = context;
  const shape s = shape_of(q);
  *seen = true;
  (void)room;
  if (s.ndim > SPW_STRUCTURE_DIMS) return status == SPW_EUNSUPPORTED ? NULL : "so many dimensions are not refused";
  const char *const wrong = wrong_refusal(q, &s, status, refusal);
  return wrong || status != SPW_OK || !result ? wrong : wrong_result_of(q, &s, result, seen);
}

static const char *wrong_judgement(const asked *q, spw_status status)
{
  spw_refusal refusal = {.operand = -77};
  spw_room room = {.dims = -77};
  const spw_buffers buffers = {.values = NULL};
  spw_tensor result = {.ndim = -77};
  const spw_status size = spw_reduce_dims_size(q->t, q->wanted, &room, &refusal);
  if (size != status) return WRONG("status %d, not %d", (int)size, (int)status);
  if (status == SPW_EINVALID && refusal.operand != 0) return WRONG("operand %d is called invalid", refusal.operand);
  if (spw_reduce_dims(q->t, q->wanted, &buffers, &result, NULL) != status) return "another status of both calls";
  return room.dims == -77 && result.ndim == -77 ? NULL : "something is written of an invalid operand";
}

const char *attempt_dims_reduction(const spw_tensor *t, const spw_dims_reduction *wanted, spw_status *status, bool *seen)
{
  static const two_calls calls = {size_asked, fill_asked, wrong_asked};
  const asked q = {t, wanted};
  bool valid = false;
  *seen = true;
  *status = spw_is_valid(t, SPW_CANONICAL, &valid);
  if (*status == SPW_OK && !valid) *status = SPW_EINVALID;
  if (*status != SPW_OK) return wrong_judgement(&q, *status);
  const char *const wrong = attempt_two_calls(&calls, &q, status, seen);
  return wrong || *status != SPW_OK ? wrong : attempt_short_buffers(&calls, &q);
}

/* ---- What is drawn ------------------------------------------------------------------------------- */

static void draw_dims(int64_t ndim, dice *d, int64_t *dims, spw_dims_reduction *wanted)
{
  wanted->dims = roll_below(d, 8) ? dims : NULL;
  if (!wanted->dims || ndim < 0) return;
  for (int64_t i = ndim; i-- > 0;)
    if (roll_below(d, 5) < 2) dims[wanted->count++] = roll_below(d, 2) ? i : i - ndim;
  if (roll_below(d, 30) == 0) dims[wanted->count++] = roll_below(d, 2) ? ndim : -ndim - 1;
  if (roll_below(d, 30) == 0 && ndim > 0) dims[wanted->count++] = roll_below(d, ndim);
}

const char *attempt_any_dims_reduction(const spw_tensor *t, dice *d, spw_dims_kind *kind, char *words, spw_status *status,
                                       bool *seen)
{
  int64_t dims[MOST_DIMS + 2];
  spw_numbers n;
  spw_dims_reduction wanted = {.kind = (spw_dims_kind)roll_below(d, SPW_DIMS_IS_NONZERO + 1)};
  if (spw_numbers_of(t, &n) != SPW_OK || n.sparse_dims < 0) n = (spw_numbers){.sparse_dims = -1};
  const int64_t ndim = n.sparse_dims < 0 ? -1 : meaning_ndim(&n);
  if (roll_below(d, 2) == 0) wanted.kind = SPW_DIMS_SUM;
  draw_dims(ndim > MOST_DIMS ? -1 : ndim, d, dims, &wanted);
  wanted.keepdim = roll_below(d, 3) == 0;
  wanted.sparse = roll_below(d, 2) == 0;
  if (wanted.kind <= SPW_DIMS_MEAN_DENSE && roll_below(d, 3) == 0) wanted.dtype =
      (spw_dtype)(1 + roll_below(d, SPW_DTYPE_COUNT - 1));
  *kind = wanted.kind;
  int length = snprintf(words, 200, "kind %d, type %d%s%s, dims", (int)wanted.kind, (int)wanted.dtype, wanted.keepdim ?
                        ", kept" : "",
                        wanted.sparse ? ", sparse" : "");
  for (int64_t i = 0; i < wanted.count && length < 180; i++) length += snprintf(words + length, 20, " %lld", (long long)dims[i]);
  return attempt_dims_reduction(t, &wanted, status, seen);
}

/* ---- Positions of what is not 0 ------------------------------------------------------------------ */

static spw_status size_nonzero(const void *context, bool judged, spw_room *room, spw_refusal *refusal)
{
  return (judged ? spw_nonzero_size : spw_nonzero_size_unchecked)(context, room, refusal);
}

static spw_status fill_nonzero(const void *context, bool judged, const spw_buffers *buffers, spw_tensor *result,
                               spw_refusal *refusal)
{
  return (judged ? spw_nonzero : spw_nonzero_unchecked)(context, buffers, result, refusal);
}

/* Every row of the result is the position of the next scalar that is not 0. */
static const char *wrong_positions(const meaning *m, const spw_tensor *r)
{
  const spw_array *const a = &r->values.array;
  const int64_t *const got = r->values.data;
  int64_t n = 0;
  if (r->layout != SPW_DENSE || a->dtype != SPW_INT64 || a->ndim != 2 || a->shape[1] != m->ndim) return "no matrix of positions";
  for (int64_t k = 0; k < m->count; k++)
    for (int64_t i = 0; i < m->scalars; i++) {
      int64_t at[MEANING_DIMS], rest = i;
      if (scalar_is_zero(m->dtype, m->cells[k].scalars + i * scalar_width(m->dtype))) continue;
      memcpy(at, m->cells[k].at, sizeof at);
      for (int64_t d = m->ndim - 1; d >= m->leading; d--) {
        at[d] = rest % m->size[d];
        rest /= m->size[d];
      }
      if (n >= a->shape[0]) return "a position is missing";
      for (int64_t d = 0; d < m->ndim; d++)
        if (got[n * m->ndim + d] != at[d]) return WRONG("row %lld", (long long)n);
      n++;
    }
  return n == a->shape[0] ? NULL : "there is one position more";
}

static const char *wrong_nonzero(const void *context, spw_status status, const spw_refusal *refusal, const spw_room *room,
                                 const spw_tensor *result, bool *seen)
{
  const spw_tensor *const t = context;
  meaning m;
  *seen = true;
  (void)room;
  if (meaning_dims(t) > SPW_STRUCTURE_DIMS) return status == SPW_EUNSUPPORTED ? NULL : "so many dimensions are not refused";
  if (status == SPW_ERANGE) return refusal->obstacle == SPW_OBSTACLE_SIZE ? NULL : WRONG("obstacle %d", (int)refusal->obstacle);
  if (status != SPW_OK || !result) return status == SPW_OK ? NULL : WRONG("status %d", (int)status);
  *seen = false;
  if (!meaning_of(t, 0, &m)) return NULL;
  *seen = true;
  meaning_sort(&m);
  if (t->layout == SPW_COO) meaning_combine(&m, SPW_COMBINE_SUM);
  const char *const wrong = wrong_positions(&m, result);
  meaning_free(&m);
  return wrong;
}

const char *attempt_nonzero(const spw_tensor *t, spw_status *status, bool *seen)
{
  static const two_calls calls = {size_nonzero, fill_nonzero, wrong_nonzero};
  bool valid = false;
  spw_room room = {.dims = -77};
  *seen = true;
  *status = spw_is_valid(t, SPW_CANONICAL, &valid);
  if (*status == SPW_OK && !valid) *status = SPW_EINVALID;
  if (*status != SPW_OK) return spw_nonzero_size(t, &room, NULL) == *status && room.dims == -77 ? NULL
      : "an invalid operand is taken";
  const char *const wrong = attempt_two_calls(&calls, t, status, seen);
  return wrong || *status != SPW_OK ? wrong : attempt_short_buffers(&calls, t);
}
