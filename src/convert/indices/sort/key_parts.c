/* SPDX-License-Identifier: Apache-2.0 */
#include "key_parts.h"
#include "../../../../proofs/lemmas/bit_lemmas.h"

/*@ lemma key_quotient: \forall integer x, w; 0 <= x && 0 < w ==> x == (x / w) * w + x % w && 0 <= x % w < w && 0 <= x / w <= x;

    lemma key_multiples: \forall integer i, k, w; 0 <= i < k && 0 < w ==> i * w + w <= k * w;
*/

/*@ ghost
  /@ // products of lines
     requires width: 0 < width;
     terminates \true; exits \false; assigns \nothing;
     ensures product: \forall integer k; 0 <= k <= UINT64_MAX ==> times(k, width) == k * width; @/
  void lem_key_times(uint64_t width) {
    const uint64_t last = UINT64_MAX;
    /@ loop invariant range: 0 <= t <= last;
       loop invariant product: \forall integer k; 0 <= k <= t ==> times(k, width) == k * width;
       loop assigns t; loop variant last - t; @/
    for (uint64_t t = 0; t < last; t++) {
      /@ assert unfold: times(t + 1, width) == times(t, width) + width; @/
      /@ assert mul: (t + 1) * width == t * width + width; @/
    }
  }

  /@ // what is less has an earlier line, or the same and an earlier index
     requires width: 0 < width;
     terminates \true; exits \false; assigns \nothing;
     ensures line: x < y ==> x / width <= y / width;
     ensures index: x < y && x / width == y / width ==> x % width < y % width; @/
  void lem_key_rises(uint64_t x, uint64_t y, uint64_t width) {
    /@ assert first: x == (x / width) * width + x % width && 0 <= x % width < width; @/
    /@ assert second: y == (y / width) * width + y % width && 0 <= y % width < width; @/
    /@ assert apart: y / width < x / width ==> (y / width) * width + width <= (x / width) * width; @/
  }

  void lem_keys_split(const spw_cell *a, int64_t n, int bits, uint64_t width) {
    lem_bits_shift(0, bits);
    lem_key_times(width);
    /@ loop invariant range: 0 <= t <= n;
       loop invariant split: keys_split(a, bits, width, t);
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++) {
      const uint64_t line = a[t].key / width, index = a[t].key % width;
      /@ assert parts: a[t].key <= UINT64_MAX && a[t].key == line * width + index && 0 <= index < width && 0 <= line <= a[t].key; @/
      /@ assert product: times(line, width) == line * width; @/
      /@ assert own: key_splits(a, bits, width, t); @/
    }
    /@ loop invariant range: 0 <= t <= n;
       loop invariant rises: \forall integer q, k; 0 <= q < t && 0 <= k < n && cell_key(a, q) < cell_key(a, k) ==> key_rises(a, bits, q, k);
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++) {
      /@ loop invariant range: 0 <= s <= n;
         loop invariant rises: \forall integer k; 0 <= k < s && cell_key(a, t) < cell_key(a, k) ==> key_rises(a, bits, t, k);
         loop assigns s; loop variant n - s; @/
      for (int64_t s = 0; s < n; s++) {
        lem_key_rises(a[t].key, a[s].key, width);
        /@ assert keys: cell_key(a, t) == a[t].key && cell_key(a, s) == a[s].key; @/
      }
    }
  }

  void lem_key_lines_apart(uint64_t width) {
    lem_key_times(width);
    /@ assert before: \forall integer i, k; 0 <= i < k <= UINT64_MAX ==> times(i, width) + width <= times(k, width); @/
  }
*/

/*@ ghost
  void lem_keys_begun(const spw_cell *a, int64_t n) {
    /@ loop invariant range: 0 <= t <= n;
       loop invariant order: \forall integer j, k; 0 <= j <= k <= t ==> 0 <= keys_begun(a, j) <= keys_begun(a, k) <= keys_begun(a, j) + (k - j);
       loop invariant positive: \forall integer k; 0 < k <= t ==> 1 <= keys_begun(a, k);
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++) {
      /@ assert step: keys_begun(a, t + 1) == keys_begun(a, t) + (t == 0 || cell_key(a, t) != cell_key(a, t - 1) ? 1 : 0); @/
    }
    /@ assert begins: \forall integer j; 0 <= j < n - 1 && cell_key(a, j + 1) != cell_key(a, j) ==> keys_begun(a, j + 2) == keys_begun(a, j + 1) + 1; @/
  }

  void lem_emitted_at(const spw_cell *a, int64_t n) {
    lem_keys_begun(a, n);
    /@ assert none: keys_begun(a, 0) == 0; @/
    /@ assert few: \forall integer k; 0 <= k <= n ==> keys_begun(a, k) <= keys_begun(a, 0) + (k - 0); @/
  }

  void lem_elements(const spw_cell *a, int64_t n) {
    lem_emitted_at(a, n);
    /@ loop invariant range: 0 <= t <= n;
       loop invariant one: \forall integer q, k; 0 <= q <= k < t && cell_key(a, q) == cell_key(a, k) ==> emitted_at(a, q) == emitted_at(a, k);
       loop invariant there: \forall integer e; 0 <= e < keys_begun(a, t) ==> 0 <= cell_emitted(a, e, t) < t &&
         emitted_at(a, cell_emitted(a, e, t)) == e;
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++) {
      /@ assert between: \forall integer q; 0 <= q < t && cell_key(a, q) == cell_key(a, t) ==> cell_key(a, t - 1) == cell_key(a, t); @/
      /@ assert own: cell_emitted(a, emitted_at(a, t), t + 1) == t; @/
      /@ assert grows: keys_begun(a, t + 1) <= keys_begun(a, t) + 1; @/
    }
  }

  void lem_pair_cells(const spw_cell *a, int64_t n, int bits, uint64_t width) {
    lem_elements(a, n);
    lem_keys_split(a, n, bits, width);
    /@ loop invariant range: 0 <= t <= n;
       loop invariant found: \forall integer i, j; 0 <= pair_cell(a, bits, i, j, t) ==> pair_cell(a, bits, i, j, t) < t &&
         key_line(a, bits, pair_cell(a, bits, i, j, t)) == i && key_index(a, bits, pair_cell(a, bits, i, j, t)) == j;
       loop invariant last: \forall integer q; 0 <= q < t ==> q <= pair_cell(a, bits, key_line(a, bits, q), key_index(a, bits, q), t);
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++) { }
    /@ assert same: \forall integer q, k; 0 <= q < n && 0 <= k < n && key_line(a, bits, q) == key_line(a, bits, k) &&
         key_index(a, bits, q) == key_index(a, bits, k) ==> cell_key(a, q) == cell_key(a, k); @/
    /@ assert behind: \forall integer i, j; 0 <= pair_cell(a, bits, i, j, n) < n - 1 ==>
         cell_key(a, pair_cell(a, bits, i, j, n) + 1) != cell_key(a, pair_cell(a, bits, i, j, n)); @/
  }

  void lem_key_fits(uint64_t i, uint64_t lines, uint64_t width) {
    lem_key_times(width);
    /@ assert own: times(i, width) == i * width; @/
    /@ assert all: times(lines, width) == lines * width; @/
    /@ assert apart: i * width + width <= lines * width; @/
  }

  void lem_key_lines_fit(uint64_t lines, uint64_t width) {
    lem_key_times(width);
    /@ assert all: times(lines, width) == lines * width; @/
    /@ assert apart: \forall integer i; 0 <= i < lines ==> 0 <= i * width && i * width + width <= lines * width; @/
  }
*/

/* level L2 */
int64_t spw_count_keys(const spw_cell *a, int64_t from, int64_t to)
{
  int64_t count = 0;
  //@ ghost lem_emitted_at(a, to);
  /*@ loop invariant range: from <= k <= to && 0 <= count <= k - from;
      loop invariant count: count == keys_begun(a, k) - keys_begun(a, from);
      loop assigns k, count;
      loop variant to - k; */
  for (int64_t k = from; k < to; k++) count += k == 0 || a[k].key != a[k - 1].key;
  return count;
}
