/* SPDX-License-Identifier: Apache-2.0 */
/* The one stable sort of conversions: cells of a key and whatever has to travel with it. */
#ifndef SPW_CONVERT_KERNELS_SORT_CELLS_H
#define SPW_CONVERT_KERNELS_SORT_CELLS_H

#include <stdint.h>

/* The payload is opaque: the bits of a value, or the position of an element. */
typedef struct spw_cell {
  uint64_t key;
  uint64_t payload;
} spw_cell;

/* Sorts a[0 .. n - 1] by bits low .. high - 1 of the keys, 0 <= low <= high <= 64; cells with equal bits keep
 * their order. b[0 .. n - 1] is room of the same length. Returns 0 where the result is in a, 1 where it
 * is in b; what the other one holds then is not said. O(n * (high - low) / 8). */
int spw_sort_cells(spw_cell *a, spw_cell *b, int64_t n, int low, int high);

/* Are the keys ascending? 2: strictly; 1: with equal ones; 0: no. */
int spw_cells_ascend(const spw_cell *a, int64_t n);

#endif
