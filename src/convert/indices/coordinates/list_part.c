/* SPDX-License-Identifier: Apache-2.0 */
/* Rows and columns, then the coordinates of batches, line after line. */
#ifndef IDX
#include "list_part.h"
#include "../../../../proofs/lemmas/times_apart.h"
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

#define SPW_TEMPLATE "../convert/indices/coordinates/list_part.c"
#include "../../../core/each_index_type.h"

#else /* for each index type */

/*@ lemma N(copied_minors){L,D}: \forall IDX *part, IDX *d, integer n, P; N(copied){L,D}(part, d, n) && N(minors){D}(d, n, P) ==>
      N(minors){L}(part, n, P);

    lemma N(listed_rows){L,D}: \forall IDX *c, IDX *d, IDX *row, integer C, P, n; N(cells_listed){L,D}(c, d, C, P, row, n) ==>
      N(minors){L}(row, n, C);

    lemma N(copied_ascend){L,D}: \forall IDX *row, IDX *part, IDX *d, integer n; N(copied){L,D}(part, d, n) &&
      N(listed_ascends){L,D}(row, d, n) ==> N(list_ascends){L}(row, part, n);

    lemma N(positions_of_batch){L,D}: \forall IDX *c, IDX *d, IDX *row, IDX *plain, spw_grid g, integer q;
      0 <= q < g.batches && N(rows_listed_before){L,D}(c, d, g, g.batches, row) && N(plain_listed){L,D}(plain, d, g, g.batches) &&
      N(minors){D}(d + plain_start{D}(g, q), g.nse, g.P) ==>
      N(positions){L}(row + times(q, g.nse), plain + times(q, g.nse), g.nse, g.C, g.P);

    lemma N(kept_twice){J,K,L}: \forall IDX *x, integer n, all, from, to; N(others_kept){J,K}(x, n, all, from, to) &&
      N(others_kept){K,L}(x, n, all, from, to) ==> N(others_kept){J,L}(x, n, all, from, to);

    lemma N(all_kept){K,L}: \forall IDX *x, integer n, all, from, to; 0 <= to && from <= all &&
      (\forall integer e; 0 <= e < n ==> 0 <= times(e, all) && times(e, all) + all <= times(n, all)) &&
      N(same_indices){K,L}(x, times(n, all)) ==> N(others_kept){K,L}(x, n, all, from, to);

    lemma N(one_line_kept){K,L}: \forall IDX *x, integer n, all, from, to; N(others_kept){K,L}(x, n, all, from, to) &&
      N(line_kept){K,L}(x + times(n, all), all, from, to) ==> N(others_kept){K,L}(x, n + 1, all, from, to);

    lemma N(part_apart): \forall IDX *x, IDX *part, integer from, n, all, c_length, d_length, IDX *c, IDX *d, spw_grid g;
      0 <= from && from + n <= all && part == x + from && N(line_apart)(x, all, c, c_length, d, d_length, g) ==>
      N(line_apart)(part, n, c, c_length, d, d_length, g);

    // batches from number `from` on of a line, which begin at `part`
    predicate N(parts_at)(IDX *line, IDX *part, integer from, integer n, integer m) = \forall integer b; 0 <= b < n ==>
      part + times(b, m) == line + times_behind(from, b, m);

    lemma N(following_parts): \forall IDX *line, IDX *part, integer from, n, m; parts_follow(from, n, m) &&
      part == line + times(from, m) ==> N(parts_at)(line, part, from, n, m);

    lemma N(rows_at){L,D}: \forall IDX *c, IDX *d, spw_grid g, integer from, IDX *row, IDX *part;
      N(parts_at)(row, part, from, g.batches, g.nse) && N(rows_listed_before){L,D}(c, d, g, g.batches, part) ==>
      N(rows_of_part){L,D}(c, d, g, from, row);

    lemma N(plain_at){L,D}: \forall IDX *d, spw_grid g, integer from, IDX *plain, IDX *part;
      N(parts_at)(plain, part, from, g.batches, g.nse) && N(plain_listed){L,D}(part, d, g, g.batches) ==>
      N(plain_of_part){L,D}(plain, d, g, from);

    lemma N(positions_at){L}: \forall spw_grid g, integer from, IDX *row, IDX *plain, IDX *row_part, IDX *plain_part;
      N(parts_at)(row, row_part, from, g.batches, g.nse) && N(parts_at)(plain, plain_part, from, g.batches, g.nse) &&
      N(positions_listed){L}(row_part, plain_part, g, g.batches) ==> N(positions_of_part){L}(row, plain, g, from);

    // these batches
    predicate N(part_same){K,L}(IDX *line, integer from, integer n, integer m) = \forall integer b; 0 <= b < n ==>
      N(same_indices){K,L}(line + times_behind(from, b, m), m);

    lemma N(rows_of_part_stay){K,L,D}: \forall IDX *c, IDX *d, spw_grid g, integer from, IDX *row;
      N(part_same){K,L}(row, from, g.batches, g.nse) && N(rows_of_part){K,D}(c, d, g, from, row) ==>
      N(rows_of_part){L,D}(c, d, g, from, row);

    lemma N(plain_of_part_stay){K,L,D}: \forall IDX *d, spw_grid g, integer from, IDX *plain;
      N(part_same){K,L}(plain, from, g.batches, g.nse) && N(plain_of_part){K,D}(plain, d, g, from) ==>
      N(plain_of_part){L,D}(plain, d, g, from);

    lemma N(positions_of_part_stay){K,L}: \forall spw_grid g, integer from, IDX *row, IDX *plain;
      N(part_same){K,L}(row, from, g.batches, g.nse) && N(part_same){K,L}(plain, from, g.batches, g.nse) &&
      N(positions_of_part){K}(row, plain, g, from) ==> N(positions_of_part){L}(row, plain, g, from);

    lemma N(same_line_kept){K,L}: \forall IDX *line, integer all, from, to; 0 <= to && from <= all &&
      N(same_indices){K,L}(line, all) ==> N(line_kept){K,L}(line, all, from, to);
*/

/* Rows and columns of all batches. */
/*@ requires inside: grid_inside(g, c_length, d_length);
    requires readable: \valid_read(c + (0 .. c_length - 1)) && \valid_read(d + (0 .. d_length - 1));
    requires valid: N(compressed_structure)(c, d, g) && N(batches_5_6)(c, d, g);
    requires sizes: 0 < g.nse <= IDX_MAX && g.C <= IDX_MAX && times(g.batches, g.nse) <= INT64_MAX;
    requires writable: \valid(row + (0 .. times(g.batches, g.nse) - 1)) && \valid(plain + (0 .. times(g.batches, g.nse) - 1));
    requires apart_rows: N(line_apart)(row, times(g.batches, g.nse), c, c_length, d, d_length, g);
    requires apart_plain: N(line_apart)(plain, times(g.batches, g.nse), c, c_length, d, d_length, g);
    requires apart: \separated(row + (0 .. times(g.batches, g.nse) - 1), plain + (0 .. times(g.batches, g.nse) - 1));
    terminates \true; exits \false; assigns row[0 .. times(g.batches, g.nse) - 1], plain[0 .. times(g.batches, g.nse) - 1];
    ensures rows: N(rows_listed_before){Post,Pre}(c, d, g, g.batches, row);
    ensures plain: N(plain_listed){Post,Pre}(plain, d, g, g.batches);
    ensures positions: N(positions_listed)(row, plain, g, g.batches); */
/* level L2 */
static inline void N(list_positions)(const IDX *c, int64_t c_length, const IDX *d, int64_t d_length, spw_grid g, IDX *row,
                                     IDX *plain)
{
  //@ ghost lem_times_within(g.batches, g.nse);
  N(spw_list_rows)(c, c_length, d, d_length, g, row);
  //@ ghost Rows: ;
  //@ assert same_d: N(same_indices){Pre,Here}(d, d_length);
  //@ assert same_shape: same_sizes{Pre,Here}(g.shape, g.ndim);
  //@ assert same_c_strides: same_sizes{Pre,Here}(g.c_strides, g.ndim);
  //@ assert same_p_strides: same_sizes{Pre,Here}(g.p_strides, g.ndim);
  /*@ ghost
    /@ loop invariant range: 0 <= t <= g.ndim;
       loop invariant places: places_same{Pre,Here}(g.shape, g.c_strides, t) && places_same{Pre,Here}(g.shape, g.p_strides, t);
       loop invariant reach: reach_same{Pre,Here}(g.shape, g.c_strides, t) && reach_same{Pre,Here}(g.shape, g.p_strides, t);
       loop assigns t; loop variant g.ndim - t; @/
    for (int64_t t = 0; t < g.ndim; t++) { }
  */
  //@ assert grid: grid_same{Pre,Here}(g);
  //@ assert inside: grid_inside(g, c_length, d_length);
  N(spw_list_plain)(d, c_length, d_length, g, plain);
  //@ assert plain_there: N(plain_listed){Here,Rows}(plain, d, g, g.batches);
  //@ assert plain: N(plain_listed){Here,Pre}(plain, d, g, g.batches);
  //@ assert rows_same: N(parts_same){Rows,Here}(row, g.batches, g.nse);
  //@ assert rows: N(rows_listed_before){Here,Pre}(c, d, g, g.batches, row);
  /*@ ghost
    /@ loop invariant range: 0 <= q <= g.batches;
       loop invariant positions: N(positions_listed)(row, plain, g, q);
       loop assigns q; loop variant g.batches - q; @/
    for (int64_t q = 0; q < g.batches; q++) {
      /@ assert below: N(rule_5_4){Pre}(c + compressed_start{Pre}(g, q), d + plain_start{Pre}(g, q), g.C, g.P, g.nse) &&
           N(rule_5_5){Pre}(c + compressed_start{Pre}(g, q), d + plain_start{Pre}(g, q), g.C, g.P, g.nse); @/
      /@ assert minors: N(minors){Pre}(d + plain_start{Pre}(g, q), g.nse, g.P); @/
      /@ assert own: N(positions)(row + times(q, g.nse), plain + times(q, g.nse), g.nse, g.C, g.P); @/
    }
  */
}

/* Those of a part, in lines of all batches. */
/*@ requires inside: grid_inside(g, c_length, d_length);
    requires readable: \valid_read(c + (0 .. c_length - 1)) && \valid_read(d + (0 .. d_length - 1));
    requires valid: N(compressed_structure)(c, d, g) && N(batches_5_6)(c, d, g);
    requires sizes: 0 < g.nse <= IDX_MAX && g.C <= IDX_MAX && all <= INT64_MAX;
    requires part: 0 <= from && 0 < g.batches && from + g.batches <= INT64_MAX && times(from + g.batches, g.nse) <= all;
    requires writable: \valid(row + (0 .. all - 1)) && \valid(plain + (0 .. all - 1));
    requires apart_rows: N(line_apart)(row, all, c, c_length, d, d_length, g);
    requires apart_plain: N(line_apart)(plain, all, c, c_length, d, d_length, g);
    requires apart: \separated(row + (0 .. all - 1), plain + (0 .. all - 1));
    terminates \true; exits \false; assigns row[0 .. all - 1], plain[0 .. all - 1];
    ensures rows: N(rows_of_part){Post,Pre}(c, d, g, from, row);
    ensures plain: N(plain_of_part){Post,Pre}(plain, d, g, from);
    ensures positions: N(positions_of_part)(row, plain, g, from);
    ensures rows_kept: N(line_kept){Pre,Post}(row, all, times(from, g.nse), times(from + g.batches, g.nse));
    ensures plain_kept: N(line_kept){Pre,Post}(plain, all, times(from, g.nse), times(from + g.batches, g.nse)); */
/* level L2 */
static inline void N(list_part_positions)(const IDX *c, int64_t c_length, const IDX *d, int64_t d_length, spw_grid g,
                                          int64_t from, int64_t all, IDX *row, IDX *plain)
{
  (void)all;
  //@ ghost lem_times_product(from, g.nse);
  //@ ghost lem_times_part(from, g.batches, g.nse);
  //@ ghost lem_times_at(0, from, g.nse);
  //@ ghost lem_times_at(0, g.batches, g.nse);
  //@ assert place: 0 <= times(from, g.nse) && times(from, g.nse) + times(g.batches, g.nse) == times(from + g.batches, g.nse);
  //@ assert inside: 0 <= from * g.nse < all;
  IDX *const row_part = row + from * g.nse, *const plain_part = plain + from * g.nse;
  //@ assert row: row_part == row + times(from, g.nse);
  //@ assert plain: plain_part == plain + times(from, g.nse);
  //@ assert apart_rows: N(line_apart)(row_part, times(g.batches, g.nse), c, c_length, d, d_length, g);
  //@ assert apart_plain: N(line_apart)(plain_part, times(g.batches, g.nse), c, c_length, d, d_length, g);
  N(list_positions)(c, c_length, d, d_length, g, row_part, plain_part);
  //@ assert rows_at: N(parts_at)(row, row_part, from, g.batches, g.nse);
  //@ assert plain_at: N(parts_at)(plain, plain_part, from, g.batches, g.nse);
}

/* The coordinates of batches from..to - 1. The other elements of these lines stay. */
/*@ requires sizes: 0 <= g.ndim <= SPW_NDIM_MAX && 0 <= from < to <= g.batches && 0 < g.nse && all == times(g.batches, g.nse);
    requires shape: \valid_read(g.shape + (0 .. g.ndim - 1)) && positive(g.shape, g.ndim);
    requires fits: \forall integer e; 0 <= e < g.ndim ==> g.shape[e] - 1 <= IDX_MAX;
    requires writable: times(g.ndim, all) <= INT64_MAX && \valid(x + (0 .. times(g.ndim, all) - 1)) && \object_pointer(x);
    requires apart: \separated(x + (0 .. times(g.ndim, all) - 1), g.shape + (0 .. g.ndim - 1));
    terminates \true; exits \false; assigns x[0 .. times(g.ndim, all) - 1];
    ensures listed: N(lines_between){Post,Pre}(x, g, all, from, to);
    ensures others: N(others_kept){Pre,Post}(x, g.ndim, all, times(from, g.nse), times(to, g.nse)); */
/* level L2 */
static inline void N(list_batches)(spw_grid g, int64_t from, int64_t to, int64_t all, IDX *x)
{
  //@ ghost lem_times_at(0, from, g.nse);
  //@ ghost lem_times_at(from, to, g.nse);
  //@ ghost lem_times_at(to, g.batches, g.nse);
  //@ ghost lem_times_within(to, g.nse);
  //@ ghost lem_times_apart(g.ndim, all);
  /*@ loop invariant range: 0 <= e <= g.ndim;
      loop invariant shape: same_sizes{Pre,Here}(g.shape, g.ndim);
      loop invariant coordinates: \forall integer t; 0 <= t < e ==>
        N(coordinates_listed){Here,Pre}(x + times(t, all), g, t, from, to);
      loop invariant others: N(others_kept){Pre,Here}(x, g.ndim, all, times(from, g.nse), times(to, g.nse));
      loop assigns e, x[0 .. times(g.ndim, all) - 1];
      loop variant g.ndim - e; */
  for (int64_t e = 0; e < g.ndim; e++) {
    //@ assert place: e * all == times(e, all) && times(e, all) + all <= times(g.ndim, all);
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
    //@ ghost Before: ;
    N(spw_list_coordinates)(g, from, to, e, x + e * all);
    //@ assert newest_there: N(coordinates_listed){Here,Before}(x + times(e, all), g, e, from, to);
    //@ assert newest: N(coordinates_listed){Here,Pre}(x + times(e, all), g, e, from, to);
    /*@ assert apart: \forall integer t; 0 <= t < g.ndim && t != e ==>
          times(t, all) + all <= times(e, all) || times(e, all) + times(to, g.nse) <= times(t, all); */
    /*@ assert others: \forall integer t; 0 <= t < g.ndim && t != e ==> N(same_indices){Before,Here}(x + times(t, all), all); */
    /*@ assert same: \forall integer t; 0 <= t < e ==> N(parts_same){Before,Here}(x + times(t, all), to, g.nse); */
    /*@ assert older: \forall integer t; 0 <= t < e ==> N(coordinates_listed){Here,Pre}(x + times(t, all), g, t, from, to); */
    /*@ assert own_kept: N(line_kept){Before,Here}(x + times(e, all), all, times(from, g.nse), times(to, g.nse)); */
    /*@ assert others_kept: \forall integer t; 0 <= t < g.ndim && t != e ==>
          N(line_kept){Before,Here}(x + times(t, all), all, times(from, g.nse), times(to, g.nse)); */
    /*@ assert kept: N(others_kept){Before,Here}(x, g.ndim, all, times(from, g.nse), times(to, g.nse)); */
  }
}

/* level L2 */
void N(spw_list_part)(const IDX *c, int64_t c_length, const IDX *d, int64_t d_length, spw_grid g, spw_grid w, int64_t from,
                      int64_t all, IDX *x)
{
  const int64_t to = from + g.batches;
  //@ ghost lem_times_within(w.batches, g.nse);
  //@ ghost lem_times_at(from, to, g.nse);
  //@ ghost lem_times_at(to, w.batches, g.nse);
  //@ ghost lem_times_product(w.ndim, all);
  //@ ghost lem_times_within(w.ndim, all);
  //@ ghost lem_times_at(w.ndim, w.ndim + 2, all);
  //@ ghost lem_times_at(w.ndim + 1, w.ndim + 2, all);
  //@ assert part: 0 <= times(from, g.nse) && times(from, g.nse) <= times(to, g.nse) <= all;
  //@ assert plain: times(w.ndim, all) + all == times(w.ndim + 1, all);
  //@ assert end: times(w.ndim + 1, all) + all == times(w.ndim + 2, all);
  IDX *const row = x + w.ndim * all, *const plain = row + all;
  //@ assert lines: row == x + times(w.ndim, all) && plain == x + times(w.ndim + 1, all);
  //@ assert apart_rows: N(line_apart)(row, all, c, c_length, d, d_length, g);
  //@ assert apart_plain: N(line_apart)(plain, all, c, c_length, d, d_length, g);
  /*@ assert apart_shape: \separated(row + (0 .. all - 1), w.shape + (0 .. w.ndim - 1)) &&
        \separated(plain + (0 .. all - 1), w.shape + (0 .. w.ndim - 1)); */
  N(list_part_positions)(c, c_length, d, d_length, g, from, all, row, plain);
  //@ ghost Positions: ;
  //@ assert shape_there: same_sizes{Pre,Here}(w.shape, w.ndim);
  //@ assert same_batches: N(same_indices){Pre,Here}(x, times(w.ndim, all));
  //@ assert kept_batches: N(others_kept){Pre,Here}(x, w.ndim, all, times(from, g.nse), times(to, g.nse));
  //@ assert kept_rows: N(others_kept){Pre,Here}(x, w.ndim + 1, all, times(from, g.nse), times(to, g.nse));
  //@ assert kept_there: N(others_kept){Pre,Here}(x, w.ndim + 2, all, times(from, g.nse), times(to, g.nse));
  /*@ ghost
    /@ loop invariant range: 0 <= t <= w.ndim;
       loop invariant rests: rests_same{Pre,Here}(w.shape, w.ndim, t);
       loop assigns t; loop variant t; @/
    for (int64_t t = w.ndim; t > 0; t--) {
      /@ assert size: w.shape[t - 1] == \at(w.shape[\at(t,Here) - 1],Pre); @/
      /@ assert own: \forall integer b; rest_of{Here}(w.shape, w.ndim, t - 1, b) == rest_of{Here}(w.shape, w.ndim, t, b) / w.shape[t - 1]; @/
      /@ assert pre: \forall integer b; rest_of{Pre}(w.shape, w.ndim, t - 1, b) ==
           rest_of{Pre}(w.shape, w.ndim, t, b) / \at(w.shape[\at(t,Here) - 1],Pre); @/
    }
  */
  //@ assert rests: rests_same{Pre,Here}(w.shape, w.ndim, 0);
  N(list_batches)(w, from, to, all, x);
  //@ assert listed_there: N(lines_between){Here,Positions}(x, w, all, from, to);
  //@ assert listed: N(lines_between){Here,Pre}(x, w, all, from, to);
  //@ assert same_row: N(same_indices){Positions,Here}(row, all);
  //@ assert same_plain: N(same_indices){Positions,Here}(plain, all);
  //@ assert still_rows: N(others_kept){Positions,Here}(x, w.ndim + 1, all, times(from, g.nse), times(to, g.nse));
  //@ assert kept_lines: N(others_kept){Positions,Here}(x, w.ndim + 2, all, times(from, g.nse), times(to, g.nse));
  //@ assert kept: N(others_kept){Pre,Here}(x, w.ndim + 2, all, times(from, g.nse), times(to, g.nse));
  //@ assert row_part: N(part_same){Positions,Here}(row, from, g.batches, g.nse);
  //@ assert plain_part: N(part_same){Positions,Here}(plain, from, g.batches, g.nse);
  //@ assert rows_end: N(rows_of_part){Here,Pre}(c, d, g, from, row);
  //@ assert plain_end: N(plain_of_part){Here,Pre}(plain, d, g, from);
  //@ assert positions_end: N(positions_of_part)(row, plain, g, from);
}

#endif
