/* SPDX-License-Identifier: Apache-2.0 */
/* A stripe is the lines of one line of result blocks. Its distinct indices are gone over in ascending order, each of
 * which stands for a range of result blocks. */
#include "count_stripes.h"
#include "count_blocks.h"
#include "indices.h"
#include "indices/sort/sort_cells.h"
#include "../core/size.h"

/* Of so many indices the smaller half is kept, when they are looked for among many lines. */
enum { HELD = 2048, KEPT = HELD / 2 };

/* Merging looks for each index in each line, in about so many steps. */
enum { STEPS_OF_SEARCH = 16 };

/* The elements first .. last - 1 of the source, which lie in its lines line .. line_end - 1. */
typedef struct stripe {
  const spw_stripes *s;
  int64_t line, line_end, first, last;
} stripe;

/* Result blocks that are counted; the next one to count is not before `next`. */
typedef struct tally {
  int64_t count, next;
} tally;

static int64_t offset_of(const spw_stripes *s, int64_t line)
{
  return spw_index_at(s->c, s->c_start + line);
}

static int64_t index_of(const spw_stripes *s, int64_t k)
{
  return spw_index_at(s->p, s->p_start + k);
}

static int64_t first_block(const spw_stripes *s, int64_t index)
{
  return index * s->from_minor / s->to_minor;
}

static int64_t last_block(const spw_stripes *s, int64_t index)
{
  return ((index + 1) * s->from_minor - 1) / s->to_minor;
}

static void count_range(tally *t, int64_t first, int64_t last)
{
  if (first < t->next) first = t->next;
  if (last < first) return;
  t->count += last - first + 1;
  t->next = last + 1;
}

/* ---- Few lines: they are merged --------------------------------------------------------------- */

/* The least index of a line that is not below `wanted`; INT64_MAX: none. */
static int64_t least_index(const spw_stripes *s, int64_t line, int64_t wanted)
{
  int64_t lo = offset_of(s, line), hi = offset_of(s, line + 1);
  const int64_t end = hi;
  while (lo < hi) {
    const int64_t middle = lo + (hi - lo) / 2;
    if (index_of(s, middle) < wanted)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo == end ? INT64_MAX : index_of(s, lo);
}

static int64_t count_merged(const stripe *x)
{
  tally t = {0, 0};
  for (;;) {
    const int64_t wanted = t.next * x->s->to_minor / x->s->from_minor; /* the first that reaches block `next` */
    int64_t least = INT64_MAX;
    for (int64_t line = x->line; line < x->line_end; line++) {
      const int64_t index = least_index(x->s, line, wanted);
      if (index < least) least = index;
    }
    if (least == INT64_MAX) return t.count;
    count_range(&t, first_block(x->s, least), last_block(x->s, least));
  }
}

/* ---- Many lines: numbers are indices, where each may be many blocks, else blocks, of which each index may be two ---- */

static bool has_wide_indices(const spw_stripes *s)
{
  return s->from_minor > s->to_minor;
}

static void count_number(tally *t, const spw_stripes *s, int64_t number)
{
  const bool wide = has_wide_indices(s);
  count_range(t, wide ? first_block(s, number) : number, wide ? last_block(s, number) : number);
}

/* The numbers of an index: one, or two. */
static int64_t first_number(const spw_stripes *s, int64_t index)
{
  return has_wide_indices(s) ? index : first_block(s, index);
}

static int64_t last_number(const spw_stripes *s, int64_t index)
{
  return has_wide_indices(s) ? index : last_block(s, index);
}

/* Where many numbers lie close to each other, they are marked: so many at a time. */
enum { WORD = 64, MARKED = 4096 * WORD };

static void mark(uint64_t *marks, int64_t from, int64_t number)
{
  const uint64_t place = (uint64_t)number - (uint64_t)from;
  if (place < MARKED) marks[place / WORD] |= (uint64_t)1 << place % WORD;
}

/* Counts the numbers from .. from + MARKED - 1, and gives how many there are. */
static int64_t count_marked(const stripe *x, tally *t, int64_t from)
{
  const spw_stripes *const s = x->s;
  uint64_t marks[MARKED / WORD] = {0};
  int64_t found = 0;
  for (int64_t k = x->first; k < x->last; k++) {
    const int64_t index = index_of(s, k);
    mark(marks, from, first_number(s, index));
    mark(marks, from, last_number(s, index));
  }
  for (int64_t w = 0; w < MARKED / WORD; w++)
    for (uint64_t left = marks[w]; left != 0; left &= left - 1) {
      count_number(t, s, from + w * WORD + __builtin_ctzll(left));
      found++;
    }
  return found;
}

/* ---- The smallest numbers are selected, some at a time ----------------------------------------- */

/* Numbers from .. limit that were met; those that are not kept lie above the limit. */
typedef struct selection {
  spw_cell held[HELD], room[HELD];
  int64_t n, from, limit;
} selection;

/* Sorts them, takes repeated ones out, and keeps the smallest. */
static void keep_smallest(selection *x)
{
  const spw_cell *const sorted = spw_sort_cells(x->held, x->room, x->n, 0, 63) ? x->room : x->held;
  int64_t kept = 0;
  for (int64_t k = 0; k < x->n; k++) {
    if (kept > 0 && sorted[k].key == x->held[kept - 1].key) continue;
    if (kept == KEPT) {
      x->limit = (int64_t)x->held[kept - 1].key;
      break;
    }
    x->held[kept++] = sorted[k];
  }
  x->n = kept;
}

static void offer(selection *x, int64_t number)
{
  if (number < x->from || number > x->limit) return;
  if (x->n == HELD) {
    keep_smallest(x);
    if (number > x->limit) return;
  }
  x->held[x->n].key = (uint64_t)number;
  x->held[x->n++].payload = 0;
}

/* The smallest numbers from found->from on. */
static void select_smallest(const stripe *x, selection *found)
{
  const spw_stripes *const s = x->s;
  found->n = 0;
  found->limit = INT64_MAX;
  for (int64_t k = x->first; k < x->last; k++) {
    const int64_t index = index_of(s, k), first = first_number(s, index), last = last_number(s, index);
    offer(found, first);
    if (last != first) offer(found, last);
  }
  keep_smallest(found);
}

/* Each time that all elements are gone over, so many numbers are counted at least as are kept, but for the last time and for
 * those at which marking turns out to be worth it no longer. */
static int64_t count_selected(const stripe *x)
{
  selection found; /* its lists are filled as far as they are read */
  tally t = {0, 0};
  found.from = 0;
  for (;;) {
    select_smallest(x, &found);
    for (int64_t k = 0; k < found.n; k++) count_number(&t, x->s, (int64_t)found.held[k].key);
    if (found.limit == INT64_MAX) return t.count;
    bool dense = found.limit - (int64_t)found.held[0].key < MARKED;
    found.from = found.limit + 1;
    while (dense && found.from <= INT64_MAX - MARKED) {
      dense = count_marked(x, &t, found.from) >= KEPT;
      found.from += MARKED;
    }
  }
}

/* ---- All of them ------------------------------------------------------------------------------ */

/* One line is in order. */
static int64_t count_line(const stripe *x)
{
  tally t = {0, 0};
  for (int64_t k = x->first; k < x->last; k++) {
    const int64_t index = index_of(x->s, k);
    count_range(&t, first_block(x->s, index), last_block(x->s, index));
  }
  return t.count;
}

static int64_t count_stripe(const spw_stripes *s, int64_t line, int64_t line_end)
{
  const stripe x = {s, line, line_end, offset_of(s, line), offset_of(s, line_end)};
  const int64_t lines = line_end - line, elements = x.last - x.first;
  if (elements == 0) return 0;
  if (lines == 1) return count_line(&x);
  if (lines <= SPW_COUNTED_HEIGHT || lines <= elements / KEPT / STEPS_OF_SEARCH) return count_merged(&x);
  return count_selected(&x);
}

/* Where the source has no blocks. */
static int64_t count_lines(const spw_stripes *s)
{
  if (s->c->array.dtype == SPW_INT32)
    return spw_count_blocks_i32(s->c->i32 + s->c_start, s->p->i32 + s->p_start, s->lines, s->to_major, s->to_minor);
  return spw_count_blocks_i64(s->c->i64 + s->c_start, s->p->i64 + s->p_start, s->lines, s->to_major, s->to_minor);
}

int64_t spw_count_stripes(const spw_stripes *s)
{
  if (s->from_major == 1 && s->from_minor == 1 && s->to_major <= SPW_COUNTED_HEIGHT) return count_lines(s);
  const int64_t stripes = s->lines / s->to_major;
  int64_t count = 0, same = 1;
  for (int64_t i = 0; i < stripes; i += same) {
    const int64_t line = i * s->to_major / s->from_major, last = ((i + 1) * s->to_major - 1) / s->from_major;
    /* Those that lie in one line of blocks are alike. */
    same = line == last ? (line + 1) * s->from_major / s->to_major - i : 1;
    count = spw_add_saturated(count, spw_mul_saturated(same, count_stripe(s, line, last + 1)));
  }
  return count;
}
