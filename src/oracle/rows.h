/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of a sparse matrix of any layout, row by row. */
#ifndef SPW_ORACLE_ROWS_H
#define SPW_ORACLE_ROWS_H

#include "elements.h"

typedef struct spw_row_entry {
  int64_t column, place; /* place: in the storage of the values */
} spw_row_entry;

/* Entry i of a heap of n sinks to where no child of it has a smaller column: the first entry has the smallest. */
void spw_sink_entry(spw_row_entry *heap, int64_t i, int64_t n);
void spw_make_heap(spw_row_entry *entries, int64_t n);

/* Row r of all batches is entries[starts[r] .. starts[r + 1] - 1]. */
typedef struct spw_rows {
  const int64_t *starts;
  spw_row_entry *entries;
} spw_rows;

/* How many rows there are, of the transposed matrices if `turned`; how many int64 they take. INT64_MAX beyond. */
int64_t spw_rows_count(const spw_matrices *m, bool turned);
int64_t spw_rows_room(const spw_matrices *m, bool turned);

/* Lists them in that room, in order of storage within a row. */
spw_rows spw_gather_rows(const spw_tensor *t, const spw_matrices *m, bool turned, int64_t *room);

/* Each row in ascending order of columns. The first row with two elements in one column, and *column; -1: there is none. */
int64_t spw_sort_rows(spw_rows *rows, const spw_matrices *m, int64_t *column);

#endif
