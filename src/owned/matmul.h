/* SPDX-License-Identifier: Apache-2.0 */
/* The operands of spw_matmul_new as batches of matrices, for its gradient, too. */
#ifndef SPW_OWNED_MATMUL_H
#define SPW_OWNED_MATMUL_H

#include "compose.h"

typedef struct spw_matmul {
  const spw_tensor *t[2]; /* vectors are rows or columns, and all have the batches of the result: by strides of 0 */
  bool vector[2];         /* it had one dimension */
  int64_t size[2];        /* rows and columns of the result, where no vector drops them */
  int64_t dims, batch[SPW_STRUCTURE_DIMS];
  bool repeats[2], repeated[2][SPW_STRUCTURE_DIMS]; /* any batch dimension; which */
} spw_matmul;

/* Judges both. False where they do not fit, or a step fails. */
bool spw_matmul_operands(spw_composition *c, const spw_tensor *a, const spw_tensor *b, spw_matmul *m);

/* COO of one sparse and one dense dimension, which is a matrix of stored rows (P15). */
bool spw_matmul_is_of_rows(const spw_tensor *t);

#endif
