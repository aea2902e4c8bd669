/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of all batches are the columns of a valid COO tensor: a ghost function, proved in batch_columns.c, which exists for the
 * proofs only. */
#ifndef SPW_LEMMAS_BATCH_COLUMNS_H
#define SPW_LEMMAS_BATCH_COLUMNS_H

#include "../../src/convert/indices/coordinates/batch_lines.h"
#include "../../src/check/coo/coo_rules.h"
#include "../../src/view/columns.h"

/*@ // the columns h of a tensor that has all batches of g, its lines one behind the other
    predicate columns_of_batches(spw_columns h, spw_grid g) =
      h.sparse_dim == g.ndim + 2 && h.nse == times(g.batches, g.nse) && h.start == 0 && h.dim_stride == h.nse && h.stride == 1;

    // and its size
    predicate size_of_batches{L}(int64_t *size, spw_grid g) =
      (\forall integer e; 0 <= e < g.ndim ==> size[e] == g.shape[e]) && size[g.ndim] == g.C && size[g.ndim + 1] == g.P;
*/

#define SPW_TEMPLATE "../../proofs/lemmas/batch_columns_contract.inc"
#include "../../src/core/each_index_type.h"

#endif
