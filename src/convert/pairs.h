/* SPDX-License-Identifier: Apache-2.0 */
/* The frequent case of src/convert/columns.c: two dimensions, whose coordinates fit in one key. Cells are made in one
 * pass, and written down in another. */
#ifndef SPW_CONVERT_PAIRS_H
#define SPW_CONVERT_PAIRS_H

#include "target.h"

/* Where the coordinates lie: in the order of the sort. */
typedef struct spw_pairs {
  const spw_index_array *x;
  int64_t major, minor, stride; /* storage elements of those of element 0, and from one element to the next */
  int64_t n;
  int bits;                     /* of the minor coordinate in a key */
} spw_pairs;

/* Keys and payloads of all elements. */
void spw_fill_pairs(const spw_plan *plan, const spw_target *out, const spw_pairs *pairs, spw_cell *cells);

/* Can duplicates be combined where they are written? */
bool spw_can_emit_pairs(const spw_plan *plan);

/* Writes sorted cells down as COO, CSR or CSC and combines duplicates. */
spw_status spw_emit_pairs(const spw_plan *plan, const spw_workspace *w, spw_target *out, const spw_cell *cells,
                          const spw_pairs *pairs, spw_refusal *refusal);

#endif
