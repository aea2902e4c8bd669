/* SPDX-License-Identifier: Apache-2.0 */
#include "meaning.h"

#include "scalar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 200000 }; /* of offsets that are walked along */

static void *memory_for(int64_t count, size_t size)
{
  void *memory = calloc((size_t)count + 1, size);
  if (!memory) abort();
  return memory;
}

/* ---- Elements of strided arrays -------------------------------------------------------------- */

static int64_t place_of(const spw_array *a, const int64_t *index)
{
  int64_t place = a->offset;
  for (int64_t d = 0; d < a->ndim; d++) place += index[d] * a->strides[d];
  return place;
}

static int64_t index_at(const spw_index_array *a, const int64_t *index)
{
  const int64_t place = place_of(&a->array, index);
  return a->array.dtype == SPW_INT32 ? a->i32[place] : a->i64[place];
}

/* The row-major index of element `number` in a shape. */
static void unravel(int64_t number, int64_t ndim, const int64_t *shape, int64_t *index)
{
  for (int64_t d = ndim - 1; d >= 0; d--) {
    index[d] = number % shape[d];
    number /= shape[d];
  }
}

/* The product, or -1 beyond `limit`; a zero anywhere makes it 0. */
static int64_t product_within(int64_t n, const int64_t *factors, int64_t limit)
{
  int64_t product = 1;
  for (int64_t i = 0; i < n; i++)
    if (factors[i] == 0) return 0;
  for (int64_t i = 0; i < n; i++) {
    if (factors[i] > limit / product) return -1;
    product *= factors[i];
  }
  return product;
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* The numbers of a compressed tensor. */
typedef struct grid {
  bool by_rows;
  int64_t B, K, C, nse, b0, b1, batches;
} grid;

static grid grid_of(const spw_tensor *x)
{
  const spw_array *c = &x->compressed.array, *v = &x->values.array;
  const bool blocked = is_blocked(x->layout);
  grid g = {.by_rows = x->layout == SPW_CSR || x->layout == SPW_BSR, .B = c->ndim - 1};
  g.K = v->ndim - g.B - 1 - (blocked ? 2 : 0);
  g.C = c->shape[g.B] - 1;
  g.nse = x->plain.array.shape[g.B];
  g.b0 = blocked ? v->shape[g.B + 1] : 1;
  g.b1 = blocked ? v->shape[g.B + 2] : 1;
  g.batches = product_within(g.B, c->shape, INT64_MAX);
  return g;
}

static int64_t largest_plain(const spw_tensor *x, const grid *g)
{
  int64_t largest = -1, index[MEANING_DIMS];
  for (int64_t b = 0; b < g->batches; b++) {
    unravel(b, g->B, x->plain.array.shape, index);
    for (index[g->B] = 0; index[g->B] < g->nse; index[g->B]++)
      if (index_at(&x->plain, index) > largest) largest = index_at(&x->plain, index);
  }
  return largest;
}

static void size_of_compressed(const spw_tensor *x, const grid *g, meaning *m)
{
  const int64_t P = largest_plain(x, g) + 1;
  for (int64_t d = 0; d < g->B; d++) m->size[d] = x->compressed.array.shape[d];
  m->size[g->B] = (g->by_rows ? g->C : P) * g->b0;
  m->size[g->B + 1] = (g->by_rows ? P : g->C) * g->b1;
  for (int64_t d = 0; d < g->K; d++)
    m->size[g->B + 2 + d] = x->values.array.shape[x->values.array.ndim - g->K + d];
}

/* A cell gets the scalars at `index` of the values, of which `known` entries are filled in. */
static void take_scalars(const spw_value_array *values, int64_t *index, int64_t known, meaning *m, cell *c)
{
  const int64_t width = scalar_width(m->dtype), rest = values->array.ndim - known;
  for (int64_t e = 0; e < m->scalars; e++) {
    if (rest > 0) unravel(e, rest, values->array.shape + known, index + known);
    memcpy(c->scalars + e * width, (const char *)values->data + place_of(&values->array, index) * width, (size_t)width);
  }
}

static bool make_room(meaning *m, int64_t cells)
{
  const int64_t factors[] = {cells, m->scalars > 0 ? m->scalars : 1};
  if (cells < 0 || product_within(2, factors, MEANING_SCALARS) < 0) return false;
  m->cells = memory_for(cells, sizeof *m->cells);
  m->memory = memory_for(cells * m->scalars, 16);
  return true;
}

static cell *next_cell(meaning *m)
{
  cell *c = &m->cells[m->count];
  c->scalars = m->memory + m->count * m->scalars * 16;
  m->count++;
  return c;
}

static void take_block(const spw_tensor *x, const grid *g, int64_t *index, int64_t batch, int64_t line, meaning *m)
{
  const int64_t plain = index_at(&x->plain, index), k = index[g->B];
  const int64_t row = (g->by_rows ? line : plain) * g->b0, column = (g->by_rows ? plain : line) * g->b1;
  for (int64_t r = 0; r < g->b0; r++)
    for (int64_t s = 0; s < g->b1; s++) {
      cell *c = next_cell(m);
      for (int64_t d = 0; d < g->B; d++) c->at[d] = index[d];
      c->at[g->B] = row + r;
      c->at[g->B + 1] = column + s;
      c->batch = batch;
      c->place = k;
      index[g->B + 1] = r;
      index[g->B + 2] = s;
      take_scalars(&x->values, index, is_blocked(x->layout) ? g->B + 3 : g->B + 1, m, c);
    }
}

static void take_batch(const spw_tensor *x, const grid *g, int64_t batch, meaning *m)
{
  int64_t index[MEANING_DIMS + 2];
  for (int64_t line = 0; line < g->C; line++) {
    unravel(batch, g->B, x->compressed.array.shape, index);
    index[g->B] = line;
    const int64_t begin = index_at(&x->compressed, index);
    index[g->B] = line + 1;
    const int64_t end = index_at(&x->compressed, index);
    for (int64_t k = begin; k < end; k++) {
      index[g->B] = k;
      take_block(x, g, index, batch, line, m);
    }
  }
}

static bool compressed_meaning(const spw_tensor *x, meaning *m)
{
  const grid g = grid_of(x);
  const int64_t cells[] = {g.batches, g.nse, g.b0, g.b1};
  const int64_t steps[] = {g.batches, g.C + 1}; /* C + 1: a shape says so */
  m->ndim = g.B + 2 + g.K;
  if (m->ndim > MEANING_DIMS || product_within(2, steps, STEPS) < 0) return false;
  m->leading = g.B + 2;
  m->scalars = product_within(g.K, x->values.array.shape + x->values.array.ndim - g.K, INT64_MAX);
  if (m->scalars < 0 || !make_room(m, product_within(4, cells, MEANING_SCALARS))) return false;
  if (x->has_size) memcpy(m->size, x->size, (size_t)m->ndim * sizeof *m->size);
  else size_of_compressed(x, &g, m);
  for (int64_t batch = 0; batch < g.batches; batch++) take_batch(x, &g, batch, m);
  return true;
}

static bool coo_meaning(const spw_tensor *x, meaning *m)
{
  const int64_t S = x->plain.array.shape[0], nse = x->plain.array.shape[1], K = x->values.array.ndim - 1;
  int64_t index[MEANING_DIMS + 2];
  if (S > MEANING_DIMS || K > MEANING_DIMS || S + K > MEANING_DIMS) return false;
  m->ndim = S + K;
  m->leading = S;
  m->scalars = product_within(K, x->values.array.shape + 1, INT64_MAX);
  if (m->scalars < 0 || !make_room(m, nse)) return false;
  for (int64_t d = 0; d < m->ndim; d++)
    m->size[d] = x->has_size ? x->size[d] : d < S ? 0 : x->values.array.shape[1 + d - S];
  for (int64_t k = 0; k < nse; k++) {
    cell *c = next_cell(m);
    for (int64_t d = 0; d < S; d++) {
      c->at[d] = index_at(&x->plain, (const int64_t[]){d, k});
      if (!x->has_size && c->at[d] >= m->size[d]) m->size[d] = c->at[d] + 1;
    }
    c->place = index[0] = k;
    take_scalars(&x->values, index, 1, m, c);
  }
  return true;
}

static bool dense_meaning(const spw_tensor *x, int64_t dense_dims, meaning *m)
{
  const spw_array *v = &x->values.array;
  int64_t index[MEANING_DIMS + 2];
  if (v->ndim > MEANING_DIMS || dense_dims > v->ndim) return false;
  m->ndim = v->ndim;
  m->leading = v->ndim - dense_dims;
  m->scalars = dense_dims == 0 ? 1 : product_within(dense_dims, v->shape + m->leading, INT64_MAX);
  if (m->scalars < 0 || !make_room(m, product_within(m->leading, v->shape, MEANING_SCALARS))) return false;
  if (m->ndim > 0) memcpy(m->size, v->shape, (size_t)m->ndim * sizeof *m->size);
  const int64_t count = product_within(m->leading, v->shape, MEANING_SCALARS);
  for (int64_t i = 0; i < count; i++) {
    cell *c = next_cell(m);
    unravel(i, m->leading, v->shape, c->at);
    memcpy(index, c->at, sizeof c->at);
    c->place = i;
    take_scalars(&x->values, index, m->leading, m, c);
  }
  return true;
}

bool meaning_of(const spw_tensor *tensor, int64_t dense_dims, meaning *m)
{
  *m = (meaning){.dtype = tensor->values.array.dtype};
  if (tensor->values.array.ndim > MEANING_DIMS + 2) return false;
  if (tensor->layout == SPW_DENSE) return dense_meaning(tensor, dense_dims, m);
  if (tensor->layout == SPW_COO) return coo_meaning(tensor, m);
  return tensor->compressed.array.ndim <= MEANING_DIMS && compressed_meaning(tensor, m);
}

void meaning_free(meaning *m)
{
  free(m->cells);
  free(m->memory);
}

/* ---- Duplicates ------------------------------------------------------------------------------ */

static int64_t sorted_by; /* how many coordinates */

static int compare_positions(const int64_t *a, const int64_t *b, int64_t n)
{
  for (int64_t d = 0; d < n; d++)
    if (a[d] != b[d]) return a[d] < b[d] ? -1 : 1;
  return 0;
}

static int compare_cells(const void *left, const void *right)
{
  const cell *a = left, *b = right;
  const int order = compare_positions(a->at, b->at, sorted_by);
  return order ? order : a->place < b->place ? -1 : a->place > b->place;
}

static void add_to(const meaning *m, cell *sum, const cell *next)
{
  const int64_t width = scalar_width(m->dtype);
  for (int64_t e = 0; e < m->scalars; e++) scalar_add(m->dtype, sum->scalars + e * width, next->scalars + e * width);
  sum->computed = true;
}

void meaning_sort(meaning *m)
{
  sorted_by = m->leading;
  if (m->count > 0) qsort(m->cells, (size_t)m->count, sizeof *m->cells, compare_cells);
}

void meaning_combine(meaning *m, spw_combine how)
{
  int64_t kept = 0;
  for (int64_t i = 0; i < m->count; i++) {
    cell *before = kept > 0 ? &m->cells[kept - 1] : NULL;
    if (!before || compare_positions(before->at, m->cells[i].at, m->leading) != 0) m->cells[kept++] = m->cells[i];
    else if (how == SPW_COMBINE_SUM) add_to(m, before, &m->cells[i]);
    else if (how == SPW_COMBINE_LAST) *before = m->cells[i];
  }
  m->count = kept;
}

/* ---- The same meaning ------------------------------------------------------------------------ */

static bool all_zero_bits(const meaning *m, const cell *c)
{
  for (int64_t e = 0; e < m->scalars; e++)
    if (!scalar_has_no_bits(m->dtype, c->scalars + e * scalar_width(m->dtype))) return false;
  return true;
}

static const char *said(const char *what, const meaning *m, const cell *c)
{
  static char text[400];
  int length = snprintf(text, sizeof text, "%s at", what);
  for (int64_t d = 0; d < m->leading && length < 300; d++)
    length += snprintf(text + length, sizeof text - (size_t)length, " %lld", (long long)c->at[d]);
  return text;
}

static const char *cell_difference(const meaning *m, const cell *a, const cell *b)
{
  const int64_t width = scalar_width(m->dtype);
  for (int64_t e = 0; e < m->scalars; e++)
    if (!scalar_same(m->dtype, a->scalars + e * width, b->scalars + e * width, a->computed || b->computed))
      return said("other values", m, a);
  return NULL;
}

static const char *difference_of(const meaning *a, const meaning *b, bool dense)
{
  int64_t i = 0, j = 0;
  while (i < a->count || j < b->count) {
    const int order = i == a->count   ? 1
                      : j == b->count ? -1
                                      : compare_positions(a->cells[i].at, b->cells[j].at, a->leading);
    const char *wrong = order == 0 ? cell_difference(a, &a->cells[i], &b->cells[j]) : NULL;
    if (order < 0 && !(dense && all_zero_bits(a, &a->cells[i]))) wrong = said("only the first has a cell", a, &a->cells[i]);
    if (order > 0 && !(dense && all_zero_bits(b, &b->cells[j]))) wrong = said("only the second has a cell", b, &b->cells[j]);
    if (wrong) return wrong;
    i += order <= 0;
    j += order >= 0;
  }
  return NULL;
}

const char *meaning_difference(const spw_tensor *a, const spw_tensor *b, spw_combine how, bool dense)
{
  meaning m = {.count = 0}, n = {.count = 0};
  const char *wrong = NULL;
  /* A dense array has the dense dimensions of what it is compared with. */
  const bool fine = a->layout == SPW_DENSE ? meaning_of(b, 0, &n) && meaning_of(a, n.ndim - n.leading, &m)
                                           : meaning_of(a, 0, &m) && meaning_of(b, m.ndim - m.leading, &n);
  if (fine && m.dtype != n.dtype) wrong = "another type";
  else if (fine && (m.ndim != n.ndim || compare_positions(m.size, n.size, m.ndim) != 0)) wrong = "another size";
  else if (fine && m.leading != n.leading) wrong = "other dense dimensions";
  if (fine && !wrong) {
    meaning_sort(&m);
    meaning_sort(&n);
    meaning_combine(&m, how);
    meaning_combine(&n, how);
    wrong = difference_of(&m, &n, dense);
  }
  meaning_free(&m);
  meaning_free(&n);
  return wrong;
}

int64_t meaning_place(const spw_array *a, int64_t number)
{
  int64_t place = a->offset;
  for (int64_t d = a->ndim - 1; d >= 0; d--) {
    place += number % a->shape[d] * a->strides[d];
    number /= a->shape[d];
  }
  return place;
}

int64_t meaning_count(const spw_array *a)
{
  uint64_t count = 1;
  for (int64_t d = 0; d < a->ndim; d++) count *= (uint64_t)a->shape[d];
  return (int64_t)count;
}

int64_t meaning_ndim(const spw_numbers *n)
{
  int64_t ndim;
  if (__builtin_add_overflow(n->batch_dims, n->sparse_dims, &ndim)) return INT64_MAX;
  return __builtin_add_overflow(ndim, n->dense_dims, &ndim) ? INT64_MAX : ndim;
}

int64_t meaning_dims(const spw_tensor *tensor)
{
  spw_numbers n;
  if (tensor->has_size || spw_numbers_of(tensor, &n) != SPW_OK) return tensor->ndim;
  return meaning_ndim(&n);
}
