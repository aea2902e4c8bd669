/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of all batches, as one matrix has them, become those of each batch: spw_cut_lines_i32, spw_cut_lines_i64. */
#ifndef SPW_CONVERT_INDICES_OFFSETS_CUT_LINES_H
#define SPW_CONVERT_INDICES_OFFSETS_CUT_LINES_H

#include "../../../../proofs/lemmas/lines_fit.h"
#include "../../../../proofs/lemmas/meaning.h"
#include "../../../../proofs/lemmas/times_apart.h"
#include "../../../../proofs/lemmas/times_at.h"

#define SPW_TEMPLATE "../convert/indices/offsets/cut_lines.h"
#include "../../../core/each_index_type.h"

#elif defined IDX /* for each index type */

#include "../../../../spec/acsl/cut_lines.acsl"

/* Of the lines of `batches` batches, C of each: the first batch that has not as many elements as the first one; `batches` where
 * all have. Time: batches. */
/*@ requires sizes: 1 <= batches && 0 <= C && times(batches, C) < INT64_MAX && 0 <= n;
    requires readable: \valid_read(ptr + (0 .. times(batches, C)));
    requires lines: N(offsets)(ptr, times(batches, C), n);
    terminates \true; exits \false; assigns \nothing;
    ensures range: 1 <= \result <= batches;
    ensures before: N(batches_equal)(ptr, \result, C, ptr[C]);
    ensures other: \result < batches ==> ptr[times(\result + 1, C)] - ptr[times(\result, C)] != ptr[C]; */
int64_t N(spw_other_batch)(const IDX *ptr, int64_t batches, int64_t C, int64_t n);

/* The lines of `batches` batches of n elements, C of each batch, as those of each batch by itself, one behind the other. Rules
 * 5.1 to 5.6 hold in each, whose elements stay where they lie.
 *   in    c[batches * C + 1], d[batches * n], below P
 *   out   oc[batches * (C + 1)], apart from the input
 * Time: batches * C. */
/*@ requires sizes: 1 <= batches && 0 <= C < INT64_MAX && 0 <= P && 0 <= n && times(batches, C) < INT64_MAX &&
      times(batches, C + 1) <= INT64_MAX && times(batches, n) <= IDX_MAX;
    requires readable: \valid_read(c + (0 .. times(batches, C))) && \valid_read(d + (0 .. times(batches, n) - 1));
    requires writable: \valid(oc + (0 .. times(batches, C + 1) - 1));
    requires apart: \separated(oc + (0 .. times(batches, C + 1) - 1), c + (0 .. times(batches, C))) &&
      \separated(oc + (0 .. times(batches, C + 1) - 1), d + (0 .. times(batches, n) - 1));
    requires lines: N(lines_hold)(c, d, times(batches, C), P, times(batches, n)) && N(batches_equal)(c, batches, C, n);
    terminates \true; exits \false; assigns oc[0 .. times(batches, C + 1) - 1];
    ensures cut: \forall integer q; 0 <= q < batches ==> N(batch_is_cut){Post,Pre}(oc, c, d, q, C, P, n); */
void N(spw_cut_lines)(const IDX *c, const IDX *d, int64_t batches, int64_t C, int64_t P, int64_t n, IDX *oc);

#endif
