/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse tensors to dense arrays, by kernels that are proved for payloads of any width. */
#ifndef SPW_CONVERT_INSTANCES_TO_DENSE_H
#define SPW_CONVERT_INSTANCES_TO_DENSE_H

#include "../../check/coo/coo_rules.h"
#include "../../sparsewright_core.h"
#include "../../view/grid.h"

/* A valid tensor, COO in order, of any strides; its payloads lie one behind the other. */
typedef struct spw_to_dense {
  const spw_tensor *t;
  spw_grid grid;         /* of compressed layouts */
  spw_columns columns;   /* of COO */
  const int64_t *size;   /* of COO: the sparse ones */
  int64_t places;        /* of COO: their product */
  int64_t height, width; /* payloads of a block down and across; of an element: 1 and how many it has */
  const void *payloads;
  void *out; /* every element of it is written */
} spw_to_dense;

/* Payloads of 1, 2, 4 and 8 bytes. Time: as large as the result is, and as many elements as there are. */
void spw_to_dense_u8(const spw_to_dense *x);
void spw_to_dense_u16(const spw_to_dense *x);
void spw_to_dense_u32(const spw_to_dense *x);
void spw_to_dense_u64(const spw_to_dense *x);

#endif
