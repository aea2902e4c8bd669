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

/* Are elements of one position combined as bits, or one of them taken? */
bool spw_combines_bits(const spw_plan *plan);

/* Do the kernels that sort, combine and write in one number all that there is, of this source and result? */
bool spw_can_be_numbered(const spw_plan *plan);

/* Of numbers below `size`: the least bits that hold each. */
int spw_bits_below(int64_t size);

#endif
