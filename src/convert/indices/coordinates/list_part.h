/* SPDX-License-Identifier: Apache-2.0 */
/* CSR to COO, several of all batches: spw_list_part_i32, spw_list_part_i64. */
#ifndef SPW_CONVERT_INDICES_COORDINATES_LIST_PART_H
#define SPW_CONVERT_INDICES_COORDINATES_LIST_PART_H

#include "batch_lines.h"

#define SPW_TEMPLATE "../convert/indices/coordinates/list_part.h"
#include "../../../core/each_index_type.h"

#elif defined IDX /* for each index type */

/* All batches of g, which are those from number `from` on of the batches of w, become elements of a COO tensor that has all of w:
 * first the coordinates of the batch, then row and column. Of each batch, the cell at a position of the one is the cell at that
 * position of the other, at the same place among those of the batch (statements M1 to M4). The elements of other batches stay as
 * they are. What is asked of the contents of g, which has elements, is what spw_compressed_canonical accepts; of what w points
 * to, only the shape is read.
 *   in    c[c_length], d[d_length]: valid
 *   out   x[(w.ndim + 2) * all], apart from the input, from the shape and the strides of g, and from the shape of w; all: how
 *         many elements the batches of w have
 * Time: g.batches * (g.ndim + g.C + g.nse + w.ndim * (w.ndim + g.nse)). */
#include "../../../../spec/acsl/list_part.acsl"
/*@ requires inside: grid_inside(g, c_length, d_length);
    requires readable: \valid_read(c + (0 .. c_length - 1)) && \valid_read(d + (0 .. d_length - 1));
    requires valid: N(compressed_structure)(c, d, g) && N(batches_5_6)(c, d, g);
    requires some: 0 < g.batches && 0 < g.nse;
    requires part: 0 <= from && from + g.batches <= w.batches && w.nse == g.nse && all == times(w.batches, w.nse);
    requires shape: 0 <= w.ndim <= SPW_NDIM_MAX && \valid_read(w.shape + (0 .. w.ndim - 1)) && positive(w.shape, w.ndim);
    requires sizes: g.C <= IDX_MAX && g.nse <= IDX_MAX && \forall integer e; 0 <= e < w.ndim ==> w.shape[e] - 1 <= IDX_MAX;
    requires writable: times(w.ndim + 2, all) <= INT64_MAX && \valid(x + (0 .. times(w.ndim + 2, all) - 1));
    requires apart: N(line_apart)(x, times(w.ndim + 2, all), c, c_length, d, d_length, g) &&
      \separated(x + (0 .. times(w.ndim + 2, all) - 1), w.shape + (0 .. w.ndim - 1));
    terminates \true; exits \false; assigns x[0 .. times(w.ndim + 2, all) - 1];
    ensures batches: N(lines_between){Post,Pre}(x, w, all, from, from + g.batches);
    ensures cells: N(rows_of_part){Post,Pre}(c, d, g, from, x + times(w.ndim, all));
    ensures plain: N(plain_of_part){Post,Pre}(x + times(w.ndim + 1, all), d, g, from);
    ensures positions: N(positions_of_part)(x + times(w.ndim, all), x + times(w.ndim + 1, all), g, from);
    ensures others: N(others_kept){Pre,Post}(x, w.ndim + 2, all, times(from, g.nse), times(from + g.batches, g.nse)); */
void N(spw_list_part)(const IDX *c, int64_t c_length, const IDX *d, int64_t d_length, spw_grid g, spw_grid w, int64_t from,
                      int64_t all, IDX *x);

#endif
