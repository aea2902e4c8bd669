/* SPDX-License-Identifier: Apache-2.0 */
/* The meaning of a batch whose other dimension has been compressed: the same matrix. Ghost functions, proved in swap_lemma.c. */
#ifndef SPW_LEMMAS_SWAP_LEMMA_H
#define SPW_LEMMAS_SWAP_LEMMA_H

#include "lines.h"
#include "meaning.h"

#define SPW_TEMPLATE "../../proofs/lemmas/swap_lemma.h"
#include "../../src/core/each_index_type.h"

#elif defined IDX /* for each index type */

/* c are C compressed lines of n elements, d their plain indices below P; oc and od what spw_swap makes of them. */

/*@ ghost
  /@ // line j of the result has a cell for i where line i of the input has one for j, and it is that one
     requires sizes: 0 <= C < INT64_MAX && 0 <= P < INT64_MAX && 0 <= n;
     requires readable: \valid_read(c + (0 .. C)) && \valid_read(oc + (0 .. P));
     requires input: N(offsets)(c, C, n) && N(minors)(d, n, P) && N(rule_5_6)(c, d, C, P, n);
     requires output: N(offsets)(oc, P, n) && N(minors)(od, n, C) && N(rule_5_6)(oc, od, P, C, n);
     requires starts: \forall integer j; 0 <= j <= P ==> oc[j] == N(minor_below)(d, j, n);
     requires placed: \forall integer k; 0 <= k < n ==> 0 <= N(minor_slot)(d, n, k) < n &&
       od[N(minor_slot)(d, n, k)] == N(line_of)(c, C, k);
     terminates \true; exits \false; assigns \nothing;
     ensures same: N(transposed)(c, d, C, P, oc, od);
     ensures moved: \forall integer i, j; 0 <= i < C && 0 <= j < P && N(specified)(c, d, i, j) ==>
       0 <= N(cell_at)(c, d, i, j) < n &&
       N(cell_at)(oc, od, j, i) == N(minor_slot)(d, n, N(cell_at)(c, d, i, j)); @/
  void N(lem_swapped_meaning)(const IDX *c, const IDX *d, int64_t C, int64_t P, int64_t n, const IDX *oc, const IDX *od);
*/

#endif
