/* SPDX-License-Identifier: Apache-2.0 */
/* Where the batches of a compressed tensor start. */
#ifndef SPW_VIEW_GRID_H
#define SPW_VIEW_GRID_H

#include "../core/size.h"

/* The batches of a compressed tensor whose shape rules hold. Batch b of the compressed indices
 * starts at storage element c_offset + sum of index * c_strides, and has C + 1 elements. */
typedef struct spw_grid {
  int64_t batches; /* product of shape */
  int64_t ndim;    /* number of batch dimensions */
  const int64_t *shape;
  const int64_t *c_strides;
  const int64_t *p_strides;
  int64_t c_offset;
  int64_t p_offset;
  int64_t C;
  int64_t P;
  int64_t nse;
} spw_grid;

#include "../../spec/acsl/grid.acsl"

/*@ requires sign: 0 <= g.ndim <= SPW_NDIM_MAX && 0 <= b;
    requires entries: \valid_read(g.shape + (0 .. g.ndim - 1)) && \valid_read(g.c_strides + (0 .. g.ndim - 1));
    requires inside: positive(g.shape, g.ndim) && non_negative(g.c_strides, g.ndim) && 0 <= g.c_offset &&
      g.c_offset + reach(g.shape, g.c_strides, g.ndim) <= INT64_MAX;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == compressed_start(g, b);
    ensures bound: 0 <= \result <= g.c_offset + reach(g.shape, g.c_strides, g.ndim); */
int64_t spw_compressed_start(spw_grid g, int64_t b);

/*@ requires sign: 0 <= g.ndim <= SPW_NDIM_MAX && 0 <= b;
    requires entries: \valid_read(g.shape + (0 .. g.ndim - 1)) && \valid_read(g.p_strides + (0 .. g.ndim - 1));
    requires inside: positive(g.shape, g.ndim) && non_negative(g.p_strides, g.ndim) && 0 <= g.p_offset &&
      (g.nse > 0 ==> g.p_offset + reach(g.shape, g.p_strides, g.ndim) <= INT64_MAX);
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == plain_start(g, b);
    ensures none: g.nse <= 0 ==> \result == 0;
    ensures bound: g.nse > 0 ==> 0 <= \result <= g.p_offset + reach(g.shape, g.p_strides, g.ndim); */
int64_t spw_plain_start(spw_grid g, int64_t b);

/* Do all batches have the same index arrays, because every batch stride is 0? */
/*@ requires entries: 0 <= g.ndim <= SPW_NDIM_MAX && \valid_read(g.shape + (0 .. g.ndim - 1)) &&
      \valid_read(g.c_strides + (0 .. g.ndim - 1)) && \valid_read(g.p_strides + (0 .. g.ndim - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> all_zero(g.c_strides, g.ndim) && (g.nse > 0 ==> all_zero(g.p_strides, g.ndim));
    ensures same: \result == 1 ==> \forall integer b;
      compressed_start(g, b) == compressed_start(g, 0) && plain_start(g, b) == plain_start(g, 0); */
int spw_batches_shared(spw_grid g);

#endif
