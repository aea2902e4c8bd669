/* SPDX-License-Identifier: Apache-2.0 */
/* A stable sort of keys with the number of the element that each belongs to, a digit at a time from the last one: count
 * the digits of each tile, take running sums over all tiles of a digit and all digits before, and put each element
 * behind those that are before it. A block takes a tile, and a warp of it the elements of some rows of 32. A tile is put in
 * order in shared memory first, so that what has the same digit is written together. */
#ifndef SPW_CUDA_SORT_H
#define SPW_CUDA_SORT_H

#include "conversion.h"
#include "scan.h"

SPW_DEVICE unsigned spw_digit_of(const spw_sorting *a, spw_word key)
{
  return (unsigned)(key >> a->shift) & (SPW_SORT_DIGITS - 1);
}

/* Which lanes have the same digit. All 32 call. */
SPW_DEVICE unsigned spw_same_digit(unsigned digit)
{
  unsigned same = SPW_ALL_LANES;
  for (unsigned bit = 0; bit < SPW_SORT_BITS; bit++) {
    const unsigned set = __ballot_sync(SPW_ALL_LANES, digit >> bit & 1);
    same &= digit >> bit & 1 ? set : ~set;
  }
  return same;
}

/* The elements of a tile that are a warp's: as many rows for each. */
SPW_DEVICE spw_part spw_sort_part(const spw_sorting *a, int64_t tile)
{
  const int64_t warps = blockDim.x / SPW_WARP_LANES, warp = threadIdx.x / SPW_WARP_LANES;
  const int64_t rows = (SPW_SORT_TILE / SPW_WARP_LANES + warps - 1) / warps * SPW_WARP_LANES;
  const int64_t first = tile * SPW_SORT_TILE;
  const int64_t end = first + SPW_SORT_TILE < a->n ? first + SPW_SORT_TILE : a->n;
  spw_part part;
  part.begin = first + warp * rows;
  part.end = part.begin + rows < end ? part.begin + rows : end;
  return part;
}

/* How often a warp has each digit; `mine` is its own. */
SPW_DEVICE void spw_count_part(const spw_sorting *a, spw_part part, unsigned *mine)
{
  for (int64_t k = part.begin + SPW_LANE; k < part.end; k += SPW_WARP_LANES)
    atomicAdd(&mine[spw_digit_of(a, a->keys[k])], 1u);
}

/* A thread clears the counters that it has written itself for the tile before. */
SPW_KERNEL(spw_count_digits, spw_sorting)
{
  SPW_SHARED(unsigned, bins, SPW_SORT_DIGITS);
  if (!spw_stage_begins(&a->stage)) return;
  for (int64_t t = blockIdx.x; t < a->tiles; t += gridDim.x) {
    for (unsigned d = threadIdx.x; d < SPW_SORT_DIGITS; d += blockDim.x) bins[d] = 0;
    __syncthreads();
    spw_count_part(a, spw_sort_part(a, t), bins);
    __syncthreads();
    for (unsigned d = threadIdx.x; d < SPW_SORT_DIGITS; d += blockDim.x) a->counts[d * a->tiles + t] = bins[d];
  }
  spw_stage_ends(&a->stage);
}

/* How many elements with each digit the warps before a warp have, in place of how many it has, and all of them; and where those
 * of the tile go. */
SPW_DEVICE void spw_add_up_warps(const spw_sorting *a, int64_t tile, unsigned *counts, unsigned *of_tile, spw_word *shifts)
{
  const unsigned warps = blockDim.x / SPW_WARP_LANES;
  for (unsigned d = threadIdx.x; d < SPW_SORT_DIGITS; d += blockDim.x) {
    unsigned sum = 0;
    shifts[d] = a->starts[d * a->tiles + tile];
    for (unsigned w = 0; w < warps; w++) {
      const unsigned own = counts[w * SPW_SORT_DIGITS + d];
      counts[w * SPW_SORT_DIGITS + d] = sum;
      sum += own;
    }
    of_tile[d] = sum;
  }
}

/* Where in a tile the elements with each digit begin, in place of how many there are. One warp. */
SPW_DEVICE void spw_begins_of_digits(unsigned *of_tile)
{
  const unsigned each = SPW_SORT_DIGITS / SPW_WARP_LANES, first = SPW_LANE * each;
  spw_word sum = 0, all;
  for (unsigned i = 0; i < each; i++) sum += of_tile[first + i];
  sum = spw_warp_scan(sum, &all);
  for (unsigned i = 0; i < each; i++) {
    const unsigned own = of_tile[first + i];
    of_tile[first + i] = (unsigned)sum;
    sum += own;
  }
}

/* Puts a warp's part of a tile in order: keys, and the numbers of their elements. `before` counts how many elements with each
 * digit lie before the next of this warp, and begins of digits are `begins`. */
SPW_DEVICE void spw_order_part(const spw_sorting *a, spw_part part, unsigned *before, const unsigned *begins, spw_word *keys,
                               spw_word *order)
{
  for (int64_t row = part.begin; row < part.end; row += SPW_WARP_LANES) {
    const int64_t k = row + SPW_LANE;
    const int there = k < part.end;
    const spw_word key = there ? a->keys[k] : 0; /* lanes without an element are behind all others, in the last row */
    const unsigned digit = spw_digit_of(a, key), same = spw_same_digit(digit);
    const unsigned first = before[digit];
    __syncwarp(SPW_ALL_LANES);
    if (there) {
      const unsigned mine = first + (unsigned)__popc(same & ((1u << SPW_LANE) - 1));
      if (same >> SPW_LANE == 1) before[digit] = mine + 1; /* the last of them */
      keys[begins[digit] + mine] = key;
      order[begins[digit] + mine] = a->order ? a->order[k] : (spw_word)k;
    }
    __syncwarp(SPW_ALL_LANES);
  }
}

SPW_KERNEL(spw_scatter_digits, spw_sorting)
{
  SPW_SHARED(unsigned, counts, SPW_SORT_WARPS * SPW_SORT_DIGITS);
  SPW_SHARED(unsigned, begins, SPW_SORT_DIGITS);
  SPW_SHARED(spw_word, shifts, SPW_SORT_DIGITS); /* from a place in the tile to one of all */
  SPW_SHARED(spw_word, keys, SPW_SORT_TILE);
  SPW_SHARED(spw_word, order, SPW_SORT_TILE);
  if (!spw_stage_begins(&a->stage)) return;
  const unsigned of_warp = threadIdx.x / SPW_WARP_LANES * SPW_SORT_DIGITS;
  for (int64_t t = blockIdx.x; t < a->tiles; t += gridDim.x) {
    const spw_part part = spw_sort_part(a, t);
    for (unsigned d = SPW_LANE; d < SPW_SORT_DIGITS; d += SPW_WARP_LANES) counts[of_warp + d] = 0;
    __syncwarp(SPW_ALL_LANES);
    spw_count_part(a, part, counts + of_warp);
    __syncthreads();
    spw_add_up_warps(a, t, counts, begins, shifts);
    __syncthreads();
    if (threadIdx.x < SPW_WARP_LANES) spw_begins_of_digits(begins);
    __syncthreads();
    for (unsigned d = threadIdx.x; d < SPW_SORT_DIGITS; d += blockDim.x) shifts[d] -= begins[d];
    spw_order_part(a, part, counts + of_warp, begins, keys, order);
    __syncthreads();
    const int64_t left = a->n - t * SPW_SORT_TILE;
    for (unsigned i = threadIdx.x; i < SPW_SORT_TILE && i < left; i += blockDim.x) {
      const spw_word to = shifts[spw_digit_of(a, keys[i])] + i;
      a->sorted_keys[to] = keys[i];
      a->sorted_order[to] = order[i];
    }
  }
  spw_stage_ends(&a->stage);
}

#endif
