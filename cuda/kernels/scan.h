/* SPDX-License-Identifier: Apache-2.0 */
/* Running sums of an array in one pass. */
#ifndef SPW_CUDA_SCAN_H
#define SPW_CUDA_SCAN_H

#include "reduce.h"
#include "stages.h"

/* Sum over the lanes before this one, and over all 32 in *total. */
SPW_DEVICE spw_word spw_warp_scan(spw_word value, spw_word *total)
{
  spw_word sum = value;
  for (unsigned by = 1; by < SPW_WARP_LANES; by *= 2) {
    const spw_word before = __shfl_up_sync(SPW_ALL_LANES, sum, by);
    if (SPW_LANE >= by) sum += before;
  }
  *total = __shfl_sync(SPW_ALL_LANES, sum, SPW_WARP_LANES - 1);
  return sum - value;
}

/* Sum over the warps before this one, and over the block in *total, of what the threads of each give as
 * their warp's. A block of whole warps; `shared` has room for 33 words and may be used again after the next
 * barrier. */
SPW_DEVICE spw_word spw_block_scan(spw_word of_warp, spw_word *shared, spw_word *total)
{
  const unsigned warp = threadIdx.x / SPW_WARP_LANES, warps = blockDim.x / SPW_WARP_LANES;
  spw_word of_block;
  if (SPW_LANE == 0) shared[warp] = of_warp;
  __syncthreads();
  if (warp == 0) {
    const spw_word others = spw_warp_scan(SPW_LANE < warps ? shared[SPW_LANE] : 0, &of_block);
    if (SPW_LANE < warps) shared[SPW_LANE] = others;
    if (SPW_LANE == 0) shared[SPW_WARP_LANES] = of_block;
  }
  __syncthreads();
  *total = shared[SPW_WARP_LANES];
  return shared[warp];
}

/* A tile is SPW_SCAN_ITEMS words for each thread of a block of whole warps. A state: nothing yet, the sum of one tile,
 * or that of all tiles up to it; sums stay below 2^62. */
#define SPW_SCAN_NONE (~(spw_word)0)
#define SPW_SCAN_OWN ((spw_word)1 << 62)
#define SPW_SCAN_ALL ((spw_word)1 << 63)
#define SPW_SCAN_SUM (SPW_SCAN_OWN - 1)

/* The sum of all tiles before this one, for each lane of the warp that asks: 32 states at a time, back to the
 * nearest that knows it all. Before the first tile the sum is 0. Tiles are taken in order, so those that are waited
 * for have been begun. */
SPW_DEVICE spw_word spw_look_back(const spw_word *states, unsigned tile)
{
  spw_word sum = 0;
  for (int64_t nearest = (int64_t)tile - 1;;) {
    const int64_t mine = nearest - SPW_LANE;
    spw_word state = SPW_SCAN_ALL;
    if (mine >= 0)
      while ((state = spw_observe(&states[mine])) == SPW_SCAN_NONE) SPW_WAIT();
    const unsigned all = __ballot_sync(SPW_ALL_LANES, (state & SPW_SCAN_ALL) != 0);
    const unsigned wanted = all ^ (all - 1); /* up to the nearest that knows it all, else every lane */
    sum += spw_warp_sum(wanted >> SPW_LANE & 1 ? state & SPW_SCAN_SUM : 0);
    if (all) return sum;
    nearest -= SPW_WARP_LANES;
  }
}

/* A warp takes neighbouring words, a lane every 32nd of them, so that each load and store is of neighbours. */
SPW_KERNEL(spw_scan_words, spw_scan)
{
  SPW_SHARED(spw_word, shared, 33);
  SPW_SHARED(spw_word, start, 1);
  SPW_SHARED(unsigned, ticket, 1);
  if (!spw_stage_begins(&a->stage)) return;
  const unsigned warp = threadIdx.x / SPW_WARP_LANES;
  const int64_t length = (int64_t)blockDim.x * SPW_SCAN_ITEMS, tiles = (a->n + length - 1) / length;
  for (;;) {
    if (threadIdx.x == 0) ticket[0] = atomicAdd(&a->stage.memory->tickets, 1u) + 1; /* counted from -1 */
    __syncthreads();
    const unsigned tile = ticket[0];
    if (tile >= tiles) break;
    const int64_t first = ((int64_t)tile * blockDim.x + warp * SPW_WARP_LANES) * SPW_SCAN_ITEMS + SPW_LANE;
    spw_word values[SPW_SCAN_ITEMS], sums[SPW_SCAN_ITEMS], of_warp = 0, of_tile;
    SPW_UNROLL
    for (int j = 0; j < SPW_SCAN_ITEMS; j++) {
      const int64_t i = first + j * (int64_t)SPW_WARP_LANES;
      values[j] = i < a->n ? a->in[i] : 0;
    }
    SPW_UNROLL
    for (int j = 0; j < SPW_SCAN_ITEMS; j++) {
      spw_word of_lanes = 0;
      sums[j] = of_warp;
      if (first - SPW_LANE + j * (int64_t)SPW_WARP_LANES < a->n) sums[j] += spw_warp_scan(values[j], &of_lanes);
      of_warp += of_lanes;
    }
    const spw_word warps_before = spw_block_scan(of_warp, shared, &of_tile);
    if (warp == 0) {
      if (SPW_LANE == 0) spw_publish(&a->states[tile], of_tile | (tile == 0 ? SPW_SCAN_ALL : SPW_SCAN_OWN));
      const spw_word tiles_before = spw_look_back(a->states, tile);
      if (SPW_LANE == 0) {
        start[0] = tiles_before;
        if (tile > 0) spw_publish(&a->states[tile], (tiles_before + of_tile) | SPW_SCAN_ALL);
      }
    }
    __syncthreads();
    SPW_UNROLL
    for (int j = 0; j < SPW_SCAN_ITEMS; j++) {
      const int64_t i = first + j * (int64_t)SPW_WARP_LANES;
      const spw_word sum = start[0] + warps_before + sums[j];
      if (i < a->n) a->out[i] = sum;
      if (i == a->n - 1) a->out[a->n] = sum + values[j];
    }
  }
  spw_stage_ends(&a->stage);
}

#endif
