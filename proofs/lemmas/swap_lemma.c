/* SPDX-License-Identifier: Apache-2.0 */
/* Where a cell goes, and where one comes from. */
#ifndef IDX
#include "swap_lemma.h"

#define SPW_TEMPLATE "../../proofs/lemmas/swap_lemma.c"
#include "../../src/core/each_index_type.h"

#else /* for each index type */

/*@ ghost
  /@ // the slots of one minor index are those between what is below it and what is below the next
     requires sizes: 0 <= n && 0 <= P < INT64_MAX && N(minors)(d, n, P);
     terminates \true; exits \false; assigns \nothing;
     ensures origin: \forall integer q; 0 <= q < n ==> 0 <= N(minor_origin)(d, n, q, n) < n;
     ensures minor: \forall integer j, e, q; 0 <= q < n && j < e <= j + 1 && N(minor_below)(d, j, n) <= q < N(minor_below)(d, e, n) ==>
       d[N(minor_origin)(d, n, q, n)] == j; @/
  void N(lem_origin_minor)(const IDX *d, int64_t P, int64_t n) {
    N(lem_minor_below)(d, n, P);
    N(lem_minor_slot)(d, n, P);
    N(lem_minor_origin)(d, n, P);
    /@ assert near: \forall integer q; 0 <= q < n ==> 0 <= N(minor_origin)(d, n, q, n) < n &&
         N(minor_below)(d, d[N(minor_origin)(d, n, q, n)], n) <= q < N(minor_below)(d, d[N(minor_origin)(d, n, q, n)] + 1, n); @/
    /@ assert not_below: \forall integer j, q; 0 <= q < n && N(minor_below)(d, j, n) <= q ==>
         !(d[N(minor_origin)(d, n, q, n)] + 1 <= j); @/
    /@ assert not_above: \forall integer j, q; 0 <= q < n && q < N(minor_below)(d, j, n) ==>
         !(j <= d[N(minor_origin)(d, n, q, n)]); @/
  }
*/

/*@ ghost
  /@ // the element in a slot is the cell that lies there
     requires sizes: 0 <= C < INT64_MAX && 0 <= P < INT64_MAX && 0 <= n;
     requires readable: \valid_read(oc + (0 .. P));
     requires input: N(minors)(d, n, P);
     requires output: N(offsets)(oc, P, n) && N(rule_5_6)(oc, od, P, C, n);
     requires starts: \forall integer j; 0 <= j <= P ==> oc[j] == N(minor_below)(d, j, n);
     terminates \true; exits \false; assigns \nothing;
     ensures cell: \forall integer i, j; 0 <= j < P && N(specified)(oc, od, j, i) ==>
       0 <= N(cell_at)(oc, od, j, i) < n && od[N(cell_at)(oc, od, j, i)] == i &&
       d[N(minor_origin)(d, n, N(cell_at)(oc, od, j, i), n)] == j; @/
  void N(lem_cell_origin)(const IDX *d, int64_t C, int64_t P, int64_t n, const IDX *oc, const IDX *od) {
    N(lem_cell_at)(oc, od, P, C, n);
    N(lem_origin_minor)(d, P, n);
    /@ assert ends: \forall integer j, e; 0 <= j < e <= j + 1 && e <= P ==>
         oc[j] == N(minor_below)(d, j, n) && oc[e] == N(minor_below)(d, e, n); @/
    /@ assert minor: \forall integer j, q; 0 <= j < P && oc[j] <= q < oc[j + 1] && 0 <= q < n ==>
         d[N(minor_origin)(d, n, q, n)] == j; @/
  }
*/

/*@ ghost
  void N(lem_swapped_meaning)(const IDX *c, const IDX *d, int64_t C, int64_t P, int64_t n, const IDX *oc, const IDX *od) {
    N(lem_cell_origin)(d, C, P, n, oc, od);
    N(lem_cell_at)(c, d, C, P, n);
    N(lem_cell_at)(oc, od, P, C, n);
    N(lem_line_of)(c, C, n);
    N(lem_minor_slot)(d, n, P);
    N(lem_minor_origin)(d, n, P);
    /@ assert slot_line: \forall integer k; 0 <= k < n ==>
         oc[d[k]] <= N(minor_slot)(d, n, k) < oc[d[k] + 1]; @/
    /@ assert origin_line: \forall integer q; 0 <= q < n ==> 0 <= N(minor_origin)(d, n, q, n) < n &&
         od[q] == N(line_of)(c, C, N(minor_origin)(d, n, q, n)); @/
    /@ assert there: \forall integer i, j; 0 <= i < C && 0 <= j < P && N(specified)(c, d, i, j) ==>
         0 <= N(cell_at)(c, d, i, j) < n && d[N(cell_at)(c, d, i, j)] == j &&
         N(line_of)(c, C, N(cell_at)(c, d, i, j)) == i; @/
    /@ assert goes: \forall integer i, j; 0 <= i < C && 0 <= j < P && N(specified)(c, d, i, j) ==>
         N(cell_at)(oc, od, j, i) == N(minor_slot)(d, n, N(cell_at)(c, d, i, j)); @/
    /@ assert own_line: \forall integer k; 0 <= k < n ==>
         k <= N(cell_at)(c, d, N(line_of)(c, C, k), d[k]); @/
    /@ assert comes: \forall integer i, j; 0 <= i < C && 0 <= j < P && N(specified)(oc, od, j, i) ==>
         N(specified)(c, d, i, j); @/
  }
*/

#endif
