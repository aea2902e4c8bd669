/* SPDX-License-Identifier: Apache-2.0 */
/* What several elements at one position become, once they are sorted: the first or the last of them, or their sum in order
 * of storage; or they are refused. */
#ifndef SPW_CUDA_COALESCE_H
#define SPW_CUDA_COALESCE_H

#include "gather.h"
#include "reduce.h"

#ifdef __CUDACC__
#define inline __host__ __device__ inline
#endif
#include "../../src/number/half.h"
#ifdef __CUDACC__
#undef inline
#endif

SPW_KERNEL(spw_mark_firsts, spw_firsts)
{
  if (!spw_stage_begins(&a->stage)) return;
  const int64_t threads = (int64_t)gridDim.x * blockDim.x;
  for (int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; k < a->n; k += threads)
    a->firsts[k] = k == 0 || a->keys[k] >> a->shift != a->keys[k - 1] >> a->shift;
  spw_stage_ends(&a->stage);
}

SPW_DEVICE spw_word spw_sorted_element(const spw_choosing *a, int64_t k)
{
  return a->order ? a->order[k] : (spw_word)k;
}

/* The first element that lies where the one before it does: before it there are as many positions as elements. */
SPW_DEVICE void spw_refuse_duplicate(const spw_choosing *a)
{
  int64_t low = 1, high = a->n - 1;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (a->positions[middle + 1] <= (spw_word)middle) high = middle;
    else low = middle + 1;
  }
  a->stage.memory->place = 0;
  a->stage.memory->lhs = (int64_t)spw_sorted_element(a, low - 1);
  a->stage.memory->rhs = (int64_t)spw_sorted_element(a, low);
}

SPW_KERNEL(spw_choose, spw_choosing)
{
  if (!spw_stage_begins(&a->stage)) return;
  const int64_t thread = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, threads = (int64_t)gridDim.x * blockDim.x;
  const int64_t nse = (int64_t)a->positions[a->n];
  if (a->refuses && nse < a->n) {
    if (thread == 0) spw_refuse_duplicate(a);
    return;
  }
  for (int64_t k = thread; k < a->n; k += threads) {
    const spw_word q = a->positions[k + 1] - 1;
    const int first = a->positions[k] == q, last = k + 1 == a->n || a->positions[k + 2] != q + 1;
    if (first) a->starts[q] = (spw_word)k;
    if (a->takes_last ? last : first) a->chosen[q] = spw_sorted_element(a, k);
  }
  if (thread == 0) {
    a->starts[nse] = (spw_word)a->n;
    a->stage.memory->nse = nse;
  }
  spw_stage_ends(&a->stage);
}

/* Part u of each cell is summed by one thread, so that the sum is the same whoever sums. A single one keeps its bits. */
#define SPW_SUM(name, type, ADD)                                                                   \
  SPW_KERNEL(spw_sum_##name, spw_summing)                                                          \
  {                                                                                                \
    if (!spw_stage_begins(&a->values.stage)) return;                                               \
    type *const out = (type *)(void *)a->values.out;                                               \
    const int64_t threads = (int64_t)gridDim.x * blockDim.x, inner = a->values.inner;              \
    const int64_t units = spw_gather_units(&a->values);                                            \
    for (int64_t u = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; u < units; u += threads) {    \
      const int64_t cell = u / inner, part = u - cell * inner, end = (int64_t)a->starts[cell + 1]; \
      int64_t k = (int64_t)a->starts[cell];                                                        \
      type sum = *(const type *)(const void *)(a->values.in + spw_gather_from(&a->values, k * inner + part)); \
      while (++k < end) {                                                                          \
        const type more = *(const type *)(const void *)(a->values.in + spw_gather_from(&a->values, k * inner + part)); \
        sum = ADD(type, sum, more);                                                                \
      }                                                                                            \
      out[u] = sum;                                                                                \
    }                                                                                              \
    spw_stage_ends(&a->values.stage);                                                              \
  }

#define SPW_ADD_PLAIN(type, x, y) ((type)((x) + (y)))
#define SPW_ADD_BOOL(type, x, y) ((type)((x) || (y)))
/* The sum of two, rounded to 24 bits, is rounded again to 11 (8), which is the sum rounded once. */
#define SPW_ADD_FLOAT16(type, x, y) spw_float16_of_float(spw_float_of_float16(x) + spw_float_of_float16(y))
#define SPW_ADD_BFLOAT16(type, x, y) spw_bfloat16_of_float(spw_float_of_bfloat16(x) + spw_float_of_bfloat16(y))

SPW_SUM(bool, uint8_t, SPW_ADD_BOOL)
SPW_SUM(1, uint8_t, SPW_ADD_PLAIN)
SPW_SUM(2, uint16_t, SPW_ADD_PLAIN)
SPW_SUM(4, uint32_t, SPW_ADD_PLAIN)
SPW_SUM(8, uint64_t, SPW_ADD_PLAIN)
SPW_SUM(float16, uint16_t, SPW_ADD_FLOAT16)
SPW_SUM(bfloat16, uint16_t, SPW_ADD_BFLOAT16)
SPW_SUM(float32, float, SPW_ADD_PLAIN)
SPW_SUM(float64, double, SPW_ADD_PLAIN)

#endif
