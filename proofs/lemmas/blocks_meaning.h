/* SPDX-License-Identifier: Apache-2.0 */
/* What lines of elements mean that were blocks: ghost functions, proved in blocks_meaning.c. */
#ifndef SPW_LEMMAS_BLOCKS_MEANING_H
#define SPW_LEMMAS_BLOCKS_MEANING_H

#include "block_lines.h"
#include "lines.h"
#include "meaning.h"
#include "times_apart.h"
#include "times_at.h"

#define SPW_TEMPLATE "../../proofs/lemmas/blocks_meaning.h"
#include "../../src/core/each_index_type.h"

#elif defined IDX /* for each index type */

/* c are C compressed lines of n blocks of bh lines of bw elements, d their plain indices, which are below P. */
#include "../../spec/acsl/exploded_lines.acsl"
#include "../../spec/acsl/lines_hold.acsl"

/*@ ghost
  /@ // a product by additions, as a number
     requires sizes: 0 <= k && 0 <= m && times(k, m) <= INT64_MAX;
     terminates \true; exits \false; assigns \nothing;
     ensures product: \result == times(k, m); @/
  int64_t N(ghost_product)(int64_t k, int64_t m);
*/

/*@ ghost
  /@ // what has been written for each block is what the lines of elements mean; they satisfy rules 5.1 to 5.5, and
     // 5.6 where those of blocks do
     requires sizes: 0 <= C < INT64_MAX && 0 <= P && 0 <= n && 0 < bh && 0 < bw && times(bh, bw) == bs &&
       times(n, bs) <= INT64_MAX && times(C, bh) < INT64_MAX && times(P, bw) <= INT64_MAX;
     requires lines: N(offsets)(c, C, n) && N(minors)(d, n, P) && N(rule_5_3)(c, d, C, P, n);
     requires readable: \valid_read(c + (0 .. C)) && \valid_read(d + (0 .. n - 1)) && \valid_read(oc + (0 .. times(C, bh)));
     requires ends: oc[0] == 0 && N(lines_end){Pre,Pre}(c, oc, C, bh, bw, bs);
     requires listed: N(blocks_listed)(c, d, od, C, bh, bw, bs);
     terminates \true; exits \false; assigns \nothing;
     ensures lines: N(offsets)(oc, times(C, bh), times(n, bs)) && N(minors)(od, times(n, bs), times(P, bw));
     ensures steps: N(rule_5_3)(oc, od, times(C, bh), times(P, bw), times(n, bs));
     ensures within: N(lines_within)(oc, times(C, bh), times(n, bs));
     ensures order: N(rule_5_6)(c, d, C, P, n) ==> N(rule_5_6)(oc, od, times(C, bh), times(P, bw), times(n, bs));
     ensures starts: N(lines_start)(c, oc, C, bh, bw, bs);
     ensures found: N(lines_found)(c, d, C, P, bh, bw, oc, od); @/
  void N(lem_blocks_meaning)(const IDX *c, const IDX *d, int64_t C, int64_t P, int64_t n, int64_t bh, int64_t bw, int64_t bs,
                             const IDX *oc, const IDX *od);
*/

#endif
