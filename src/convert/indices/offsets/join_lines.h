/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of each batch become those of all batches, as one matrix has them: spw_join_lines_i32, spw_join_lines_i64. */
#ifndef SPW_CONVERT_INDICES_OFFSETS_JOIN_LINES_H
#define SPW_CONVERT_INDICES_OFFSETS_JOIN_LINES_H

#include "cut_lines.h"
#include "../../../view/grid.h"

#define SPW_TEMPLATE "../convert/indices/offsets/join_lines.h"
#include "../../../core/each_index_type.h"

#elif defined IDX /* for each index type */

#include "../../../../spec/acsl/join_lines.acsl"

/* The lines of a compressed tensor of g.batches batches, g.C lines and g.nse elements each, as those of one matrix. Offsets of
 * the batches lie anywhere in c, as the grid says; the elements of each batch lie behind those of the one before it, and stay.
 * Rules 5.1 to 5.6 hold of all of them, too.
 *   in    c[c_length], d[g.batches * g.nse], below g.P
 *   out   out[g.batches * g.C + 1], apart from the input and the grid
 * Time: g.batches * (g.ndim + g.C). */
/*@ requires sizes: 1 <= g.batches && 0 <= g.C < INT64_MAX && 0 <= g.P && 0 <= g.nse && times(g.batches, g.C) < INT64_MAX &&
      times(g.batches, g.nse) <= IDX_MAX && c_length <= INT64_MAX;
    requires grid: 0 <= g.ndim <= SPW_NDIM_MAX && \valid_read(g.shape + (0 .. g.ndim - 1)) &&
      \valid_read(g.c_strides + (0 .. g.ndim - 1));
    requires inside: positive(g.shape, g.ndim) && non_negative(g.c_strides, g.ndim) && 0 <= g.c_offset &&
      0 <= reach(g.shape, g.c_strides, g.ndim) && g.c_offset + reach(g.shape, g.c_strides, g.ndim) + g.C < c_length;
    requires readable: \valid_read(c + (0 .. c_length - 1)) && \valid_read(d + (0 .. times(g.batches, g.nse) - 1));
    requires writable: \valid(out + (0 .. times(g.batches, g.C)));
    requires apart: \separated(out + (0 .. times(g.batches, g.C)), c + (0 .. c_length - 1)) &&
      \separated(out + (0 .. times(g.batches, g.C)), d + (0 .. times(g.batches, g.nse) - 1));
    requires apart_grid: \separated(out + (0 .. times(g.batches, g.C)), g.shape + (0 .. g.ndim - 1)) &&
      \separated(out + (0 .. times(g.batches, g.C)), g.c_strides + (0 .. g.ndim - 1));
    requires lines: \forall integer b; 0 <= b < g.batches ==> N(batch_holds)(c, d, g, b);
    terminates \true; exits \false; assigns out[0 .. times(g.batches, g.C)];
    ensures hold: N(lines_hold)(out, d, times(g.batches, g.C), g.P, times(g.batches, g.nse));
    ensures equal: N(batches_equal)(out, g.batches, g.C, g.nse);
    ensures joined: \forall integer b; 0 <= b < g.batches ==> N(batch_is_joined){Post,Pre}(c, d, g, b, out); */
void N(spw_join_lines)(const IDX *c, int64_t c_length, spw_grid g, const IDX *d, IDX *out);

#endif
