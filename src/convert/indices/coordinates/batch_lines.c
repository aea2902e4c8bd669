/* SPDX-License-Identifier: Apache-2.0 */
/* One batch after the other. */
#ifndef IDX
#include "batch_lines.h"
#include "../offsets/rows_meaning.h"
#include "../../../../proofs/lemmas/times_at.h"
#include "../../../../proofs/lemmas/times_part.h"
#include "../../../../proofs/lemmas/grid_frame.h"

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

#define SPW_TEMPLATE "../../proofs/lemmas/batch_rules.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/indices/coordinates/batch_lines.c"
#include "../../../core/each_index_type.h"

#else /* for each index type */

/*@ predicate N(filled){L}(IDX *part, integer n, integer own) = \forall integer k; 0 <= k < n ==> part[k] == own;

    lemma N(filled_coordinate){L,D}: \forall IDX *part, spw_grid g, integer e, q, own;
      own == batch_coordinate{D}(g.shape, g.ndim, e, q) && N(filled){L}(part, g.nse, own) ==>
      N(coordinate_listed){L,D}(part, g, e, q);
*/

/*@ requires writable: 0 <= n && \valid(to + (0 .. n - 1));
    terminates \true; exits \false; assigns to[0 .. n - 1];
    ensures filled: N(filled)(to, n, own); */
/* level L2 */
static inline void N(fill)(IDX *to, int64_t n, IDX own)
{
  /*@ loop invariant range: 0 <= k <= n;
      loop invariant filled: \forall integer m; 0 <= m < k ==> to[m] == own;
      loop assigns k, to[0 .. n - 1];
      loop variant n - k; */
  for (int64_t k = 0; k < n; k++) to[k] = own;
}

/*@ requires memory: 0 <= n && \valid_read(from + (0 .. n - 1)) && \valid(to + (0 .. n - 1));
    requires apart: \separated(from + (0 .. n - 1), to + (0 .. n - 1));
    terminates \true; exits \false; assigns to[0 .. n - 1];
    ensures copied: N(copied){Post,Pre}(to, from, n); */
/* level L2 */
static inline void N(copy_indices)(const IDX *from, int64_t n, IDX *to)
{
  /*@ loop invariant range: 0 <= k <= n;
      loop invariant kept: \forall integer m; 0 <= m < n ==> from[m] == \at(from[m],Pre);
      loop invariant copied: \forall integer m; 0 <= m < k ==> to[m] == \at(from[m],Pre);
      loop assigns k, to[0 .. n - 1];
      loop variant n - k; */
  for (int64_t k = 0; k < n; k++) to[k] = from[k];
}

/* level L2 */
void N(spw_list_coordinates)(spw_grid g, int64_t from, int64_t to, int64_t e, IDX *line)
{
  if (g.nse == 0) return;
  //@ ghost lem_times_at(0, from, g.nse);
  //@ ghost lem_times_at(from, to, g.nse);
  //@ ghost lem_times_product(from, g.nse);
  int64_t at = from * g.nse;
  /*@ loop invariant range: from <= b <= to && at == times(b, g.nse);
      loop invariant shape: same_sizes{Pre,Here}(g.shape, g.ndim);
      loop invariant listed: N(coordinates_listed){Here,Pre}(line, g, e, from, b);
      loop assigns b, at, line[times(from, g.nse) .. times(to, g.nse) - 1];
      loop variant to - b; */
  for (int64_t b = from; b < to; b++) {
    //@ ghost lem_times_at(from, b, g.nse);
    //@ ghost lem_times_at(b, to, g.nse);
    //@ assert place: times(from, g.nse) <= at && at + g.nse == times(b + 1, g.nse) <= times(to, g.nse);
    //@ assert positive: positive(g.shape, g.ndim);
    /*@ ghost
      /@ loop invariant range: 0 <= t <= g.ndim;
         loop invariant rest: \forall integer i; t <= i <= g.ndim ==>
           rest_of{Pre}(g.shape, g.ndim, i, b) == rest_of{Here}(g.shape, g.ndim, i, b);
         loop assigns t; loop variant t; @/
      for (int64_t t = g.ndim; t > 0; t--) {
        /@ assert size: g.shape[t - 1] == \at(g.shape[\at(t,Here) - 1],Pre); @/
        /@ assert before: rest_of{Here}(g.shape, g.ndim, t - 1, b) == rest_of{Here}(g.shape, g.ndim, t, b) / g.shape[t - 1]; @/
        /@ assert pre: rest_of{Pre}(g.shape, g.ndim, t - 1, b) ==
             rest_of{Pre}(g.shape, g.ndim, t, b) / \at(g.shape[\at(t,Here) - 1],Pre); @/
      }
    */
    const int64_t own = spw_batch_coordinate(g.shape, g.ndim, e, b);
    //@ assert own: own == batch_coordinate{Pre}(g.shape, g.ndim, e, b);
    //@ ghost lem_times_within(b, g.nse);
    //@ ghost Before: ;
    N(fill)(line + at, g.nse, (IDX)own);
    /*@ assert same: N(parts_same){Before,Here}(line, b, g.nse); */
    /*@ assert filled: N(filled)(line + at, g.nse, own); */
    /*@ assert there: N(coordinate_listed){Here,Pre}(line + at, g, e, b); */
    /*@ assert newest: N(coordinate_listed){Here,Pre}(line + times(b, g.nse), g, e, b); */
    /*@ assert before: N(coordinates_listed){Before,Pre}(line, g, e, from, b); */
    /*@ assert older: N(coordinates_listed){Here,Pre}(line, g, e, from, b); */
    /*@ assert all: N(coordinates_listed){Here,Pre}(line, g, e, from, b + 1); */
    at += g.nse;
  }
}

/* level L2 */
void N(spw_list_plain)(const IDX *d, int64_t c_length, int64_t d_length, spw_grid g, IDX *plain)
{
  (void)c_length, (void)d_length;
  if (g.nse == 0) return;
  //@ ghost lem_times_within(g.batches, g.nse);
  int64_t at = 0;
  /*@ loop invariant range: 0 <= b <= g.batches && at == times(b, g.nse);
      loop invariant inside: grid_inside(g, c_length, d_length);
      loop invariant starts: grid_same{Pre,Here}(g);
      loop invariant source: N(same_indices){Pre,Here}(d, d_length);
      loop invariant listed: N(plain_listed){Here,Pre}(plain, d, g, b);
      loop invariant within: plain_within{Pre}(g, b, d_length);
      loop assigns b, at, plain[0 .. times(g.batches, g.nse) - 1];
      loop variant g.batches - b; */
  for (int64_t b = 0; b < g.batches; b++) {
    //@ assert place: 0 <= at && at + g.nse == times(b + 1, g.nse) <= times(g.batches, g.nse);
    const int64_t start = spw_plain_start(g, b);
    //@ assert start: start == plain_start{Pre}(g, b);
    //@ assert inside: 0 <= start && start + g.nse <= d_length;
    //@ ghost lem_times_within(b, g.nse);
    //@ ghost Before: ;
    N(copy_indices)(d + start, g.nse, plain + at);
    /*@ assert same: N(parts_same){Before,Here}(plain, b, g.nse); */
    /*@ assert there: N(copied){Here,Before}(plain + at, d + start, g.nse); */
    /*@ assert kept: N(same_indices){Pre,Before}(d + start, g.nse); */
    /*@ assert newest: N(copied){Here,Pre}(plain + times(b, g.nse), d + plain_start{Pre}(g, b), g.nse); */
    /*@ assert before: N(plain_listed){Before,Pre}(plain, d, g, b); */
    /*@ assert older: N(plain_listed){Here,Pre}(plain, d, g, b); */
    /*@ assert all: N(plain_listed){Here,Pre}(plain, d, g, b + 1); */
    /*@ assert shape: same_sizes{Before,Here}(g.shape, g.ndim); */
    /*@ assert c_strides: same_sizes{Before,Here}(g.c_strides, g.ndim); */
    /*@ assert p_strides: same_sizes{Before,Here}(g.p_strides, g.ndim); */
    /*@ ghost
      /@ loop invariant range: 0 <= t <= g.ndim;
         loop invariant places: places_same{Before,Here}(g.shape, g.c_strides, t) && places_same{Before,Here}(g.shape, g.p_strides, t);
         loop invariant reach: reach_same{Before,Here}(g.shape, g.c_strides, t) && reach_same{Before,Here}(g.shape, g.p_strides, t);
         loop assigns t; loop variant g.ndim - t; @/
      for (int64_t t = 0; t < g.ndim; t++) { }
    */
    //@ assert grid: grid_same{Before,Here}(g);
    at += g.nse;
  }
}

/* One batch. The rest of the grid is named because it stays. */
/*@ requires sizes: 0 <= g.C <= IDX_MAX && g.C < INT64_MAX && 0 <= g.P && 0 <= g.nse <= IDX_MAX;
    requires readable: \valid_read(c + (0 .. g.C)) && \valid_read(d + (0 .. g.nse - 1));
    requires lines: N(offsets)(c, g.C, g.nse) && N(minors)(d, g.nse, g.P) && N(rule_5_6)(c, d, g.C, g.P, g.nse);
    requires writable: \valid(row + (0 .. g.nse - 1));
    requires apart: \separated(c + (0 .. g.C), row + (0 .. g.nse - 1)) && \separated(d + (0 .. g.nse - 1), row + (0 .. g.nse - 1));
    requires apart_shape: \separated(row + (0 .. g.nse - 1), g.shape + (0 .. g.ndim - 1));
    requires apart_c: \separated(row + (0 .. g.nse - 1), g.c_strides + (0 .. g.ndim - 1));
    requires apart_p: \separated(row + (0 .. g.nse - 1), g.p_strides + (0 .. g.ndim - 1));
    terminates \true; exits \false; assigns row[0 .. g.nse - 1];
    ensures listed: N(cells_listed){Post,Pre}(c, d, g.C, g.P, row, g.nse);
    ensures ascend: N(listed_ascends){Post,Pre}(row, d, g.nse);
    ensures shape: same_sizes{Pre,Post}(g.shape, g.ndim);
    ensures c_strides: same_sizes{Pre,Post}(g.c_strides, g.ndim);
    ensures p_strides: same_sizes{Pre,Post}(g.p_strides, g.ndim); */
/* level L2 */
static inline void N(list_batch)(const IDX *c, const IDX *d, spw_grid g, IDX *row)
{
  //@ ghost N(lem_line_only)(c, g.C, g.nse);
  N(spw_expand_meaning)(c, d, g.C, g.P, g.nse, row);
  /*@ assert same_c: N(same_indices){Pre,Here}(c, g.C + 1); */
  /*@ assert same_d: N(same_indices){Pre,Here}(d, g.nse); */
  /*@ ghost
    /@ loop invariant range: 0 <= t <= g.nse;
       loop invariant cells: N(cells_same){Pre,Here}(d, t);
       loop assigns t; loop variant g.nse - t; @/
    for (int64_t t = 0; t < g.nse; t++) { }
  */
  /*@ assert lines: \forall integer i; 0 <= i < g.C ==> 0 <= \at(c[i],Pre) <= \at(c[i + 1],Pre) <= g.nse; */
  /*@ assert cells: \forall integer i, j; 0 <= i < g.C ==> N(cell_at){Pre}(c, d, i, j) == N(cell_at){Here}(c, d, i, j); */
}

/* level L2 */
void N(spw_list_rows)(const IDX *c, int64_t c_length, const IDX *d, int64_t d_length, spw_grid g, IDX *row)
{
  (void)c_length, (void)d_length;
  //@ ghost lem_times_within(g.batches, g.nse);
  int64_t at = 0;
  /*@ loop invariant range: 0 <= b <= g.batches && at == times(b, g.nse);
      loop invariant none: g.nse == 0 ==> at == 0;
      loop invariant inside: grid_inside(g, c_length, d_length);
      loop invariant starts: grid_same{Pre,Here}(g);
      loop invariant source_c: N(same_indices){Pre,Here}(c, c_length);
      loop invariant source_d: N(same_indices){Pre,Here}(d, d_length);
      loop invariant listed: N(rows_listed_before){Here,Pre}(c, d, g, b, row);
      loop assigns b, at, row[0 .. times(g.batches, g.nse) - 1];
      loop variant g.batches - b; */
  for (int64_t b = 0; b < g.batches; b++) {
    const int64_t c_start = spw_compressed_start(g, b), d_start = spw_plain_start(g, b);
    const IDX *const cb = c + c_start, *const db = g.nse > 0 ? d + d_start : d;
    //@ assert here: cb == c + compressed_start{Pre}(g, b) && db == d + plain_start{Pre}(g, b);
    /*@ assert inside: 0 <= c_start && c_start + g.C < c_length &&
          (g.nse > 0 ? 0 <= d_start && d_start + g.nse <= d_length : d_start == 0); */
    //@ assert ends: N(rule_5_1){Pre}(cb, db, g.C, g.P, g.nse) && N(rule_5_2){Pre}(cb, db, g.C, g.P, g.nse);
    //@ assert steps: N(rule_5_3){Pre}(cb, db, g.C, g.P, g.nse) && N(rule_5_6){Pre}(cb, db, g.C, g.P, g.nse);
    //@ assert below: N(rule_5_4){Pre}(cb, db, g.C, g.P, g.nse) && N(rule_5_5){Pre}(cb, db, g.C, g.P, g.nse);
    //@ assert same_c: N(same_indices){Pre,Here}(cb, g.C + 1);
    //@ assert same_d: N(same_indices){Pre,Here}(db, g.nse);
    //@ ghost N(lem_lines_of_batch)(cb, db, g.C, g.P, g.nse);
    //@ ghost N(lem_lines_within)(cb, g.C, g.nse);
    //@ assert canonical: N(rule_5_6)(cb, db, g.C, g.P, g.nse);
    /*@ ghost
      /@ loop invariant range: 0 <= t <= g.nse;
         loop invariant cells: N(cells_same){Pre,Here}(db, t);
         loop assigns t; loop variant g.nse - t; @/
      for (int64_t t = 0; t < g.nse; t++) { }
    */
    //@ assert place: 0 <= at && at + g.nse == times(b + 1, g.nse) <= times(g.batches, g.nse);
    //@ ghost lem_times_within(b, g.nse);
    /*@ assert apart_shape: \separated(row + at + (0 .. g.nse - 1), g.shape + (0 .. g.ndim - 1)); */
    /*@ assert apart_c: \separated(row + at + (0 .. g.nse - 1), g.c_strides + (0 .. g.ndim - 1)); */
    /*@ assert apart_p: \separated(row + at + (0 .. g.nse - 1), g.p_strides + (0 .. g.ndim - 1)); */
    //@ ghost Before: ;
    N(list_batch)(cb, db, g, g.nse > 0 ? row + at : row);
    /*@ assert newest_there: N(cells_listed){Here,Before}(cb, db, g.C, g.P, row + at, g.nse); */
    /*@ assert newest: N(cells_listed){Here,Pre}(cb, db, g.C, g.P, row + at, g.nse); */
    /*@ assert ascend: N(listed_ascends){Here,Pre}(row + at, db, g.nse); */
    /*@ assert batch: N(batch_listed){Here,Pre}(c, d, g, b, row + times(b, g.nse)); */
    /*@ assert older_rows: N(parts_same){Before,Here}(row, b, g.nse); */
    /*@ assert older: N(rows_listed_before){Here,Pre}(c, d, g, b, row); */
    /*@ assert all: N(rows_listed_before){Here,Pre}(c, d, g, b + 1, row); */
    /*@ assert shape: same_sizes{Before,Here}(g.shape, g.ndim); */
    /*@ assert c_strides: same_sizes{Before,Here}(g.c_strides, g.ndim); */
    /*@ assert p_strides: same_sizes{Before,Here}(g.p_strides, g.ndim); */
    /*@ ghost
      /@ loop invariant range: 0 <= t <= g.ndim;
         loop invariant places: places_same{Before,Here}(g.shape, g.c_strides, t) && places_same{Before,Here}(g.shape, g.p_strides, t);
         loop invariant reach: reach_same{Before,Here}(g.shape, g.c_strides, t) && reach_same{Before,Here}(g.shape, g.p_strides, t);
         loop assigns t; loop variant g.ndim - t; @/
      for (int64_t t = 0; t < g.ndim; t++) { }
    */
    //@ assert grid: grid_same{Before,Here}(g);
    at += g.nse;
  }
}

#endif
