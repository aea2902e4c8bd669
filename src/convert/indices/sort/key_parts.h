/* SPDX-License-Identifier: Apache-2.0 */
/* What keys of two coordinates hold, and how many there are: spec/acsl/key_parts.acsl, spec/acsl/keys_begun.acsl. */
#ifndef SPW_CONVERT_INDICES_SORT_KEY_PARTS_H
#define SPW_CONVERT_INDICES_SORT_KEY_PARTS_H

#include "sort_cells.h"
#include "../../../../spec/acsl/times.acsl"
#include "../../../../spec/acsl/key_parts.acsl"
#include "../../../../spec/acsl/keys_begun.acsl"

/*@ ghost
  /@ // keys are lines and indices, and in their order
     requires sizes: 0 <= n && 0 <= bits < 64 && width == pow2(bits) && \valid_read(a + (0 .. n - 1));
     terminates \true; exits \false; assigns \nothing;
     ensures split: keys_split(a, bits, width, n);
     ensures rises: \forall integer q, k; 0 <= q < n && 0 <= k < n && cell_key(a, q) < cell_key(a, k) ==> key_rises(a, bits, q, k);
     ensures same: \forall integer q, k; 0 <= q < n && 0 <= k < n && cell_key(a, q) == cell_key(a, k) ==>
       key_line(a, bits, q) == key_line(a, bits, k) && key_index(a, bits, q) == key_index(a, bits, k); @/
  void lem_keys_split(const spw_cell *a, int64_t n, int bits, uint64_t width);
*/

/*@ ghost
  /@ // lines are apart: so a number of a line and an index in it is of no other
     requires width: 0 < width;
     terminates \true; exits \false; assigns \nothing;
     ensures apart: \forall integer i, k; 0 <= i < k <= UINT64_MAX ==> times(i, width) + width <= times(k, width); @/
  void lem_key_lines_apart(uint64_t width);
*/

/*@ ghost
  /@ // keys are counted one by one
     requires range: 0 <= n;
     terminates \true; exits \false; assigns \nothing;
     ensures step: \forall integer k; 0 <= k < n ==> keys_begun(a, k + 1) == keys_begun(a, k) + (k == 0 || cell_key(a, k) != cell_key(a, k - 1) ? 1 : 0);
     ensures order: \forall integer j, k; 0 <= j <= k <= n ==> 0 <= keys_begun(a, j) <= keys_begun(a, k) <= keys_begun(a, j) + (k - j);
     ensures positive: \forall integer k; 0 < k <= n ==> 1 <= keys_begun(a, k);
     ensures ends: \forall integer j, k; 0 <= j < k < n && cell_key(a, j + 1) != cell_key(a, j) ==> keys_begun(a, j + 1) < keys_begun(a, k + 1); @/
  void lem_keys_begun(const spw_cell *a, int64_t n);
*/

/*@ ghost
  /@ // where the elements of cells lie
     requires range: 0 <= n;
     terminates \true; exits \false; assigns \nothing;
     ensures count: \forall integer k; 0 <= k <= n ==> 0 <= keys_begun(a, k) <= k;
     ensures positive: \forall integer k; 0 <= k < n ==> 0 <= emitted_at(a, k) < keys_begun(a, n);
     ensures begins: \forall integer k; 0 <= k < n && key_begins(a, k) ==> keys_begun(a, k + 1) == keys_begun(a, k) + 1;
     ensures goes_on: \forall integer k; 0 <= k < n && !key_begins(a, k) ==> emitted_at(a, k) == emitted_at(a, k - 1);
     ensures order: \forall integer j, k; 0 <= j <= k <= n ==> keys_begun(a, j) <= keys_begun(a, k);
     ensures apart: \forall integer q, k; 0 <= q < k < n && key_begins(a, k) ==> emitted_at(a, q) < emitted_at(a, k);
     ensures ends: \forall integer q, k; 0 <= q < k < n && key_ends(a, q, k + 1) ==> emitted_at(a, q) < emitted_at(a, k); @/
  void lem_emitted_at(const spw_cell *a, int64_t n);

  /@ // in order: cells of one key are one element, of different keys different ones; and each element has a cell
     requires range: 0 <= n && \valid_read(a + (0 .. n - 1));
     requires order: \forall integer q, k; 0 <= q < k < n ==> cell_key(a, q) <= cell_key(a, k);
     terminates \true; exits \false; assigns \nothing;
     ensures one: \forall integer q, k; 0 <= q <= k < n && cell_key(a, q) == cell_key(a, k) ==> emitted_at(a, q) == emitted_at(a, k);
     ensures less: \forall integer q, k; 0 <= q < n && 0 <= k < n && emitted_at(a, q) < emitted_at(a, k) ==>
       cell_key(a, q) < cell_key(a, k);
     ensures there: \forall integer e; 0 <= e < keys_begun(a, n) ==> 0 <= cell_emitted(a, e, n) < n &&
       emitted_at(a, cell_emitted(a, e, n)) == e; @/
  void lem_elements(const spw_cell *a, int64_t n);

  /@ // in order: the last cell of a position is where its key ends
     requires sizes: 0 <= n && 0 <= bits < 64 && width == pow2(bits) && \valid_read(a + (0 .. n - 1));
     requires order: \forall integer q, k; 0 <= q < k < n ==> cell_key(a, q) <= cell_key(a, k);
     terminates \true; exits \false; assigns \nothing;
     ensures found: \forall integer i, j; 0 <= pair_cell(a, bits, i, j, n) ==> pair_cell(a, bits, i, j, n) < n &&
       key_line(a, bits, pair_cell(a, bits, i, j, n)) == i && key_index(a, bits, pair_cell(a, bits, i, j, n)) == j &&
       key_ends(a, pair_cell(a, bits, i, j, n), n);
     ensures last: \forall integer q; 0 <= q < n ==> q <= pair_cell(a, bits, key_line(a, bits, q), key_index(a, bits, q), n) &&
       emitted_at(a, pair_cell(a, bits, key_line(a, bits, q), key_index(a, bits, q), n)) == emitted_at(a, q); @/
  void lem_pair_cells(const spw_cell *a, int64_t n, int bits, uint64_t width);
*/

/*@ ghost
  /@ // a line among others
     requires line: i < lines && 0 < width;
     terminates \true; exits \false; assigns \nothing;
     ensures product: times(i, width) == i * width;
     ensures fits: 0 <= times(i, width) && times(i, width) + width <= times(lines, width); @/
  void lem_key_fits(uint64_t i, uint64_t lines, uint64_t width);

  /@ // all of them
     requires width: 0 < width;
     terminates \true; exits \false; assigns \nothing;
     ensures fits: \forall integer i; 0 <= i < lines ==> 0 <= times(i, width) && times(i, width) + width <= times(lines, width); @/
  void lem_key_lines_fit(uint64_t lines, uint64_t width);
*/

/* How many keys begin with the cells from .. to - 1. Time: to - from. */
/*@ requires cells: 0 <= from <= to && \valid_read(a + (0 .. to - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures count: \result == keys_begun(a, to) - keys_begun(a, from); */
int64_t spw_count_keys(const spw_cell *a, int64_t from, int64_t to);

#endif
