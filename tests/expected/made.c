/* SPDX-License-Identifier: Apache-2.0 */
#include "made.h"

#include "../attempts/fenced.h"
#include "oracle.h"
#include "scalar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 60000, MOST_SCALARS = 400000 };

static char text[600];

#define WRONG(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

const char *making_text(const spw_making *w)
{
  static const char *const names[] = {"zeros",    "diagonals", "clone", "fill", "slice",
                                      "diagonal", "lower",     "upper", "kron", "resplit"};
  static char words[500];
  int n = snprintf(words, sizeof words,
                   "%s layout %d blocks %lldx%lld batch %lld dense %lld dim %lld start %lld length %lld step "
                   "%lld diagonal %lld sparse %lld size",
                   names[w->kind], (int)w->layout, (long long)w->block_rows, (long long)w->block_columns,
                   (long long)w->batch_dims, (long long)w->dense_dims, (long long)w->dim, (long long)w->start,
                   (long long)w->length, (long long)w->step, (long long)w->diagonal, (long long)w->sparse_dims);
  for (int64_t d = 0; w->kind <= SPW_MAKE_DIAGONALS && d < w->ndim && d < 8; d++)
    n += snprintf(words + n, sizeof words - (size_t)n, " %lld", (long long)w->size[d]);
  for (int64_t i = 0; w->kind == SPW_MAKE_DIAGONALS && i < w->count && i < 5; i++)
    n += snprintf(words + n, sizeof words - (size_t)n, "%s%lld", i ? " " : " at ", (long long)w->numbers[i]);
  return words;
}

/* ---- What must come out ------------------------------------------------------------------------ */

/* The result as a list of elements; `ndim`, `size` and `leading` are those of it. */
typedef struct task {
  const spw_tensor *const *operands;
  const spw_making *w;
  meaning of[2];
  int64_t width; /* bytes of a scalar */
  spw_dtype dtype;
  int64_t ndim, leading, size[MEANING_DIMS + 4], scalars;
  spw_layout layout;
  int64_t batch_dims, block[2];
  spw_dtype index_dtype;
  unsigned obstacles; /* bits 1 << obstacle: any of these is a true reason */
  bool nonsense;      /* the call is wrong */
  meaning out;
  int64_t capacity;
  bool too_many;
  uint8_t **memory; /* of each cell that was added */
  int64_t added, places;
} task;

static void refuse(task *t, spw_obstacle obstacle)
{
  t->obstacles |= 1u << obstacle;
}

static bool blocked(spw_layout layout)
{
  return layout == SPW_BSR || layout == SPW_BSC;
}

/* The product; -1 beyond int64; a zero makes it 0. */
static int64_t product_of(const int64_t *factors, int64_t n)
{
  int64_t product = 1;
  for (int64_t d = 0; d < n; d++)
    if (factors[d] == 0) return 0;
  for (int64_t d = 0; d < n; d++) {
    if (product > INT64_MAX / factors[d]) return -1;
    product *= factors[d];
  }
  return product;
}

/* An element of the result, of zeros. */
static cell *add(task *t, const int64_t *at)
{
  meaning *const m = &t->out;
  if (m->count == t->capacity) {
    t->capacity = 2 * t->capacity + 16;
    m->cells = realloc(m->cells, (size_t)t->capacity * sizeof *m->cells);
    if (!m->cells) abort();
  }
  if (m->count >= MOST_CELLS) t->too_many = true;
  if (t->too_many) m->count = 0;
  cell *const c = &m->cells[m->count];
  memset(c, 0, sizeof *c);
  memcpy(c->at, at, (size_t)t->leading * sizeof *at);
  c->place = m->count++;
  if (t->added == t->places) {
    t->places = 2 * t->places + 16;
    t->memory = realloc(t->memory, (size_t)t->places * sizeof *t->memory);
    if (!t->memory) abort();
  }
  c->scalars = t->memory[t->added++] = calloc((size_t)(t->scalars * t->width + 1), 1);
  if (!c->scalars) abort();
  return c;
}

static cell *add_with(task *t, const int64_t *at, const uint8_t *scalars)
{
  cell *const c = add(t, at);
  memcpy(c->scalars, scalars, (size_t)(t->scalars * t->width));
  return c;
}

/* ---- Kinds ------------------------------------------------------------------------------------- */

static void like_operand(task *t)
{
  const meaning *const m = &t->of[0];
  const spw_tensor *const x = t->operands[0];
  t->ndim = m->ndim;
  t->leading = m->leading;
  memcpy(t->size, m->size, (size_t)m->ndim * sizeof *m->size);
  t->dtype = m->dtype;
  t->layout = x->layout;
  t->batch_dims = x->layout == SPW_COO ? 0 : x->compressed.array.ndim - 1;
  t->index_dtype = x->plain.array.dtype;
  for (int i = 0; i < 2; i++) t->block[i] = blocked(x->layout) ? x->values.array.shape[t->batch_dims + 1 + i] : 1;
}

static void given_size(task *t)
{
  const spw_making *const w = t->w;
  const bool coo = w->layout == SPW_COO;
  if (w->layout > SPW_BSC || w->batch_dims < 0 || w->dense_dims < 0 || (coo && w->batch_dims > 0)) {
    t->nonsense = true;
    return;
  }
  for (int64_t d = 0; d < w->ndim; d++)
    if (w->size[d] < 0) refuse(t, SPW_OBSTACLE_RANGE);
  const bool fits = coo ? w->dense_dims <= w->ndim : w->ndim - w->dense_dims - w->batch_dims == 2;
  if (!fits || (w->kind == SPW_MAKE_DIAGONALS && (w->ndim != 2 || w->dense_dims > 0))) {
    refuse(t, SPW_OBSTACLE_DIMENSIONS);
    return;
  }
  t->ndim = w->ndim;
  t->leading = w->ndim - w->dense_dims;
  t->layout = w->layout;
  t->batch_dims = w->batch_dims;
  t->index_dtype = w->index_dtype == SPW_DTYPE_NONE ? SPW_INT64 : w->index_dtype;
  t->dtype = w->dtype;
  for (int i = 0; i < 2; i++) t->block[i] = blocked(w->layout) && w->block_rows ? (i ? w->block_columns : w->block_rows) : 1;
  for (int64_t d = 0; d < w->ndim; d++) t->size[d] = w->size[d];
}

/* [i, j] of the dense operand, or 1. */
static void diagonal_value(const task *t, int64_t i, int64_t j, uint8_t *scalar)
{
  const spw_tensor *const d = t->operands ? t->operands[0] : NULL;
  if (!d) {
    scalar_one(t->dtype, scalar);
    return;
  }
  const spw_array *const v = &d->values.array;
  const int64_t place = v->offset + (v->ndim == 2 ? i * v->strides[0] : 0) + j * v->strides[v->ndim - 1];
  memcpy(scalar, (const uint8_t *)d->values.data + place * t->width, (size_t)t->width);
}

static void make_diagonals(task *t, int64_t count)
{
  const spw_making *const w = t->w;
  int64_t rows = w->count, columns = INT64_MAX;
  given_size(t);
  if (t->nonsense || t->obstacles) return;
  if (count > 0) {
    const spw_array *const v = &t->operands[0]->values.array;
    t->dtype = v->dtype;
    if (v->ndim != 1 && v->ndim != 2) refuse(t, SPW_OBSTACLE_DIMENSIONS);
    if (t->obstacles) return;
    rows = v->ndim == 2 ? v->shape[0] : 1;
    columns = v->shape[v->ndim - 1];
    if (rows != w->count) refuse(t, SPW_OBSTACLE_SHAPES);
  }
  for (int64_t i = 0; i < w->count; i++)
    for (int64_t j = 0; j < i; j++)
      if (w->numbers[i] == w->numbers[j]) refuse(t, SPW_OBSTACLE_DUPLICATE);
  t->width = scalar_width(t->dtype);
  t->scalars = 1;
  if (t->obstacles || t->size[0] > 2000 || t->size[1] > 2000) {
    t->too_many = t->size[0] > 2000 || t->size[1] > 2000;
    return;
  }
  /* every position of the matrix: whose diagonal is it? */
  for (int64_t r = 0; r < t->size[0]; r++)
    for (int64_t c = 0; c < t->size[1] && c < columns; c++)
      for (int64_t i = 0; i < rows; i++) {
        const int64_t at[2] = {r, c};
        if (c - r == w->numbers[i]) diagonal_value(t, i, c, add(t, at)->scalars);
      }
}

static void make_slice(task *t)
{
  const spw_making *const w = t->w;
  const meaning *const m = &t->of[0];
  like_operand(t);
  if (w->dim < 0 || w->dim >= t->ndim) {
    refuse(t, SPW_OBSTACLE_DIMENSION);
    return;
  }
  const int64_t size = m->size[w->dim];
  if (w->length < 0 || w->start < 0 || w->start > size || w->length > size) refuse(t, SPW_OBSTACLE_RANGE);
  t->too_many = w->length > MOST_CELLS;
  if (t->obstacles || t->too_many) return;
  for (int64_t i = 0, index = w->start; i < w->length; i++) {
    if (index < 0 || index >= size) refuse(t, SPW_OBSTACLE_RANGE);
    if (w->step > size || w->step < -size)
      index = w->step > 0 ? size : -1; /* a second one is outside */
    else
      index += w->step;
  }
  t->size[w->dim] = w->length;
  if (t->obstacles) return;
  t->scalars = product_of(t->size + t->leading, t->ndim - t->leading);
  for (int64_t k = 0; k < m->count; k++) {
    const cell *const from = &m->cells[k];
    int64_t at[MEANING_DIMS];
    memcpy(at, from->at, sizeof at);
    if (w->dim < t->leading) {
      for (int64_t i = 0; i < w->length; i++) {
        if (w->start + i * w->step != from->at[w->dim]) continue;
        at[w->dim] = i;
        add_with(t, at, from->scalars);
      }
      continue;
    }
    cell *const c = add(t, at);
    int64_t inner = 1;
    for (int64_t d = w->dim + 1; d < t->ndim; d++) inner *= m->size[d];
    for (int64_t e = 0; e < t->scalars; e++) {
      const int64_t low = e % inner, i = e / inner % w->length, high = e / inner / w->length;
      const int64_t source = (high * size + w->start + i * w->step) * inner + low;
      memcpy(c->scalars + e * t->width, from->scalars + source * t->width, (size_t)t->width);
    }
  }
}

/* |k| more than a size; -1 where int64 has no such number. */
static int64_t size_beside(int64_t size, int64_t k)
{
  const uint64_t side = (uint64_t)size + (k < 0 ? 0 - (uint64_t)k : (uint64_t)k);
  return side > INT64_MAX ? -1 : (int64_t)side;
}

static void make_diagonal(task *t)
{
  const meaning *const m = &t->of[0];
  const int64_t n = m->leading, k = t->w->diagonal;
  like_operand(t);
  t->layout = SPW_COO;
  t->batch_dims = 0;
  t->block[0] = t->block[1] = 1;
  if (n == 0) {
    refuse(t, SPW_OBSTACLE_DIMENSIONS);
    return;
  }
  if (n == 1) {
    t->ndim++;
    t->leading++;
    t->size[0] = size_beside(m->size[0], k);
    if (t->size[0] < 0) {
      refuse(t, SPW_OBSTACLE_SIZE);
      return;
    }
    for (int64_t d = 1; d < t->ndim; d++) t->size[d] = d == 1 ? t->size[0] : m->size[d - 1];
    for (int64_t i = 0; i < m->count; i++) {
      const int64_t at[2] = {m->cells[i].at[0] + (k < 0 ? -k : 0), m->cells[i].at[0] + (k > 0 ? k : 0)};
      add_with(t, at, m->cells[i].scalars);
    }
    return;
  }
  t->ndim--;
  t->leading--;
  int64_t length = 0; /* positions of the diagonal, counted where that is few */
  const int64_t rows = m->size[n - 2], columns = m->size[n - 1];
  for (int64_t r = k < 0 ? (k <= -rows ? rows : -k) : 0; r < rows && r + k < columns; r++) {
    if (++length > 100000) {
      t->too_many = true;
      return;
    }
  }
  t->size[n - 2] = length;
  for (int64_t d = n - 1; d < t->ndim; d++) t->size[d] = m->size[d + 1];
  for (int64_t i = 0; i < m->count; i++) {
    int64_t at[MEANING_DIMS];
    memcpy(at, m->cells[i].at, sizeof at);
    if (at[n - 1] - at[n - 2] != k) continue;
    if (at[n - 1] < at[n - 2]) at[n - 2] = at[n - 1];
    add_with(t, at, m->cells[i].scalars);
  }
}

static void make_triangle(task *t)
{
  const meaning *const m = &t->of[0];
  like_operand(t);
  if (m->leading < 2) {
    refuse(t, SPW_OBSTACLE_DIMENSIONS);
    return;
  }
  for (int64_t i = 0; i < m->count; i++) {
    const int64_t *const at = m->cells[i].at, r = at[m->leading - 2], c = at[m->leading - 1], k = t->w->diagonal;
    const bool below = c - r<k, above = c - r> k;
    if (t->w->kind == SPW_MAKE_LOWER ? !above : !below) add_with(t, at, m->cells[i].scalars);
  }
}

/* COO of two elements or more that makes no claim. */
static bool repeats(const spw_tensor *x)
{
  return x->layout == SPW_COO && x->values.array.shape[0] > 1 && x->coalesced != SPW_CLAIM_YES;
}

static void make_kron(task *t)
{
  const meaning *const a = &t->of[0], *const b = &t->of[1];
  like_operand(t);
  if (a->ndim > a->leading || b->ndim > b->leading)
    refuse(t, SPW_OBSTACLE_HYBRID);
  else if (a->ndim != b->ndim)
    refuse(t, SPW_OBSTACLE_DIMENSIONS);
  else if (a->dtype != b->dtype)
    refuse(t, SPW_OBSTACLE_TYPES);
  else if (repeats(t->operands[0]) || repeats(t->operands[1]))
    refuse(t, SPW_OBSTACLE_DUPLICATE);
  if (t->obstacles) return;
  for (int64_t d = 0; d < t->ndim; d++) {
    if (a->size[d] > 0 && b->size[d] > INT64_MAX / a->size[d])
      refuse(t, SPW_OBSTACLE_SIZE);
    else
      t->size[d] = a->size[d] * b->size[d];
  }
  if (t->obstacles) return;
  if (a->count * b->count > MOST_CELLS) {
    t->too_many = true;
    return;
  }
  for (int64_t i = 0; i < a->count; i++)
    for (int64_t j = 0; j < b->count; j++) {
      int64_t at[MEANING_DIMS];
      for (int64_t d = 0; d < t->ndim; d++) at[d] = a->cells[i].at[d] * b->size[d] + b->cells[j].at[d];
      cell *const c = add_with(t, at, b->cells[j].scalars);
      scalar_multiply(t->dtype, a->cells[i].scalars, c->scalars);
      c->computed = true;
    }
}

/* Every scalar has a position; those that share its first indices are one cell. */
static void make_resplit(task *t)
{
  const meaning *const m = &t->of[0];
  const int64_t n = t->w->sparse_dims;
  like_operand(t);
  if (t->layout != SPW_COO) refuse(t, SPW_OBSTACLE_LAYOUT);
  if (n > t->ndim || n < 0 || (n == 0 && t->ndim > 0)) refuse(t, SPW_OBSTACLE_DIMENSIONS);
  if (repeats(t->operands[0])) refuse(t, SPW_OBSTACLE_DUPLICATE);
  if (t->obstacles) return;
  t->leading = n;
  t->scalars = product_of(t->size + n, t->ndim - n);
  if (t->scalars < 0 || t->scalars > MOST_SCALARS) {
    t->too_many = m->count > 0;
    return;
  }
  cell *c = NULL;
  for (int64_t k = 0; k < m->count; k++)
    for (int64_t e = 0; e < m->scalars; e++) {
      int64_t at[MEANING_DIMS], within = 0;
      for (int64_t d = t->ndim - 1, rest = e; d >= 0; d--) {
        at[d] = d < m->leading ? m->cells[k].at[d] : rest % m->size[d];
        if (d >= m->leading) rest /= m->size[d];
      }
      for (int64_t d = n; d < t->ndim; d++) within = within * t->size[d] + at[d];
      if (!c || memcmp(c->at, at, (size_t)n * sizeof *at) != 0) c = add(t, at);
      memcpy(c->scalars + within * t->width, m->cells[k].scalars + e * t->width, (size_t)t->width);
      if (t->out.count * (t->scalars + 1) > MOST_SCALARS) {
        t->too_many = true;
        return;
      }
    }
  int64_t kept = 0;
  for (int64_t k = 0; k < t->out.count; k++) {
    bool zero = true;
    for (int64_t e = 0; e < t->scalars; e++) zero = zero && scalar_is_zero(t->dtype, t->out.cells[k].scalars + e * t->width);
    if (!zero) t->out.cells[kept++] = t->out.cells[k];
  }
  t->out.count = kept;
}

/* ---- Sizes, batches, blocks -------------------------------------------------------------------- */

static int compare_at(const cell *a, const cell *b, int64_t n)
{
  for (int64_t d = 0; d < n; d++)
    if (a->at[d] != b->at[d]) return a->at[d] < b->at[d] ? -1 : 1;
  return 0;
}

/* Is there a cell at this position among the first n, which are sorted? */
static bool is_among(const task *t, const cell *wanted, int64_t n)
{
  int64_t from = 0, to = n;
  while (from < to) {
    const int64_t middle = from + (to - from) / 2;
    if (compare_at(&t->out.cells[middle], wanted, t->leading) < 0)
      from = middle + 1;
    else
      to = middle;
  }
  return from < n && compare_at(&t->out.cells[from], wanted, t->leading) == 0;
}

/* Element e of the block that a cell lies in. */
static cell element_of_block(const task *t, const cell *c, int64_t e)
{
  cell element = *c;
  const int64_t within[2] = {e / t->block[1], e % t->block[1]};
  for (int i = 0; i < 2; i++) element.at[t->batch_dims + i] += within[i] - c->at[t->batch_dims + i] % t->block[i];
  return element;
}

/* Adds what the block of cell k lacks, if k is the first of its block among the first n. */
static void fill_block(task *t, int64_t k, int64_t n)
{
  const cell own = t->out.cells[k];
  for (int64_t e = 0; e < t->block[0] * t->block[1]; e++) {
    const cell element = element_of_block(t, &own, e);
    if (!is_among(t, &element, n)) continue;
    if (compare_at(&element, &own, t->leading) != 0) return;
    break;
  }
  for (int64_t e = 0; e < t->block[0] * t->block[1] && !t->too_many; e++) {
    const cell element = element_of_block(t, &own, e);
    if (!is_among(t, &element, n)) add(t, element.at);
  }
}

/* Elements of a stored block that nothing specifies are specified too. */
static void fill_blocks(task *t)
{
  if (!blocked(t->layout) || (t->block[0] == 1 && t->block[1] == 1)) return;
  t->out.leading = t->leading;
  meaning_sort(&t->out);
  const int64_t n = t->out.count;
  for (int64_t k = 0; k < n && !t->too_many; k++) {
    const bool again = k > 0 && compare_at(&t->out.cells[k], &t->out.cells[k - 1], t->leading) == 0;
    if (!again) fill_block(t, k, n);
  }
}

static void judge_batches(task *t)
{
  const meaning *const m = &t->out;
  int64_t seen = 0, each = -1;
  if (t->layout == SPW_COO) return;
  const int64_t batches = product_of(t->size, t->batch_dims);
  for (int64_t k = 0; k < m->count;) {
    int64_t end = k;
    while (end < m->count && compare_at(&m->cells[k], &m->cells[end], t->batch_dims) == 0) end++;
    if (each >= 0 && end - k != each) refuse(t, SPW_OBSTACLE_BATCHES);
    each = end - k;
    seen++;
    k = end;
  }
  if (seen > 0 && seen != batches) refuse(t, SPW_OBSTACLE_BATCHES);
}

static void judge_size(task *t)
{
  if (product_of(t->size, t->ndim) < 0) refuse(t, SPW_OBSTACLE_SIZE);
  for (int64_t d = t->batch_dims; d < t->leading; d++) {
    const int64_t block = blocked(t->layout) ? t->block[d - t->batch_dims] : 1;
    if (block > 0 && t->size[d] % block != 0) refuse(t, SPW_OBSTACLE_BLOCKS);
    if (block > 0 && t->index_dtype == SPW_INT32 && t->size[d] / block > INT32_MAX) refuse(t, SPW_OBSTACLE_INDEX);
  }
}

/* ---- Comparing --------------------------------------------------------------------------------- */

static const char *compare_cells(const task *t, const meaning *got)
{
  const meaning *const m = &t->out;
  if (got->leading != t->leading) return "other dense dimensions";
  if (got->count != m->count) return WRONG("%lld elements and not %lld", (long long)got->count, (long long)m->count);
  for (int64_t k = 0; k < m->count; k++) {
    if (compare_at(&got->cells[k], &m->cells[k], t->leading) != 0) return WRONG("element %lld lies elsewhere", (long long)k);
    for (int64_t e = 0; e < t->scalars; e++)
      if (!scalar_same(t->dtype, m->cells[k].scalars + e * t->width, got->cells[k].scalars + e * t->width,
                       m->cells[k].computed))
        return WRONG("scalar %lld of element %lld", (long long)e, (long long)k);
  }
  return NULL;
}

static const char *compare_result(task *t, const spw_tensor *result)
{
  meaning got = {.count = 0};
  if (result->layout != t->layout) return WRONG("layout %d and not %d", (int)result->layout, (int)t->layout);
  const spw_rule broken = oracle_broken_rule(result);
  if (broken != SPW_RULE_NONE) return WRONG("the result breaks rule %d", (int)broken);
  if (result->layout == SPW_COO && result->coalesced != SPW_CLAIM_YES) return "no claim to be coalesced";
  if (result->plain.array.dtype != t->index_dtype || result->values.array.dtype != t->dtype) return "another type";
  if (!result->has_size || result->ndim != t->ndim) return "another form";
  for (int64_t d = 0; d < t->ndim; d++)
    if (result->size[d] != t->size[d])
      return WRONG("size[%lld] is %lld and not %lld", (long long)d, (long long)result->size[d], (long long)t->size[d]);
  for (int64_t i = 0; blocked(t->layout) && i < 2; i++)
    if (result->values.array.shape[t->batch_dims + 1 + i] != t->block[i]) return "other blocks";
  if (!meaning_of(result, 0, &got)) return NULL;
  meaning_sort(&got);
  const char *const wrong = compare_cells(t, &got);
  meaning_free(&got);
  return wrong;
}

/* Clone and fill: the same arrays in the same order. */
static const char *compare_copy(task *t, spw_status status, const spw_tensor *result)
{
  const meaning *const m = &t->of[0];
  const spw_tensor *const x = t->operands[0];
  meaning got = {.count = 0};
  if (status != SPW_OK) return WRONG("status %d", (int)status);
  if (!result) return NULL;
  if (result->layout != x->layout || result->coalesced != x->coalesced || result->ndim != m->ndim) return "another form";
  if (result->plain.array.dtype != x->plain.array.dtype) return "another type of indices";
  if (!meaning_of(result, 0, &got)) return NULL;
  const char *wrong = got.count == m->count && got.leading == m->leading && got.dtype == m->dtype ? NULL : "another form";
  for (int64_t d = 0; d < m->ndim && !wrong; d++)
    if (result->size[d] != m->size[d]) wrong = "another size";
  const int64_t width = scalar_width(m->dtype);
  for (int64_t k = 0; k < m->count && !wrong; k++) {
    if (compare_at(&got.cells[k], &m->cells[k], m->leading) != 0) wrong = WRONG("element %lld lies elsewhere", (long long)k);
    if (got.cells[k].place != m->cells[k].place) wrong = "another order";
    for (int64_t e = 0; e < m->scalars && !wrong; e++) {
      const void *const one = t->w->kind == SPW_MAKE_FILL ? t->w->scalar : m->cells[k].scalars + e * width;
      if (memcmp(one, got.cells[k].scalars + e * width, (size_t)width) != 0)
        wrong = WRONG("scalar %lld of %lld", (long long)e, (long long)k);
    }
  }
  meaning_free(&got);
  return wrong;
}

/* ---- Answers ----------------------------------------------------------------------------------- */

/* Two numbers of the list are equal. */
static bool names_equal_offsets(const task *t, const spw_refusal *r)
{
  return r->lhs >= 0 && r->lhs < t->w->count && r->rhs >= 0 && r->rhs < t->w->count && r->lhs != r->rhs &&
         t->w->numbers[r->lhs] == t->w->numbers[r->rhs];
}

static void make(task *t, int64_t count)
{
  switch (t->w->kind) {
  case SPW_MAKE_ZEROS:
    given_size(t);
    break;
  case SPW_MAKE_DIAGONALS:
    make_diagonals(t, count);
    break;
  case SPW_MAKE_SLICE:
    make_slice(t);
    break;
  case SPW_MAKE_DIAGONAL:
    make_diagonal(t);
    break;
  case SPW_MAKE_LOWER:
  case SPW_MAKE_UPPER:
    make_triangle(t);
    break;
  case SPW_MAKE_KRON:
    make_kron(t);
    break;
  default:
    make_resplit(t);
    break;
  }
}

static const char *judge_answer(task *t, int64_t count, spw_status status, const spw_refusal *refusal, const spw_tensor *result)
{
  make(t, count);
  if (t->too_many) return NULL;
  if (t->nonsense) return status == SPW_EINVAL ? NULL : WRONG("status %d for a call that is wrong", (int)status);
  if (!t->obstacles) judge_size(t);
  const bool early = t->obstacles != 0;
  if (!early) {
    fill_blocks(t);
    if (t->too_many) return NULL;
    t->out.ndim = t->ndim;
    t->out.leading = t->leading;
    t->out.scalars = t->scalars;
    t->out.dtype = t->dtype;
    meaning_sort(&t->out);
    meaning_combine(&t->out, SPW_COMBINE_SUM);
    judge_batches(t);
  }
  if (!t->obstacles && status == SPW_ERANGE && refusal->obstacle == SPW_OBSTACLE_SIZE)
    return NULL; /* more than a buffer can have */
  if (t->obstacles) {
    const bool late = !early && status == SPW_OK && !result; /* only buffers show it */
    if (late) return NULL;
    if (status != SPW_ERANGE || !(t->obstacles >> refusal->obstacle & 1))
      return WRONG("status %d, obstacle %d, where there are 0x%x", (int)status,
                   status == SPW_ERANGE ? (int)refusal->obstacle : -1, t->obstacles);
    if (refusal->obstacle == SPW_OBSTACLE_DUPLICATE && t->w->kind == SPW_MAKE_DIAGONALS && !names_equal_offsets(t, refusal))
      return "the offsets that are named differ";
    return NULL;
  }
  if (status != SPW_OK)
    return WRONG("status %d, obstacle %d: %lld %lld %lld %lld", (int)status, status == SPW_ERANGE ? (int)refusal->obstacle : -1,
                 (long long)refusal->place, (long long)refusal->other, (long long)refusal->lhs, (long long)refusal->rhs);
  return result ? compare_result(t, result) : NULL;
}

const char *wrong_made(const spw_tensor *const *operands, int64_t count, const spw_making *wanted, spw_status status,
                       const spw_refusal *refusal, const spw_tensor *result, bool *seen)
{
  task t = {.operands = count > 0 ? operands : NULL, .w = wanted, .scalars = 1};
  const char *wrong = NULL;
  const bool sparse = wanted->kind > SPW_MAKE_DIAGONALS;
  *seen = true;
  for (int64_t i = 0; sparse && i < count && *seen; i++)
    *seen = meaning_of(operands[i], 0, &t.of[i]) && t.of[i].ndim + 1 < MEANING_DIMS;
  if (!sparse) *seen = wanted->ndim < MEANING_DIMS;
  if (*seen && sparse) {
    t.scalars = t.of[0].scalars;
    t.width = scalar_width(t.of[0].dtype);
  }
  if (*seen)
    wrong = wanted->kind == SPW_MAKE_CLONE || wanted->kind == SPW_MAKE_FILL ? compare_copy(&t, status, result)
                                                                            : judge_answer(&t, count, status, refusal, result);
  if (t.too_many) *seen = false;
  for (int64_t k = 0; k < t.added; k++) free(t.memory[k]);
  free(t.memory);
  free(t.out.cells);
  for (int i = 0; i < 2; i++) meaning_free(&t.of[i]);
  return wrong;
}

/* ---- By all calls ------------------------------------------------------------------------------ */

typedef struct asked {
  const spw_tensor *const *operands;
  int64_t count;
  const spw_making *wanted;
} asked;

static spw_status size_of_asked(const void *context, bool judged, spw_room *room, spw_refusal *refusal)
{
  const asked *const a = context;
  return (judged ? spw_make_size : spw_make_size_unchecked)(a->operands, a->count, a->wanted, room, refusal);
}

static spw_status fill_asked(const void *context, bool judged, const spw_buffers *buffers, spw_tensor *result,
                             spw_refusal *refusal)
{
  const asked *const a = context;
  return (judged ? spw_make : spw_make_unchecked)(a->operands, a->count, a->wanted, buffers, result, refusal);
}

static const char *wrong_asked(const void *context, spw_status status, const spw_refusal *refusal, const spw_room *room,
                               const spw_tensor *result, bool *seen)
{
  const asked *const a = context;
  (void)room;
  return wrong_made(a->operands, a->count, a->wanted, status, refusal, result, seen);
}

const char *attempt_make(const spw_tensor *const *operands, int64_t count, const spw_making *wanted, spw_status *status,
                         bool *seen)
{
  static const two_calls calls = {size_of_asked, fill_asked, wrong_asked};
  const asked a = {operands, count, wanted};
  return attempt_calls_of_batches(&calls, &a, status, seen);
}
