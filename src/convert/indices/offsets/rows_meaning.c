/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of lines and cells of a list, in one memory; then the kernels, whose input is as it was. */
#ifndef IDX
#include "rows_meaning.h"

#define SPW_TEMPLATE "../convert/indices/offsets/rows_meaning.c"
#include "../../../core/each_index_type.h"

#else /* for each index type */

/*@ ghost
  /@ // neighbours in order make a list ascend
     requires size: 0 <= n && N(list_ascends)(row, d, n);
     terminates \true; exits \false; assigns \nothing;
     ensures sorted: \forall integer a, b; 0 <= a <= b < n ==> row[a] <= row[b]; @/
  void N(lem_list_sorted)(const IDX *row, const IDX *d, int64_t n) {
    /@ loop invariant range: 0 <= t <= n;
       loop invariant sorted: \forall integer a, b; 0 <= a <= b < t ==> row[a] <= row[b];
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++) {
      /@ assert step: 0 < t ==> row[t - 1] <= row[t]; @/
    }
  }
*/

/*@ ghost
  /@ // a list whose rows are the lines of elements ascends where the lines do
     requires sizes: 0 <= C < INT64_MAX && 0 <= n && N(offsets)(c, C, n) && N(rule_5_6)(c, d, C, P, n);
     requires readable: \valid_read(c + (0 .. C));
     requires rows: \forall integer k; 0 <= k < n ==> row[k] == N(line_of)(c, C, k);
     terminates \true; exits \false; assigns \nothing;
     ensures ordered: N(list_ascends)(row, d, n); @/
  void N(lem_rows_ascend)(const IDX *c, const IDX *d, int64_t C, int64_t P, int64_t n, const IDX *row) {
    N(lem_line_of)(c, C, n);
    N(lem_line_order)(c, C, n);
    /@ loop invariant range: 0 <= t <= n;
       loop invariant ordered: N(list_ascends)(row, d, t);
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++) {
      /@ assert line: 0 <= row[t] < C && c[row[t]] <= t < c[row[t] + 1]; @/
      /@ assert row: N(ascending_row)(d, c[row[t]], c[row[t] + 1]); @/
      /@ assert before: 0 < t ==> row[t - 1] <= row[t] && c[row[t - 1]] <= t - 1; @/
      /@ assert next: 0 < t && row[t - 1] == row[t] ==> d[t - 1] < d[t]; @/
    }
  }
*/

/*@ ghost
  /@ // and lines ascend where such a list does
     requires sizes: 0 <= C < INT64_MAX && 0 <= n && N(offsets)(c, C, n) && N(list_ascends)(row, d, n);
     requires readable: \valid_read(c + (0 .. C));
     requires rows: \forall integer k; 0 <= k < n ==> row[k] == N(line_of)(c, C, k);
     terminates \true; exits \false; assigns \nothing;
     ensures canonical: N(rule_5_6)(c, d, C, P, n); @/
  void N(lem_lines_ascend)(const IDX *c, const IDX *d, int64_t C, int64_t P, int64_t n, const IDX *row) {
    N(lem_line_only)(c, C, n);
    /@ loop invariant range: 0 <= t <= C;
       loop invariant rows: \forall integer r; 0 <= r < t ==> N(ascending_row)(d, c[r], c[r + 1]);
       loop assigns t; loop variant C - t; @/
    for (int64_t t = 0; t < C; t++) {
      /@ assert line: 0 <= c[t] <= c[t + 1] <= n; @/
      /@ assert rows: \forall integer k; c[t] <= k < c[t + 1] ==> row[k] == t; @/
      /@ assert row: N(ascending_row)(d, c[t], c[t + 1]); @/
    }
  }
*/

/*@ ghost
  /@ // the cells are the same
     requires sizes: 0 <= C < INT64_MAX && 0 <= n && N(offsets)(c, C, n) && N(rule_5_6)(c, d, C, P, n);
     requires readable: \valid_read(c + (0 .. C));
     requires rows: \forall integer k; 0 <= k < n ==> row[k] == N(line_of)(c, C, k);
     terminates \true; exits \false; assigns \nothing;
     ensures same: N(same_cells)(c, d, C, P, row, n); @/
  void N(lem_same_cells)(const IDX *c, const IDX *d, int64_t C, int64_t P, int64_t n, const IDX *row) {
    N(lem_line_of)(c, C, n);
    N(lem_cell_at)(c, d, C, P, n);
    /@ assert lines: \forall integer k; 0 <= k < n ==> 0 <= row[k] < C && c[row[k]] <= k < c[row[k] + 1]; @/
    /@ assert places: \forall integer k; 0 <= k < n ==> N(cell_at)(c, d, row[k], d[k]) == k; @/
    /@ assert cells: \forall integer i, j; 0 <= i < C && N(specified)(c, d, i, j) ==>
         0 <= N(cell_at)(c, d, i, j) < n && d[N(cell_at)(c, d, i, j)] == j &&
         N(line_of)(c, C, N(cell_at)(c, d, i, j)) == i; @/
  }
*/

/* level L2 */
void N(spw_expand_meaning)(const IDX *ptr, const IDX *plain, int64_t major, int64_t columns, int64_t n, IDX *out_row)
{
  (void)plain, (void)columns;
  //@ ghost N(lem_line_only)(ptr, major, n);
  N(spw_expand_rows)(ptr, major, n, out_row);
  /*@ assert kept_ptr: \forall integer i; 0 <= i <= major ==> ptr[i] == \at(ptr[i],Pre); */
  /*@ assert kept_plain: \forall integer k; 0 <= k < n ==> plain[k] == \at(plain[k],Pre); */
  /*@ ghost
    /@ loop invariant range: 0 <= t <= major;
       loop invariant lines: \forall integer k; N(line_of)(ptr, t, k) == N(line_of){Pre}(ptr, t, k);
       loop invariant rows: \forall integer r; 0 <= r < t ==> N(ascending_row)(plain, ptr[r], ptr[r + 1]);
       loop assigns t; loop variant major - t; @/
    for (int64_t t = 0; t < major; t++) {
      /@ assert same: ptr[t] == \at(ptr[\at(t,Here)],Pre) && ptr[t + 1] == \at(ptr[\at(t,Here) + 1],Pre); @/
      /@ assert row: N(ascending_row){Pre}(plain, \at(ptr[\at(t,Here)],Pre), \at(ptr[\at(t,Here) + 1],Pre)); @/
      /@ assert inside: 0 <= ptr[t] <= ptr[t + 1] <= n; @/
    }
  */
  //@ assert canonical: N(offsets)(ptr, major, n) && N(rule_5_6)(ptr, plain, major, columns, n);
  //@ ghost N(lem_rows_ascend)(ptr, plain, major, columns, n, out_row);
  //@ ghost N(lem_same_cells)(ptr, plain, major, columns, n, out_row);
}

/* level L2 */
void N(spw_compress_meaning)(const IDX *row, const IDX *plain, int64_t n, int64_t major, int64_t columns, IDX *out_ptr)
{
  (void)plain, (void)columns;
  //@ ghost N(lem_list_sorted)(row, plain, n);
  N(spw_compress_rows)(row, n, major, out_ptr);
  /*@ assert kept_row: \forall integer k; 0 <= k < n ==> row[k] == \at(row[k],Pre); */
  /*@ assert kept_plain: \forall integer k; 0 <= k < n ==> plain[k] == \at(plain[k],Pre); */
  //@ assert list: N(list_ascends)(row, plain, n);
  //@ ghost N(lem_line_of)(out_ptr, major, n);
  //@ assert lines: \forall integer k; 0 <= k < n ==> row[k] == N(line_of)(out_ptr, major, k);
  //@ ghost N(lem_lines_ascend)(out_ptr, plain, major, columns, n, row);
  //@ ghost N(lem_same_cells)(out_ptr, plain, major, columns, n, row);
}

#endif
