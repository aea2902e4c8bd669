/* SPDX-License-Identifier: Apache-2.0 */
/* The inductions behind the lemmas about lines. */
#ifndef IDX
#include "lines.h"

#define SPW_TEMPLATE "../../proofs/lemmas/lines.c"
#include "../../src/core/each_index_type.h"

#else /* for each index type */

/*@ ghost
  void N(lem_line_of)(const IDX *c, int64_t C, int64_t n) {
    /@ loop invariant range: 0 <= t <= C && N(monotone)(c, t);
       loop invariant inside: \forall integer k; 0 <= k < c[t] ==>
         0 <= N(line_of)(c, t, k) < t && c[N(line_of)(c, t, k)] <= k < c[N(line_of)(c, t, k) + 1];
       loop invariant only: \forall integer i, k; 0 <= i < t && c[i] <= k < c[i + 1] ==> N(line_of)(c, t, k) == i;
       loop assigns t; loop variant C - t; @/
    for (int64_t t = 0; t < C; t++) {
      /@ assert next: c[(t + 1) - 1] <= c[t + 1]; @/
      /@ assert unfold: \forall integer k; N(line_of)(c, t + 1, k) == (c[t] <= k ? t : N(line_of)(c, t, k)); @/
    }
  }
*/

/*@ ghost
  void N(lem_line_only)(const IDX *c, int64_t C, int64_t n) {
    N(lem_line_of)(c, C, n);
  }
*/

/*@ ghost
  void N(lem_line_order)(const IDX *c, int64_t C, int64_t n) {
    N(lem_line_of)(c, C, n);
    /@ assert less: \forall integer k, m; 0 <= k < n && 0 <= m < n && N(line_of)(c, C, m) < N(line_of)(c, C, k) ==>
         c[N(line_of)(c, C, m) + 1] <= c[N(line_of)(c, C, k)]; @/
  }
*/

/*@ ghost
  /@ // rule 5.6 for all pairs of a line
     requires sizes: 0 <= C < INT64_MAX && 0 <= n && N(offsets)(c, C, n);
     terminates \true; exits \false; assigns \nothing;
     ensures pairs: N(rule_5_6)(c, d, C, P, n) ==> \forall integer k, m;
       0 <= k < m < n && N(line_of)(c, C, k) == N(line_of)(c, C, m) ==> d[k] < d[m]; @/
  void N(lem_ascending)(const IDX *c, const IDX *d, int64_t C, int64_t P, int64_t n) {
    N(lem_line_of)(c, C, n);
    N(lem_line_order)(c, C, n);
    /@ loop invariant range: 0 <= t <= n;
       loop invariant pairs: N(rule_5_6)(c, d, C, P, n) ==> \forall integer k, m;
         0 <= k < m < t && N(line_of)(c, C, k) == N(line_of)(c, C, m) ==> d[k] < d[m];
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++) {
      /@ assert last: N(rule_5_6)(c, d, C, P, n) && 0 < t && N(line_of)(c, C, t - 1) == N(line_of)(c, C, t) ==>
           N(ascending_row)(d, c[N(line_of)(c, C, t)], c[N(line_of)(c, C, t) + 1]) && d[t - 1] < d[t]; @/
      /@ assert between: \forall integer k; 0 <= k < t && N(line_of)(c, C, k) == N(line_of)(c, C, t) ==>
           N(line_of)(c, C, t - 1) == N(line_of)(c, C, t); @/
    }
  }
*/

/*@ ghost
  void N(lem_line_at)(const IDX *c, const IDX *d, int64_t C, int64_t P, int64_t n) {
    N(lem_minor_slot)(d, n, P);
    N(lem_minor_origin)(d, n, P);
  }
*/

/*@ ghost
  void N(lem_swapped)(const IDX *c, const IDX *d, int64_t C, int64_t P, int64_t n) {
    N(lem_line_of)(c, C, n);
    N(lem_line_order)(c, C, n);
    N(lem_ascending)(c, d, C, P, n);
    N(lem_minor_below)(d, n, P);
    N(lem_minor_slot)(d, n, P);
    N(lem_minor_origin)(d, n, P);
    /@ assert within: \forall integer j, q; N(minor_below)(d, j, n) <= q < N(minor_below)(d, j + 1, n) ==>
         0 <= q < n && 0 <= N(minor_origin)(d, n, q, n) < n && N(minor_slot)(d, n, N(minor_origin)(d, n, q, n)) == q; @/
    /@ assert low: \forall integer j, k; 0 <= k < n && d[k] < j ==> N(minor_slot)(d, n, k) < N(minor_below)(d, j, n); @/
    /@ assert high: \forall integer j, k; 0 <= k < n && j <= d[k] ==> N(minor_below)(d, j, n) <= N(minor_slot)(d, n, k); @/
    /@ assert member: \forall integer j, q; N(minor_below)(d, j, n) <= q < N(minor_below)(d, j + 1, n) ==>
         d[N(minor_origin)(d, n, q, n)] == j; @/
    /@ assert stable: \forall integer j, p, q; N(minor_below)(d, j, n) <= p < q < N(minor_below)(d, j + 1, n) ==>
         N(minor_origin)(d, n, p, n) < N(minor_origin)(d, n, q, n); @/
    /@ assert ascending: \forall integer j, p, q; N(minor_below)(d, j, n) <= p < q < N(minor_below)(d, j + 1, n) ==>
         N(line_at)(c, d, C, n, p) <= N(line_at)(c, d, C, n, q); @/
    /@ assert strict: N(rule_5_6)(c, d, C, P, n) ==>
         \forall integer j, p, q; N(minor_below)(d, j, n) <= p < q < N(minor_below)(d, j + 1, n) ==>
         N(line_at)(c, d, C, n, p) < N(line_at)(c, d, C, n, q); @/
    /@ loop invariant range: 0 <= t <= n;
       loop invariant climbs: N(rule_5_6)(c, d, C, P, n) ==> \forall integer j, q;
         N(minor_below)(d, j, n) <= q < N(minor_below)(d, j + 1, n) && q < t ==>
         q - N(minor_below)(d, j, n) <= N(line_at)(c, d, C, n, q);
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++) {
      /@ assert before: N(rule_5_6)(c, d, C, P, n) ==> \forall integer j;
           N(minor_below)(d, j, n) < t < N(minor_below)(d, j + 1, n) ==>
           t - 1 - N(minor_below)(d, j, n) <= N(line_at)(c, d, C, n, t - 1) <
           N(line_at)(c, d, C, n, t); @/
    }
    /@ assert last: N(rule_5_6)(c, d, C, P, n) ==> \forall integer j;
         N(minor_below)(d, j, n) < N(minor_below)(d, j + 1, n) ==>
         N(minor_below)(d, j + 1, n) - 1 - N(minor_below)(d, j, n) <=
         N(line_at)(c, d, C, n, N(minor_below)(d, j + 1, n) - 1) < C; @/
  }
*/

#endif
