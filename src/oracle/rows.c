/* SPDX-License-Identifier: Apache-2.0 */
#include "rows.h"
#include "../core/size.h"

#include <string.h>

int64_t spw_rows_count(const spw_matrices *m, bool turned)
{
  const int64_t batches = spw_product(m->size, m->batch_dims);
  return turned ? spw_mul_saturated(batches < 0 ? INT64_MAX : batches, m->columns) : m->rows;
}

int64_t spw_rows_room(const spw_matrices *m, bool turned)
{
  return spw_add_saturated(spw_add_saturated(spw_rows_count(m, turned), 1), spw_mul_saturated(m->elements, 2));
}

/* The next element, as one of the transposed matrix if `turned`. */
static bool next_element(spw_walk *w, bool turned, spw_element *e)
{
  if (!spw_walk_next(w, e)) return false;
  if (!turned) return true;
  const int64_t lines = w->m->size[w->m->batch_dims], batch = e->row / lines, row = e->row % lines;
  e->row = batch * w->m->columns + e->column;
  e->column = row;
  return true;
}

/* starts[row + 1] counts, then is where the row's next element goes. */
spw_rows spw_gather_rows(const spw_tensor *t, const spw_matrices *m, bool turned, int64_t *room)
{
  const int64_t count = spw_rows_count(m, turned);
  int64_t *const starts = room;
  spw_row_entry *const entries = (spw_row_entry *)(starts + count + 1);
  spw_element e;
  memset(starts, 0, (size_t)(count + 1) * sizeof *starts);
  for (spw_walk w = spw_walk_start(t, m); next_element(&w, turned, &e);) starts[e.row]++;
  int64_t sum = 0;
  for (int64_t row = 0; row <= count; row++) {
    const int64_t own = starts[row];
    starts[row] = sum;
    sum += own;
  }
  for (spw_walk w = spw_walk_start(t, m); next_element(&w, turned, &e);) {
    const spw_row_entry here = {e.column, e.place};
    entries[starts[e.row]++] = here;
  }
  for (int64_t row = count; row > 0; row--) starts[row] = starts[row - 1];
  starts[0] = 0;
  const spw_rows rows = {starts, entries};
  return rows;
}

/* ---- Heaps and sorting ------------------------------------------------------------------------------------- */

void spw_sink_entry(spw_row_entry *heap, int64_t i, int64_t n)
{
  const spw_row_entry moved = heap[i];
  for (int64_t child = 2 * i + 1; child < n; child = 2 * i + 1) {
    if (child + 1 < n && heap[child + 1].column < heap[child].column) child++;
    if (moved.column <= heap[child].column) break;
    heap[i] = heap[child];
    i = child;
  }
  heap[i] = moved;
}

void spw_make_heap(spw_row_entry *entries, int64_t n)
{
  for (int64_t i = n / 2; i-- > 0;) spw_sink_entry(entries, i, n);
}

static void exchange(spw_row_entry *e, int64_t i, int64_t j)
{
  const spw_row_entry one = e[i];
  e[i] = e[j];
  e[j] = one;
}

static bool ascends(const spw_row_entry *e, int64_t n)
{
  for (int64_t i = 1; i < n; i++)
    if (e[i].column < e[i - 1].column) return false;
  return true;
}

/* The smallest goes behind the others, again and again: they descend then, and are turned. */
static void sort_entries(spw_row_entry *e, int64_t n)
{
  if (ascends(e, n)) return;
  spw_make_heap(e, n);
  for (int64_t last = n - 1; last > 0; last--) {
    exchange(e, 0, last);
    spw_sink_entry(e, 0, last);
  }
  for (int64_t i = 0; i < n / 2; i++) exchange(e, i, n - 1 - i);
}

/* The first entry that is where the one before is; n: none. */
static int64_t first_duplicate(const spw_row_entry *e, int64_t n)
{
  int64_t i = 1;
  while (i < n && e[i].column != e[i - 1].column) i++;
  return i < n ? i : n;
}

int64_t spw_sort_rows(spw_rows *rows, const spw_matrices *m, int64_t *column)
{
  int64_t found = -1;
  for (int64_t row = 0; row < m->rows; row++) {
    spw_row_entry *const e = rows->entries + rows->starts[row];
    const int64_t n = rows->starts[row + 1] - rows->starts[row];
    sort_entries(e, n);
    const int64_t twice = found < 0 ? first_duplicate(e, n) : n;
    if (twice == n) continue;
    found = row;
    *column = e[twice].column;
  }
  return found;
}
