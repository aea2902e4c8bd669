/* SPDX-License-Identifier: Apache-2.0 */
/* Element by element. */
#ifndef IDX
#include "batch_columns.h"
#include "times_apart.h"
#include "times_at.h"

#define SPW_TEMPLATE "../../proofs/lemmas/batch_columns.c"
#include "../../src/core/each_index_type.h"

#else /* for each index type */

/*@ // elements before m have coordinates in range, and stand in order
    predicate N(columns_before){L}(IDX *x, integer all, spw_grid g, integer m) =
      (\forall integer e, t; 0 <= e < g.ndim && 0 <= t < m ==> 0 <= N(line_entry)(x, all, e, t) < g.shape[e]) &&
      (\forall integer t; 0 <= t < m ==> 0 <= N(line_entry)(x, all, g.ndim, t) < g.C && 0 <= N(line_entry)(x, all, g.ndim + 1, t) < g.P) &&
      (\forall integer t; 1 <= t < m ==> N(column_rises)(x, all, g.ndim + 2, t));

    // the first n coordinates of columns are the entries of lines
    predicate N(are_entries){L}(IDX *x, spw_columns h, integer n) =
      \forall integer d, t; 0 <= d < n ==> N(coordinate)(x, h, d, t) == N(line_entry)(x, h.nse, d, t);

    lemma N(rising_entries){L}: \forall IDX *x, spw_columns h, integer d, t; 0 <= d < h.sparse_dim &&
      N(are_entries)(x, h, h.sparse_dim) && N(rises_at)(x, h.nse, d, t) ==> N(follows)(x, h, t);

    lemma N(rising_column){L}: \forall IDX *x, spw_columns h, integer t; N(are_entries)(x, h, h.sparse_dim) &&
      N(column_rises)(x, h.nse, h.sparse_dim, t) ==> N(follows)(x, h, t);
*/

/*@ ghost
  /@ // the first element of a batch
     requires sizes: 0 <= g.ndim <= SPW_NDIM_MAX && 0 < g.nse && 1 <= q < g.batches && g.batches == product(g.shape, g.ndim);
     requires shape: \valid_read(g.shape + (0 .. g.ndim - 1)) && positive(g.shape, g.ndim);
     requires place: m == times(q, g.nse);
     requires before: N(batch_coordinates)(x, g, all, q - 1);
     requires own: N(batch_coordinates)(x, g, all, q);
     terminates \true; exits \false; assigns \nothing;
     ensures rises: N(column_rises)(x, all, g.ndim + 2, m); @/
  void N(lem_batch_rises)(const IDX *x, int64_t all, spw_grid g, int64_t q, int64_t m) {
    int64_t d = lem_batch_follows(g.shape, g.ndim, q);
    lem_times_at(q - 1, q, g.nse);
    /@ assert last: m - 1 == times(q - 1, g.nse) + (g.nse - 1); @/
    /@ assert before: \forall integer e; 0 <= e < g.ndim ==>
         N(line_entry)(x, all, e, m - 1) == batch_coordinate(g.shape, g.ndim, e, q - 1); @/
    /@ assert own: \forall integer e; 0 <= e < g.ndim ==>
         N(line_entry)(x, all, e, m) == batch_coordinate(g.shape, g.ndim, e, q); @/
    /@ assert rises: N(rises_at)(x, all, d, m); @/
  }

  /@ // and one behind it
     requires sizes: 0 <= g.ndim <= SPW_NDIM_MAX && 0 < k < g.nse && 0 <= q < g.batches;
     requires place: m == times(q, g.nse) + k;
     requires own: N(batch_coordinates)(x, g, all, q) && N(batch_positions)(x, g, all, q);
     terminates \true; exits \false; assigns \nothing;
     ensures rises: N(column_rises)(x, all, g.ndim + 2, m); @/
  void N(lem_position_rises)(const IDX *x, int64_t all, spw_grid g, int64_t q, int64_t k, int64_t m) {
    /@ assert agree: \forall integer e; 0 <= e < g.ndim ==> N(line_entry)(x, all, e, m - 1) == N(line_entry)(x, all, e, m); @/
    /@ assert next: N(line_entry)(x, all, g.ndim, m - 1) < N(line_entry)(x, all, g.ndim, m) ||
         (N(line_entry)(x, all, g.ndim, m - 1) == N(line_entry)(x, all, g.ndim, m) &&
          N(line_entry)(x, all, g.ndim + 1, m - 1) < N(line_entry)(x, all, g.ndim + 1, m)); @/
    /@ assert rises: N(rises_at)(x, all, g.ndim, m) || N(rises_at)(x, all, g.ndim + 1, m); @/
  }

  /@ requires sizes: 0 <= g.ndim <= SPW_NDIM_MAX && 0 <= g.batches && 0 <= g.nse && times(g.batches, g.nse) <= INT64_MAX;
     requires shape: \valid_read(g.shape + (0 .. g.ndim - 1)) && (g.batches > 0 ==> positive(g.shape, g.ndim)) &&
       g.batches == product(g.shape, g.ndim);
     requires coordinates: \forall integer q; 0 <= q < g.batches ==> N(batch_coordinates)(x, g, all, q);
     requires positions: \forall integer q; 0 <= q < g.batches ==> N(batch_positions)(x, g, all, q);
     terminates \true; exits \false; assigns \nothing;
     ensures all: N(columns_before)(x, all, g, times(g.batches, g.nse)); @/
  void N(lem_columns_rise)(const IDX *x, int64_t all, spw_grid g) {
    int64_t m = 0;
    lem_times_within(g.batches, g.nse);
    /@ loop invariant range: 0 <= q <= g.batches && m == times(q, g.nse);
       loop invariant before: N(columns_before)(x, all, g, m);
       loop assigns q, m; loop variant g.batches - q; @/
    for (int64_t q = 0; q < g.batches; q++) {
      lem_coordinates_below(g.shape, g.ndim, q);
      /@ assert own: N(batch_coordinates)(x, g, all, q) && N(batch_positions)(x, g, all, q); @/
      /@ assert place: m + g.nse == times(q + 1, g.nse) <= times(g.batches, g.nse); @/
      /@ loop invariant range: 0 <= k <= g.nse && m == times(q, g.nse) + k;
         loop invariant before: N(columns_before)(x, all, g, m);
         loop assigns k, m; loop variant g.nse - k; @/
      for (int64_t k = 0; k < g.nse; k++) {
        if (k > 0) N(lem_position_rises)(x, all, g, q, k, m);
        else if (q > 0) N(lem_batch_rises)(x, all, g, q, m);
        /@ assert rises: 1 <= m ==> N(column_rises)(x, all, g.ndim + 2, m); @/
        /@ assert coordinates: \forall integer e; 0 <= e < g.ndim ==>
             N(line_entry)(x, all, e, m) == batch_coordinate(g.shape, g.ndim, e, q); @/
        m = m + 1;
      }
    }
  }

  /@ requires sizes: 0 <= h.sparse_dim && 0 <= h.nse && h.start == 0 && h.dim_stride == h.nse && h.stride == 1;
     terminates \true; exits \false; assigns \nothing;
     ensures entries: N(are_entries)(x, h, h.sparse_dim); @/
  void N(lem_entries)(const IDX *x, spw_columns h) {
    lem_times_apart(h.sparse_dim, h.nse);
    /@ loop invariant range: 0 <= e <= h.sparse_dim;
       loop invariant entries: N(are_entries)(x, h, e);
       loop assigns e; loop variant h.sparse_dim - e; @/
    for (int64_t e = 0; e < h.sparse_dim; e++) {
      /@ assert start: e * h.dim_stride == times(e, h.nse); @/
      /@ assert line: \forall integer t; N(coordinate)(x, h, e, t) == N(line_entry)(x, h.nse, e, t); @/
    }
  }

  /@ requires entries: N(are_entries)(x, h, h.sparse_dim);
     requires rise: h.sparse_dim == g.ndim + 2 && N(columns_before)(x, h.nse, g, h.nse);
     terminates \true; exits \false; assigns \nothing;
     ensures canonical: N(rule_6_7)(x, h); @/
  void N(lem_follow)(const IDX *x, spw_columns h, spw_grid g) {
    int64_t n = g.ndim + 2;
    /@ assert rise: \forall integer t; 1 <= t < h.nse ==> N(column_rises)(x, h.nse, n, t); @/
    /@ assert same: \forall integer t; 1 <= t < h.nse ==> N(column_rises)(x, h.nse, h.sparse_dim, t); @/
  }

  void N(lem_batches_are_columns)(const IDX *x, spw_columns h, spw_grid g, const int64_t *size) {
    lem_times_within(g.batches, g.nse);
    N(lem_columns_rise)(x, h.nse, g);
    N(lem_entries)(x, h);
    N(lem_follow)(x, h, g);
    /@ assert lower: N(rule_6_5)(x, h, size); @/
    /@ assert upper: N(rule_6_6)(x, h, size); @/
  }
*/

#endif
