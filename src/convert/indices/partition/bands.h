/* SPDX-License-Identifier: Apache-2.0 */
/* Elements by bands of minor indices: spec/acsl/bands.acsl. */
#ifndef SPW_CONVERT_INDICES_PARTITION_BANDS_H
#define SPW_CONVERT_INDICES_PARTITION_BANDS_H

#include "../../../../proofs/lemmas/bit_lemmas.h"
#include "../../../../proofs/lemmas/slots.h"
#include "../../../../spec/acsl/times.acsl"

#define SPW_TEMPLATE "../../spec/acsl/bands.acsl"
#include "../../../core/each_index_type.h"

/*@ ghost
  /@ // the band of a minor index
     requires sizes: 0 <= j && 0 <= bits < 64 && width == pow2(bits);
     terminates \true; exits \false; assigns \nothing;
     ensures quotient: (((uint64_t)j) >> bits) == j / pow2(bits);
     ensures product: times(j / pow2(bits), width) == (j / pow2(bits)) * width;
     ensures inside: 0 <= j / pow2(bits) <= j && times(j / pow2(bits), width) <= j < times(j / pow2(bits), width) + width;
     ensures low: j - times(j / pow2(bits), width) < width; @/
  void lem_band_of(int64_t j, int bits, uint64_t width);

  /@ // a key of a line and what is below a band's width holds both
     requires sizes: low < width && 0 <= bits < 64 && width == pow2(bits) && key == line * width + low;
     terminates \true; exits \false; assigns \nothing;
     ensures line: key / pow2(bits) == line;
     ensures low: key % pow2(bits) == low; @/
  void lem_key_of(uint64_t line, uint64_t low, int bits, uint64_t width, uint64_t key);
*/

#define SPW_TEMPLATE "../convert/indices/partition/bands.h"
#include "../../../core/each_index_type.h"

#elif defined IDX /* for each index type */

/* d are n minor indices, in bands of `width` = 2^bits. */

/*@ ghost
  /@ // elements of a band are counted one by one
     requires sizes: 0 <= n;
     terminates \true; exits \false; assigns \nothing;
     ensures step: \forall integer first, w, k; 0 <= w && 0 <= k < n ==> N(band_count)(d, first, w, k + 1) ==
       N(band_count)(d, first, w, k) + (first <= d[k] < first + w ? 1 : 0);
     ensures grows: \forall integer first, w, k, m; 0 <= w && 0 <= k <= m <= n ==>
       0 <= N(band_count)(d, first, w, k) <= N(band_count)(d, first, w, m);
     ensures strict: \forall integer first, w, k, m; 0 <= w && 0 <= k < m <= n && N(in_band)(d, first, w, k) ==>
       N(band_count)(d, first, w, k) < N(band_count)(d, first, w, m); @/
  void N(lem_band_count)(const IDX *d, int64_t n);

  /@ // slots of a band lie behind all bands before it
     requires sizes: 0 <= n && 0 <= size && N(minors)(d, n, size);
     terminates \true; exits \false; assigns \nothing;
     ensures last: \forall integer first, w; 0 <= w ==> N(band_slot)(d, n, first, w, n) == N(minor_below)(d, first + w, n);
     ensures first: \forall integer first, w; 0 <= w ==> N(band_slot)(d, n, first, w, 0) == N(minor_below)(d, first, n);
     ensures order: \forall integer i, j; i <= j ==> 0 <= N(minor_below)(d, i, n) <= N(minor_below)(d, j, n) <= n;
     ensures inside: \forall integer first, w, m; 0 <= w && 0 <= m <= n ==>
       N(minor_below)(d, first, n) <= N(band_slot)(d, n, first, w, m) <= N(minor_below)(d, first + w, n);
     ensures within: \forall integer first, w, k; 0 <= w && 0 <= k < n && N(in_band)(d, first, w, k) ==>
       N(band_slot)(d, n, first, w, k) < N(minor_below)(d, first + w, n);
     ensures next: \forall integer first, w, k; 0 <= w && 0 <= k < n ==> N(band_slot)(d, n, first, w, k + 1) ==
       N(band_slot)(d, n, first, w, k) + (first <= d[k] < first + w ? 1 : 0);
     ensures rises: \forall integer first, w, k, m; 0 <= w && 0 <= k < m <= n && N(in_band)(d, first, w, k) ==>
       N(band_slot)(d, n, first, w, k) < N(band_slot)(d, n, first, w, m); @/
  void N(lem_band_slot)(const IDX *d, int64_t n, int64_t size);
*/

/* Where each band of `width` = 2^bits minor indices starts: next[b] is how many of the n are below times(b, width).
 *   in    minor[n], each at least 0 and below `size`, which is at most times(bands, width)
 *   out   next[bands]
 * Time: n + bands. */
/*@ requires sizes: 0 <= n && 0 <= size && N(minors)(minor, n, size) && 0 <= bits < 63 && width == pow2(bits) &&
      0 <= bands < INT64_MAX && size <= times(bands, width);
    requires memory: \valid_read(minor + (0 .. n - 1)) && \valid(next + (0 .. bands - 1));
    terminates \true; exits \false; assigns next[0 .. bands - 1];
    ensures starts: \forall integer b; 0 <= b < bands ==> next[b] == N(minor_below)(minor, times(b, width), n); */
void N(spw_start_bands)(const IDX *minor, int64_t n, int64_t size, int bits, uint64_t width, int64_t bands, uint64_t *next);

#endif
