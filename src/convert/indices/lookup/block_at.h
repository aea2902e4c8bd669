/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of compressed layouts by their positions: spw_block_at_i32, spw_block_at_i64. */
#ifndef SPW_CONVERT_INDICES_LOOKUP_BLOCK_AT_H
#define SPW_CONVERT_INDICES_LOOKUP_BLOCK_AT_H

#include "../../../../proofs/lemmas/lines.h"
#include "../../../../proofs/lemmas/meaning.h"
#include "../../../check/compressed.h"

/* Elements begin .. end - 1 of a batch. */
typedef struct spw_line {
  int64_t begin, end;
} spw_line;

#define SPW_TEMPLATE "../convert/indices/lookup/block_at.h"
#include "../../../core/each_index_type.h"

#elif defined IDX /* for each index type */

/* What lies in a batch of a tensor of any strides that spw_compressed_canonical accepts. */
/*@ // plain index e of batch q
    logic integer N(plain_entry){L}(IDX *d, spw_grid g, integer q, integer e) = d[plain_start(g, q) + e];
    // and which element of line x it has with plain index y
    logic integer N(element_of){L}(IDX *c, IDX *d, spw_grid g, integer q, integer x, integer y) =
      N(cell_at)(c + compressed_start(g, q), d + plain_start(g, q), x, y);

    // of line x of batch q: each element is the one at its position, and what is found there lies in the line
    predicate N(line_exact){L}(IDX *c, IDX *d, spw_grid g, integer q, integer x, integer begin, integer end) =
      (\forall integer y; N(element_of)(c, d, g, q, x, y) == -1 ||
        (begin <= N(element_of)(c, d, g, q, x, y) < end && N(plain_entry)(d, g, q, N(element_of)(c, d, g, q, x, y)) == y)) &&
      (\forall integer e; begin <= e < end ==> 0 <= N(plain_entry)(d, g, q, e) < g.P &&
        N(element_of)(c, d, g, q, x, N(plain_entry)(d, g, q, e)) == e);
*/

/* Line x of batch q. */
/*@ requires inside: grid_inside(g, c_length, d_length);
    requires readable: \valid_read(c + (0 .. c_length - 1)) && \valid_read(d + (0 .. d_length - 1));
    requires valid: N(compressed_structure)(c, d, g) && N(batches_5_6)(c, d, g);
    requires place: 0 <= q < g.batches && 0 <= x < g.C;
    terminates \true; exits \false; assigns \nothing;
    ensures inside: 0 <= \result.begin <= \result.end <= g.nse;
    ensures exact: N(line_exact)(c, d, g, q, x, \result.begin, \result.end); */
spw_line N(spw_line_of)(const IDX *c, int64_t c_length, const IDX *d, int64_t d_length, spw_grid g, int64_t q, int64_t x);

/* Plain index e of batch q. */
/*@ requires inside: grid_inside(g, c_length, d_length);
    requires readable: \valid_read(c + (0 .. c_length - 1)) && \valid_read(d + (0 .. d_length - 1));
    requires valid: N(compressed_structure)(c, d, g) && N(batches_5_6)(c, d, g);
    requires place: 0 <= q < g.batches && 0 <= e < g.nse;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == N(plain_entry)(d, g, q, e);
    ensures inside: 0 <= \result < g.P; */
int64_t N(spw_plain_at)(const IDX *c, int64_t c_length, const IDX *d, int64_t d_length, spw_grid g, int64_t q, int64_t e);

/* Which element of batch q lies in line x with plain index y; -1: none. Time: log2 of what lies in the line. */
/*@ requires inside: grid_inside(g, c_length, d_length);
    requires readable: \valid_read(c + (0 .. c_length - 1)) && \valid_read(d + (0 .. d_length - 1));
    requires valid: N(compressed_structure)(c, d, g) && N(batches_5_6)(c, d, g);
    requires place: 0 <= q < g.batches && 0 <= x < g.C;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == N(element_of)(c, d, g, q, x, y);
    ensures inside: -1 <= \result < g.nse; */
int64_t N(spw_block_at)(const IDX *c, int64_t c_length, const IDX *d, int64_t d_length, spw_grid g, int64_t q, int64_t x,
                        int64_t y);

#endif
