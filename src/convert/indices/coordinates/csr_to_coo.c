/* SPDX-License-Identifier: Apache-2.0 */
/* A list of all batches is a valid tensor. */
#ifndef IDX
#include "csr_to_coo.h"
#include "list_part.h"
#include "../../../../proofs/lemmas/times_apart.h"
#include "../../../../proofs/lemmas/times_at.h"
#include "../../../../proofs/lemmas/grid_frame.h"

/*@ logic integer times_size{L}(int64_t *shape, integer n, integer p) = p * shape[n];

    lemma next_product{L}: \forall int64_t *shape, integer n; 0 <= n ==>
      product(shape, n + 1) == times_size(shape, n, product(shape, n));

    lemma same_times_size{K,L}: \forall int64_t *shape, integer n, m, p; 0 <= n < m && same_sizes{K,L}(shape, m) ==>
      times_size{K}(shape, n, p) == times_size{L}(shape, n, p);

    lemma one_product_more{K,L}: \forall int64_t *shape, integer n, m; 0 <= n < m && products_same{K,L}(shape, n) &&
      same_sizes{K,L}(shape, m) ==> products_same{K,L}(shape, n + 1);
*/

#define SPW_TEMPLATE "../../spec/acsl/unchanged_indices.acsl"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../../spec/acsl/lines_within.acsl"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/lines_frame.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/cells_frame.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/listed_frame.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/indices/coordinates/csr_to_coo.c"
#include "../../../core/each_index_type.h"

#else /* for each index type */

/*@ lemma N(rows_of_all){L,D}: \forall IDX *c, IDX *d, spw_grid g, IDX *row; N(rows_of_part){L,D}(c, d, g, 0, row) ==>
      N(rows_listed_before){L,D}(c, d, g, g.batches, row);

    lemma N(plain_of_all){L,D}: \forall IDX *plain, IDX *d, spw_grid g; N(plain_of_part){L,D}(plain, d, g, 0) ==>
      N(plain_listed){L,D}(plain, d, g, g.batches);

    lemma N(positions_of_all){L}: \forall IDX *row, IDX *plain, spw_grid g; N(positions_of_part){L}(row, plain, g, 0) ==>
      N(positions_listed){L}(row, plain, g, g.batches);
*/

/*@ ghost
  /@ // element m, which is element k of a batch, of line e
     requires element: 0 <= k < g.nse && part + k == x + (times(e, all) + m);
     requires listed: N(coordinate_listed){Here,Here}(part, g, e, q);
     terminates \true; exits \false; assigns \nothing;
     ensures entry: N(line_entry)(x, all, e, m) == batch_coordinate(g.shape, g.ndim, e, q); @/
  void N(lem_coordinate_entry)(const IDX *x, int64_t all, spw_grid g, int64_t e, int64_t q, int64_t k, int64_t m, const IDX *part) {
    /@ assert own: part[k] == batch_coordinate(g.shape, g.ndim, e, q); @/
  }

  /@ // of batch q, of which the positions are row and column
     requires sizes: 0 <= g.nse && 0 <= at && at + g.nse <= INT64_MAX && at == times(q, g.nse);
     requires rows: \forall integer k; row + k == x + (times(g.ndim, all) + (at + k));
     requires columns: \forall integer k; column + k == x + (times(g.ndim + 1, all) + (at + k));
     requires positions: N(positions)(row, column, g.nse, g.C, g.P);
     terminates \true; exits \false; assigns \nothing;
     ensures positions: N(batch_positions)(x, g, all, q); @/
  void N(lem_batch_positions)(const IDX *x, int64_t all, spw_grid g, int64_t q, int64_t at, const IDX *row, const IDX *column) {
    int64_t m = at;
    /@ loop invariant range: 0 <= k <= g.nse && m == at + k;
       loop invariant positions: N(has_positions)(x, g, all, at, m);
       loop assigns k, m; loop variant g.nse - k; @/
    for (int64_t k = 0; k < g.nse; k++) {
      /@ assert row: N(line_entry)(x, all, g.ndim, m) == row[k]; @/
      /@ assert column: N(line_entry)(x, all, g.ndim + 1, m) == column[k]; @/
      /@ assert row_before: N(line_entry)(x, all, g.ndim, m - 1) == row[k - 1]; @/
      /@ assert column_before: N(line_entry)(x, all, g.ndim + 1, m - 1) == column[k - 1]; @/
      m = m + 1;
    }
  }

  /@ requires sizes: 0 <= g.ndim <= SPW_NDIM_MAX && 0 < g.batches && 0 < g.nse && all == times(g.batches, g.nse);
     requires memory: times(g.ndim, all) <= INT64_MAX && 0 <= times(g.ndim, all) && \valid_read(x + (0 .. times(g.ndim + 1, all) - 1));
     requires place: 0 <= q < g.batches && at == times(q, g.nse) && 0 <= at && at + g.nse <= all;
     requires listed: N(lines_listed){Here,Here}(x, g, all);
     terminates \true; exits \false; assigns \nothing;
     ensures coordinates: N(batch_coordinates)(x, g, all, q); @/
  void N(lem_batch_coordinates)(const IDX *x, int64_t all, spw_grid g, int64_t q, int64_t at) {
    lem_times_apart(g.ndim, all);
    /@ loop invariant range: 0 <= e <= g.ndim;
       loop invariant entries: \forall integer t, m; 0 <= t < e && at <= m < at + g.nse ==>
         N(line_entry)(x, all, t, m) == batch_coordinate(g.shape, g.ndim, t, q);
       loop assigns e; loop variant g.ndim - e; @/
    for (int64_t e = 0; e < g.ndim; e++) {
      /@ assert place: e * all == times(e, all) && times(e, all) + all <= times(g.ndim, all); @/
      const IDX *line = x + e * all;
      /@ assert line: line == x + times(e, all); @/
      /@ assert whole: N(coordinates_listed){Here,Here}(line, g, e, 0, g.batches); @/
      const IDX *part = line + at;
      /@ assert part: N(coordinate_listed){Here,Here}(line + times(q, g.nse), g, e, q); @/
      int64_t m = at;
      /@ loop invariant range: 0 <= k <= g.nse && m == at + k;
         loop invariant entries: \forall integer t; at <= t < m ==> N(line_entry)(x, all, e, t) == batch_coordinate(g.shape, g.ndim, e, q);
         loop assigns k, m; loop variant g.nse - k; @/
      for (int64_t k = 0; k < g.nse; k++) {
        N(lem_coordinate_entry)(x, all, g, e, q, k, m, part);
        m = m + 1;
      }
    }
  }

  /@ requires batch: 0 <= q < g.batches && at == times(q, g.nse) && N(positions_listed)(row, plain, g, g.batches);
     terminates \true; exits \false; assigns \nothing;
     ensures own: N(positions)(row + at, plain + at, g.nse, g.C, g.P); @/
  void N(lem_a_batch)(const IDX *row, const IDX *plain, spw_grid g, int64_t q, int64_t at) {
    /@ assert own: N(positions)(row + times(q, g.nse), plain + times(q, g.nse), g.nse, g.C, g.P); @/
  }

  /@ requires columns: columns_of_batches(h, g) && times(h.sparse_dim, h.nse) <= INT64_MAX && 0 < g.batches && 0 < g.nse;
     requires shape: 0 <= g.ndim <= SPW_NDIM_MAX && \valid_read(g.shape + (0 .. g.ndim - 1)) && positive(g.shape, g.ndim) &&
       g.batches == product(g.shape, g.ndim);
     requires memory: \valid_read(x + (0 .. times(h.sparse_dim, h.nse) - 1));
     requires rows: row == x + times(g.ndim, h.nse) && plain == x + times(g.ndim + 1, h.nse);
     requires size: size_of_batches(size, g);
     requires coordinates: N(lines_listed){Here,Here}(x, g, h.nse);
     requires positions: N(positions_listed)(row, plain, g, g.batches);
     terminates \true; exits \false; assigns \nothing;
     ensures valid: N(rule_6_5)(x, h, size) && N(rule_6_6)(x, h, size) && N(rule_6_7)(x, h); @/
  void N(lem_lines_are_columns)(const IDX *x, spw_columns h, spw_grid g, const int64_t *size, const IDX *row, const IDX *plain) {
    int64_t at = 0;
    lem_times_within(g.batches, g.nse);
    lem_times_apart(h.sparse_dim, h.nse);
    /@ loop invariant range: 0 <= q <= g.batches && at == times(q, g.nse);
       loop invariant coordinates: \forall integer t; 0 <= t < q ==> N(batch_coordinates)(x, g, h.nse, t);
       loop invariant positions: \forall integer t; 0 <= t < q ==> N(batch_positions)(x, g, h.nse, t);
       loop assigns q, at; loop variant g.batches - q; @/
    for (int64_t q = 0; q < g.batches; q++) {
      /@ assert place: 0 <= at && at + g.nse == times(q + 1, g.nse) <= h.nse; @/
      N(lem_batch_coordinates)(x, h.nse, g, q, at);
      N(lem_a_batch)(row, plain, g, q, at);
      N(lem_batch_positions)(x, h.nse, g, q, at, row + at, plain + at);
      at = at + g.nse;
    }
    N(lem_batches_are_columns)(x, h, g, size);
  }
*/

/* level L2 */
void N(spw_csr_to_coo)(const IDX *c, int64_t c_length, const IDX *d, int64_t d_length, spw_grid g, spw_columns h,
                       const int64_t *size, IDX *x)
{
  (void)size;
  //@ ghost lem_times_within(g.batches, g.nse);
  //@ ghost lem_times_apart(h.sparse_dim, h.nse);
  N(spw_list_part)(c, c_length, d, d_length, g, g, 0, h.nse, x);
  //@ assert listed: N(lines_listed){Here,Pre}(x, g, h.nse);
  //@ assert plain_end: N(plain_listed){Here,Pre}(x + times(g.ndim + 1, h.nse), d, g, g.batches);
  //@ assert rows_end: N(rows_listed_before){Here,Pre}(c, d, g, g.batches, x + times(g.ndim, h.nse));
  //@ assert positions: N(positions_listed)(x + times(g.ndim, h.nse), x + times(g.ndim + 1, h.nse), g, g.batches);
  //@ assert shape_end: same_sizes{Pre,Here}(g.shape, g.ndim);
  //@ assert size_end: same_sizes{Pre,Here}(size, g.ndim + 2);
  //@ assert size: size_of_batches(size, g);
  /*@ ghost
    /@ loop invariant range: 0 <= t <= g.ndim;
       loop invariant rests: rests_same{Pre,Here}(g.shape, g.ndim, t);
       loop assigns t; loop variant t; @/
    for (int64_t t = g.ndim; t > 0; t--) {
      /@ assert size: g.shape[t - 1] == \at(g.shape[\at(t,Here) - 1],Pre); @/
      /@ assert own: \forall integer b; rest_of{Here}(g.shape, g.ndim, t - 1, b) == rest_of{Here}(g.shape, g.ndim, t, b) / g.shape[t - 1]; @/
      /@ assert pre: \forall integer b; rest_of{Pre}(g.shape, g.ndim, t - 1, b) ==
           rest_of{Pre}(g.shape, g.ndim, t, b) / \at(g.shape[\at(t,Here) - 1],Pre); @/
    }
  */
  //@ assert rests: rests_same{Pre,Here}(g.shape, g.ndim, 0);
  //@ assert still: N(lines_listed){Here,Here}(x, g, h.nse);
  /*@ ghost
    /@ loop invariant range: 0 <= t <= g.ndim;
       loop invariant products: products_same{Pre,Here}(g.shape, t);
       loop assigns t; loop variant g.ndim - t; @/
    for (int64_t t = 0; t < g.ndim; t++) { }
  */
  //@ assert row: 0 <= g.ndim * h.nse == times(g.ndim, h.nse);
  //@ assert plain: times(g.ndim, h.nse) + h.nse == times(g.ndim + 1, h.nse);
  //@ assert end: times(g.ndim + 1, h.nse) + h.nse == times(h.sparse_dim, h.nse);
  //@ ghost const IDX *row = x + g.ndim * h.nse;
  //@ ghost const IDX *plain = row + h.nse;
  //@ ghost N(lem_lines_are_columns)(x, h, g, size, row, plain);
}

#endif
