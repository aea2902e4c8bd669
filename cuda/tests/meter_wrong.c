/* SPDX-License-Identifier: Apache-2.0 */
#include "../kernels/dialect.h"
#include "meter_wrong.h"

typedef struct pair {
  uint64_t *words; /* two, at a multiple of 16 bytes */
} pair;

SPW_KERNEL(writes_and_loads, pair)
{
  uint64_t copy[2];
  if (threadIdx.x == 0) a->words[1] = 7;
  __syncwarp(SPW_ALL_LANES);
  spw_load_16(copy, a->words);
  if (copy[threadIdx.x % 2] == 9) a->words[0] = 1; /* an index that keeps the load in one piece */
}

const spw_engine_kernel *const meter_wrong = &writes_and_loads;
