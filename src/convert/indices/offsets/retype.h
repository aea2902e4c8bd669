/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed lines whose indices become those of the other type: spw_retype_lines_i32, spw_retype_lines_i64, named by the type
 * that is read. */
#ifndef SPW_CONVERT_INDICES_OFFSETS_RETYPE_H
#define SPW_CONVERT_INDICES_OFFSETS_RETYPE_H

#include "../../../../proofs/lemmas/lines_fit.h"
#include "../../../../proofs/lemmas/meaning.h"
#include "../../../check/compressed.h"
#include "../../../view/grid.h"

#define SPW_TEMPLATE "../convert/indices/offsets/retype.h"
#include "../../../core/each_index_pair.h"

#elif defined IDX /* for each index type */

#include "../../../../spec/acsl/times.acsl"
#include "../../../../spec/acsl/retyped.acsl"

/* All batches of a tensor of any strides that spw_compressed_canonical accepts, which is all that is asked of its contents: the
 * same indices, of the other type, those of each batch behind those of the one before it.
 *   in    c[c_length], d[d_length]
 *   out   out_c[g.batches * (g.C + 1)], out_d[g.batches * g.nse], apart from the input, from the shape and the strides of the
 *         grid, and from each other
 * Time: g.batches * (g.ndim + g.C + g.nse). */
/*@ requires inside: grid_inside(g, c_length, d_length);
    requires readable: \valid_read(c + (0 .. c_length - 1)) && \valid_read(d + (0 .. d_length - 1));
    requires valid: N(compressed_structure)(c, d, g) && N(batches_5_6)(c, d, g);
    requires sizes: g.nse <= IDX_MAX && times(g.batches, g.C + 1) <= INT64_MAX && times(g.batches, g.nse) <= INT64_MAX;
    requires fits: g.nse <= OUT_MAX && g.P - 1 <= OUT_MAX;
    requires writable: \valid(out_c + (0 .. times(g.batches, g.C + 1) - 1)) && \valid(out_d + (0 .. times(g.batches, g.nse) - 1));
    requires apart: \separated(out_c + (0 .. times(g.batches, g.C + 1) - 1), out_d + (0 .. times(g.batches, g.nse) - 1));
    requires apart_offsets: \separated(out_c + (0 .. times(g.batches, g.C + 1) - 1), g.shape + (0 .. g.ndim - 1)) &&
      \separated(out_c + (0 .. times(g.batches, g.C + 1) - 1), g.c_strides + (0 .. g.ndim - 1)) &&
      \separated(out_c + (0 .. times(g.batches, g.C + 1) - 1), g.p_strides + (0 .. g.ndim - 1));
    requires apart_plain: \separated(out_d + (0 .. times(g.batches, g.nse) - 1), g.shape + (0 .. g.ndim - 1)) &&
      \separated(out_d + (0 .. times(g.batches, g.nse) - 1), g.c_strides + (0 .. g.ndim - 1)) &&
      \separated(out_d + (0 .. times(g.batches, g.nse) - 1), g.p_strides + (0 .. g.ndim - 1));
    requires apart_source: \separated(out_c + (0 .. times(g.batches, g.C + 1) - 1), c + (0 .. c_length - 1)) &&
      \separated(out_c + (0 .. times(g.batches, g.C + 1) - 1), d + (0 .. d_length - 1)) &&
      \separated(out_d + (0 .. times(g.batches, g.nse) - 1), c + (0 .. c_length - 1)) &&
      \separated(out_d + (0 .. times(g.batches, g.nse) - 1), d + (0 .. d_length - 1));
    terminates \true; exits \false;
    assigns out_c[0 .. times(g.batches, g.C + 1) - 1], out_d[0 .. times(g.batches, g.nse) - 1];
    ensures retyped: \forall integer b; 0 <= b < g.batches ==> N(batch_retyped){Post,Pre}(c, d, g, b, out_c, out_d); */
void N(spw_retype_lines)(const IDX *c, int64_t c_length, const IDX *d, int64_t d_length, spw_grid g, OUT *out_c, OUT *out_d);

#endif
