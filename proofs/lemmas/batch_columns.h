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

#define SPW_TEMPLATE "../../proofs/lemmas/batch_columns.h"
#include "../../src/core/each_index_type.h"

#elif defined IDX /* for each index type */

/* Lines of coordinates, then of rows and of columns, of which those of each batch are in order: rules 6.5 to 6.7 hold. */
/*@ ghost
  /@ requires sizes: 0 <= g.ndim <= SPW_NDIM_MAX && 0 <= g.batches && 0 <= g.nse;
     requires columns: columns_of_batches(h, g) && times(g.batches, g.nse) <= INT64_MAX && times(h.sparse_dim, h.nse) <= INT64_MAX;
     requires shape: \valid_read(g.shape + (0 .. g.ndim - 1)) && (g.batches > 0 ==> positive(g.shape, g.ndim)) &&
       g.batches == product(g.shape, g.ndim);
     requires size: size_of_batches(size, g);
     requires coordinates: \forall integer q; 0 <= q < g.batches ==> N(batch_coordinates)(x, g, h.nse, q);
     requires positions: \forall integer q; 0 <= q < g.batches ==> N(batch_positions)(x, g, h.nse, q);
     terminates \true; exits \false; assigns \nothing;
     ensures valid: N(rule_6_5)(x, h, size) && N(rule_6_6)(x, h, size) && N(rule_6_7)(x, h); @/
  void N(lem_batches_are_columns)(const IDX *x, spw_columns h, spw_grid g, const int64_t *size);
*/

#endif
