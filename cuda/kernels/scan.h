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

/* Sum over the threads before this one, and over the block in *total. A block of whole warps;
 * `shared` has room for 33 words and may be used again after the next barrier. */
SPW_DEVICE spw_word spw_block_scan(spw_word value, spw_word *shared, spw_word *total)
{
  const unsigned warp = threadIdx.x / SPW_WARP_LANES, warps = blockDim.x / SPW_WARP_LANES;
  spw_word of_warp, of_block;
  const spw_word before = spw_warp_scan(value, &of_warp);
  if (SPW_LANE == 0) shared[warp] = of_warp;
  __syncthreads();
  if (warp == 0) {
    const spw_word others = spw_warp_scan(SPW_LANE < warps ? shared[SPW_LANE] : 0, &of_block);
    if (SPW_LANE < warps) shared[SPW_LANE] = others;
    if (SPW_LANE == 0) shared[SPW_WARP_LANES] = of_block;
  }
  __syncthreads();
  *total = shared[SPW_WARP_LANES];
  return shared[warp] + before;
}

/* out[i] = in[0] + ... + in[i-1] for 0 <= i <= n, n >= 1; the arrays may not overlap. `tickets` and
 * the `states`, one for each block, start as 0. A block has whole warps, and blocks * blockDim.x is
 * at least n. Sums stay below 2^62. */
typedef struct spw_scan {
  const spw_word *in;
  spw_word *out;
  int64_t n;
  unsigned *tickets;
  spw_word *states;
} spw_scan;

/* A state: nothing yet, the sum of one block, or that of all blocks up to it. */
#define SPW_SCAN_OWN ((spw_word)1 << 62)
#define SPW_SCAN_ALL ((spw_word)1 << 63)
#define SPW_SCAN_SUM (SPW_SCAN_OWN - 1)

/* The sum of all blocks before this one. Blocks are numbered as they start, so those that are
 * waited for have started. */
SPW_DEVICE spw_word spw_look_back(const spw_word *states, unsigned block)
{
  spw_word sum = 0;
  for (unsigned before = block; before > 0;) {
    const spw_word state = spw_observe(&states[before - 1]);
    if (state == 0) {
      SPW_WAIT();
      continue;
    }
    sum += state & SPW_SCAN_SUM;
    if (state & SPW_SCAN_ALL) break;
    before--;
  }
  return sum;
}

SPW_KERNEL(spw_scan_words, spw_scan)
{
  SPW_SHARED(spw_word, shared, 33);
  SPW_SHARED(spw_word, start, 1);
  SPW_SHARED(unsigned, ticket, 1);
  if (threadIdx.x == 0) ticket[0] = atomicAdd(a->tickets, 1u);
  __syncthreads();
  const unsigned block = ticket[0];
  const int64_t i = (int64_t)block * blockDim.x + threadIdx.x;
  spw_word total;
  const spw_word value = i < a->n ? a->in[i] : 0, before = spw_block_scan(value, shared, &total);
  if (threadIdx.x == 0) {
    spw_publish(&a->states[block], total | (block == 0 ? SPW_SCAN_ALL : SPW_SCAN_OWN));
    start[0] = spw_look_back(a->states, block);
    if (block > 0) spw_publish(&a->states[block], (start[0] + total) | SPW_SCAN_ALL);
  }
  __syncthreads();
  if (i < a->n) a->out[i] = start[0] + before;
  if (i == a->n - 1) a->out[a->n] = start[0] + before + value;
}

#endif
