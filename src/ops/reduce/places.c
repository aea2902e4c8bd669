/* SPDX-License-Identifier: Apache-2.0 */
#include "places.h"
#include "widen.h"
#include "../../core/size.h"

/* A value of any real type: whole numbers in `whole`, others in `real`. */
typedef struct extreme {
  int64_t whole, place; /* place: in the fibre; -1: nothing was seen */
  double real;
} extreme;

/* One fibre: its items, and where the dense part of its fibre begins in each. */
typedef struct fibre {
  const spw_dims_fold *f;
  spw_dtype dtype;
  int64_t bytes;
  bool largest;
} fibre;

static extreme read_value(const fibre *w, const char *at)
{
  extreme e = {0, -1, 0};
  if (w->dtype < SPW_FLOAT16)
    e.whole = spw_whole_at(w->dtype, at);
  else
    e.real = spw_real_at(w->dtype, at);
  return e;
}

/* Does a go before b: a NaN, or what is larger (smaller); of equal ones, what comes first? */
static bool wins(const fibre *w, const extreme *a, const extreme *b)
{
  if (b->place < 0) return true;
  const bool nan_a = a->real != a->real, nan_b = b->real != b->real;
  if (nan_a != nan_b) return nan_a;
  const bool more = a->real > b->real || a->whole > b->whole, less = a->real < b->real || a->whole < b->whole;
  if (!nan_a && (more || less)) return w->largest ? more : less;
  return a->place < b->place;
}

/* The scalars of a cell that are reduced to one, from number *number of the fibre on. */
static void take_cell(const fibre *w, const char *at, int64_t d, int64_t *number, extreme *best)
{
  if (d == w->f->dims) {
    extreme e = read_value(w, at);
    e.place = (*number)++;
    if (wins(w, &e, best)) *best = e;
    return;
  }
  /* Dimensions are listed from the last on: the first comes first. */
  const int64_t dim = w->f->dims - 1 - d;
  for (int64_t i = 0; i < w->f->size[dim]; i++) take_cell(w, at + i * w->f->stride[dim] * w->bytes, d + 1, number, best);
}

/* An unspecified position is 0: the first one, where there is one. */
static void take_unspecified(const fibre *w, int64_t gap, int64_t positions, extreme *best)
{
  const extreme e = {0, gap * w->f->per_item, 0};
  if (gap < positions && wins(w, &e, best)) *best = e;
}

static int64_t place_of(const fibre *w, const spw_cell *cells, int64_t n, int64_t item, int64_t start)
{
  const spw_dims_fold *const f = w->f;
  const int64_t leading = cells ? f->part[0] : 1;
  extreme best = {0, -1, 0};
  int64_t gap = 0;
  for (int64_t i = 0; i < n; i++) {
    const int64_t at = cells ? (int64_t)(cells[i].key % (uint64_t)leading) : 0;
    const int64_t own = cells ? (int64_t)cells[i].payload : item;
    int64_t number = at * f->per_item;
    if (at == gap) gap++;
    take_cell(w, (const char *)f->values + (own * f->scalars + start) * w->bytes, 0, &number, &best);
  }
  take_unspecified(w, gap, leading, &best);
  return best.place;
}

void spw_fold_places(const spw_dims_fold *f, bool largest, spw_dtype dtype, int64_t *out)
{
  const fibre w = {f, dtype, spw_dtype_size(dtype), largest};
  for (int64_t i = 0; i < f->n && !f->cells; i++)
    for (int64_t k = 0; k < f->width; k++) out[i * f->width + k] = place_of(&w, NULL, 1, i, spw_dims_start(f, k));
  if (!f->cells) return;
  const uint64_t by = (uint64_t)f->part[0];
  for (int64_t i = 0, end, group = 0; i < f->n; i = end, group++) {
    const uint64_t number = f->cells[i].key / by;
    for (end = i + 1; end < f->n && f->cells[end].key / by == number;) end++;
    for (int64_t k = 0; k < f->width; k++)
      out[(f->dense ? (int64_t)number : group) * f->width + k] = place_of(&w, f->cells + i, end - i, 0, spw_dims_start(f, k));
  }
}
