/* SPDX-License-Identifier: Apache-2.0 */
/* The inductions behind the lemmas about slots. */
#ifndef IDX
#include "slots.h"

#define SPW_TEMPLATE "../../proofs/lemmas/slots.c"
#include "../../src/core/each_index_type.h"

#else /* for each index type */

/*@ ghost
  void N(lem_minor_count)(const IDX *d, int64_t n) {
    /@ loop invariant range: 0 <= t <= n;
       loop invariant grows: \forall integer j, k, m; 0 <= k <= m <= t ==>
         0 <= N(minor_count)(d, j, k) <= N(minor_count)(d, j, m);
       loop invariant strict: \forall integer k, m; 0 <= k < m <= t ==>
         N(minor_count)(d, d[k], k) < N(minor_count)(d, d[k], m);
       loop invariant few: \forall integer j, k; 0 <= k <= t ==> N(minor_count)(d, j, k) <= k;
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++);
  }
*/

/*@ ghost
  void N(lem_minor_below)(const IDX *d, int64_t n, int64_t size) {
    /@ loop invariant range: 0 <= t <= n;
       loop invariant step: \forall integer j;
         N(minor_below)(d, j + 1, t) == N(minor_below)(d, j, t) + N(minor_count)(d, j, t);
       loop invariant bound: \forall integer j; 0 <= N(minor_below)(d, j, t) <= t;
       loop invariant order: \forall integer i, j; i <= j ==> N(minor_below)(d, i, t) <= N(minor_below)(d, j, t);
       loop invariant ends: N(minor_below)(d, 0, t) == 0 && N(minor_below)(d, size, t) == t;
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++) {
      /@ assert in_range: 0 <= d[t] < size; @/
      /@ assert unfold: \forall integer j;
           N(minor_below)(d, j, t + 1) == N(minor_below)(d, j, t) + (d[t] < j ? 1 : 0); @/
      /@ assert unfold_count: \forall integer j;
           N(minor_count)(d, j, t + 1) == N(minor_count)(d, j, t) + (d[t] == j ? 1 : 0); @/
    }
  }
*/

/*@ ghost
  void N(lem_minor_slot)(const IDX *d, int64_t n, int64_t size) {
    N(lem_minor_count)(d, n);
    N(lem_minor_below)(d, n, size);
    /@ assert inside: \forall integer k; 0 <= k < n ==>
         0 <= N(minor_below)(d, d[k], n) <= N(minor_slot)(d, n, k) < N(minor_below)(d, d[k] + 1, n) <= n; @/
    /@ assert lower: \forall integer k, m; 0 <= k < n && 0 <= m < n && d[k] < d[m] ==>
         N(minor_slot)(d, n, k) < N(minor_slot)(d, n, m); @/
    /@ assert equal: \forall integer k, m; 0 <= k < m < n && d[k] == d[m] ==>
         N(minor_slot)(d, n, k) < N(minor_slot)(d, n, m); @/
  }
*/

/*@ ghost
  /@ // occurrence number i of j is found
     requires size: 0 <= n;
     terminates \true; exits \false; assigns \nothing;
     ensures hit: \forall integer j, i; 0 <= i < N(minor_count)(d, j, n) ==>
       0 <= N(minor_occurrence)(d, j, i, n) < n && d[N(minor_occurrence)(d, j, i, n)] == j &&
       N(minor_count)(d, j, N(minor_occurrence)(d, j, i, n)) == i; @/
  void N(lem_minor_occurrence)(const IDX *d, int64_t n) {
    /@ loop invariant range: 0 <= t <= n;
       loop invariant hit: \forall integer j, i; 0 <= i < N(minor_count)(d, j, t) ==>
         0 <= N(minor_occurrence)(d, j, i, t) < t && d[N(minor_occurrence)(d, j, i, t)] == j &&
         N(minor_count)(d, j, N(minor_occurrence)(d, j, i, t)) == i;
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++);
  }
*/

/*@ ghost
  void N(lem_minor_origin)(const IDX *d, int64_t n, int64_t size) {
    N(lem_minor_occurrence)(d, n);
    N(lem_minor_slot)(d, n, size);
    N(lem_minor_below)(d, n, size);
    /@ loop invariant range: 0 <= t <= n;
       loop invariant found: \forall integer k; 0 <= k < t ==> N(minor_origin)(d, n, N(minor_slot)(d, n, k), t) == k;
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++) {
      /@ assert other: \forall integer k; 0 <= k < t ==> N(minor_slot)(d, n, k) != N(minor_slot)(d, n, t); @/
      /@ assert unfold: \forall integer q; N(minor_origin)(d, n, q, t + 1) ==
           (N(minor_slot)(d, n, t) == q ? t : N(minor_origin)(d, n, q, t)); @/
    }
    /@ loop invariant range: 0 <= j <= size;
       loop invariant onto: \forall integer q; 0 <= q < N(minor_below)(d, j, n) ==>
         0 <= N(minor_origin)(d, n, q, n) < n && N(minor_slot)(d, n, N(minor_origin)(d, n, q, n)) == q;
       loop assigns j; loop variant size - j; @/
    for (int64_t j = 0; j < size; j++) {
      /@ assert here: \forall integer i; 0 <= i < N(minor_count)(d, j, n) ==>
           N(minor_slot)(d, n, N(minor_occurrence)(d, j, i, n)) == N(minor_below)(d, j, n) + i; @/
      /@ assert line: \forall integer q; N(minor_below)(d, j, n) <= q < N(minor_below)(d, j + 1, n) ==>
           N(minor_slot)(d, n, N(minor_occurrence)(d, j, q - N(minor_below)(d, j, n), n)) == q; @/
      /@ assert inverse: \forall integer q; N(minor_below)(d, j, n) <= q < N(minor_below)(d, j + 1, n) ==>
           N(minor_origin)(d, n, q, n) == N(minor_occurrence)(d, j, q - N(minor_below)(d, j, n), n); @/
    }
  }
*/

/*@ ghost
  void N(lem_minor_apart)(const IDX *d, int64_t n, int64_t size) {
    N(lem_minor_slot)(d, n, size);
  }
*/

#endif
