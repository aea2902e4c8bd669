/* SPDX-License-Identifier: Apache-2.0 */
#include "norms.h"
#include "norm_runs.h"
#include "widen.h"
#include "../../convert/values.h"
#include "../../number/exponential.h"
#include "../../oracle/wide.h"
#include "../../sparsewright_oracle.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* From so many numbers on, a sum in pairs of doubles is tried before the exact one. */
enum { WORTH_A_TRY = 32, ROOT_BITS = 60 };

/* ---- Square roots -------------------------------------------------------------------------------- */

static unsigned bit_of(const uint32_t *wide, int at)
{
  return at < 0 ? 0 : wide[at / 32] >> (at % 32) & 1;
}

/* v * 2^power, of which the last bit stands for all that is cut off, to nearest in a format. */
static double rounded(uint64_t v, int power, spw_dtype dtype)
{
  static const int digits[] = {11, 8, 24, 53}, least[] = {-24, -133, -149, -1074}, most[] = {16, 128, 128, 1024};
  const int f = (int)dtype - SPW_FLOAT16;
  int top = 63;
  while (!(v >> top & 1)) top--;
  int unit = top + power + 1 - digits[f];
  if (unit < least[f]) unit = least[f];
  const int cut = unit - power;
  if (cut > 63) return 0;
  const uint64_t rest = v & (((uint64_t)1 << cut) - 1), half = (uint64_t)1 << (cut - 1);
  uint64_t whole = v >> cut;
  whole += rest > half || (rest == half && (whole & 1));
  if (whole == 0) return 0;
  for (top = 63; !(whole >> top & 1);) top--;
  if (top + unit >= most[f]) return INFINITY;
  /* in two steps, for there is no 2^-1074 * 2^53 in one */
  const double scaled = (double)whole * (unit < -1000 ? 0x1p-900 : 1);
  const int rest_of_unit = unit < -1000 ? unit + 900 : unit;
  return scaled * spw_double_from_bits((uint64_t)(rest_of_unit + 1023) << 52);
}

/* The square root of a multiple of 2^SPW_EXACT_LEAST, digit by digit. */
static double root_of(const uint32_t *wide, spw_dtype dtype)
{
  int top = 32 * SPW_EXACT_LIMBS - 1;
  while (top >= 0 && !bit_of(wide, top)) top--;
  if (top < 0) return 0;
  int low = top + 1 - 2 * ROOT_BITS;
  low += low % 2 != 0;
  uint64_t root = 0, rest = 0;
  for (int i = ROOT_BITS - 1; i >= 0; i--) {
    rest = rest << 2 | bit_of(wide, low + 2 * i + 1) << 1 | bit_of(wide, low + 2 * i);
    const uint64_t step = root << 2 | 1;
    root <<= 1;
    if (rest < step) continue;
    rest -= step;
    root |= 1;
  }
  bool more = rest != 0;
  for (int at = low - 1; at >= 0 && !more; at--) more = bit_of(wide, at);
  return rounded(root << 1 | more, (SPW_EXACT_LEAST + low) / 2 - 1, dtype);
}

/* ---- Numbers ------------------------------------------------------------------------------------- */

static double of_bits(spw_dtype dtype, uint64_t bits)
{
  return spw_real_at(dtype, (const char *)&bits);
}

/* One number of a group: its items, and what of them is reduced to it. */
typedef struct fibre {
  const spw_dims_fold *f;
  spw_dims_kind kind;
  spw_dtype part;
  int64_t parts, bytes; /* of a value */
  const spw_cell *cells;
  int64_t n, first, start;
} fibre;

/* What is gathered of it. */
typedef struct gathered {
  bool exactly;      /* in `sum`; else in `pair` */
  bool nan, infinite, extreme; /* a number whose square is no pair of doubles */
  double most;
  int64_t nonzero, terms;
  spw_pair pair;
  spw_exact sum;
} gathered;

static void gather_part(const fibre *w, gathered *g, double x)
{
  const double size = x < 0 ? -x : x;
  g->nan |= x != x;
  g->infinite |= size > 0x1.fffffffffffffp+1023;
  g->most = size > g->most ? size : g->most;
  g->extreme |= size > 0x1p400 || (size < 0x1p-400 && size > 0); /* never of a float */
  if (g->nan || g->infinite || size == 0) return;
  if (g->exactly && w->kind == SPW_DIMS_NORM_1) {
    spw_exact_add(&g->sum, size);
  } else if (g->exactly) {
    spw_exact_add_product(&g->sum, x, x);
  } else if (w->kind == SPW_DIMS_NORM_1) {
    g->pair = spw_pair_plus(g->pair, size);
  } else if (w->part != SPW_FLOAT64) {
    g->pair = spw_pair_plus(g->pair, x * x); /* of 24 bits: exact */
  } else if (!g->extreme) {
    const spw_pair square = spw_product_of(x, x);
    g->pair = spw_pair_plus(g->pair, square.high);
    g->pair = spw_pair_plus(g->pair, square.low);
  }
}

static double magnitude(const fibre *w, const char *value)
{
  uint32_t wide[SPW_EXACT_LIMBS];
  gathered g = {.exactly = true};
  fibre two = *w;
  two.kind = SPW_DIMS_NORM_2;
  spw_exact_start(&g.sum);
  for (int64_t p = 0; p < w->parts; p++) gather_part(&two, &g, spw_real_at(w->part, value + p * spw_dtype_size(w->part)));
  if (g.nan || g.infinite) return g.nan ? NAN : INFINITY;
  spw_wide_difference(wide, g.sum.positive, g.sum.negative);
  return root_of(wide, w->part);
}

static void gather_value(const fibre *w, gathered *g, const char *value)
{
  const int64_t part = spw_dtype_size(w->part);
  g->terms++;
  if (w->kind == SPW_DIMS_NORM_0) {
    bool nonzero = false;
    for (int64_t p = 0; p < w->parts; p++) nonzero |= spw_real_at(w->part, value + p * part) != 0;
    g->nonzero += nonzero;
  } else if (w->kind == SPW_DIMS_NORM_INF && w->parts > 1) {
    const double size = magnitude(w, value);
    g->nan |= size != size;
    g->most = size > g->most ? size : g->most;
  } else {
    for (int64_t p = 0; p < w->parts; p++) gather_part(w, g, spw_real_at(w->part, value + p * part));
  }
}

static void gather_cell(const fibre *w, gathered *g, const char *at, int64_t dims)
{
  if (dims == 0) {
    gather_value(w, g, at);
    return;
  }
  for (int64_t i = 0; i < w->f->size[dims - 1]; i++) gather_cell(w, g, at + i * w->f->stride[dims - 1] * w->bytes, dims - 1);
}

static void gather(const fibre *w, gathered *g)
{
  const char *const values = w->f->values;
  for (int64_t i = 0; i < w->n; i++) {
    const int64_t item = w->cells ? (int64_t)w->cells[i].payload : w->first + i;
    gather_cell(w, g, values + (item * w->f->scalars + w->start) * w->bytes, w->f->dims);
  }
}

static double finish_exactly(const fibre *w, const spw_exact *sum)
{
  uint32_t wide[SPW_EXACT_LIMBS];
  if (w->kind == SPW_DIMS_NORM_1) return of_bits(w->part, spw_exact_round(sum, w->part));
  spw_wide_difference(wide, sum->positive, sum->negative);
  return root_of(wide, w->part);
}

/* Is it the same number at both ends of what the sum may be? */
static bool is_decided(const fibre *w, spw_pair found, double error, double *result)
{
  double ends[2];
  if (!(found.high < 0x1p1000)) return false;
  for (int end = 0; end < 2; end++) {
    spw_exact sum;
    spw_exact_start(&sum);
    spw_exact_add(&sum, found.high);
    spw_exact_add(&sum, found.low);
    spw_exact_add(&sum, end ? found.high * error : -found.high * error);
    ends[end] = finish_exactly(w, &sum);
  }
  *result = ends[0];
  return ends[0] == ends[1];
}

static bool payloads_follow(const spw_cell *cells, int64_t n)
{
  bool follow = true;
  for (int64_t i = 1; i < n; i++) follow &= cells[i].payload == cells[i - 1].payload + 1;
  return follow;
}

/* Do all numbers lie side by side? */
static bool is_run(const fibre *w)
{
  return w->f->kept == 0 && (!w->cells || (w->cells[w->n - 1].payload - w->cells[0].payload == (uint64_t)(w->n - 1) &&
                                           payloads_follow(w->cells, w->n)));
}

/* The norm of numbers side by side, where a sum that is near enough tells it. */
static bool try_run(const fibre *w, double *result)
{
  const int64_t first = w->cells ? (int64_t)w->cells[0].payload : w->first, count = w->n * w->f->scalars * w->parts;
  const char *const x = (const char *)w->f->values + first * w->f->scalars * w->bytes;
  const bool squares = w->kind == SPW_DIMS_NORM_2;
  spw_run run;
  if (w->part == SPW_FLOAT32 ? !spw_sum_run_of_floats((const float *)(const void *)x, count, squares, &run)
                             : !spw_sum_run_of_doubles((const double *)(const void *)x, count, squares, &run)) return false;
  return is_decided(w, run.sum, run.error, result);
}

static double norm_of(const fibre *w)
{
  gathered g;
  memset(&g, 0, offsetof(gathered, sum));
  const bool sums = w->kind == SPW_DIMS_NORM_1 || w->kind == SPW_DIMS_NORM_2;
  double result;
  if (sums && w->n * w->f->per_item >= WORTH_A_TRY && w->part >= SPW_FLOAT32 && is_run(w) && try_run(w, &result)) return result;
  g.exactly = sums && w->n * w->f->per_item < WORTH_A_TRY;
  if (g.exactly) spw_exact_start(&g.sum);
  gather(w, &g);
  if (w->kind == SPW_DIMS_NORM_0) {
    spw_exact_start(&g.sum);
    spw_exact_add(&g.sum, (double)g.nonzero);
    return of_bits(w->part, spw_exact_round(&g.sum, w->part));
  }
  if (g.nan) return NAN;
  if (g.infinite || !sums) return g.infinite ? INFINITY : g.most;
  const double error = (double)(2 * g.terms * w->parts + 8) * 0x1p-100;
  if (!g.exactly && !(g.extreme && w->kind == SPW_DIMS_NORM_2) && is_decided(w, g.pair, error, &result)) return result;
  if (g.exactly) return finish_exactly(w, &g.sum);
  g.exactly = true;
  spw_exact_start(&g.sum);
  gather(w, &g);
  return finish_exactly(w, &g.sum);
}

/* ---- Groups -------------------------------------------------------------------------------------- */

static void fold_group(fibre *w, int64_t place, char *out)
{
  const int64_t part = spw_dtype_size(w->part);
  for (int64_t i = 0; i < w->f->width; i++) {
    w->start = spw_dims_start(w->f, i);
    spw_put_real(w->part, norm_of(w), out + (place * w->f->width + i) * part);
  }
}

void spw_fold_norms(const spw_dims_fold *f, spw_dims_kind kind, spw_dtype dtype, void *out)
{
  const spw_dtype part = spw_part_type(dtype);
  fibre w = {.f = f, .kind = kind, .part = part, .parts = part == dtype ? 1 : 2, .bytes = spw_dtype_size(dtype)};
  if (!f->cells) {
    for (int64_t i = 0; i < f->n; i++) {
      w.first = i;
      w.n = 1;
      fold_group(&w, i, out);
    }
    return;
  }
  const uint64_t by = (uint64_t)f->part[0];
  for (int64_t i = 0, end, group = 0; i < f->n; i = end, group++) {
    const uint64_t number = f->cells[i].key / by;
    for (end = i + 1; end < f->n && f->cells[end].key / by == number;) end++;
    w.cells = f->cells + i;
    w.n = end - i;
    fold_group(&w, f->dense ? (int64_t)number : group, out);
  }
}
