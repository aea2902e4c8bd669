/* SPDX-License-Identifier: Apache-2.0 */
#include "restructured.h"

#include "../attempts/fenced.h"
#include "oracle.h"
#include "scalar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPERANDS = 8, MOST_CELLS = 20000 };

static char text[600];

#define WRONG(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

const char *restructure_text(const spw_structure *w)
{
  static const char *const names[] = {"select",    "narrow",    "index_select", "cat",        "stack",
                                      "unsqueeze", "broadcast", "resize",       "sparse_mask"};
  static char words[400];
  int length = snprintf(words, sizeof words, "%s dim %lld start %lld length %lld duplicates %d numbers", names[w->kind],
                        (long long)w->dim, (long long)w->start, (long long)w->length, (int)w->duplicates);
  for (int64_t i = 0; i < w->count && i < 10; i++)
    length += snprintf(words + length, sizeof words - (size_t)length, " %lld", (long long)w->numbers[i]);
  return words;
}

/* ---- What must come out ------------------------------------------------------------------------ */

typedef struct task {
  const spw_tensor *const *operands;
  const spw_structure *w;
  int64_t count, b[2]; /* of blocks */
  meaning of[MOST_OPERANDS];
  meaning out;
  int64_t batch_dims, split, dim;
  spw_layout layout;
  bool beyond; /* a sum of sizes */
  spw_obstacle obstacle; /* why it is refused */
  int64_t capacity;
} task;

static bool blocked(spw_layout layout)
{
  return layout == SPW_BSR || layout == SPW_BSC;
}

static void refuse(task *t, spw_obstacle obstacle)
{
  if (t->obstacle == SPW_OBSTACLE_NONE) t->obstacle = obstacle;
}

static cell *add_cell(task *t, const cell *from)
{
  meaning *m = &t->out;
  if (m->count == t->capacity) abort();
  cell *c = &m->cells[m->count];
  *c = *from;
  c->scalars = m->memory + m->count * m->scalars * 16;
  c->place = m->count++;
  return c;
}

/* A cell of the result with the values of one of an operand. */
static cell *copy_cell(task *t, const cell *from)
{
  cell *c = add_cell(t, from);
  memcpy(c->scalars, from->scalars, (size_t)(t->out.scalars * scalar_width(t->out.dtype)));
  return c;
}

static void insert_index(cell *c, int64_t dim, int64_t index)
{
  for (int64_t d = MEANING_DIMS - 1; d > dim; d--) c->at[d] = c->at[d - 1];
  c->at[dim] = index;
}

static void drop_index(cell *c, int64_t dim)
{
  for (int64_t d = dim; d + 1 < MEANING_DIMS; d++) c->at[d] = c->at[d + 1];
}

/* Along dimensions that cells lie in. */
static void move_cells(task *t, const meaning *m, int64_t base)
{
  const spw_structure *w = t->w;
  for (int64_t k = 0; k < m->count; k++) {
    const cell *from = &m->cells[k];
    const int64_t own = from->at[t->dim], start = w->start < 0 ? w->start + m->size[t->dim] : w->start;
    switch (w->kind) {
    case SPW_SELECT:
      if (own == start) drop_index(copy_cell(t, from), t->dim);
      break;
    case SPW_NARROW:
      if (own >= w->start && own < w->start + w->length) copy_cell(t, from)->at[t->dim] = own - w->start;
      break;
    case SPW_INDEX_SELECT:
      for (int64_t i = 0; i < w->count; i++)
        if (w->numbers[i] == own) copy_cell(t, from)->at[t->dim] = i;
      break;
    case SPW_CAT: copy_cell(t, from)->at[t->dim] = base + own; break;
    case SPW_STACK: case SPW_UNSQUEEZE: insert_index(copy_cell(t, from), t->dim, base); break;
    case SPW_BROADCAST:
      for (int64_t i = 0; i < w->length; i++) copy_cell(t, from)->at[t->dim] = i;
      break;
    case SPW_RESIZE:
      if (m->scalars == 0) break; /* it specifies nothing */
      for (int64_t d = 0; d < m->leading; d++)
        if (from->at[d] >= w->numbers[d]) refuse(t, SPW_OBSTACLE_LOST);
      copy_cell(t, from);
      break;
    default: abort();
    }
  }
}

/* Which operand, and which index of it, stand at index i of a dense dimension of the result. */
static int64_t source_of(const task *t, int64_t i, int64_t *operand)
{
  const spw_structure *w = t->w;
  *operand = 0;
  switch (w->kind) {
  case SPW_NARROW: return w->start + i;
  case SPW_INDEX_SELECT: return w->numbers[i];
  case SPW_CAT:
    while (i >= t->of[*operand].size[t->dim]) i -= t->of[(*operand)++].size[t->dim];
    return i;
  case SPW_STACK: *operand = i; return 0;
  default: return 0;
  }
}

/* Along a dense dimension: every scalar of the result is looked up. */
static void move_scalars(task *t)
{
  const spw_structure *w = t->w;
  const meaning *m = &t->of[0], *out = &t->out;
  const int64_t width = scalar_width(m->dtype), dim = t->dim - m->leading, K = out->ndim - out->leading;
  for (int64_t i = 1; i < t->count; i++) {
    if (t->of[i].count != m->count) refuse(t, SPW_OBSTACLE_PATTERN);
    for (int64_t k = 0; k < m->count && t->obstacle == SPW_OBSTACLE_NONE; k++)
      if (memcmp(t->of[i].cells[k].at, m->cells[k].at, (size_t)m->leading * sizeof(int64_t)) != 0)
        refuse(t, SPW_OBSTACLE_PATTERN);
  }
  for (int64_t k = 0; k < m->count && t->obstacle == SPW_OBSTACLE_NONE; k++) {
    cell *c = add_cell(t, &m->cells[k]);
    for (int64_t e = 0; e < out->scalars; e++) {
      int64_t index[MEANING_DIMS], rest = e, operand = 0, at = 0;
      for (int64_t d = K - 1; d >= 0; d--) {
        index[d] = rest % out->size[out->leading + d];
        rest /= out->size[out->leading + d];
      }
      const int64_t i = w->kind == SPW_SELECT ? 0 : index[dim], own = source_of(t, i, &operand);
      const meaning *from = &t->of[operand];
      for (int64_t d = 0, taken = 0; d < from->ndim - from->leading; d++) {
        int64_t value;
        if (w->kind == SPW_STACK || w->kind == SPW_UNSQUEEZE)
          value = index[d + (d >= dim)];
        else if (d == dim && w->kind == SPW_SELECT)
          value = w->start < 0 ? w->start + from->size[t->dim] : w->start, taken = 1;
        else
          value = d == dim ? own : index[d - taken];
        at = at * from->size[from->leading + d] + value;
      }
      memcpy(c->scalars + e * width, from->cells[k].scalars + at * width, (size_t)width);
    }
  }
}

/* ---- Sizes ------------------------------------------------------------------------------------- */

static bool is_new(const task *t)
{
  return t->w->kind == SPW_STACK || t->w->kind == SPW_UNSQUEEZE;
}

/* Of a blocked dimension, numbers of whole blocks. */
static int64_t block_along(const task *t, int64_t d)
{
  const int64_t B = t->of[0].leading - 2;
  return blocked(t->operands[0]->layout) && (d == B || d == B + 1) ? t->b[d - B] : 1;
}

static void judge_numbers(task *t)
{
  const spw_structure *w = t->w;
  const meaning *m = &t->of[0];
  const int64_t size = w->kind == SPW_RESIZE || is_new(t) ? 0 : m->size[t->dim];
  const int64_t block = w->kind == SPW_RESIZE || is_new(t) ? 1 : block_along(t, t->dim);
  if (w->kind == SPW_SELECT && (w->start >= size || w->start < -size)) refuse(t, SPW_OBSTACLE_RANGE);
  if (w->kind == SPW_NARROW) {
    if (w->start < 0 || w->length < 0 || w->start > size || w->length > size - w->start) refuse(t, SPW_OBSTACLE_RANGE);
    else if (w->start % block || w->length % block) refuse(t, SPW_OBSTACLE_BLOCKS);
  }
  if (w->kind == SPW_BROADCAST) {
    if (w->length < 0) refuse(t, SPW_OBSTACLE_RANGE);
    if (size != 1) refuse(t, SPW_OBSTACLE_OPERAND);
  }
  for (int64_t i = 0; w->kind == SPW_INDEX_SELECT && i < w->count; i++) {
    const int64_t first = i - i % block;
    if (w->numbers[i] < 0 || w->numbers[i] >= size) refuse(t, SPW_OBSTACLE_RANGE);
    else if (w->numbers[first] % block != 0 || w->numbers[i] != w->numbers[first] + i % block) refuse(t, SPW_OBSTACLE_BLOCKS);
  }
  if (w->kind == SPW_INDEX_SELECT && w->count % block != 0) refuse(t, SPW_OBSTACLE_BLOCKS);
  for (int64_t d = 0; w->kind == SPW_RESIZE && d < m->ndim; d++) {
    if (w->numbers[d] < 0) refuse(t, SPW_OBSTACLE_RANGE);
    else if (w->numbers[d] % block_along(t, d) != 0) refuse(t, SPW_OBSTACLE_BLOCKS);
  }
}

static void judge_operands(task *t)
{
  for (int64_t i = 1; i < t->count; i++) {
    const spw_tensor *a = t->operands[0], *b = t->operands[i];
    const meaning *m = &t->of[0], *n = &t->of[i];
    bool alike = a->layout == b->layout && m->ndim == n->ndim && m->leading == n->leading && m->dtype == n->dtype &&
                 a->plain.array.dtype == b->plain.array.dtype;
    for (int64_t d = 0; alike && d < m->ndim; d++)
      alike = m->size[d] == n->size[d] || (t->w->kind == SPW_CAT && d == t->dim);
    if (alike && blocked(a->layout))
      for (int64_t j = 0; j < 2; j++) alike = alike && t->b[j] == b->values.array.shape[m->leading - 1 + j];
    if (!alike) refuse(t, SPW_OBSTACLE_OPERAND);
  }
}

static void take_size(task *t)
{
  const meaning *m = &t->of[0];
  meaning *out = &t->out;
  const spw_structure *w = t->w;
  const bool coo = t->operands[0]->layout == SPW_COO;
  out->dtype = m->dtype;
  out->leading = m->leading;
  t->layout = t->operands[0]->layout;
  t->batch_dims = coo ? 0 : m->leading - 2;
  t->dim = w->kind == SPW_RESIZE ? 0 : w->dim;
  out->ndim = 0;
  if (w->kind == SPW_RESIZE) {
    out->ndim = m->ndim;
    memcpy(out->size, w->numbers, (size_t)m->ndim * sizeof(int64_t));
    return;
  }
  if (w->dim < 0 || w->dim >= m->ndim + is_new(t)) {
    refuse(t, SPW_OBSTACLE_DIMENSION);
    return;
  }
  for (int64_t d = 0; d < m->ndim || (is_new(t) && d == w->dim); d++) {
    if (d == w->dim && is_new(t)) out->size[out->ndim++] = w->kind == SPW_STACK ? t->count : 1;
    if (d == m->ndim) break;
    if (d != w->dim || is_new(t)) out->size[out->ndim++] = m->size[d];
    else if (w->kind == SPW_NARROW || w->kind == SPW_BROADCAST) out->size[out->ndim++] = w->length;
    else if (w->kind == SPW_INDEX_SELECT) out->size[out->ndim++] = w->count;
    else if (w->kind == SPW_CAT) {
      out->size[out->ndim] = 0;
      for (int64_t i = 0; i < t->count; i++) {
        const int64_t more = i == 0 || t->of[i].ndim == m->ndim ? t->of[i].size[d] : 0, sum = out->size[out->ndim];
        t->beyond = t->beyond || more > INT64_MAX - sum;
        out->size[out->ndim] = t->beyond ? INT64_MAX : sum + more;
      }
      out->ndim++;
    }
  }
  if (is_new(t)) {
    const bool before = coo ? w->dim <= m->leading : w->dim <= t->batch_dims;
    if (!before && w->dim < m->leading) refuse(t, SPW_OBSTACLE_DIMENSION);
    out->leading += before;
    t->batch_dims += before && !coo;
  } else if (w->kind == SPW_SELECT && w->dim < m->leading) {
    out->leading--;
    if (!coo && w->dim >= t->batch_dims) {
      if (t->batch_dims > 0) refuse(t, SPW_OBSTACLE_DIMENSIONS);
      t->layout = SPW_COO;
    } else if (!coo) {
      t->batch_dims--;
    }
  }
}

static bool is_dense_dim(const task *t)
{
  return t->w->kind != SPW_RESIZE && (is_new(t) ? t->out.leading == t->of[0].leading : t->w->dim >= t->of[0].leading);
}

/* ---- After the cells are known ------------------------------------------------------------------ */

static int compare_at(const cell *a, const cell *b, int64_t n)
{
  for (int64_t d = 0; d < n; d++)
    if (a->at[d] != b->at[d]) return a->at[d] < b->at[d] ? -1 : 1;
  return 0;
}

/* The number of cells in each batch; blocks are counted by their elements. Sorted. */
static void judge_batches(task *t)
{
  const meaning *out = &t->out;
  int64_t batches = 1, seen = 0, each = -1;
  if (t->layout == SPW_COO) return;
  for (int64_t d = 0; d < t->batch_dims; d++) batches = batches == 0 || out->size[d] == 0 ? 0 : batches * out->size[d];
  for (int64_t k = 0; k < out->count;) {
    int64_t end = k;
    while (end < out->count && compare_at(&out->cells[k], &out->cells[end], t->batch_dims) == 0) end++;
    if (each >= 0 && end - k != each) refuse(t, SPW_OBSTACLE_BATCHES);
    each = end - k;
    seen++;
    k = end;
  }
  if (seen > 0 && seen < batches) refuse(t, SPW_OBSTACLE_BATCHES);
}

/* A cell of which nothing is left: dense dimensions of resize. */
static void judge_resize(task *t)
{
  const meaning *m = &t->of[0];
  if (t->w->kind != SPW_RESIZE || m->count == 0 || m->scalars == 0) return;
  for (int64_t d = m->leading; d < m->ndim; d++)
    if (t->w->numbers[d] != m->size[d]) refuse(t, t->w->numbers[d] < m->size[d] ? SPW_OBSTACLE_LOST : SPW_OBSTACLE_OPERAND);
}

/* The product of some of them, with 1 for 0 if `positive`; -1 beyond. */
static int64_t product_of(const int64_t *factors, int64_t from, int64_t end, bool positive)
{
  int64_t product = 1;
  for (int64_t d = from; d < end; d++)
    if (factors[d] == 0 && !positive) return 0;
  for (int64_t d = from; d < end; d++) {
    const int64_t factor = factors[d] > 0 ? factors[d] : 1;
    if (product > INT64_MAX / factor) return -1;
    product *= factor;
  }
  return product;
}

/* Beyond what rule 3.11 allows; beyond what an index type holds. */
static void judge_size(task *t)
{
  if (t->beyond || product_of(t->out.size, 0, t->out.ndim, false) < 0) refuse(t, SPW_OBSTACLE_SIZE);
}

static void judge_index_type(task *t)
{
  if (t->operands[0]->plain.array.dtype != SPW_INT32) return;
  for (int64_t d = t->batch_dims; d < t->out.leading; d++) {
    const int64_t block = blocked(t->layout) ? t->b[d - t->batch_dims] : 1;
    if (t->out.size[d] / block > INT32_MAX) refuse(t, SPW_OBSTACLE_INDEX);
  }
}

static void make_cells(task *t)
{
  meaning *out = &t->out;
  int64_t base = 0, most = 1;
  const spw_structure_kind kind = t->w->kind;
  for (int64_t i = 0; i < t->count; i++) most += t->of[i].count;
  out->scalars = most == 1 ? 1 : product_of(out->size, out->leading, out->ndim, false);
  most *= 1 + (kind == SPW_INDEX_SELECT ? t->w->count : kind == SPW_BROADCAST ? t->w->length : 1);
  t->capacity = most;
  if (out->scalars < 0 || out->scalars > MOST_CELLS) out->scalars = 1; /* which cannot be but where they are refused */
  out->cells = calloc((size_t)most, sizeof *out->cells);
  out->memory = calloc((size_t)(most * (out->scalars + 1)), 16);
  if (!out->cells || !out->memory) abort();
  judge_resize(t);
  if (t->obstacle != SPW_OBSTACLE_NONE) return;
  if (is_dense_dim(t)) {
    move_scalars(t);
    return;
  }
  for (int64_t i = 0; i < t->count; i++) {
    move_cells(t, &t->of[i], base);
    base += t->w->kind == SPW_CAT ? t->of[i].size[t->dim] : 1;
  }
}

static const char *compare_result(task *t, const spw_tensor *result)
{
  meaning *m = &t->out, got = {.count = 0};
  if (result->layout != t->layout) return WRONG("layout %d and not %d", (int)result->layout, (int)t->layout);
  const spw_rule broken = oracle_broken_rule(result);
  if (broken != SPW_RULE_NONE) return WRONG("the result breaks rule %d", (int)broken);
  if (result->layout == SPW_COO && result->coalesced != SPW_CLAIM_YES) return WRONG("no claim to be coalesced");
  if (result->plain.array.dtype != t->operands[0]->plain.array.dtype) return WRONG("another type of indices");
  if (result->values.array.dtype != m->dtype || !result->has_size || result->ndim != m->ndim) return WRONG("another form");
  for (int64_t d = 0; d < m->ndim; d++)
    if (result->size[d] != m->size[d])
      return WRONG("size[%lld] is %lld and not %lld", (long long)d, (long long)result->size[d], (long long)m->size[d]);
  for (int64_t i = 0; blocked(t->layout) && i < 2; i++)
    if (result->values.array.shape[t->batch_dims + 1 + i] != t->b[i]) return WRONG("other blocks");
  if (!meaning_of(result, 0, &got)) return NULL;
  const char *wrong = got.leading != m->leading ? "other dense dimensions"
                      : got.count != m->count   ? "another number of cells" : NULL;
  const int64_t width = scalar_width(m->dtype);
  meaning_sort(&got);
  for (int64_t k = 0; k < m->count && !wrong; k++) {
    if (compare_at(&got.cells[k], &m->cells[k], m->leading) != 0) wrong = WRONG("cell %lld lies elsewhere", (long long)k);
    for (int64_t e = 0; e < m->scalars && !wrong; e++)
      if (!scalar_same(m->dtype, m->cells[k].scalars + e * width, got.cells[k].scalars + e * width, m->cells[k].computed))
        wrong = WRONG("scalar %lld of cell %lld", (long long)e, (long long)k);
  }
  meaning_free(&got);
  return wrong;
}

static const cell *cell_of(const meaning *m, int64_t place)
{
  for (int64_t k = 0; k < m->count; k++)
    if (m->cells[k].place == place) return &m->cells[k];
  return NULL;
}

/* Two elements of one operand, at one position. */
static bool names_duplicates(const task *t, const spw_refusal *r)
{
  if (r->other < 0 || r->other >= t->count || r->lhs == r->rhs) return false;
  const meaning *m = &t->of[r->other];
  const cell *one = cell_of(m, r->lhs), *two = cell_of(m, r->rhs);
  return one && two && compare_at(one, two, m->leading) == 0;
}

static const char *judge_answer(task *t, spw_status status, const spw_refusal *refusal, const spw_tensor *result)
{
  meaning *out = &t->out;
  take_size(t);
  if (t->obstacle == SPW_OBSTACLE_NONE) judge_operands(t);
  if (t->obstacle == SPW_OBSTACLE_NONE) judge_numbers(t);
  if (t->obstacle == SPW_OBSTACLE_NONE) judge_size(t);
  if (t->obstacle == SPW_OBSTACLE_NONE) make_cells(t);
  if (t->obstacle == SPW_OBSTACLE_NONE) {
    meaning_sort(out);
    judge_batches(t);
    judge_index_type(t);
    const int64_t all = out->count;
    meaning_combine(out, t->w->duplicates == SPW_COMBINE_REFUSE ? SPW_COMBINE_FIRST : t->w->duplicates);
    if (t->w->duplicates == SPW_COMBINE_REFUSE && out->count < all) refuse(t, SPW_OBSTACLE_DUPLICATE);
  }
  /* So many batches, or lines, that a buffer would have more elements than can be numbered. */
  const int64_t volume = product_of(out->size, 0, out->ndim, true);
  const bool vast = volume < 0 || volume > INT64_MAX / 256;
  if (vast && status == SPW_ERANGE && refusal->obstacle == SPW_OBSTACLE_SIZE) return NULL;
  if (t->obstacle != SPW_OBSTACLE_NONE) {
    if (status != SPW_ERANGE) return WRONG("status %d where obstacle %d stands in the way", (int)status, (int)t->obstacle);
    /* Of several, any. */
    const bool either = (t->obstacle == SPW_OBSTACLE_LOST && refusal->obstacle == SPW_OBSTACLE_BATCHES) ||
                        (t->obstacle == SPW_OBSTACLE_DIMENSIONS && refusal->obstacle == SPW_OBSTACLE_RANGE) ||
                        (t->obstacle == SPW_OBSTACLE_RANGE && refusal->obstacle == SPW_OBSTACLE_BLOCKS) ||
                        (t->obstacle == SPW_OBSTACLE_BLOCKS && refusal->obstacle == SPW_OBSTACLE_RANGE);
    if (refusal->obstacle != t->obstacle && !either)
      return WRONG("obstacle %d and not %d", (int)refusal->obstacle, (int)t->obstacle);
    if (refusal->obstacle == SPW_OBSTACLE_DUPLICATE && !names_duplicates(t, refusal))
      return WRONG("elements %lld and %lld of operand %lld are no duplicates", (long long)refusal->lhs, (long long)refusal->rhs,
                   (long long)refusal->other);
    return NULL;
  }
  if (status != SPW_OK)
    return WRONG("status %d, obstacle %d: %lld %lld %lld %lld", (int)status, status == SPW_ERANGE ? (int)refusal->obstacle : -1,
                 (long long)refusal->place, (long long)refusal->other, (long long)refusal->lhs, (long long)refusal->rhs);
  return result ? compare_result(t, result) : NULL;
}

/* ---- sparse_mask ------------------------------------------------------------------------------- */

static bool same_elements(const spw_index_array *a, const spw_index_array *b)
{
  int64_t index[MEANING_DIMS] = {0};
  if (a->array.dtype != b->array.dtype || a->array.ndim != b->array.ndim) return false;
  for (int64_t d = 0; d < a->array.ndim; d++)
    if (a->array.shape[d] != b->array.shape[d]) return false;
  for (int64_t d = 0; d < a->array.ndim; d++)
    if (a->array.shape[d] == 0) return true;
  for (int64_t d = 0; d >= 0;) {
    int64_t x = a->array.offset, y = b->array.offset;
    for (int64_t i = 0; i < a->array.ndim; i++) x += index[i] * a->array.strides[i], y += index[i] * b->array.strides[i];
    const bool narrow = a->array.dtype == SPW_INT32; /* the other pointer may be any */
    if ((narrow ? a->i32[x] : a->i64[x]) != (narrow ? b->i32[y] : b->i64[y])) return false;
    for (d = a->array.ndim - 1; d >= 0 && ++index[d] == a->array.shape[d]; d--) index[d] = 0;
  }
  return true;
}

/* Scalar e of a cell at its position in all dimensions. */
static void position_of(const meaning *m, const cell *c, int64_t e, int64_t *position)
{
  for (int64_t d = m->ndim - 1; d >= m->leading; d--) {
    position[d] = e % m->size[d];
    e /= m->size[d];
  }
  for (int64_t d = 0; d < m->leading; d++) position[d] = c->at[d];
}

/* The scalar of x at a position, by looking at all of them; null: none. */
static const uint8_t *scalar_at(const meaning *x, const int64_t *position, bool *computed)
{
  for (int64_t k = 0; k < x->count; k++) {
    const cell *c = &x->cells[k];
    if (memcmp(c->at, position, (size_t)x->leading * sizeof *position) != 0) continue;
    int64_t e = 0;
    for (int64_t d = x->leading; d < x->ndim; d++) e = e * x->size[d] + position[d];
    *computed = c->computed;
    return c->scalars + e * scalar_width(x->dtype);
  }
  return NULL;
}

static const char *compare_masked(const meaning *x, const meaning *m, const spw_tensor *mask, const spw_tensor *result)
{
  static const uint8_t zeros[16];
  meaning got;
  const int64_t width = scalar_width(m->dtype);
  if (result->layout != mask->layout || result->coalesced != mask->coalesced) return WRONG("another layout or claim");
  if (!same_elements(&result->plain, &mask->plain)) return WRONG("other indices");
  if (mask->layout != SPW_COO && !same_elements(&result->compressed, &mask->compressed)) return WRONG("other offsets");
  const spw_rule broken = oracle_broken_rule(result);
  if (broken != SPW_RULE_NONE) return WRONG("the result breaks rule %d", (int)broken);
  if (!meaning_of(result, 0, &got)) return NULL;
  const char *wrong = got.count == m->count && got.scalars == m->scalars ? NULL : "other cells";
  for (int64_t k = 0; k < m->count && !wrong; k++)
    for (int64_t e = 0; e < m->scalars && !wrong; e++) {
      int64_t position[MEANING_DIMS];
      bool computed = false;
      position_of(m, &m->cells[k], e, position);
      const uint8_t *value = scalar_at(x, position, &computed);
      if (!scalar_same(m->dtype, value ? value : zeros, got.cells[k].scalars + e * width, computed))
        wrong = WRONG("scalar %lld of cell %lld", (long long)e, (long long)k);
    }
  meaning_free(&got);
  return wrong;
}

static const char *judge_mask(task *t, spw_status status, const spw_refusal *refusal, const spw_tensor *result)
{
  meaning *x = &t->of[0], *m = &t->of[1];
  bool alike = x->dtype == m->dtype && x->ndim == m->ndim;
  for (int64_t d = 0; alike && d < x->ndim; d++) alike = x->size[d] == m->size[d];
  if (!alike) refuse(t, SPW_OBSTACLE_OPERAND);
  const int64_t all = x->count;
  meaning_sort(x);
  meaning_combine(x, t->w->duplicates == SPW_COMBINE_REFUSE ? SPW_COMBINE_FIRST : t->w->duplicates);
  if (t->w->duplicates == SPW_COMBINE_REFUSE && x->count < all) refuse(t, SPW_OBSTACLE_DUPLICATE);
  if (t->obstacle != SPW_OBSTACLE_NONE)
    return status == SPW_ERANGE && refusal->obstacle == t->obstacle
               ? NULL : WRONG("status %d, obstacle %d and not %d", (int)status, (int)refusal->obstacle, (int)t->obstacle);
  if (status != SPW_OK) return WRONG("status %d", (int)status);
  return result ? compare_masked(x, m, t->operands[1], result) : NULL;
}

const char *wrong_restructure(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted, spw_status status,
                              const spw_refusal *refusal, const spw_tensor *result, bool *seen)
{
  task t = {.operands = operands, .w = wanted, .count = count};
  const char *wrong = NULL;
  *seen = count <= MOST_OPERANDS;
  for (int64_t i = 0; i < count && *seen; i++) *seen = meaning_of(operands[i], 0, &t.of[i]) && t.of[i].ndim < MEANING_DIMS;
  if (wanted->kind == SPW_SPARSE_MASK) {
    if (*seen && count == 2) wrong = judge_mask(&t, status, refusal, result);
  } else if (*seen && wanted->kind == SPW_RESIZE && wanted->count != t.of[0].ndim) {
    if (status != SPW_EINVAL) wrong = WRONG("status %d for a size of other dimensions", (int)status);
  } else if (*seen) {
    const int64_t B = operands[0]->compressed.array.ndim - 1;
    for (int64_t i = 0; i < 2; i++) t.b[i] = blocked(operands[0]->layout) ? operands[0]->values.array.shape[B + 1 + i] : 1;
    wrong = judge_answer(&t, status, refusal, result);
  }
  for (int64_t i = 0; i < count && i < MOST_OPERANDS; i++) meaning_free(&t.of[i]);
  meaning_free(&t.out);
  return wrong;
}

/* ---- By all calls ------------------------------------------------------------------------------ */

typedef struct asked {
  const spw_tensor *const *operands;
  int64_t count;
  const spw_structure *wanted;
} asked;

static spw_status size_of_asked(const void *context, bool judged, spw_room *room, spw_refusal *refusal)
{
  const asked *a = context;
  return (judged ? spw_restructure_size : spw_restructure_size_unchecked)(a->operands, a->count, a->wanted, room, refusal);
}

static spw_status fill_asked(const void *context, bool judged, const spw_buffers *buffers, spw_tensor *result,
                             spw_refusal *refusal)
{
  const asked *a = context;
  return (judged ? spw_restructure : spw_restructure_unchecked)(a->operands, a->count, a->wanted, buffers, result, refusal);
}

static const char *wrong_asked(const void *context, spw_status status, const spw_refusal *refusal, const spw_room *room,
                               const spw_tensor *result, bool *seen)
{
  const asked *a = context;
  (void)room;
  return wrong_restructure(a->operands, a->count, a->wanted, status, refusal, result, seen);
}

const char *attempt_restructure(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted, spw_status *status,
                                bool *seen)
{
  static const two_calls calls = {size_of_asked, fill_asked, wrong_asked};
  const asked a = {operands, count, wanted};
  return attempt_two_calls(&calls, &a, status, seen);
}
