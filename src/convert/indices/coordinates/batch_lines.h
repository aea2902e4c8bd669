/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a COO tensor that has all batches of a compressed one: spw_list_rows_i32, spw_list_plain_i32,
 * spw_list_coordinates_i32, and _i64. */
#ifndef SPW_CONVERT_INDICES_COORDINATES_BATCH_LINES_H
#define SPW_CONVERT_INDICES_COORDINATES_BATCH_LINES_H

#include "batch_coordinate.h"
#include "../../../../proofs/lemmas/lines.h"
#include "../../../../proofs/lemmas/meaning.h"
#include "../../../check/compressed.h"

#define SPW_TEMPLATE "../convert/indices/coordinates/batch_lines.h"
#include "../../../core/each_index_type.h"

#elif defined IDX /* for each index type */

/* Of all batches of a tensor of any strides, one line of as many positions as all have elements, those of each batch behind those
 * of the one before it. No line may share memory with the tensor, nor with the shape and the strides of the grid. */
#include "../../../../spec/acsl/batch_lines.acsl"
/*@
  predicate N(line_apart)(IDX *line, integer all, IDX *c, integer c_length, IDX *d, integer d_length, spw_grid g) =
    \separated(line + (0 .. all - 1), c + (0 .. c_length - 1)) && \separated(line + (0 .. all - 1), d + (0 .. d_length - 1)) &&
    \separated(line + (0 .. all - 1), g.shape + (0 .. g.ndim - 1)) &&
    \separated(line + (0 .. all - 1), g.c_strides + (0 .. g.ndim - 1)) &&
    \separated(line + (0 .. all - 1), g.p_strides + (0 .. g.ndim - 1));
*/

/* The row of each element. What is asked of the contents is what spw_compressed_canonical accepts.
 * Time: g.batches * (g.C + g.nse). */
/*@ requires inside: grid_inside(g, c_length, d_length);
    requires readable: \valid_read(c + (0 .. c_length - 1)) && \valid_read(d + (0 .. d_length - 1));
    requires valid: N(compressed_structure)(c, d, g) && N(batches_5_6)(c, d, g);
    requires sizes: g.C <= IDX_MAX && g.nse <= IDX_MAX && times(g.batches, g.nse) <= INT64_MAX;
    requires writable: \valid(row + (0 .. times(g.batches, g.nse) - 1));
    requires apart: N(line_apart)(row, times(g.batches, g.nse), c, c_length, d, d_length, g);
    terminates \true; exits \false; assigns row[0 .. times(g.batches, g.nse) - 1];
    ensures listed: N(rows_listed_before){Post,Pre}(c, d, g, g.batches, row); */
void N(spw_list_rows)(const IDX *c, int64_t c_length, const IDX *d, int64_t d_length, spw_grid g, IDX *row);

/* The plain index of each element, whatever it is. Time: g.batches * g.nse. */
/*@ requires inside: grid_inside(g, c_length, d_length);
    requires readable: \valid_read(d + (0 .. d_length - 1));
    requires sizes: times(g.batches, g.nse) <= INT64_MAX;
    requires writable: \valid(plain + (0 .. times(g.batches, g.nse) - 1));
    requires apart: \separated(plain + (0 .. times(g.batches, g.nse) - 1), d + (0 .. d_length - 1)) &&
      \separated(plain + (0 .. times(g.batches, g.nse) - 1), g.shape + (0 .. g.ndim - 1)) &&
      \separated(plain + (0 .. times(g.batches, g.nse) - 1), g.c_strides + (0 .. g.ndim - 1)) &&
      \separated(plain + (0 .. times(g.batches, g.nse) - 1), g.p_strides + (0 .. g.ndim - 1));
    terminates \true; exits \false; assigns plain[0 .. times(g.batches, g.nse) - 1];
    ensures listed: N(plain_listed){Post,Pre}(plain, d, g, g.batches);
    ensures inside: plain_within{Pre}(g, g.batches, d_length); */
void N(spw_list_plain)(const IDX *d, int64_t c_length, int64_t d_length, spw_grid g, IDX *plain);

/* Coordinate e of the batch of each element of batches from..to - 1 of all, behind those of the batches before them.
 * Time: (to - from) * (g.ndim - e + g.nse). */
/*@ requires sizes: 0 <= e < g.ndim <= SPW_NDIM_MAX && 0 <= from <= to && 0 <= g.nse && times(to, g.nse) <= INT64_MAX;
    requires shape: \valid_read(g.shape + (0 .. g.ndim - 1)) && (from < to ==> positive(g.shape, g.ndim));
    requires fits: g.shape[e] - 1 <= IDX_MAX;
    requires writable: \valid(line + (times(from, g.nse) .. times(to, g.nse) - 1));
    requires apart: \separated(line + (times(from, g.nse) .. times(to, g.nse) - 1), g.shape + (0 .. g.ndim - 1));
    terminates \true; exits \false; assigns line[times(from, g.nse) .. times(to, g.nse) - 1];
    ensures listed: N(coordinates_listed){Post,Pre}(line, g, e, from, to); */
void N(spw_list_coordinates)(spw_grid g, int64_t from, int64_t to, int64_t e, IDX *line);

#endif
