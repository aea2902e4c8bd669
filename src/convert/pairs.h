/* SPDX-License-Identifier: Apache-2.0 */
/* The frequent cases of src/convert/columns.c: matrices, whose lines and indices fit in one key, and any number of dimensions,
 * whose row-major places can be numbered. Cells are made in one pass, and written down in another. */
#ifndef SPW_CONVERT_PAIRS_H
#define SPW_CONVERT_PAIRS_H

#include "target.h"
#include "../view/columns.h"

typedef struct spw_pairs {
  const spw_index_array *x;
  spw_columns g;
  int major;          /* of the last two dimensions, the one that is sorted by first */
  int64_t lines;      /* of it, in all matrices; INT64_MAX: too many */
  int bits, all_bits; /* of the other coordinate in a key, and of a key */
} spw_pairs;

/* A COO tensor of two dimensions or more as matrices of the last two. */
spw_pairs spw_pairs_of(const spw_plan *plan);

/* Keys and payloads of all elements. */
void spw_fill_pairs(const spw_plan *plan, const spw_target *out, const spw_pairs *pairs, spw_cell *cells);

/* May there be duplicates, which are to be refused? What is made at once then takes the first element of each position, which is
 * right where these are as many as there were elements. */
bool spw_refuses_duplicates(const spw_plan *plan);

/* Can duplicates be combined where they are written? */
bool spw_can_emit_pairs(const spw_plan *plan);

/* Does one thread make, order and write them, all at once, which is what the theorem is about (coalesce_contract.inc)? */
bool spw_can_coalesce_pairs(const spw_plan *plan, const spw_pairs *pairs);

/* How many elements it has; -1: there is not enough room. */
int64_t spw_coalesce_pairs(const spw_plan *plan, const spw_workspace *w, spw_target *out, const spw_pairs *pairs);

/* The same of all batches, of more dimensions than two to CSR and CSC (coalesce_to_batches_contract.inc), and to BSR and BSC
 * (coalesce_to_blocks_contract.inc), by one thread? As far as that does not depend on how many there are; and altogether. */
bool spw_has_room_for_batches(const spw_plan *plan);
bool spw_can_coalesce_batches(const spw_plan *plan);

/* How many cells each batch has. -1: there is not enough room for all; -1 - b: batch b is the first that has not as many as the
 * first one, and w->whole are the offsets of the lines of all batches, or of those of their blocks. */
int64_t spw_coalesce_batches(const spw_plan *plan, const spw_workspace *w, spw_target *out);

/* The same of any number of dimensions to a dense array, which is not cleared before (coalesce_to_dense_contract.inc)? */
bool spw_can_coalesce_places(const spw_plan *plan);

void spw_coalesce_places(const spw_plan *plan, const spw_workspace *w, const spw_target *out);

/* And to COO in order (coalesce_to_columns_contract.inc)? */
bool spw_can_coalesce_columns(const spw_plan *plan);

int64_t spw_coalesce_columns(const spw_plan *plan, const spw_workspace *w, spw_target *out);

/* Of numbers below `size`: the least bits that hold each. */
int spw_bits_below(int64_t size);

/* Writes sorted cells down as COO, or as lines of elements, and combines duplicates. */
spw_status spw_emit_pairs(const spw_plan *plan, const spw_workspace *w, spw_target *out, const spw_cell *cells,
                          const spw_pairs *pairs, spw_refusal *refusal);

#endif
