/* SPDX-License-Identifier: Apache-2.0 */
/* Offsets of lines, and the line of each element: one from the other, for both index types. Offsets and
 * elements are one sequence, of which each tile of a block is an equal part, however long lines are; the
 * shorter side of a tile waits in shared memory. */
#ifndef SPW_CUDA_LINES_H
#define SPW_CUDA_LINES_H

#include "conversion.h"
#include "split.h"
#include "stages.h"

#define SPW_CONVERT_THREADS 256 /* at most, and whole warps */
#ifndef SPW_LINES_ITEMS
#define SPW_LINES_ITEMS 8 /* offsets and elements of a tile, for each thread */
#endif

/* How many of n ascending numbers are less than `bound`. */
SPW_DEVICE unsigned spw_count_below(const unsigned *numbers, unsigned n, unsigned bound)
{
  unsigned low = 0, high = n;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (numbers[middle] < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* The items of a tile: offsets i0 .. i1 - 1 and elements k0 .. k1 - 1 of one batch. */
typedef struct spw_lines_tile {
  int64_t i0, i1, k0, k1;
} spw_lines_tile;

#define SPW_TEMPLATE "../../cuda/kernels/lines.inc"
#include "../../src/core/each_index_type.h"

#endif
