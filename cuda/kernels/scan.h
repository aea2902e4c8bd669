/* SPDX-License-Identifier: Apache-2.0 */
/* Running sums of an array in one pass. */
#ifndef SPW_CUDA_SCAN_H
#define SPW_CUDA_SCAN_H

#include "reduce.h"

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

/* out[i] = in[0] + ... + in[i-1] for 0 <= i <= n, n >= 1; the arrays may not overlap. `tickets` and
 * the `states`, one for each block, start as 0. A block has whole warps, and scans SPW_SCAN_ITEMS words a
 * thread; there are enough blocks for n. Sums stay below 2^62. */
typedef struct spw_scan {
  const spw_word *in;
  spw_word *out;
  int64_t n;
  unsigned *tickets;
  spw_word *states;
} spw_scan;

/* A thread's loads are independent of each other, and a block's state is asked for once in so many words a thread. */
#define SPW_SCAN_ITEMS 8

/* A state: nothing yet, the sum of one block, or that of all blocks up to it. */
#define SPW_SCAN_OWN ((spw_word)1 << 62)
#define SPW_SCAN_ALL ((spw_word)1 << 63)
#define SPW_SCAN_SUM (SPW_SCAN_OWN - 1)

/* The sum of all blocks before this one, for each lane of the warp that asks: 32 states at a time, back to the
 * nearest that knows it all. Before the first block the sum is 0. Blocks are numbered as they start, so those
 * that are waited for have started. */
SPW_DEVICE spw_word spw_look_back(const spw_word *states, unsigned block)
{
  spw_word sum = 0;
  for (int64_t nearest = (int64_t)block - 1;;) {
    const int64_t mine = nearest - SPW_LANE;
    spw_word state = SPW_SCAN_ALL;
    if (mine >= 0)
      while ((state = spw_observe(&states[mine])) == 0) SPW_WAIT();
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
  if (threadIdx.x == 0) ticket[0] = atomicAdd(a->tickets, 1u);
  __syncthreads();
  const unsigned block = ticket[0], warp = threadIdx.x / SPW_WARP_LANES;
  const int64_t first = ((int64_t)block * blockDim.x + warp * SPW_WARP_LANES) * SPW_SCAN_ITEMS + SPW_LANE;
  spw_word values[SPW_SCAN_ITEMS], sums[SPW_SCAN_ITEMS], of_warp = 0, of_block;
  SPW_UNROLL
  for (int j = 0; j < SPW_SCAN_ITEMS; j++) {
    const int64_t i = first + j * (int64_t)SPW_WARP_LANES;
    values[j] = i < a->n ? a->in[i] : 0;
  }
  SPW_UNROLL
  for (int j = 0; j < SPW_SCAN_ITEMS; j++) {
    spw_word of_lanes;
    sums[j] = of_warp + spw_warp_scan(values[j], &of_lanes);
    of_warp += of_lanes;
  }
  const spw_word warps_before = spw_block_scan(of_warp, shared, &of_block);
  if (warp == 0) {
    if (SPW_LANE == 0) spw_publish(&a->states[block], of_block | (block == 0 ? SPW_SCAN_ALL : SPW_SCAN_OWN));
    const spw_word blocks_before = spw_look_back(a->states, block);
    if (SPW_LANE == 0) {
      start[0] = blocks_before;
      if (block > 0) spw_publish(&a->states[block], (blocks_before + of_block) | SPW_SCAN_ALL);
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

#endif
