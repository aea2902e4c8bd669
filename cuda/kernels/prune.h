/* SPDX-License-Identifier: Apache-2.0 */
/* What is left of cells when those that are zero are left out: the marked ones, in order. */
#ifndef SPW_CUDA_PRUNE_H
#define SPW_CUDA_PRUNE_H

#include "marks.h"

/* A warp takes a tile. How many cells there were is still said: to settle how many there are comes later. */
SPW_KERNEL(spw_pick, spw_picking)
{
  if (!spw_stage_begins(&a->stage)) return;
  const int64_t cells = a->counted ? a->stage.memory->nse : a->cells;
  for (int64_t t = SPW_WARP; t < a->batches * a->tiles; t += SPW_WARPS) {
    const int64_t batch = t / a->tiles, begin = batch * cells + (t - batch * a->tiles) * SPW_MARK_CELLS;
    const spw_word start = a->starts[t];
    const unsigned word = a->marks[t * SPW_MARK_WORDS + SPW_LANE];
    spw_word all;
    const unsigned before = (unsigned)spw_warp_scan((spw_word)__popc(word), &all);
    for (unsigned left = __ballot_sync(SPW_ALL_LANES, word != 0); left; left &= left - 1) {
      const unsigned w = (unsigned)__ffs((int)left) - 1;
      const unsigned there = __shfl_sync(SPW_ALL_LANES, word, w), sum = __shfl_sync(SPW_ALL_LANES, before, w);
      if (!(there >> SPW_LANE & 1)) continue;
      const int64_t n = begin + w * SPW_WARP_LANES + SPW_LANE;
      const spw_word q = start + sum + (spw_word)__popc(there & ((1u << SPW_LANE) - 1));
      a->elements[q] = a->order ? a->order[n] : (spw_word)n;
      if (a->numbers) a->numbers[q] = (spw_word)n;
    }
  }
  spw_stage_ends(&a->stage);
}

#endif
