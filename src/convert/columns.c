/* SPDX-License-Identifier: Apache-2.0 */
/* From a COO tensor to anything, and what is made canonical: cells are sorted, duplicates combined, and the result
 * is written down in order. */
#include "batch_room.h"
#include "combine.h"
#include "count.h"
#include "indices/sort/order_cells.h"
#include "pairs.h"
#include "sort_shared.h"
#include "steps.h"
#include "values.h"
#include "../core/size.h"
#include "../view/members.h"

#include <string.h>

/* The coordinates of n elements, in the order in which they are to be sorted: dimension i of the order is
 * dimension dim_of(i) of the tensor. Where they have more than 64 bits, keys hold a word of them at a time
 * and payloads the elements' positions. */
typedef struct columns {
  const spw_plan *plan;
  const spw_index_array *x; /* null: made canonical */
  int64_t start, dim_stride, stride;
  const int64_t *made;      /* batches, rows and columns, n each; where blocks are opaque, of blocks */
  int64_t dims, n;
  bool swapped;             /* the last dimension but one counts least */
  bool in_keys;             /* sorted cells' keys hold all coordinates; else the position of the element */
} columns;

static int64_t dim_of(const columns *x, int64_t i)
{
  if (!x->swapped || i < x->dims - 2) return i;
  return i == x->dims - 1 ? x->dims - 2 : x->dims - 1;
}

static int64_t size_of(const columns *x, int64_t d)
{
  const spw_plan *plan = x->plan;
  if (!x->made) return spw_size_entry(plan, d);
  if (d == 0) return plan->batches;
  const int64_t size = d == 1 ? plan->rows : plan->columns;
  return plan->opaque ? size / plan->block[d - 1] : size;
}

static int bits_of(const columns *x, int64_t i)
{
  return spw_bits_below(size_of(x, dim_of(x, i)));
}

static int64_t coordinate(const columns *x, int64_t d, int64_t k)
{
  if (x->made) return x->made[d * x->n + k];
  return spw_index_at(x->x, x->start + d * x->dim_stride + k * x->stride);
}

/* ---- The order ------------------------------------------------------------------------------- */

/* The payload of element k, as it is: bits, or its place. */
static uint64_t payload_of(const spw_plan *plan, const spw_target *out, int64_t k)
{
  uint32_t word;
  uint64_t bits;
  switch (plan->payload) {
  case SPW_BITS32: memcpy(&word, out->source + 4 * k, 4); return word;
  case SPW_BITS64: memcpy(&bits, out->source + 8 * k, 8); return bits;
  case SPW_PLACES: break;
  }
  return (uint64_t)k;
}

/* Appends the coordinates of dimension i to the keys. */
static void add_coordinates(const columns *x, int64_t i, spw_cell *cells, bool by_position)
{
  const int bits = bits_of(x, i);
  const int64_t d = dim_of(x, i);
  if (bits == 0) return;
  if (by_position)
    for (int64_t k = 0; k < x->n; k++)
      cells[k].key = cells[k].key << bits | (uint64_t)coordinate(x, d, (int64_t)cells[k].payload);
  else if (x->x && x->x->array.dtype == SPW_INT32)
    for (int64_t k = 0; k < x->n; k++)
      cells[k].key = cells[k].key << bits | (uint64_t)x->x->i32[x->start + d * x->dim_stride + k * x->stride];
  else
    for (int64_t k = 0; k < x->n; k++) cells[k].key = cells[k].key << bits | (uint64_t)coordinate(x, d, k);
}

/* The dimensions from the result to before `end` fit in one key; *bits: how many they have. */
static int64_t word_before(const columns *x, int64_t end, int *bits)
{
  int64_t i = end;
  for (*bits = 0; i > 0 && *bits + bits_of(x, i - 1) <= 64; i--) *bits += bits_of(x, i - 1);
  return i;
}

static void fill_keys(const columns *x, int64_t from, int64_t end, spw_cell *cells, bool by_position)
{
  for (int64_t k = 0; k < x->n; k++) cells[k].key = 0;
  for (int64_t i = from; i < end; i++) add_coordinates(x, i, cells, by_position);
}

/* The payloads too: those of keys that hold all coordinates, else positions. */
static void fill_cells(const columns *x, const spw_target *out, int64_t from, spw_cell *cells)
{
  if (x->n == 0) return; /* the indices may be null */
  if (x->in_keys && x->x && x->dims == 2) {
    const spw_pairs pairs = spw_pairs_of(x->plan);
    spw_fill_pairs(x->plan, out, &pairs, cells);
    return;
  }
  for (int64_t k = 0; k < x->n; k++) cells[k].payload = x->in_keys ? payload_of(x->plan, out, k) : (uint64_t)k;
  fill_keys(x, from, x->dims, cells, !x->in_keys);
}

/* By all `bits` bits that keys have; 1: the result is in `other`, 0: in `now`, where cells in order stay. */
static int order_by_keys(const columns *x, const spw_workspace *w, spw_cell *now, spw_cell *other, int bits)
{
  const int64_t parts = w->starts ? spw_parts_of_work(x->n, x->plan->threads) : 1;
  if (parts == 1) return spw_order_cells(now, other, x->n, bits);
  return spw_cells_ascend(now, x->n) == 0 && spw_sort_shared(now, other, x->n, bits, parts, w->starts);
}

/* Sorts by words, the last one first; gives the sorted cells. */
static spw_cell *sort_words(columns *x, const spw_workspace *w, const spw_target *out)
{
  spw_cell *now = w->cells[0], *other = w->cells[1];
  int bits;
  int64_t from = word_before(x, x->dims, &bits);
  x->in_keys = from == 0;
  fill_cells(x, out, from, now);
  for (;;) {
    if (order_by_keys(x, w, now, other, bits)) {
      spw_cell *swap = now;
      now = other;
      other = swap;
    }
    if (from == 0) break;
    const int64_t end = from;
    from = word_before(x, end, &bits);
    fill_keys(x, from, end, now, true);
  }
  if (!x->in_keys)
    for (int64_t k = 0; k < x->n; k++) {
      now[k].key = now[k].payload;
      now[k].payload = payload_of(x->plan, out, (int64_t)now[k].key);
    }
  return now;
}

/* ---- Duplicates ------------------------------------------------------------------------------ */

static bool same_position(const columns *x, const spw_cell *a, const spw_cell *b)
{
  if (x->in_keys) return a->key == b->key;
  for (int64_t d = 0; d < x->dims; d++)
    if (coordinate(x, d, (int64_t)a->key) != coordinate(x, d, (int64_t)b->key)) return false;
  return true;
}

/* The list that the sorted cells are not in. */
static spw_cell *other_list(const spw_workspace *w, const spw_cell *cells)
{
  return cells == w->cells[0] ? w->cells[1] : w->cells[0];
}

/* The two elements at the position of cells k - 1 and k, found again. */
static spw_status refuse_duplicate(const columns *x, const spw_cell *cells, int64_t k, const spw_workspace *w,
                                   spw_refusal *refusal)
{
  int64_t first = (int64_t)cells[k - 1].key, second = (int64_t)cells[k].key;
  if (x->in_keys) { /* their numbers are not in the cells: look for the key */
    const uint64_t key = cells[k].key;
    spw_cell *const other = other_list(w, cells);
    fill_keys(x, 0, x->dims, other, false);
    for (first = 0; other[first].key != key;) first++;
    for (second = first + 1; other[second].key != key;) second++;
  }
  const int64_t batch = x->made ? x->made[first] : 0;
  const int64_t base = x->made ? batch * (x->n / x->plan->batches) : 0;
  const int64_t size = x->made ? spw_source_elements(x->plan) / x->plan->nse : 1; /* a stored index may stand for a block */
  return spw_refuse(refusal, SPW_OBSTACLE_DUPLICATE, batch, -1, (first - base) / size, (second - base) / size);
}

static void add_payload(const spw_plan *plan, uint64_t *sum, uint64_t more)
{
  uint32_t word = (uint32_t)*sum, add = (uint32_t)more;
  if (plan->payload == SPW_BITS64) {
    spw_add_scalars(plan->dtype, (char *)sum, (const char *)&more, 1);
    return;
  }
  spw_add_scalars(plan->dtype, (char *)&word, (const char *)&add, 1);
  *sum = word;
}

/* cells[at] takes cell k of its position; places are then those of sums. */
static void combine_cell(const spw_plan *plan, const spw_workspace *w, const spw_target *out, spw_cell *cells,
                         int64_t at, int64_t k)
{
  const spw_combine how = plan->to.duplicates;
  if (how == SPW_COMBINE_FIRST) return;
  if (how == SPW_COMBINE_LAST) {
    cells[at].payload = cells[k].payload;
  } else if (plan->payload != SPW_PLACES) {
    add_payload(plan, &cells[at].payload, cells[k].payload);
  } else {
    const int64_t cell = plan->moved_bytes;
    if (cell > 0) spw_add_scalars(plan->dtype, w->sums + at * cell, out->source + (int64_t)cells[k].payload * cell, plan->moved);
  }
}

/* Combines what lies at one position; out->count is how many are left. */
static spw_status combine_cells(const columns *x, const spw_workspace *w, spw_target *out, spw_cell *cells,
                                spw_refusal *refusal)
{
  const spw_plan *plan = x->plan;
  const int64_t cell = plan->payload == SPW_PLACES ? plan->moved_bytes : 0;
  const bool sums = plan->payload == SPW_PLACES && plan->to.duplicates == SPW_COMBINE_SUM;
  int64_t count = 0;
  for (int64_t k = 0; k < x->n; k++) {
    if (k > 0 && same_position(x, &cells[count - 1], &cells[k])) {
      if (plan->to.duplicates == SPW_COMBINE_REFUSE) return refuse_duplicate(x, cells, k, w, refusal);
      combine_cell(plan, w, out, cells, count - 1, k);
    } else {
      cells[count] = cells[k];
      if (sums && cell > 0) memcpy(w->sums + count * cell, out->source + (int64_t)cells[k].payload * cell, (size_t)cell);
      count++;
    }
  }
  if (sums) {
    for (int64_t k = 0; k < count; k++) cells[k].payload = (uint64_t)k;
    out->source = w->sums;
    out->source_length = count;
  }
  out->count = count;
  return SPW_OK;
}

/* ---- Writing it down ------------------------------------------------------------------------- */

/* Coordinates of the sorted cells in dimension i of the order. */
typedef struct reader {
  const columns *x;
  const spw_cell *cells;
  int64_t d;
  int shift;
  uint64_t mask;
} reader;

/* Bits that a key has for the dimensions from i on. */
static int bits_from(const columns *x, int64_t i)
{
  int bits = 0;
  for (int64_t j = i; x->in_keys && j < x->dims; j++) bits += bits_of(x, j);
  return bits;
}

/* *behind: the bits from dimension i on, and then from the next one on. */
static reader read_next(const columns *x, const spw_cell *cells, int64_t i, int *behind)
{
  const int bits = x->in_keys ? bits_of(x, i) : 0;
  *behind -= bits;
  reader r = {x, cells, dim_of(x, i), *behind, 0};
  r.mask = bits == 0 ? 0 : UINT64_MAX >> (64 - bits);
  if (r.shift > 63) r.shift = 0; /* then it has no bits */
  return r;
}

static reader read_dimension(const columns *x, const spw_cell *cells, int64_t i)
{
  int behind = bits_from(x, i);
  return read_next(x, cells, i, &behind);
}

static inline int64_t read_at(const reader *r, int64_t k)
{
  if (r->x->in_keys) return (int64_t)(r->cells[k].key >> r->shift & r->mask);
  return coordinate(r->x, r->d, (int64_t)r->cells[k].key);
}

static void put_payloads(const spw_plan *plan, const spw_cell *cells, int64_t n, void *to)
{
  uint32_t *const words = to;
  uint64_t *const longs = to;
  if (plan->payload == SPW_BITS32)
    for (int64_t k = 0; k < n; k++) words[k] = (uint32_t)cells[k].payload;
  else
    for (int64_t k = 0; k < n; k++) longs[k] = cells[k].payload;
}

/* Batch numbers as coordinates in the first dimensions. */
static void put_batches(const columns *x, const spw_target *out, const spw_cell *cells, int64_t n, int64_t batch_dims)
{
  const reader batch = read_dimension(x, cells, 0);
  int64_t step = 1;
  for (int64_t d = batch_dims - 1; n > 0 && d >= 0; d--) {
    const int64_t size = spw_size_entry(x->plan, d);
    for (int64_t k = 0; k < n; k++) spw_put_index(out->p, d * n + k, read_at(&batch, k) / step % size);
    step *= size;
  }
}

static spw_status to_coo(const columns *x, const spw_workspace *w, spw_target *out, const spw_cell *cells, int64_t n,
                         spw_refusal *refusal)
{
  const spw_plan *plan = x->plan;
  const spw_status status = spw_take_count(plan, out, 0, n, refusal);
  if (status != SPW_OK) return status;
  const int64_t batch_dims = plan->sparse_dims - x->dims + 1; /* of what is made: in one coordinate */
  if (x->made) put_batches(x, out, cells, n, batch_dims);
  int behind = bits_from(x, x->made ? 1 : 0);
  for (int64_t i = x->made ? 1 : 0; i < x->dims; i++) {
    const reader r = read_next(x, cells, i, &behind);
    const int64_t d = x->made ? i + batch_dims - 1 : i;
    for (int64_t k = 0; k < n; k++) spw_put_index(out->p, d * n + k, read_at(&r, k));
  }
  if (n > 0) put_payloads(plan, cells, n, spw_payload_to(plan, w, out, 0));
  return SPW_OK;
}

/* flat[k].key: the row-major number of cell k's first `dims` coordinates. */
static const spw_cell *flatten(const columns *x, const spw_workspace *w, const spw_cell *cells, int64_t n, int64_t dims)
{
  spw_cell *const flat = other_list(w, cells);
  int behind = bits_from(x, 0);
  for (int64_t k = 0; k < n; k++) flat[k].key = 0;
  for (int64_t i = 0; i < dims; i++) {
    const reader r = read_next(x, cells, i, &behind);
    const uint64_t size = (uint64_t)size_of(x, r.d);
    for (int64_t k = 0; k < n; k++) flat[k].key = flat[k].key * size + (uint64_t)read_at(&r, k);
  }
  return flat;
}

/* The cells of batch b end here, which start at `lo`. */
static int64_t batch_end(const spw_cell *flat, int64_t lo, int64_t n, int64_t b)
{
  while (lo < n && flat[lo].key == (uint64_t)b) lo++;
  return lo;
}

static spw_status equal_batches(const spw_plan *plan, const spw_cell *flat, int64_t n, spw_target *out,
                                spw_refusal *refusal)
{
  int64_t lo = 0;
  out->nse = plan->out_batches == 1 ? n : 0;
  if (plan->out_batches <= 1) return SPW_OK;
  for (int64_t b = 0; b < plan->out_batches; b++) {
    const int64_t hi = batch_end(flat, lo, n, b);
    if (b == 0) out->nse = hi;
    if (hi - lo != out->nse) return spw_refuse(refusal, SPW_OBSTACLE_BATCHES, 0, b, out->nse, hi - lo);
    lo = hi;
    if (lo == n && out->nse == 0) break; /* all that follow are empty as well */
  }
  return SPW_OK;
}

/* The compressed dimension of n cells from `lo` on: ptr, of C + 1 entries at `at`. */
static void put_lines(const reader *major, int64_t lo, int64_t n, int64_t C, spw_indices ptr, int64_t at)
{
  int64_t line = 0;
  spw_put_index(ptr, at, 0);
  for (int64_t k = 0; k < n; k++)
    for (const int64_t own = read_at(major, lo + k); line < own;) spw_put_index(ptr, at + ++line, k);
  while (line < C) spw_put_index(ptr, at + ++line, n);
}

static void put_indices(const reader *minor, int64_t lo, int64_t n, spw_indices to, int64_t at)
{
  for (int64_t k = 0; k < n; k++) spw_put_index(to, at + k, read_at(minor, lo + k));
}

static spw_status to_compressed(const columns *x, const spw_workspace *w, spw_target *out, const spw_cell *cells,
                                int64_t n, spw_refusal *refusal)
{
  const spw_plan *plan = x->plan;
  const spw_cell *const flat = plan->out_batches > 1 ? flatten(x, w, cells, n, x->dims - 2) : NULL;
  spw_status status = equal_batches(plan, flat, n, out, refusal);
  if (status == SPW_OK) status = spw_fits_index(plan, out->nse, refusal);
  if (status != SPW_OK) return status;
  if (out->nse > plan->cap) return SPW_EINVAL;
  const reader major = read_dimension(x, cells, x->dims - 2), minor = read_dimension(x, cells, x->dims - 1);
  for (int64_t b = 0; b < plan->out_batches; b++)
    put_lines(&major, b * out->nse, out->nse, plan->out_C, out->c, b * (plan->out_C + 1));
  put_indices(&minor, 0, n, out->p, 0);
  if (n > 0) put_payloads(plan, cells, n, spw_payload_to(plan, w, out, 0));
  return SPW_OK;
}

/* The cells lo .. hi - 1 of one batch, as lines of elements in slot 0: those of each line of blocks that has an element,
 * one behind the other. Gives their number. */
static int64_t lay_lines(const columns *x, const spw_workspace *w, const spw_cell *cells, int64_t lo, int64_t hi)
{
  const reader major = read_dimension(x, cells, x->dims - 2), minor = read_dimension(x, cells, x->dims - 1);
  const int64_t height = x->plan->out_block[spw_major_of(x->plan->to.layout)];
  int64_t line = 0, end = 0, first = -1; /* lines up to `end` are those of the blocks whose first line is `first` */
  spw_put_index(w->ptr[0], 0, 0);
  for (int64_t k = lo; k < hi; k++) {
    const int64_t own = read_at(&major, k);
    if (first < 0 || own - first >= height) {
      first = own - own % height;
      end += height;
    }
    for (const int64_t here = end - height + (own - first); line < here;) spw_put_index(w->ptr[0], ++line, k - lo);
  }
  while (line < end) spw_put_index(w->ptr[0], ++line, hi - lo);
  put_indices(&minor, lo, hi - lo, w->index[0], 0);
  put_payloads(x->plan, cells + lo, hi - lo, w->payload[0]);
  return end;
}

/* The offsets of as many lines of blocks as have an element become those of all, from the last one on. */
static void spread_lines(const columns *x, const spw_cell *cells, int64_t lo, int64_t hi, int64_t lines, spw_indices c,
                         int64_t at)
{
  const reader major = read_dimension(x, cells, x->dims - 2);
  const int64_t height = x->plan->out_block[spw_major_of(x->plan->to.layout)];
  int64_t from = lines / height, to = x->plan->out_C;
  if (from == to) return;
  for (int64_t k = hi - 1, before = -1; k >= lo; k--) {
    const int64_t own = read_at(&major, k) / height;
    if (own == before) continue;
    for (const int64_t end = spw_get_index(c, at + from--); to > own;) spw_put_index(c, at + to--, end);
    before = own;
  }
  while (to > 0) spw_put_index(c, at + to--, 0);
}

/* There is no room for the blocks of the first batch: either the others have as many, or they are named. */
static spw_status no_room_for_blocks(const columns *x, const spw_workspace *w, const spw_cell *cells, const spw_cell *flat,
                                     int64_t n, spw_refusal *refusal)
{
  const spw_plan *plan = x->plan;
  int64_t lo = 0, first = 0;
  for (int64_t b = 0; flat && b < plan->out_batches; b++) {
    const int64_t hi = batch_end(flat, lo, n, b);
    const int64_t lines = lay_lines(x, w, cells, lo, hi);
    const int64_t count = spw_count_line_blocks(plan, w->ptr[0], w->index[0], lines);
    if (b == 0) first = count;
    if (count != first) return spw_refuse(refusal, SPW_OBSTACLE_BATCHES, 0, b, first, count);
    lo = hi;
  }
  return SPW_EINVAL;
}

static spw_status to_blocks(const columns *x, const spw_workspace *w, spw_target *out, const spw_cell *cells,
                            int64_t n, spw_refusal *refusal)
{
  const spw_plan *plan = x->plan;
  const spw_cell *const flat = plan->out_batches > 1 ? flatten(x, w, cells, n, x->dims - 2) : NULL;
  int64_t lo = 0;
  for (int64_t b = 0; b < plan->out_batches; b++) {
    const int64_t hi = flat ? batch_end(flat, lo, n, b) : n;
    const int64_t lines = lay_lines(x, w, cells, lo, hi);
    const int64_t limit = b == 0 ? plan->cap : out->nse;
    const int64_t count =
        plan->wide ? spw_merge_lines_i64(plan, w, out, w->ptr[0].i64, w->index[0].i64, w->payload[0], lines, limit, b)
                : spw_merge_lines_i32(plan, w, out, w->ptr[0].i32, w->index[0].i32, w->payload[0], lines, limit, b);
    if (count < 0) return no_room_for_blocks(x, w, cells, flat, n, refusal);
    spread_lines(x, cells, lo, hi, lines, out->c, b * (plan->out_C + 1));
    const spw_status status = spw_take_count(plan, out, b, count, refusal);
    if (status != SPW_OK) return status;
    lo = hi;
  }
  return SPW_OK;
}

static spw_status to_dense(const columns *x, const spw_workspace *w, spw_target *out, const spw_cell *cells, int64_t n)
{
  const spw_plan *plan = x->plan;
  const int64_t cell = plan->element_bytes;
  const spw_cell *const flat = flatten(x, w, cells, n, x->dims);
  for (int64_t k = 0; cell > 0 && k < n; k++)
    spw_copy_cell(plan, out, cells[k].payload, out->values + (int64_t)flat[k].key * cell);
  return SPW_OK;
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* Of all batches, elements or opaque blocks. */
static int64_t elements_of(const spw_plan *plan)
{
  return plan->t->layout == SPW_COO ? plan->nse : spw_mul_saturated(spw_source_elements(plan), plan->batches);
}

/* Batch, row and column of every element of block k of a batch, or of the opaque block. */
static void make_block(const spw_plan *plan, const spw_workspace *w, int64_t n, int64_t at, int64_t b, int64_t i, int64_t j)
{
  const int64_t height = plan->opaque ? 1 : plan->block[0], width = plan->opaque ? 1 : plan->block[1];
  for (int64_t r = 0; r < height; r++)
    for (int64_t c = 0; c < width; c++, at++) {
      w->columns[at] = b;
      w->columns[n + at] = i * height + r;
      w->columns[2 * n + at] = j * width + c;
    }
}

static void make_columns(const spw_plan *plan, const spw_workspace *w, int64_t n)
{
  const spw_grid g = spw_grid_of(plan->t, plan->batches, plan->P);
  const int64_t size = spw_source_elements(plan) / plan->nse;
  const bool by_columns = spw_major_of(plan->t->layout);
  for (int64_t b = 0; b < plan->batches; b++) {
    const int64_t c = spw_compressed_start(g, b), p = spw_plain_start(g, b);
    for (int64_t i = 0; i < plan->C; i++) {
      const int64_t end = spw_index_at(&plan->t->compressed, c + i + 1);
      for (int64_t k = spw_index_at(&plan->t->compressed, c + i); k < end; k++) {
        const int64_t j = spw_index_at(&plan->t->plain, p + k), at = (b * plan->nse + k) * size;
        make_block(plan, w, n, at, b, by_columns ? j : i, by_columns ? i : j);
      }
    }
  }
}

/* in_keys: as the sorted cells were left. */
static columns columns_of(const spw_plan *plan, const spw_workspace *w, const spw_target *out)
{
  columns x = {.plan = plan, .swapped = spw_major_of(plan->to.layout), .in_keys = out->in_keys};
  if (spw_has(plan, SPW_FACT_RESORTS)) {
    x.dims = 3;
    x.n = elements_of(plan);
    x.made = w->columns;
    return x;
  }
  const spw_columns g = spw_columns_of(plan->t);
  x.x = &plan->t->plain;
  x.start = g.start;
  x.dim_stride = g.dim_stride;
  x.stride = g.stride;
  x.dims = plan->sparse_dims;
  x.n = plan->nse;
  return x;
}

static spw_status list_cells(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  (void)out, (void)refusal;
  make_columns(plan, w, elements_of(plan));
  return SPW_OK;
}

static spw_status sort(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  columns x = columns_of(plan, w, out);
  (void)refusal;
  out->cells = sort_words(&x, w, out);
  out->count = x.n;
  out->in_keys = x.in_keys;
  return SPW_OK;
}

static spw_status combine(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  const columns x = columns_of(plan, w, out);
  return combine_cells(&x, w, out, out->cells, refusal);
}

static spw_status write_list(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  const columns x = columns_of(plan, w, out);
  return to_coo(&x, w, out, out->cells, out->count, refusal);
}

static spw_status write_lines(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  const columns x = columns_of(plan, w, out);
  return to_compressed(&x, w, out, out->cells, out->count, refusal);
}

static spw_status write_blocks(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  const columns x = columns_of(plan, w, out);
  return to_blocks(&x, w, out, out->cells, out->count, refusal);
}

static spw_status write_dense(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  const columns x = columns_of(plan, w, out);
  (void)refusal;
  return to_dense(&x, w, out, out->cells, out->count);
}

/* ---- Room -------------------------------------------------------------------------------------- */

static void list_room(const spw_plan *plan, spw_arena *arena, spw_workspace *w)
{
  w->columns = spw_take(arena, spw_mul_saturated(3, elements_of(plan)), 8);
}

static void sort_room(const spw_plan *plan, spw_arena *arena, spw_workspace *w)
{
  const int64_t n = elements_of(plan), parts = plan->t->layout == SPW_COO ? spw_parts_of_work(n, plan->threads) : 1;
  w->cells[0] = spw_take(arena, n, sizeof(spw_cell));
  w->cells[1] = spw_take(arena, n, sizeof(spw_cell));
  if (parts > 1) w->starts = spw_take(arena, spw_sort_counts(parts), 8);
}

static void combine_room(const spw_plan *plan, spw_arena *arena, spw_workspace *w)
{
  if (plan->payload == SPW_PLACES)
    w->sums = spw_take(arena, elements_of(plan), spw_mul_saturated(plan->moved, plan->scalar));
}

/* How many lines of blocks can have one of n elements, in lines of elements. */
static int64_t lines_with_elements(const spw_plan *plan, int64_t n)
{
  const int64_t stripes = n < plan->out_C ? n : plan->out_C;
  return spw_mul_saturated(stripes, plan->out_block[spw_major_of(plan->to.layout)]);
}

/* Lines of elements: of one batch only those that may have one, or of all that are made at once. */
static void blocks_room(const spw_plan *plan, spw_arena *arena, spw_workspace *w)
{
  const int64_t height = plan->out_block[spw_major_of(plan->to.layout)], n = elements_of(plan);
  const bool all = spw_takes(plan, &spw_step_coalesce_blocks);
  const int64_t lines = all ? plan->out_batches * plan->out_C * height : lines_with_elements(plan, n);
  spw_take_lines(plan, arena, w, 0, spw_add_saturated(lines, 1), n);
  if (plan->out_C > 0) w->left = spw_take(arena, plan->out_block[spw_major_of(plan->to.layout)], sizeof *w->left);
  spw_take_other_type(plan, arena, w);
}

const spw_step spw_step_list_cells = {
    "list cells", "lists batch, row and column of all elements, in whatever order they are stored", .when = SPW_FACT_RESORTS,
    .run = list_cells, .room = list_room};
const spw_step spw_step_sort = {
    "sort", "sorts elements by their coordinates: a stable radix sort", .run = sort, .room = sort_room};
const spw_step spw_step_combine = {
    "combine", "combines elements of one position, or refuses them", .when = SPW_FACT_REPEATS, .run = combine,
    .room = combine_room};
const spw_step spw_step_write_list = {"write list", "writes the coordinates of the sorted elements down", .run = write_list};
const spw_step spw_step_write_lines = {
    "write lines", "writes the sorted elements down as lines, after batches have been counted", .run = write_lines};
const spw_step spw_step_write_blocks = {
    "write blocks", "lays lines of elements out batch by batch, and merges them into blocks", .run = write_blocks,
    .room = blocks_room};
const spw_step spw_step_write_dense = {"write dense", "puts the sorted elements at their places", .run = write_dense};
