/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that ascend are no longer than there are columns, which rule 5.3 asks: a ghost function, proved in lines_fit.c. */
#ifndef SPW_LEMMAS_LINES_FIT_H
#define SPW_LEMMAS_LINES_FIT_H

#include "lines.h"

#define SPW_TEMPLATE "../../proofs/lemmas/lines_fit.h"
#include "../../src/core/each_index_type.h"

#elif defined IDX /* for each index type */

/* c are C compressed lines of n elements, d their plain indices, which are below P. */
#include "../../spec/acsl/lines_hold.acsl"

/*@ ghost
  /@ // columns that ascend leave a line no more elements than there are columns
     requires sizes: 0 <= C < INT64_MAX && 0 <= P && 0 <= n;
     requires lines: N(offsets)(c, C, n) && N(minors)(d, n, P) && N(rule_5_6)(c, d, C, P, n);
     requires readable: \valid_read(c + (0 .. C)) && \valid_read(d + (0 .. n - 1));
     terminates \true; exits \false; assigns \nothing;
     ensures steps: N(rule_5_3)(c, d, C, P, n);
     ensures within: N(lines_within)(c, C, n); @/
  void N(lem_lines_fit)(const IDX *c, const IDX *d, int64_t C, int64_t P, int64_t n);
*/

#endif
