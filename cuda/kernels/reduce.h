/* SPDX-License-Identifier: Apache-2.0 */
/* Minimum and sum over a warp and over a block. */
#ifndef SPW_CUDA_REDUCE_H
#define SPW_CUDA_REDUCE_H

#include "dialect.h"

#define SPW_LANE (threadIdx.x % SPW_WARP_LANES)

/* All 32 lanes call and get the result. */
SPW_DEVICE spw_word spw_warp_min(spw_word value)
{
  for (unsigned half = SPW_WARP_LANES / 2; half > 0; half /= 2) {
    const spw_word other = __shfl_xor_sync(SPW_ALL_LANES, value, half);
    if (other < value) value = other;
  }
  return value;
}

SPW_DEVICE spw_word spw_warp_sum(spw_word value)
{
  for (unsigned half = SPW_WARP_LANES / 2; half > 0; half /= 2)
    value += __shfl_xor_sync(SPW_ALL_LANES, value, half);
  return value;
}

/* All threads of a block of whole warps call; thread 0 gets the result, others anything. `shared`
 * has room for 32 words and may be used again after the next barrier. */
SPW_DEVICE spw_word spw_block_min(spw_word value, spw_word *shared)
{
  const unsigned warp = threadIdx.x / SPW_WARP_LANES, warps = blockDim.x / SPW_WARP_LANES;
  value = spw_warp_min(value);
  if (SPW_LANE == 0) shared[warp] = value;
  __syncthreads();
  if (warp > 0) return 0;
  return spw_warp_min(SPW_LANE < warps ? shared[SPW_LANE] : ~(spw_word)0);
}

SPW_DEVICE spw_word spw_block_sum(spw_word value, spw_word *shared)
{
  const unsigned warp = threadIdx.x / SPW_WARP_LANES, warps = blockDim.x / SPW_WARP_LANES;
  value = spw_warp_sum(value);
  if (SPW_LANE == 0) shared[warp] = value;
  __syncthreads();
  if (warp > 0) return 0;
  return spw_warp_sum(SPW_LANE < warps ? shared[SPW_LANE] : 0);
}

#endif
