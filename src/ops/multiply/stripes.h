/* SPDX-License-Identifier: Apache-2.0 */
/* A matrix cut into stripes of columns, for products with vectors that the cache does not hold: each stripe reads one part of the
 * vector, which stays near. The elements of a row stay in order, and so a sum has the same bits. */
#ifndef SPW_OPS_MULTIPLY_STRIPES_H
#define SPW_OPS_MULTIPLY_STRIPES_H

#include "../../convert/arena.h"
#include "../../sparsewright_ops.h"

/* What a striped matrix takes: COO, its rows and columns, and the values. */
typedef struct spw_stripes {
  int64_t *dims, *starts; /* shapes and strides; where each stripe begins */
  int32_t *indices;
  char *values;
} spw_stripes;

/* Is a matrix quicker in stripes? Of CSR with `nse` elements and indices that int32 holds, whose vector has more than 12 MiB, and
 * where more than half of the elements ask for a line of it that a small cache does not have. O(nse) if the vector is large. */
bool spw_gains_by_stripes(const spw_tensor *a, int64_t nse);

/* Room for them; null without a base. */
spw_stripes spw_take_stripes(spw_arena *arena, const spw_tensor *a, int64_t nse);

/* The matrix, CSR with int32 indices, in stripes. O(nse). */
spw_tensor spw_cut_stripes(const spw_tensor *matrix, int64_t nse, const spw_stripes *room);

#endif
