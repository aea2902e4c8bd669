/* SPDX-License-Identifier: Apache-2.0 */
/* Lemmas about the lines of elements and about what becomes of them when the other dimension is compressed: ghost
 * functions, proved in lines.c, which exist for the proofs only. */
#ifndef SPW_LEMMAS_LINES_H
#define SPW_LEMMAS_LINES_H

#include "../../src/check/index/index_rules.h"
#include "slots.h"

#define SPW_TEMPLATE "../../proofs/lemmas/lines.h"
#include "../../src/core/each_index_type.h"

#elif defined IDX /* for each index type */

/* c are C compressed lines of n elements, d their minor indices, which are below P. */

/*@ ghost
  /@ // each element is in one line
     requires sizes: 0 <= C < INT64_MAX && 0 <= n && N(offsets)(c, C, n);
     terminates \true; exits \false; assigns \nothing;
     ensures monotone: N(monotone)(c, C);
     ensures inside: \forall integer k; 0 <= k < n ==>
       0 <= N(line_of)(c, C, k) < C && c[N(line_of)(c, C, k)] <= k < c[N(line_of)(c, C, k) + 1];
     ensures only: \forall integer i, e, k; 0 <= i < e <= i + 1 && e <= C && c[i] <= k < c[e] ==>
       N(line_of)(c, C, k) == i; @/
  void N(lem_line_of)(const IDX *c, int64_t C, int64_t n);
*/

/*@ ghost
  /@ // the last of this alone
     requires sizes: 0 <= C < INT64_MAX && 0 <= n && N(offsets)(c, C, n);
     terminates \true; exits \false; assigns \nothing;
     ensures order: \forall integer i, e; 0 <= i < e <= i + 1 && e <= C ==> 0 <= c[i] <= c[e] <= n;
     ensures only: \forall integer i, e, k; 0 <= i < e <= i + 1 && e <= C && c[i] <= k < c[e] ==>
       N(line_of)(c, C, k) == i; @/
  void N(lem_line_only)(const IDX *c, int64_t C, int64_t n);
*/

/*@ ghost
  /@ // later elements are in later lines, or in the same
     requires sizes: 0 <= C < INT64_MAX && 0 <= n && N(offsets)(c, C, n);
     terminates \true; exits \false; assigns \nothing;
     ensures range: \forall integer k; 0 <= k < n ==> 0 <= N(line_of)(c, C, k) < C;
     ensures order: \forall integer k, m; 0 <= k <= m < n ==> N(line_of)(c, C, k) <= N(line_of)(c, C, m); @/
  void N(lem_line_order)(const IDX *c, int64_t C, int64_t n);
*/

/*@ ghost
  /@ // every element has a slot, and every slot an element, whose line is line_at
     requires sizes: 0 <= C < INT64_MAX && 0 <= P < INT64_MAX && 0 <= n && N(offsets)(c, C, n) && N(minors)(d, n, P);
     terminates \true; exits \false; assigns \nothing;
     ensures there: \forall integer k; 0 <= k < n ==> 0 <= N(minor_slot)(d, n, k) < n &&
       N(line_at)(c, d, C, n, N(minor_slot)(d, n, k)) == N(line_of)(c, C, k);
     ensures back: \forall integer q; 0 <= q < n ==> 0 <= N(minor_origin)(d, n, q, n) < n &&
       N(minor_slot)(d, n, N(minor_origin)(d, n, q, n)) == q &&
       N(line_at)(c, d, C, n, q) == N(line_of)(c, C, N(minor_origin)(d, n, q, n)); @/
  void N(lem_line_at)(const IDX *c, const IDX *d, int64_t C, int64_t P, int64_t n);
*/

/*@ ghost
  /@ // what lies in the slots of one minor index ascends, strictly where rule 5.6 holds
     requires sizes: 0 <= C < INT64_MAX && 0 <= P < INT64_MAX && 0 <= n && N(offsets)(c, C, n) && N(minors)(d, n, P);
     terminates \true; exits \false; assigns \nothing;
     ensures ends: N(minor_below)(d, 0, n) == 0 && N(minor_below)(d, P, n) == n;
     ensures order: \forall integer i, j; i <= j ==> 0 <= N(minor_below)(d, i, n) <= N(minor_below)(d, j, n) <= n;
     ensures in_range: \forall integer q; 0 <= q < n ==> 0 <= N(line_at)(c, d, C, n, q) < C;
     ensures ascending: \forall integer j, q; N(minor_below)(d, j, n) < q < N(minor_below)(d, j + 1, n) ==>
       N(line_at)(c, d, C, n, q - 1) <= N(line_at)(c, d, C, n, q);
     ensures strict: N(rule_5_6)(c, d, C, P, n) ==>
       \forall integer j, q; N(minor_below)(d, j, n) < q < N(minor_below)(d, j + 1, n) ==>
       N(line_at)(c, d, C, n, q - 1) < N(line_at)(c, d, C, n, q);
     ensures fits: N(rule_5_6)(c, d, C, P, n) ==>
       \forall integer i, j; i < j <= i + 1 ==> N(minor_below)(d, j, n) - N(minor_below)(d, i, n) <= C; @/
  void N(lem_swapped)(const IDX *c, const IDX *d, int64_t C, int64_t P, int64_t n);
*/

#endif
