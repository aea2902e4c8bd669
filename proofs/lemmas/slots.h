/* SPDX-License-Identifier: Apache-2.0 */
/* Lemmas about the slots of a stable counting sort by the minor index: ghost functions, proved in slots.c,
 * which exist for the proofs only. */
#ifndef SPW_LEMMAS_SLOTS_H
#define SPW_LEMMAS_SLOTS_H

#include <stdint.h>

#define SPW_TEMPLATE "../../proofs/lemmas/slots.h"
#include "../../src/core/each_index_type.h"

#elif defined IDX /* for each index type */

/* What is true of counts, of slots and of their inverse, for any minor indices in range. */
#include "../../spec/acsl/swapped.acsl"

/*@ ghost
  /@ // counts grow; an occurrence makes them grow strictly
     requires size: 0 <= n;
     terminates \true; exits \false; assigns \nothing;
     ensures grows: \forall integer j, k, m; 0 <= k <= m <= n ==> 0 <= N(minor_count)(d, j, k) <= N(minor_count)(d, j, m);
     ensures strict: \forall integer k, m; 0 <= k < m <= n ==>
       N(minor_count)(d, d[k], k) < N(minor_count)(d, d[k], m);
     ensures few: \forall integer j, k; 0 <= k <= n ==> N(minor_count)(d, j, k) <= k; @/
  void N(lem_minor_count)(const IDX *d, int64_t n);
*/

/*@ ghost
  /@ // those below j + 1 are those below j and those equal to j
     requires sizes: 0 <= n && 0 <= size && N(minors)(d, n, size);
     terminates \true; exits \false; assigns \nothing;
     ensures step: \forall integer j; N(minor_below)(d, j + 1, n) == N(minor_below)(d, j, n) + N(minor_count)(d, j, n);
     ensures bound: \forall integer j; 0 <= N(minor_below)(d, j, n) <= n;
     ensures order: \forall integer i, j; i <= j ==> N(minor_below)(d, i, n) <= N(minor_below)(d, j, n);
     ensures ends: N(minor_below)(d, 0, n) == 0 && N(minor_below)(d, size, n) == n; @/
  void N(lem_minor_below)(const IDX *d, int64_t n, int64_t size);
*/

/*@ ghost
  /@ // slots are ordered by minor index, then by position: no two elements share one
     requires sizes: 0 <= n && 0 <= size && N(minors)(d, n, size);
     terminates \true; exits \false; assigns \nothing;
     ensures inside: \forall integer k; 0 <= k < n ==>
       0 <= N(minor_below)(d, d[k], n) <= N(minor_slot)(d, n, k) < N(minor_below)(d, d[k] + 1, n) <= n;
     ensures stable: \forall integer k, m; 0 <= k < m < n && d[k] <= d[m] ==>
       N(minor_slot)(d, n, k) < N(minor_slot)(d, n, m);
     ensures falls: \forall integer k, m; 0 <= k < m < n && d[m] < d[k] ==>
       N(minor_slot)(d, n, m) < N(minor_slot)(d, n, k); @/
  void N(lem_minor_slot)(const IDX *d, int64_t n, int64_t size);
*/

/*@ ghost
  /@ // every position below n is the slot of exactly one element
     requires sizes: 0 <= n && 0 <= size < INT64_MAX && N(minors)(d, n, size);
     terminates \true; exits \false; assigns \nothing;
     ensures back: \forall integer q; 0 <= q < n ==>
       0 <= N(minor_origin)(d, n, q, n) < n && N(minor_slot)(d, n, N(minor_origin)(d, n, q, n)) == q;
     ensures there: \forall integer k; 0 <= k < n ==> N(minor_origin)(d, n, N(minor_slot)(d, n, k), n) == k; @/
  void N(lem_minor_origin)(const IDX *d, int64_t n, int64_t size);
*/

/*@ ghost
  /@ // as much of this as writing elements to their slots needs
     requires sizes: 0 <= n && 0 <= size && N(minors)(d, n, size);
     terminates \true; exits \false; assigns \nothing;
     ensures inside: \forall integer k; 0 <= k < n ==> 0 <= N(minor_slot)(d, n, k) < n;
     ensures apart: \forall integer k, m; 0 <= k < m < n ==> N(minor_slot)(d, n, k) != N(minor_slot)(d, n, m); @/
  void N(lem_minor_apart)(const IDX *d, int64_t n, int64_t size);
*/

#endif
