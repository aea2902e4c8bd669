/* SPDX-License-Identifier: Apache-2.0 */
/* The inductions behind bands, and a histogram of them. */
#ifndef IDX
#include "bands.h"
#include "../sort/key_parts.h"

/*@ ghost
  void lem_band_of(int64_t j, int bits, uint64_t width) {
    lem_bits_shift((uint64_t)j, bits);
    const uint64_t b = (uint64_t)j >> bits;
    /@ assert quotient: b == j / pow2(bits) && 0 <= b; @/
    /@ assert parts: j == (j / pow2(bits)) * pow2(bits) + j % pow2(bits) && 0 <= j % pow2(bits) < pow2(bits); @/
    /@ assert small: b <= j; @/
    lem_key_fits(b, b + 1, width);
    /@ assert product: times(b, width) == b * width; @/
  }

  void lem_key_of(uint64_t line, uint64_t low, int bits, uint64_t width, uint64_t key) {
    /@ assert parts: key == (key / width) * width + key % width && 0 <= key % width < width; @/
    /@ assert less: key / width < line ==> (key / width) * width + width <= line * width; @/
    /@ assert more: line < key / width ==> line * width + width <= (key / width) * width; @/
    /@ assert same: key / width == line; @/
  }
*/

#define SPW_TEMPLATE "../convert/indices/partition/bands.c"
#include "../../../core/each_index_type.h"

#else /* for each index type */

/*@ ghost
  void N(lem_band_count)(const IDX *d, int64_t n) {
    /@ loop invariant range: 0 <= t <= n;
       loop invariant grows: \forall integer first, w, k, m; 0 <= w && 0 <= k <= m <= t ==>
         0 <= N(band_count)(d, first, w, k) <= N(band_count)(d, first, w, m);
       loop invariant step: \forall integer first, w, k; 0 <= w && 0 <= k < t ==> N(band_count)(d, first, w, k + 1) ==
         N(band_count)(d, first, w, k) + (first <= d[k] < first + w ? 1 : 0);
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++) {
      /@ assert unfold: \forall integer j; N(minor_below)(d, j, t + 1) == N(minor_below)(d, j, t) + (d[t] < j ? 1 : 0); @/
      /@ assert own: \forall integer first, w; 0 <= w ==> N(band_count)(d, first, w, t + 1) ==
           N(band_count)(d, first, w, t) + (first <= d[t] < first + w ? 1 : 0); @/
    }
    /@ assert strict: \forall integer first, w, k; 0 <= w && 0 <= k < n && N(in_band)(d, first, w, k) ==>
         N(band_count)(d, first, w, k) + 1 == N(band_count)(d, first, w, k + 1); @/
  }

  void N(lem_band_slot)(const IDX *d, int64_t n, int64_t size) {
    N(lem_band_count)(d, n);
    N(lem_minor_below)(d, n, size);
    /@ assert none: \forall integer first, w; 0 <= w ==> N(band_count)(d, first, w, 0) == 0; @/
  }
*/

/* level L2 */
void N(spw_start_bands)(const IDX *minor, int64_t n, int64_t size, int bits, uint64_t width, int64_t bands, uint64_t *next)
{
  (void)size, (void)width;
  //@ ghost N(lem_band_count)(minor, n);
  //@ ghost lem_bits_shift(0, bits);
  //@ ghost lem_key_lines_apart(width);
  /*@ loop invariant range: 0 <= b <= bands;
      loop invariant zero: \forall integer t; 0 <= t < b ==> next[t] == 0;
      loop assigns b, next[0 .. bands - 1];
      loop variant bands - b; */
  for (int64_t b = 0; b < bands; b++) next[b] = 0;
  /*@ loop invariant range: 0 <= k <= n;
      loop invariant counts: \forall integer b; 0 <= b < bands ==> next[b] == N(band_count)(minor, times(b, width), width, k);
      loop invariant few: \forall integer b; 0 <= b < bands ==> next[b] <= k;
      loop assigns k, next[0 .. bands - 1];
      loop variant n - k; */
  for (int64_t k = 0; k < n; k++) {
    const IDX j = minor[k];
    //@ ghost lem_band_of(j, bits, width);
    const uint64_t own = (uint64_t)j >> bits;
    //@ assert there: times(own, width) <= j < times(own, width) + width;
    //@ assert inside: 0 <= own < bands;
    /*@ assert only: \forall integer b; 0 <= b < bands && b != own ==> !(times(b, width) <= minor[k] < times(b, width) + width); */
    next[own]++;
  }
  //@ ghost N(lem_band_slot)(minor, n, size);
  //@ ghost N(lem_minor_below)(minor, n, size);
  //@ assert none: times(0, width) == 0 && N(minor_below)(minor, 0, n) == 0;
  uint64_t sum = 0;
  /*@ loop invariant range: 0 <= b <= bands;
      loop invariant sum: sum == N(minor_below)(minor, times(b, width), n) <= n;
      loop invariant done: \forall integer t; 0 <= t < b ==> next[t] == N(minor_below)(minor, times(t, width), n);
      loop invariant todo: \forall integer t; b <= t < bands ==> next[t] == N(band_count)(minor, times(t, width), width, n);
      loop assigns b, sum, next[0 .. bands - 1];
      loop variant bands - b; */
  for (int64_t b = 0; b < bands; b++) {
    const uint64_t count = next[b];
    //@ assert unfold: times(b + 1, width) == times(b, width) + width;
    //@ assert end: sum + count == N(minor_below)(minor, times(b + 1, width), n) <= n;
    next[b] = sum;
    sum += count;
  }
}

#endif
