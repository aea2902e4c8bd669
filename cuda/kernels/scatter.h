/* SPDX-License-Identifier: Apache-2.0 */
/* Values, cell by cell, to the places in a dense array that their coordinates name, which nothing else is written to. */
#ifndef SPW_CUDA_SCATTER_H
#define SPW_CUDA_SCATTER_H

#include "gather.h"
#include "order.h"

/* Zero bytes everywhere: 16 at a time, and single ones where an array begins and ends. */
SPW_KERNEL(spw_clear, spw_clearing)
{
  if (!spw_stage_begins(&a->stage)) return;
  const int64_t thread = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, threads = (int64_t)gridDim.x * blockDim.x;
  const int64_t off = (int64_t)((uintptr_t)a->out % 16), before = off ? 16 - off : 0;
  const int64_t bytes = a->counted ? a->bytes * a->stage.memory->nse : a->bytes;
  const int64_t head = before < bytes ? before : bytes, vectors = (bytes - head) / 16;
  spw_unit_16 *const whole = (spw_unit_16 *)(void *)(a->out + head);
  const spw_unit_16 zero = {{0, 0}};
  for (int64_t i = thread; i < vectors; i += threads) whole[i] = zero;
  for (int64_t i = thread; i < head; i += threads) a->out[i] = 0;
  for (int64_t i = head + 16 * vectors + thread; i < bytes; i += threads) a->out[i] = 0;
  spw_stage_ends(&a->stage);
}

#define SPW_TEMPLATE "../../cuda/kernels/scatter.inc"
#include "../../src/core/each_index_type.h"

#endif
