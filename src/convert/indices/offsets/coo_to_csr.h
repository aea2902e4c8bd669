/* SPDX-License-Identifier: Apache-2.0 */
/* A COO matrix in order to CSR: spw_coo_to_csr_i32, spw_coo_to_csr_i64. */
#ifndef SPW_CONVERT_INDICES_OFFSETS_COO_TO_CSR_H
#define SPW_CONVERT_INDICES_OFFSETS_COO_TO_CSR_H

#include "rows_meaning.h"
#include "../../../../proofs/lemmas/lines_fit.h"
#include "../../../check/coo/coo_rules.h"
#include "../../../view/columns.h"

#define SPW_TEMPLATE "../convert/indices/offsets/coo_to_csr.h"
#include "../../../core/each_index_type.h"

#elif defined IDX /* for each index type */

#include "../../../../spec/acsl/coo_lines.acsl"

/* A matrix with elements that spw_columns_in_range and spw_columns_ascend accept, which is what is asked of its contents to the
 * letter, becomes CSR: rules 5.1 to 5.6 hold, and the cell at a position of the one is the cell at that position of the other, at
 * the same place (statements M1 to M4). Values stay where they are. Coordinates of a dimension lie one behind the other.
 *   in    x[length]: valid
 *   out   ptr[size[0] + 1], index[g.nse], apart from the input and from each other
 * Time: size[0] + g.nse. */
/*@ requires inside: columns_inside(g, length) && g.sparse_dim == 2 && g.stride == 1 && 0 < g.nse <= IDX_MAX;
    requires readable: \valid_read(x + (0 .. length - 1)) && \valid_read(size + (0 .. 1));
    requires sizes: 0 <= size[0] <= IDX_MAX && size[0] < INT64_MAX && 0 <= size[1];
    requires valid: N(rule_6_5)(x, g, size) && N(rule_6_6)(x, g, size) && N(rule_6_7)(x, g);
    requires writable: \valid(ptr + (0 .. size[0])) && \valid(index + (0 .. g.nse - 1));
    requires apart: \separated(ptr + (0 .. size[0]), x + (0 .. length - 1)) &&
      \separated(index + (0 .. g.nse - 1), x + (0 .. length - 1)) && \separated(ptr + (0 .. size[0]), index + (0 .. g.nse - 1)) &&
      \separated(ptr + (0 .. size[0]), size + (0 .. 1)) && \separated(index + (0 .. g.nse - 1), size + (0 .. 1));
    terminates \true; exits \false; assigns ptr[0 .. size[0]], index[0 .. g.nse - 1];
    ensures valid: N(lines_hold)(ptr, index, \old(size[0]), \old(size[1]), g.nse);
    ensures meaning: N(lines_of_matrix){Post,Pre}(ptr, index, \old(size[0]), \old(size[1]), x, g); */
void N(spw_coo_to_csr)(const IDX *x, int64_t length, spw_columns g, const int64_t *size, IDX *ptr, IDX *index);

#endif
