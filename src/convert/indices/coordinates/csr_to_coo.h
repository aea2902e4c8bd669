/* SPDX-License-Identifier: Apache-2.0 */
/* CSR to COO, all batches at once: spw_csr_to_coo_i32, spw_csr_to_coo_i64. */
#ifndef SPW_CONVERT_INDICES_COORDINATES_CSR_TO_COO_H
#define SPW_CONVERT_INDICES_COORDINATES_CSR_TO_COO_H

#include "../../../../proofs/lemmas/batch_columns.h"
#include "batch_lines.h"

#define SPW_TEMPLATE "../convert/indices/coordinates/csr_to_coo.h"
#include "../../../core/each_index_type.h"

#elif defined IDX /* for each index type */

/* All batches of a tensor of any strides that has elements and that spw_compressed_canonical accepts, which is all that is asked
 * of its contents, become one COO tensor: first the coordinates of the batch, then row and column. The indices of the result hold
 * rules 6.5 to 6.7, and so ascend; of each batch, the cell at a position of the one is the cell at that position of the other,
 * at the same place (statements M1 to M4). Values stay where they are.
 *   in    c[c_length], d[d_length]: valid
 *   out   x[h.sparse_dim * h.nse], apart from the input and from the shape and the strides of the grid; h and size are the
 *         columns and the size of the result
 * Time: g.batches * (g.C + g.nse + g.ndim * (g.ndim + g.nse)). */
/*@ requires inside: grid_inside(g, c_length, d_length);
    requires readable: \valid_read(c + (0 .. c_length - 1)) && \valid_read(d + (0 .. d_length - 1));
    requires valid: N(compressed_structure)(c, d, g) && N(batches_5_6)(c, d, g);
    requires some: 0 < g.batches && 0 < g.nse && g.batches == product(g.shape, g.ndim);
    requires columns: columns_of_batches(h, g) && times(h.sparse_dim, h.nse) <= INT64_MAX;
    requires sizes: g.C <= IDX_MAX && g.nse <= IDX_MAX && \forall integer e; 0 <= e < g.ndim ==> g.shape[e] - 1 <= IDX_MAX;
    requires size: \valid_read(size + (0 .. g.ndim + 1)) && size_of_batches(size, g);
    requires writable: \valid(x + (0 .. times(h.sparse_dim, h.nse) - 1));
    requires apart: N(line_apart)(x, times(h.sparse_dim, h.nse), c, c_length, d, d_length, g) &&
      \separated(x + (0 .. times(h.sparse_dim, h.nse) - 1), size + (0 .. g.ndim + 1));
    terminates \true; exits \false; assigns x[0 .. times(h.sparse_dim, h.nse) - 1];
    ensures valid: N(rule_6_5)(x, h, size) && N(rule_6_6)(x, h, size) && N(rule_6_7)(x, h);
    ensures batches: N(lines_listed){Post,Pre}(x, g, h.nse);
    ensures cells: N(rows_listed_before){Post,Pre}(c, d, g, g.batches, x + times(g.ndim, h.nse));
    ensures plain: N(plain_listed){Post,Pre}(x + times(g.ndim + 1, h.nse), d, g, g.batches); */
void N(spw_csr_to_coo)(const IDX *c, int64_t c_length, const IDX *d, int64_t d_length, spw_grid g, spw_columns h,
                       const int64_t *size, IDX *x);

#endif
