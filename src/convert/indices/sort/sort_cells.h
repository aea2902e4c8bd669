/* SPDX-License-Identifier: Apache-2.0 */
/* The one stable sort of conversions: cells of a key and whatever has to travel with it. */
#ifndef SPW_CONVERT_INDICES_SORT_SORT_CELLS_H
#define SPW_CONVERT_INDICES_SORT_SORT_CELLS_H

#include <stdint.h>

/* The payload is opaque: the bits of a value, or the position of an element. */
typedef struct spw_cell {
  uint64_t key;
  uint64_t payload;
} spw_cell;

#include "../../../../spec/acsl/cells.acsl"

/* Sorts a[0 .. n - 1] by bits low .. high - 1 of the keys; cells with equal bits keep their order. b[0 .. n - 1]
 * is room of the same length. Returns 0 where the result is in a, 1 where it is in b; what the other one holds
 * then is not said. O(n * (high - low) / 8).
 * placed: the cell at k goes to its rank, which is the number of cells that are to stand before it. origin: nothing
 * else is in the result, for the ranks are the numbers 0 .. n - 1, each once. */
/*@ requires cells: 0 <= n && \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1));
    requires places: 0 <= low <= high <= 64;
    terminates \true; exits \false; assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures one: \result == 0 || \result == 1;
    ensures placed: sorted_cells{Pre,Post}(a, n, low, high, \result == 0 ? a : b);
    ensures origin: \forall integer q; 0 <= q < n ==> 0 <= cell_origin{Pre}(a, low, high, q, n) < n &&
      cell_rank{Pre}(a, low, high, cell_origin{Pre}(a, low, high, q, n), n) == q &&
      cell_key(\result == 0 ? a : b, q) == cell_key{Pre}(a, cell_origin{Pre}(a, low, high, q, n)) &&
      cell_payload(\result == 0 ? a : b, q) == cell_payload{Pre}(a, cell_origin{Pre}(a, low, high, q, n));
    ensures order: \forall integer q, r; 0 <= q < r < n ==>
      cell_before{Pre}(a, low, high, cell_origin{Pre}(a, low, high, q, n), cell_origin{Pre}(a, low, high, r, n));
    ensures ascending: \forall integer q, r; 0 <= q < r < n ==>
      cell_bits(\result == 0 ? a : b, low, high, q) <= cell_bits(\result == 0 ? a : b, low, high, r); */
int spw_sort_cells(spw_cell *a, spw_cell *b, int64_t n, int low, int high);

/* Are the keys ascending? 2: strictly; 1: with equal ones; 0: no. */
/*@ requires cells: 0 <= n && \valid_read(a + (0 .. n - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures answer: \result == 0 || \result == 1 || \result == 2;
    ensures ascending: \result >= 1 <==> \forall integer i, j; 0 <= i < j < n ==> cell_key(a, i) <= cell_key(a, j);
    ensures strictly: \result == 2 <==> \forall integer i, j; 0 <= i < j < n ==> cell_key(a, i) < cell_key(a, j); */
int spw_cells_ascend(const spw_cell *a, int64_t n);

#endif
