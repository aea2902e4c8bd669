/* SPDX-License-Identifier: Apache-2.0 */
#include "rows.h"
#include "../core/size.h"

#include <string.h>

int64_t spw_rows_room(const spw_matrices *m)
{
  return spw_add_saturated(spw_add_saturated(m->rows, 1), spw_mul_saturated(m->elements, 2));
}

/* starts[row + 1] counts, then is where the row's next element goes. */
spw_rows spw_gather_rows(const spw_tensor *t, const spw_matrices *m, int64_t *room)
{
  int64_t *const starts = room;
  spw_row_entry *const entries = (spw_row_entry *)(starts + m->rows + 1);
  spw_element e;
  memset(starts, 0, (size_t)(m->rows + 1) * sizeof *starts);
  for (spw_walk w = spw_walk_start(t, m); spw_walk_next(&w, &e);) starts[e.row]++;
  int64_t sum = 0;
  for (int64_t row = 0; row <= m->rows; row++) {
    const int64_t count = starts[row];
    starts[row] = sum;
    sum += count;
  }
  for (spw_walk w = spw_walk_start(t, m); spw_walk_next(&w, &e);) {
    const spw_row_entry here = {e.column, e.place};
    entries[starts[e.row]++] = here;
  }
  for (int64_t row = m->rows; row > 0; row--) starts[row] = starts[row - 1];
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
