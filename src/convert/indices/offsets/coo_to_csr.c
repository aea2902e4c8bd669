/* SPDX-License-Identifier: Apache-2.0 */
/* What the rules say of a matrix is what the kernels of lists ask for; then these. */
#ifndef IDX
#include "coo_to_csr.h"

#define SPW_TEMPLATE "../convert/indices/offsets/coo_to_csr.c"
#include "../../../core/each_index_type.h"

#else /* for each index type */

/*@ // coordinates are lines of indices
    predicate N(two_lines){D}(IDX *x, spw_columns g, IDX *row, IDX *plain) = \forall integer k; 0 <= k < g.nse ==>
      row[k] == N(coordinate)(x, g, 0, k) && plain[k] == N(coordinate)(x, g, 1, k);

    // lines c, d are those of a list
    predicate N(lines_of_list){L,D}(IDX *c, IDX *d, integer C, integer P, IDX *row, IDX *plain, integer n) =
      (\forall integer k; 0 <= k < n ==> N(cell_at){L}(c, d, \at(row[k],D), \at(plain[k],D)) == k) &&
      (\forall integer i, j; 0 <= i < C && 0 <= j < P && N(specified){L}(c, d, i, j) ==>
        0 <= N(cell_at){L}(c, d, i, j) < n && \at(row[N(cell_at){L}(c, d, i, j)],D) == i &&
        \at(plain[N(cell_at){L}(c, d, i, j)],D) == j);

    lemma N(list_of_matrix){L,D}: \forall IDX *c, IDX *d, integer C, P, IDX *x, spw_columns g, IDX *row, IDX *plain;
      N(two_lines){D}(x, g, row, plain) && N(lines_of_list){L,D}(c, d, C, P, row, plain, g.nse) ==>
      N(lines_of_matrix){L,D}(c, d, C, P, x, g);
*/

/*@ ghost
  /@ // each of them
     requires inside: 0 <= n && row == x + g.start && plain == x + (g.start + g.dim_stride) && g.stride == 1;
     terminates \true; exits \false; assigns \nothing;
     ensures rows: \forall integer k; 0 <= k < n ==> row[k] == N(coordinate)(x, g, 0, k);
     ensures plain: \forall integer k; 0 <= k < n ==> plain[k] == N(coordinate)(x, g, 1, k); @/
  void N(lem_two_lines)(const IDX *x, spw_columns g, int64_t n, const IDX *row, const IDX *plain) {
    /@ assert rows: \forall integer k; row + k == x + (g.start + 0 * g.dim_stride + k * g.stride); @/
    /@ assert plain: \forall integer k; plain + k == x + (g.start + 1 * g.dim_stride + k * g.stride); @/
  }
*/

/*@ // element k is behind the one before it
    predicate N(pair_follows){L}(IDX *x, spw_columns g, integer k) =
      N(coordinate)(x, g, 0, k - 1) < N(coordinate)(x, g, 0, k) ||
      (N(coordinate)(x, g, 0, k - 1) == N(coordinate)(x, g, 0, k) && N(coordinate)(x, g, 1, k - 1) < N(coordinate)(x, g, 1, k));

    lemma N(two_dimensions){L}: \forall IDX *x, spw_columns g, integer k; g.sparse_dim == 2 && N(follows)(x, g, k) ==>
      N(pair_follows)(x, g, k);

    lemma N(pairs_ascend){L}: \forall IDX *x, spw_columns g, integer k; g.sparse_dim == 2 && N(rule_6_7)(x, g) && 1 <= k < g.nse ==>
      N(pair_follows)(x, g, k);
*/

/*@ ghost
  /@ // a matrix in order is a list that ascends
     requires matrix: g.sparse_dim == 2 && 0 <= g.nse && N(rule_6_5)(x, g, size) && N(rule_6_6)(x, g, size) && N(rule_6_7)(x, g);
     requires rows: \forall integer k; 0 <= k < g.nse ==> row[k] == N(coordinate)(x, g, 0, k);
     requires plain: \forall integer k; 0 <= k < g.nse ==> plain[k] == N(coordinate)(x, g, 1, k);
     terminates \true; exits \false; assigns \nothing;
     ensures rows: N(minors)(row, g.nse, size[0]);
     ensures columns: N(minors)(plain, g.nse, size[1]);
     ensures ascends: N(list_ascends)(row, plain, g.nse); @/
  void N(lem_matrix_is_list)(const IDX *x, spw_columns g, const int64_t *size, const IDX *row, const IDX *plain) {
    /@ assert first: N(line_6_5)(x, g, size, 0, g.nse) && N(line_6_6)(x, g, size, 0, g.nse); @/
    /@ assert second: N(line_6_5)(x, g, size, 1, g.nse) && N(line_6_6)(x, g, size, 1, g.nse); @/
    /@ loop invariant range: 0 <= t <= g.nse;
       loop invariant ascends: N(list_ascends)(row, plain, t);
       loop assigns t; loop variant g.nse - t; @/
    for (int64_t t = 0; t < g.nse; t++) {
      /@ assert pair: 1 <= t ==> N(pair_follows)(x, g, t); @/
      /@ assert before: 1 <= t ==> row[t - 1] == N(coordinate)(x, g, 0, t - 1) && plain[t - 1] == N(coordinate)(x, g, 1, t - 1); @/
      /@ assert own: row[t] == N(coordinate)(x, g, 0, t) && plain[t] == N(coordinate)(x, g, 1, t); @/
      /@ assert step: 1 <= t ==> row[t - 1] < row[t] || (row[t - 1] == row[t] && plain[t - 1] < plain[t]); @/
    }
  }
*/

/* The list of rows and columns, wherever it lies. */
/*@ requires sizes: 0 <= rows <= IDX_MAX && rows < INT64_MAX && 0 <= columns && 0 <= n <= IDX_MAX;
    requires readable: \valid_read(row + (0 .. n - 1)) && \valid_read(plain + (0 .. n - 1));
    requires list: N(minors)(row, n, rows) && N(minors)(plain, n, columns) && N(list_ascends)(row, plain, n);
    requires writable: \valid(ptr + (0 .. rows)) && \valid(index + (0 .. n - 1));
    requires apart: \separated(ptr + (0 .. rows), row + (0 .. n - 1)) && \separated(index + (0 .. n - 1), row + (0 .. n - 1)) &&
      \separated(index + (0 .. n - 1), plain + (0 .. n - 1)) && \separated(ptr + (0 .. rows), index + (0 .. n - 1));
    terminates \true; exits \false; assigns ptr[0 .. rows], index[0 .. n - 1];
    ensures valid: N(lines_hold)(ptr, index, rows, columns, n);
    ensures meaning: N(lines_of_list){Post,Pre}(ptr, index, rows, columns, row, plain, n); */
/* level L2 */
static inline void N(list_to_lines)(const IDX *row, const IDX *plain, int64_t n, int64_t rows, int64_t columns, IDX *ptr,
                                    IDX *index)
{
  /*@ loop invariant range: 0 <= k <= n;
      loop invariant row: \forall integer m; 0 <= m < n ==> row[m] == \at(row[m],Pre);
      loop invariant plain: \forall integer m; 0 <= m < n ==> plain[m] == \at(plain[m],Pre);
      loop invariant copied: \forall integer m; 0 <= m < k ==> index[m] == \at(plain[m],Pre);
      loop assigns k, index[0 .. n - 1];
      loop variant n - k; */
  for (int64_t k = 0; k < n; k++) index[k] = plain[k];
  N(spw_compress_meaning)(row, index, n, rows, columns, ptr);
  //@ ghost N(lem_lines_fit)(ptr, index, rows, columns, n);
  /*@ assert row: \forall integer m; 0 <= m < n ==> row[m] == \at(row[m],Pre); */
  /*@ assert index: \forall integer m; 0 <= m < n ==> index[m] == \at(plain[m],Pre); */
  /*@ assert same: N(same_cells)(ptr, index, rows, columns, row, n); */
}

/* level L2 */
void N(spw_coo_to_csr)(const IDX *x, int64_t length, spw_columns g, const int64_t *size, IDX *ptr, IDX *index)
{
  (void)length;
  const int64_t rows = size[0], columns = size[1];
  const IDX *const row = x + g.start, *const plain = x + (g.start + g.dim_stride);
  //@ ghost N(lem_two_lines)(x, g, g.nse, row, plain);
  //@ ghost N(lem_matrix_is_list)(x, g, size, row, plain);
  //@ assert lines: N(two_lines)(x, g, row, plain);
  //@ ghost Start: ;
  N(list_to_lines)(row, plain, g.nse, rows, columns, ptr, index);
  //@ assert meaning: N(lines_of_matrix){Here,Start}(ptr, index, rows, columns, x, g);
}

#endif
