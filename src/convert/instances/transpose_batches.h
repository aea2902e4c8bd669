/* SPDX-License-Identifier: Apache-2.0 */
/* The other dimension compressed, CSR to CSC, BSR to BSC with whole blocks, and back, of all batches at once, by kernels that are
 * proved for payloads of any width. */
#ifndef SPW_CONVERT_INSTANCES_TRANSPOSE_BATCHES_H
#define SPW_CONVERT_INSTANCES_TRANSPOSE_BATCHES_H

#include "../../sparsewright_core.h"
#include "../../view/grid.h"
#include "../band_room.h"

/* Canonical batches, of which indices lie as the grid says; payloads lie one behind the other. */
typedef struct spw_swap {
  bool wide;                   /* the type of all indices */
  const void *c, *d;           /* offsets and plain indices */
  int64_t c_length, d_length;
  spw_grid grid;
  const void *payloads;
  uint64_t *cursor;                        /* grid.P */
  spw_band_room bands;
  void *compressed, *plain, *out_payloads;
} spw_swap;

/* Payloads of 1, 2, 4 and 8 bytes, and pairs of 4 and of 8. Time: lines of both sides and elements, of all batches. */
void spw_swap_batches_u8(const spw_swap *x);
void spw_swap_batches_u16(const spw_swap *x);
void spw_swap_batches_u32(const spw_swap *x);
void spw_swap_batches_u64(const spw_swap *x);
void spw_swap_batches_pair32(const spw_swap *x);
void spw_swap_batches_pair64(const spw_swap *x);

/* CSC to COO: plain takes the indices of the list, compressed is room for grid.P + 1 offsets. Time: the same, and all elements
 * for each batch dimension. */
void spw_list_columns_u8(const spw_swap *x);
void spw_list_columns_u16(const spw_swap *x);
void spw_list_columns_u32(const spw_swap *x);
void spw_list_columns_u64(const spw_swap *x);
void spw_list_columns_pair32(const spw_swap *x);
void spw_list_columns_pair64(const spw_swap *x);

#endif
