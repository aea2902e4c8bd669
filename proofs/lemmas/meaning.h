/* SPDX-License-Identifier: Apache-2.0 */
/* Lemmas about what one batch of a compressed layout means: ghost functions, proved in meaning.c, which exist for
 * the proofs only. */
#ifndef SPW_LEMMAS_MEANING_H
#define SPW_LEMMAS_MEANING_H

#include "../../src/check/index/index_rules.h"

#define SPW_TEMPLATE "../../proofs/lemmas/meaning.h"
#include "../../src/core/each_index_type.h"

#elif defined IDX /* for each index type */

/* c are C compressed lines of n elements, d their plain indices. */
#include "../../spec/acsl/meaning.acsl"

/*@ ghost
  /@ // what a search among elements finds
     requires size: 0 <= n;
     terminates \true; exits \false; assigns \nothing;
     ensures hit: \forall integer j, low, high; 0 <= low <= high <= n && 0 <= N(cell_among)(d, j, low, high) ==>
       low <= N(cell_among)(d, j, low, high) < high && d[N(cell_among)(d, j, low, high)] == j;
     ensures last: \forall integer k, low, high; 0 <= low <= k < high <= n ==> k <= N(cell_among)(d, d[k], low, high); @/
  void N(lem_cell_among)(const IDX *d, int64_t n);
*/

/*@ ghost
  /@ // neighbours that ascend make all of a line ascend
     requires range: 0 <= low <= high;
     terminates \true; exits \false; assigns \nothing;
     ensures pairs: N(ascending_row)(d, low, high) ==> \forall integer k, m; low <= k < m < high ==> d[k] < d[m]; @/
  void N(lem_ascending_pairs)(const IDX *d, int64_t low, int64_t high);
*/

/*@ ghost
  /@ // each element is the cell at its position, and with 5.6 the only one there
     requires sizes: 0 <= C < INT64_MAX && 0 <= n && N(offsets)(c, C, n);
     requires readable: \valid_read(c + (0 .. C));
     terminates \true; exits \false; assigns \nothing;
     ensures found: \forall integer i, j; 0 <= i < C && N(specified)(c, d, i, j) ==>
       0 <= c[i] <= N(cell_at)(c, d, i, j) < c[i + 1] <= n && d[N(cell_at)(c, d, i, j)] == j;
     ensures there: \forall integer i, k; 0 <= i < C && c[i] <= k < c[i + 1] ==> k <= N(cell_at)(c, d, i, d[k]);
     ensures only: N(rule_5_6)(c, d, C, P, n) ==>
       \forall integer i, k; 0 <= i < C && c[i] <= k < c[i + 1] ==> N(cell_at)(c, d, i, d[k]) == k; @/
  void N(lem_cell_at)(const IDX *c, const IDX *d, int64_t C, int64_t P, int64_t n);
*/

#endif
