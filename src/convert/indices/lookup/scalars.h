/* SPDX-License-Identifier: Apache-2.0 */
/* The scalars of a tensor of any layout by their positions: batch, row and column. */
#ifndef SPW_CONVERT_INDICES_LOOKUP_SCALARS_H
#define SPW_CONVERT_INDICES_LOOKUP_SCALARS_H

#include "block_at.h"
#include "listed_at.h"
#include "../../../view/grid.h"

typedef enum spw_order {
  SPW_ROW_LINES,    /* CSR, BSR */
  SPW_COLUMN_LINES, /* CSC, BSC */
  SPW_LIST,         /* COO */
  SPW_EVERYWHERE    /* dense, row-major */
} spw_order;

/* A valid tensor whose values lie one behind the other. Of its index arrays those of one type are there, and what the order asks
 * for: COO has plain indices only. */
typedef struct spw_scalars {
  spw_order order;
  int wide;                 /* indices are int64 */
  int64_t batches;
  int64_t rows, columns;    /* of scalars, in a batch */
  int64_t count;            /* scalars among the values */
  int64_t across, along;    /* scalars of a block across its line and along it */
  int64_t area;             /* of both */
  const int32_t *c32, *d32;
  const int64_t *c64, *d64;
  int64_t c_length, d_length;
  spw_grid grid;
  spw_columns listed;
  const int64_t *size;      /* of COO: the sparse ones */
} spw_scalars;

#include "../../../../spec/acsl/scalars.acsl"

/* Where the scalar at a position lies among the values; -1 where none is specified. Time: log2 of what lies in the line, of COO
 * log2 of all elements. */
/*@ requires valid: scalars_valid(s);
    requires position: position_inside(s, q, i, j);
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == scalar_at(s, q, i, j);
    ensures inside: -1 <= \result < s.count && (s.order == SPW_EVERYWHERE ==> 0 <= \result); */
int64_t spw_scalar_at(spw_scalars s, int64_t q, int64_t i, int64_t j);

/* Of compressed layouts: line x of batch q, and plain index e of the batch. */
/*@ requires valid: scalars_valid(s) && lines_valid(s);
    requires place: 0 <= q < s.batches && 0 <= x < s.grid.C;
    terminates \true; exits \false; assigns \nothing;
    ensures inside: 0 <= \result.begin <= \result.end <= s.grid.nse;
    ensures exact: line_of_scalars(s, q, x, \result.begin, \result.end); */
spw_line spw_line_of_scalars(spw_scalars s, int64_t q, int64_t x);

/*@ requires valid: scalars_valid(s) && lines_valid(s);
    requires place: 0 <= q < s.batches && 0 <= e < s.grid.nse;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == plain_at(s, q, e);
    ensures inside: 0 <= \result < s.grid.P; */
int64_t spw_plain_of(spw_scalars s, int64_t q, int64_t e);

/* Scalar (r, t) of block e of batch q. */
/*@ requires valid: scalars_valid(s) && lines_valid(s);
    requires place: 0 <= q < s.batches && 0 <= e < s.grid.nse && 0 <= r < s.across && 0 <= t < s.along;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == times(times(q, s.grid.nse) + e, s.area) + in_block(s, r, t);
    ensures inside: 0 <= \result < s.count; */
int64_t spw_scalar_of_block(spw_scalars s, int64_t q, int64_t e, int64_t r, int64_t t);

/* Of COO: where element k lies. */
typedef struct spw_coordinates {
  int64_t batch, row, column;
} spw_coordinates;

/*@ requires inside: listed_inside(s);
    requires element: 0 <= k < s.listed.nse;
    terminates \true; exits \false; assigns \nothing;
    ensures inside: 0 <= \result.batch < s.batches && 0 <= \result.row < s.rows && 0 <= \result.column < s.size[s.listed.sparse_dim - 1];
    ensures there: is_run(s, \result.batch, \result.row, \result.column, k); */
spw_coordinates spw_coordinates_of(spw_scalars s, int64_t k);

/* Which element lies at a position; -1 where none does. */
/*@ requires valid: scalars_valid(s) && s.order == SPW_LIST;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == run_at(s, q, i, y);
    ensures inside: -1 <= \result < s.listed.nse; */
int64_t spw_run_at(spw_scalars s, int64_t q, int64_t i, int64_t y);

/*@ ghost
  /@ // what is found at two positions is one element only where they are the same
     requires valid: scalars_valid(s) && s.order == SPW_LIST;
     terminates \true; exits \false; assigns \nothing;
     ensures range: \forall integer q, i, y; -1 <= run_at(s, q, i, y) < s.listed.nse;
     ensures once: \forall integer q, i, y, r, k, l; 0 <= run_at(s, q, i, y) && run_at(s, q, i, y) == run_at(s, r, k, l) ==>
       q == r && i == k && y == l;
     ensures own: \forall integer q, i, y, k; 0 <= k < s.listed.nse && is_run(s, q, i, y, k) ==> run_at(s, q, i, y) == k;
     ensures there: \forall integer q, i, y; 0 <= run_at(s, q, i, y) ==> is_run(s, q, i, y, run_at(s, q, i, y));
     ensures each: \forall integer k; 0 <= k < s.listed.nse ==> run_at(s, run_batch(s, k), run_row(s, k), run_column(s, k)) == k; @/
  void lem_runs_of_scalars(spw_scalars s);

  /@ // where element k lies, one is found, in order or not
     requires element: 0 <= k < s.listed.nse && is_run(s, q, i, y, k);
     terminates \true; exits \false; assigns \nothing;
     ensures found: k <= run_at(s, q, i, y); @/
  void lem_run_stays(spw_scalars s, int64_t q, int64_t i, int64_t y, int64_t k);
*/

/*@ ghost
  /@ // x in lines of m
     requires sizes: 0 <= n && 0 < m && 0 <= x < times(n, m);
     terminates \true; exits \false; assigns \nothing;
     ensures quotient: 0 <= x / m < n && 0 <= x % m < m && times(x / m, m) + x % m == x; @/
  void lem_quotient(int64_t n, int64_t m, int64_t x);

  /@ // all of them
     requires sizes: 0 <= n && 0 < m && times(n, m) <= INT64_MAX;
     terminates \true; exits \false; assigns \nothing;
     ensures quotients: \forall integer x; 0 <= x < times(n, m) ==> 0 <= x / m < n && 0 <= x % m < m && times(x / m, m) + x % m == x; @/
  void lem_quotients(int64_t n, int64_t m);

  /@ // scalar x of run n
     requires sizes: 0 <= n && 0 < m && 0 <= x < m && times(n, m) + x <= INT64_MAX;
     terminates \true; exits \false; assigns \nothing;
     ensures quotient: (times(n, m) + x) / m == n && (times(n, m) + x) % m == x; @/
  void lem_run(int64_t n, int64_t m, int64_t x);
*/

#endif
