/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of COO by their positions: spw_listed_at_i32, spw_listed_at_i64. */
#ifndef SPW_CONVERT_INDICES_LOOKUP_LISTED_AT_H
#define SPW_CONVERT_INDICES_LOOKUP_LISTED_AT_H

#include "../../../check/coo/coo_rules.h"
#include "../../../../proofs/lemmas/times.h"
#include "../../../../spec/acsl/earlier.acsl"

#define SPW_TEMPLATE "../convert/indices/lookup/listed_at.h"
#include "../../../core/each_index_type.h"

#elif defined IDX /* for each index type */

/* Needs coo_rules.h. */
#include "../../../../spec/acsl/coo_dense.acsl"
#include "../../../../spec/acsl/listed_at.acsl"

/* The element at a position of a tensor that spw_columns_in_range and spw_columns_ascend accept, of any strides; -1 where none
 * is. Time: log2(h.nse) * h.sparse_dim. */
/*@ requires inside: columns_inside(h, length);
    requires readable: \valid_read(x + (0 .. length - 1)) && \valid_read(size + (0 .. h.sparse_dim - 1));
    requires valid: N(list_valid)(x, h, size);
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == N(listed_at)(x, h, size, q, i, j, h.nse);
    ensures there: \result == -1 || (0 <= \result < h.nse && N(is_listed)(x, h, size, q, i, j, \result)); */
int64_t N(spw_listed_at)(const IDX *x, int64_t length, spw_columns h, const int64_t *size, int64_t q, int64_t i, int64_t j);

/* The batch of element k: its coordinates but the last two, numbered row-major. */
/*@ requires inside: columns_inside(h, length);
    requires readable: \valid_read(x + (0 .. length - 1)) && \valid_read(size + (0 .. h.sparse_dim - 1));
    requires valid: N(list_inside)(x, h, size);
    requires element: 0 <= k < h.nse;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == N(listed_batch)(x, h, size, k);
    ensures inside: 0 <= \result < product(size, h.sparse_dim - 2); */
int64_t N(spw_listed_batch)(const IDX *x, int64_t length, spw_columns h, const int64_t *size, int64_t k);

/* Its row, and 0 where there is one sparse dimension. */
/*@ requires inside: columns_inside(h, length);
    requires readable: \valid_read(x + (0 .. length - 1)) && \valid_read(size + (0 .. h.sparse_dim - 1));
    requires valid: N(list_inside)(x, h, size);
    requires element: 0 <= k < h.nse;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == N(listed_row)(x, h, k);
    ensures inside: 0 <= \result && (h.sparse_dim < 2 ==> \result == 0) && (h.sparse_dim >= 2 ==> \result < size[h.sparse_dim - 2]); */
int64_t N(spw_listed_row)(const IDX *x, int64_t length, spw_columns h, const int64_t *size, int64_t k);

/* Its column. */
/*@ requires inside: columns_inside(h, length);
    requires readable: \valid_read(x + (0 .. length - 1)) && \valid_read(size + (0 .. h.sparse_dim - 1));
    requires valid: N(list_inside)(x, h, size);
    requires element: 0 <= k < h.nse;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == N(listed_column)(x, h, k);
    ensures inside: 0 <= \result < size[h.sparse_dim - 1]; */
int64_t N(spw_listed_column)(const IDX *x, int64_t length, spw_columns h, const int64_t *size, int64_t k);

/*@ ghost
  /@ // each element is the one at its position, and what is found is one
     requires inside: columns_inside(h, length);
     requires readable: \valid_read(x + (0 .. length - 1)) && \valid_read(size + (0 .. h.sparse_dim - 1));
     requires valid: N(list_valid)(x, h, size);
     terminates \true; exits \false; assigns \nothing;
     ensures order: N(lies_in_order)(x, h, size, h.nse);
     ensures found: \forall integer q, i, j; N(listed_at)(x, h, size, q, i, j, h.nse) == -1 ||
       (0 <= N(listed_at)(x, h, size, q, i, j, h.nse) < h.nse &&
        N(is_listed)(x, h, size, q, i, j, N(listed_at)(x, h, size, q, i, j, h.nse)));
     ensures there: \forall integer q, i, j, k; 0 <= k < h.nse && N(is_listed)(x, h, size, q, i, j, k) ==>
       N(listed_at)(x, h, size, q, i, j, h.nse) == k; @/
  void N(lem_listed_at)(const IDX *x, int64_t length, spw_columns h, const int64_t *size);

  /@ // where element k lies, one is found, whatever follows it
     requires element: 0 <= k < h.nse && N(is_listed)(x, h, size, q, i, j, k);
     terminates \true; exits \false; assigns \nothing;
     ensures found: k <= N(listed_at)(x, h, size, q, i, j, h.nse); @/
  void N(lem_listed_stays)(const IDX *x, spw_columns h, const int64_t *size, int64_t q, int64_t i, int64_t j, int64_t k);
*/

#endif
