/* SPDX-License-Identifier: Apache-2.0 */
/* How often each of a few numbers occurs. */
#ifndef SPW_CUDA_HISTOGRAM_H
#define SPW_CUDA_HISTOGRAM_H

#include "dialect.h"

/* counts[v] grows by the number of i with values[i] == v, for 0 <= v < bins; other values are not
 * counted. Launch with bins * sizeof(unsigned) bytes of dynamic shared memory. */
typedef struct spw_histogram {
  const int32_t *values;
  int64_t n;
  unsigned bins;
  spw_word *counts;
} spw_histogram;

SPW_KERNEL(spw_count_values, spw_histogram)
{
  SPW_DYNAMIC_SHARED(unsigned, mine);
  for (unsigned v = threadIdx.x; v < a->bins; v += blockDim.x) mine[v] = 0;
  __syncthreads();
  const int64_t threads = (int64_t)gridDim.x * blockDim.x;
  for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < a->n; i += threads) {
    const int32_t v = a->values[i];
    if (v >= 0 && (uint32_t)v < a->bins) atomicAdd(&mine[v], 1u);
  }
  __syncthreads();
  for (unsigned v = threadIdx.x; v < a->bins; v += blockDim.x)
    if (mine[v]) {
      atomicAdd(&a->counts[v], (spw_word)mine[v]);
    }
}

#endif
