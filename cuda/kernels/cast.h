/* SPDX-License-Identifier: Apache-2.0 */
/* Indices from one type to the other. That they fit has been judged by sizes. */
#ifndef SPW_CUDA_CAST_H
#define SPW_CUDA_CAST_H

#include "conversion.h"
#include "stages.h"

#define SPW_CAST_INDICES(name, from, to)                                                           \
  SPW_KERNEL(name, spw_casting)                                                                    \
  {                                                                                                \
    if (!spw_stage_begins(&a->stage)) return;                                                      \
    const from *const in = (const from *)a->in;                                                    \
    to *const out = (to *)a->out;                                                                  \
    const int64_t threads = (int64_t)gridDim.x * blockDim.x, n = a->counted ? a->n * a->stage.memory->nse : a->n; \
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) out[i] = (to)in[i]; \
    spw_stage_ends(&a->stage);                                                                     \
  }

SPW_CAST_INDICES(spw_widen, int32_t, int64_t)
SPW_CAST_INDICES(spw_narrow, int64_t, int32_t)

#endif
