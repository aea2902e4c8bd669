/* SPDX-License-Identifier: Apache-2.0 */
/* Where the batches of sorted elements begin that have had none. */
#ifndef SPW_CUDA_BOUNDS_H
#define SPW_CUDA_BOUNDS_H

#include "stages.h"

/* One thread for each batch, and one for the end. */
SPW_KERNEL(spw_bound, spw_bounding)
{
  if (!spw_stage_begins(&a->stage)) return;
  const int64_t threads = (int64_t)gridDim.x * blockDim.x;
  for (int64_t b = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; b <= a->batches; b += threads) {
    const spw_word first = (spw_word)(b * a->weight); /* of all keys of this batch */
    int64_t low = 0, high = a->n;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (a->keys[middle] < first) low = middle + 1;
      else high = middle;
    }
    a->bounds[b] = (spw_word)low;
  }
  spw_stage_ends(&a->stage);
}

#endif
