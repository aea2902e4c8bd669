/* SPDX-License-Identifier: Apache-2.0 */
/* The inductions behind the lemmas about meaning. */
#ifndef IDX
#include "meaning.h"

#define SPW_TEMPLATE "../../proofs/lemmas/meaning.c"
#include "../../src/core/each_index_type.h"

#else /* for each index type */

/*@ ghost
  void N(lem_cell_among)(const IDX *d, int64_t n) {
    /@ loop invariant range: 0 <= t <= n;
       loop invariant hit: \forall integer j, low, high; 0 <= low <= high <= t && 0 <= N(cell_among)(d, j, low, high) ==>
         low <= N(cell_among)(d, j, low, high) < high && d[N(cell_among)(d, j, low, high)] == j;
       loop invariant last: \forall integer k, low, high; 0 <= low <= k < high <= t ==>
         k <= N(cell_among)(d, d[k], low, high);
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++) {
      /@ assert unfold: \forall integer j, low; low <= t ==>
           N(cell_among)(d, j, low, t + 1) == (d[t] == j ? t : N(cell_among)(d, j, low, t)); @/
    }
  }
*/

/*@ ghost
  void N(lem_ascending_pairs)(const IDX *d, int64_t low, int64_t high) {
    /@ loop invariant range: low <= t <= high;
       loop invariant pairs: N(ascending_row)(d, low, high) ==> \forall integer k, m; low <= k < m < t ==> d[k] < d[m];
       loop assigns t; loop variant high - t; @/
    for (int64_t t = low; t < high; t++) {
      /@ assert step: N(ascending_row)(d, low, high) && low < t ==> d[t - 1] < d[t]; @/
    }
  }
*/

/*@ ghost
  void N(lem_cell_at)(const IDX *c, const IDX *d, int64_t C, int64_t P, int64_t n) {
    /@ loop invariant range: 0 <= t <= C && N(monotone)(c, t);
       loop assigns t; loop variant C - t; @/
    for (int64_t t = 0; t < C; t++) {
      /@ assert next: c[(t + 1) - 1] <= c[t + 1]; @/
    }
    /@ assert inside: \forall integer i; 0 <= i < C ==> 0 <= c[i] <= c[i + 1] <= n; @/
    N(lem_cell_among)(d, n);
    /@ loop invariant range: 0 <= t <= C;
       loop invariant strict: N(rule_5_6)(c, d, C, P, n) ==>
         \forall integer i, k, m; 0 <= i < t && c[i] <= k < m < c[i + 1] ==> d[k] < d[m];
       loop assigns t; loop variant C - t; @/
    for (int64_t t = 0; t < C; t++) {
      /@ assert line: 0 <= c[t] <= c[t + 1] <= n; @/
      N(lem_ascending_pairs)(d, c[t], c[t + 1]);
      /@ assert row: N(rule_5_6)(c, d, C, P, n) ==> N(ascending_row)(d, c[t], c[t + 1]); @/
    }
  }
*/

#endif
