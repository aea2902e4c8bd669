/* SPDX-License-Identifier: Apache-2.0 */
/* Offsets and plain indices batch by batch; what they mean is seen behind that. */
#ifndef IDX
#include "retype.h"
#include "../../../../proofs/lemmas/lines.h"
#include "../../../../proofs/lemmas/times_at.h"
#include "../../../../proofs/lemmas/grid_frame.h"

#define SPW_TEMPLATE "../../spec/acsl/unchanged_indices.acsl"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/lines_frame.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/indices/offsets/retype.c"
#include "../../../core/each_index_pair.h"

#else /* for each index type */

/*@ predicate N(numbers_fit){L}(IDX *p, integer n) = \forall integer k; 0 <= k < n ==> 0 <= p[k] <= OUT_MAX;

    // b parts of n indices each, which start where the strides say
    predicate N(parts_fit){L}(IDX *p, integer start, int64_t *shape, int64_t *strides, integer ndim, integer b, integer n) =
      \forall integer q; 0 <= q < b ==> N(numbers_fit)(p + (start + position_of(shape, strides, ndim, q)), n);

    predicate N(parts_retyped){L,D}(IDX *p, integer start, int64_t *shape, int64_t *strides, integer ndim, integer b, integer n,
                                    OUT *out) = \forall integer q; 0 <= q < b ==>
      N(same_numbers){L,D}(p + (start + position_of{D}(shape, strides, ndim, q)), out + times(q, n), n);

    lemma N(retyped_stay){K,L,D}: \forall IDX *p, integer start, int64_t *shape, int64_t *strides, integer ndim, b, n, OUT *out;
      N(parts_retyped){K,D}(p, start, shape, strides, ndim, b, n, out) && O(parts_same){K,L}(out, b, n) ==>
      N(parts_retyped){L,D}(p, start, shape, strides, ndim, b, n, out);

    // while the source stays
    predicate N(all_same){D,E}(IDX *p) = \forall integer k; \at(p[k],D) == \at(p[k],E);

    lemma N(retyped_from){L,D,E}: \forall IDX *p, integer start, int64_t *shape, int64_t *strides, integer ndim, b, n, OUT *out;
      N(parts_retyped){L,D}(p, start, shape, strides, ndim, b, n, out) && places_same{E,D}(shape, strides, ndim) &&
      N(all_same){D,E}(p) ==> N(parts_retyped){L,E}(p, start, shape, strides, ndim, b, n, out);

    lemma N(one_more_retyped){L,D}: \forall IDX *p, integer start, int64_t *shape, int64_t *strides, integer ndim, b, n, OUT *out;
      N(parts_retyped){L,D}(p, start, shape, strides, ndim, b, n, out) &&
      N(same_numbers){L,D}(p + (start + position_of{D}(shape, strides, ndim, b)), out + times(b, n), n) ==>
      N(parts_retyped){L,D}(p, start, shape, strides, ndim, b + 1, n, out);

    lemma N(retyped_parts_stay){K,L}: \forall OUT *p, integer b, n, m; O(same_indices){K,L}(p, m) &&
      (\forall integer q; 0 <= q < b ==> 0 <= times(q, n) && times(q, n) + n <= m) ==> O(parts_same){K,L}(p, b, n);

    predicate N(offsets_retyped){L,D}(IDX *c, spw_grid g, OUT *oc) = \forall integer q; 0 <= q < g.batches ==>
      N(same_numbers){L,D}(c + compressed_start{D}(g, q), oc + times(q, g.C + 1), g.C + 1);

    predicate N(plain_retyped){L,D}(IDX *d, spw_grid g, OUT *od) = \forall integer q; 0 <= q < g.batches ==>
      N(same_numbers){L,D}(d + plain_start{D}(g, q), od + times(q, g.nse), g.nse);

    lemma N(offsets_of_parts){L,D}: \forall IDX *c, spw_grid g, OUT *oc;
      N(parts_retyped){L,D}(c, g.c_offset, g.shape, g.c_strides, g.ndim, g.batches, g.C + 1, oc) ==>
      N(offsets_retyped){L,D}(c, g, oc);

    lemma N(offsets_retyped_stay){K,L,D}: \forall IDX *c, spw_grid g, OUT *oc; N(offsets_retyped){K,D}(c, g, oc) &&
      O(parts_same){K,L}(oc, g.batches, g.C + 1) ==> N(offsets_retyped){L,D}(c, g, oc);

    lemma N(plain_of_parts){L,D}: \forall IDX *d, spw_grid g, OUT *od; 0 < g.nse &&
      N(parts_retyped){L,D}(d, g.p_offset, g.shape, g.p_strides, g.ndim, g.batches, g.nse, od) ==>
      N(plain_retyped){L,D}(d, g, od);
*/

/*@ // a search among n indices finds the same
    predicate N(same_search){L,D}(IDX *d, OUT *od, integer n) = \forall integer j, low, high; 0 <= low && high <= n ==>
      N(cell_among){D}(d, j, low, high) == O(cell_among){L}(od, j, low, high);

    lemma N(same_search_of_none){L,D}: \forall IDX *d, OUT *od; N(same_search){L,D}(d, od, 0);

    lemma N(same_search_of_one_more){L,D}: \forall IDX *d, OUT *od, integer k, n; 0 <= k < n && N(same_numbers){L,D}(d, od, n) &&
      N(same_search){L,D}(d, od, k) ==> N(same_search){L,D}(d, od, k + 1);

    lemma N(places_of_numbers){L,D}: \forall IDX *c, IDX *d, OUT *oc, OUT *od, integer C, n; N(lines_within){D}(c, C, n) &&
      N(same_numbers){L,D}(c, oc, C + 1) && N(same_search){L,D}(d, od, n) ==> N(same_places){L,D}(c, d, C, oc, od);

    lemma N(within_of_numbers){L,D}: \forall IDX *c, OUT *oc, integer C, n; N(lines_within){D}(c, C, n) &&
      N(same_numbers){L,D}(c, oc, C + 1) ==> O(lines_within){L}(oc, C, n);

    lemma N(offsets_of_numbers){L,D}: \forall IDX *c, OUT *oc, integer C, n; 0 <= C && N(offsets){D}(c, C, n) &&
      N(same_numbers){L,D}(c, oc, C + 1) ==> O(offsets){L}(oc, C, n);

    lemma N(minors_of_numbers){L,D}: \forall IDX *d, OUT *od, integer P, n; N(minors){D}(d, n, P) &&
      N(same_numbers){L,D}(d, od, n) ==> O(minors){L}(od, n, P);

    lemma N(rises_of_numbers){L,D}: \forall IDX *c, OUT *oc, integer C, P; N(rises){D}(c, C, P) &&
      N(same_numbers){L,D}(c, oc, C + 1) ==> O(rises){L}(oc, C, P);

    lemma N(steps_of_numbers){L,D}: \forall IDX *c, IDX *d, OUT *oc, OUT *od, integer C, P, n; N(rule_5_3){D}(c, d, C, P, n) &&
      N(same_numbers){L,D}(c, oc, C + 1) ==> O(rule_5_3){L}(oc, od, C, P, n);

    lemma N(order_of_numbers){L,D}: \forall IDX *c, IDX *d, OUT *oc, OUT *od, integer C, P, n; N(lines_within){D}(c, C, n) &&
      N(rule_5_6){D}(c, d, C, P, n) && N(same_numbers){L,D}(c, oc, C + 1) && N(same_numbers){L,D}(d, od, n) ==>
      O(rule_5_6){L}(oc, od, C, P, n);

    lemma N(lines_of_numbers){L,D}: \forall IDX *c, IDX *d, OUT *oc, OUT *od, integer C, P, n; 0 <= C &&
      N(lines_hold){D}(c, d, C, P, n) && N(same_numbers){L,D}(c, oc, C + 1) && N(same_numbers){L,D}(d, od, n) ==>
      O(lines_hold){L}(oc, od, C, P, n);

    // rules 5.1 to 5.6 hold in all batches
    predicate N(batches_hold){L}(IDX *c, IDX *d, spw_grid g) = \forall integer q; 0 <= q < g.batches ==>
      N(lines_hold)(c + compressed_start(g, q), d + plain_start(g, q), g.C, g.P, g.nse);

    // of lines wherever they begin
    predicate N(offsets_within){L}(IDX *c, integer C, integer n) = \forall integer s;
      N(offsets)(c + s, C, n) ==> N(lines_within)(c + s, C, n);

    predicate N(starts_from){L}(IDX *c, integer i) = \forall integer k; 0 <= k <= i ==> 0 <= c[k];

    predicate N(ends_within){L}(IDX *c, integer i, integer C, integer n) = \forall integer k; i <= k <= C ==> c[k] <= n;

    lemma N(one_more_starts){L}: \forall IDX *c, integer i, C, n; 0 <= i < C && N(offsets)(c, C, n) && N(starts_from)(c, i) ==>
      N(starts_from)(c, i + 1);

    lemma N(one_before_ends){L}: \forall IDX *c, integer i, C, n; 0 < i <= C && N(offsets)(c, C, n) &&
      N(ends_within)(c, i, C, n) ==> N(ends_within)(c, i - 1, C, n);

    lemma N(within_of_ends){L}: \forall IDX *c, integer C, n; N(offsets)(c, C, n) && N(starts_from)(c, C) &&
      N(ends_within)(c, 0, C, n) ==> N(lines_within)(c, C, n);

    lemma N(offsets_of_rules){L}: \forall IDX *c, IDX *d, integer C, P, n; 0 <= C && N(rule_5_1)(c, d, C, P, n) &&
      N(rule_5_2)(c, d, C, P, n) && N(rule_5_3)(c, d, C, P, n) ==> N(offsets)(c, C, n);

    lemma N(minors_of_rules){L}: \forall IDX *c, IDX *d, integer C, P, n; N(rule_5_4)(c, d, C, P, n) &&
      N(rule_5_5)(c, d, C, P, n) ==> N(minors)(d, n, P);

    lemma N(lines_of_rules){L}: \forall IDX *c, IDX *d, integer C, P, n; 0 <= C && N(rule_5_1)(c, d, C, P, n) &&
      N(rule_5_2)(c, d, C, P, n) && N(rule_5_3)(c, d, C, P, n) && N(rule_5_4)(c, d, C, P, n) && N(rule_5_5)(c, d, C, P, n) &&
      N(rule_5_6)(c, d, C, P, n) && N(lines_within)(c, C, n) ==> N(lines_hold)(c, d, C, P, n);

    lemma N(a_batch_holds){L}: \forall IDX *c, IDX *d, spw_grid g, integer q; 0 <= g.C && 0 <= q < g.batches &&
      N(compressed_structure)(c, d, g) && N(batches_5_6)(c, d, g) && N(offsets_within)(c, g.C, g.nse) ==>
      N(lines_hold)(c + compressed_start(g, q), d + plain_start(g, q), g.C, g.P, g.nse);

    lemma N(offsets_fit){L}: \forall IDX *c, integer C, n; 0 <= C && 0 <= n <= OUT_MAX && N(offsets)(c, C, n) &&
      N(lines_within)(c, C, n) ==> N(numbers_fit)(c, C + 1);

    lemma N(minors_fit){L}: \forall IDX *d, integer P, n; P - 1 <= OUT_MAX && N(minors)(d, n, P) ==> N(numbers_fit)(d, n);

    lemma N(all_offsets_fit){L}: \forall IDX *c, IDX *d, spw_grid g; 0 <= g.C && 0 <= g.nse <= OUT_MAX &&
      N(batches_hold)(c, d, g) ==> N(parts_fit)(c, g.c_offset, g.shape, g.c_strides, g.ndim, g.batches, g.C + 1);

    lemma N(all_plain_fit){L}: \forall IDX *c, IDX *d, spw_grid g; 0 < g.nse && g.P - 1 <= OUT_MAX &&
      N(batches_hold)(c, d, g) ==> N(parts_fit)(d, g.p_offset, g.shape, g.p_strides, g.ndim, g.batches, g.nse);

    predicate N(same_searches){L,D}(IDX *d, OUT *od, integer n) = \forall integer s, t;
      N(same_numbers){L,D}(d + s, od + t, n) ==> N(same_search){L,D}(d + s, od + t, n);

    lemma N(batch_of_numbers){L,D}: \forall IDX *c, IDX *d, spw_grid g, integer q, OUT *oc, OUT *od;
      0 <= q < g.batches && 0 <= g.C && N(batches_hold){D}(c, d, g) && N(offsets_retyped){L,D}(c, g, oc) &&
      N(plain_retyped){L,D}(d, g, od) && N(same_searches){L,D}(d, od, g.nse) ==> N(batch_retyped){L,D}(c, d, g, q, oc, od);
*/

/*@ ghost
  /@ requires size: 0 <= n;
     terminates \true; exits \false; assigns \nothing;
     ensures same: N(same_searches){Here,Here}(d, od, n); @/
  void N(lem_same_searches)(const IDX *d, const OUT *od, int64_t n) {
    /@ loop invariant range: 0 <= k <= n;
       loop invariant same: \forall integer s, t;
         N(same_numbers){Here,Here}(d + s, od + t, n) ==> N(same_search){Here,Here}(d + s, od + t, k);
       loop assigns k; loop variant n - k; @/
    for (int64_t k = 0; k < n; k++) {
      /@ assert next: \forall integer s, t;
           N(same_numbers){Here,Here}(d + s, od + t, n) ==> N(same_search){Here,Here}(d + s, od + t, k + 1); @/
    }
  }

  /@ requires sizes: 0 <= C < INT64_MAX && 0 <= n;
     terminates \true; exits \false; assigns \nothing;
     ensures within: N(offsets_within)(c, C, n); @/
  void N(lem_offsets_within)(const IDX *c, int64_t C, int64_t n) {
    /@ loop invariant range: 0 <= i <= C;
       loop invariant from: \forall integer s; N(offsets)(c + s, C, n) ==> N(starts_from)(c + s, i);
       loop assigns i; loop variant C - i; @/
    for (int64_t i = 0; i < C; i++) {
      /@ assert next: \forall integer s; N(offsets)(c + s, C, n) ==> N(starts_from)(c + s, i + 1); @/
    }
    /@ loop invariant range: 0 <= i <= C;
       loop invariant to: \forall integer s; N(offsets)(c + s, C, n) ==> N(ends_within)(c + s, i, C, n);
       loop assigns i; loop variant i; @/
    for (int64_t i = C; i > 0; i--) {
      /@ assert before: \forall integer s; N(offsets)(c + s, C, n) ==> N(ends_within)(c + s, i - 1, C, n); @/
    }
    /@ assert within: \forall integer s; N(offsets)(c + s, C, n) ==> N(lines_within)(c + s, C, n); @/
  }
*/

/*@ requires memory: 0 <= n && \valid_read(from + (0 .. n - 1)) && \valid(to + (0 .. n - 1));
    requires apart: \separated(from + (0 .. n - 1), to + (0 .. n - 1));
    requires fit: N(numbers_fit)(from, n);
    terminates \true; exits \false; assigns to[0 .. n - 1];
    ensures same: N(same_numbers){Post,Pre}(from, to, n); */
/* level L2 */
static inline void N(retype)(const IDX *from, int64_t n, OUT *to)
{
  /*@ loop invariant range: 0 <= k <= n;
      loop invariant kept: \forall integer m; 0 <= m < n ==> from[m] == \at(from[m],Pre);
      loop invariant same: \forall integer m; 0 <= m < k ==> to[m] == \at(from[m],Pre);
      loop assigns k, to[0 .. n - 1];
      loop variant n - k; */
  for (int64_t k = 0; k < n; k++) to[k] = (OUT)from[k];
}

/* Of each of b batches. */
/*@ requires sizes: 0 <= ndim <= SPW_NDIM_MAX && 0 <= b && 0 < n && times(b, n) <= INT64_MAX && length <= INT64_MAX;
    requires grid: \valid_read(shape + (0 .. ndim - 1)) && \valid_read(strides + (0 .. ndim - 1));
    requires inside: positive(shape, ndim) && non_negative(strides, ndim) && 0 <= start && 0 <= reach(shape, strides, ndim) &&
      start + reach(shape, strides, ndim) + n <= length;
    requires memory: \valid_read(p + (0 .. length - 1)) && \valid(out + (0 .. times(b, n) - 1));
    requires apart: \separated(out + (0 .. times(b, n) - 1), p + (0 .. length - 1)) &&
      \separated(out + (0 .. times(b, n) - 1), shape + (0 .. ndim - 1)) &&
      \separated(out + (0 .. times(b, n) - 1), strides + (0 .. ndim - 1));
    requires fit: N(parts_fit)(p, start, shape, strides, ndim, b, n);
    terminates \true; exits \false; assigns out[0 .. times(b, n) - 1];
    ensures retyped: N(parts_retyped){Post,Pre}(p, start, shape, strides, ndim, b, n, out);
    ensures shape: same_sizes{Pre,Post}(shape, ndim) && same_sizes{Pre,Post}(strides, ndim); */
/* level L2 */
static void N(retype_parts)(const IDX *p, int64_t length, int64_t start, const int64_t *shape, const int64_t *strides,
                            int64_t ndim, int64_t b, int64_t n, OUT *out)
{
  (void)length;
  //@ ghost lem_times_within(b, n);
  int64_t at = 0;
  /*@ loop invariant range: 0 <= q <= b && at == times(q, n);
      loop invariant shape: same_sizes{Pre,Here}(shape, ndim);
      loop invariant strides: same_sizes{Pre,Here}(strides, ndim);
      loop invariant places: places_same{Pre,Here}(shape, strides, ndim) && reach_same{Pre,Here}(shape, strides, ndim);
      loop invariant source: N(same_indices){Pre,Here}(p, length);
      loop invariant done: N(parts_retyped){Here,Pre}(p, start, shape, strides, ndim, q, n, out);
      loop assigns q, at, out[0 .. times(b, n) - 1];
      loop variant b - q; */
  for (int64_t q = 0; q < b; q++) {
    //@ assert positive: positive(shape, ndim) && non_negative(strides, ndim);
    const int64_t from = start + spw_position_of(shape, strides, ndim, q);
    const IDX *const part = p + from;
    //@ assert from: from == start + position_of{Pre}(shape, strides, ndim, q) && 0 <= from && from + n <= length;
    //@ assert part_fits_there: N(numbers_fit){Pre}(part, n);
    //@ assert part_same: N(same_indices){Pre,Here}(part, n);
    //@ assert part_fits: N(numbers_fit)(part, n);
    //@ assert place: 0 <= at && at + n == times(q + 1, n) <= times(b, n);
    //@ ghost lem_times_within(q, n);
    //@ ghost Before: ;
    N(retype)(part, n, out + at);
    //@ assert shape: same_sizes{Before,Here}(shape, ndim);
    //@ assert strides: same_sizes{Before,Here}(strides, ndim);
    //@ assert shape_here: same_sizes{Pre,Here}(shape, ndim);
    //@ assert strides_here: same_sizes{Pre,Here}(strides, ndim);
    //@ assert newest_there: N(same_numbers){Here,Before}(part, out + at, n);
    //@ assert newest: N(same_numbers){Here,Pre}(part, out + at, n);
    //@ assert same: O(parts_same){Before,Here}(out, q, n);
    //@ assert before: N(parts_retyped){Before,Pre}(p, start, shape, strides, ndim, q, n, out);
    //@ assert older: N(parts_retyped){Here,Pre}(p, start, shape, strides, ndim, q, n, out);
    //@ assert all: N(parts_retyped){Here,Pre}(p, start, shape, strides, ndim, q + 1, n, out);
    /*@ ghost
      /@ loop invariant range: 0 <= t <= ndim;
         loop invariant places: places_same{Pre,Here}(shape, strides, t);
         loop invariant reach: reach_same{Pre,Here}(shape, strides, t);
         loop assigns t; loop variant ndim - t; @/
      for (int64_t t = 0; t < ndim; t++) { }
    */
    at += n;
  }
}

/* level L2 */
void N(spw_retype_lines)(const IDX *c, int64_t c_length, const IDX *d, int64_t d_length, spw_grid g, OUT *out_c, OUT *out_d)
{
  if (g.batches == 0) return;
  //@ ghost N(lem_offsets_within)(c, g.C, g.nse);
  //@ ghost lem_times(g.batches, g.C + 1);
  //@ assert hold: N(batches_hold)(c, d, g);
  //@ assert offsets_fit: N(parts_fit)(c, g.c_offset, g.shape, g.c_strides, g.ndim, g.batches, g.C + 1);
  //@ assert plain_fit: g.nse > 0 ==> N(parts_fit)(d, g.p_offset, g.shape, g.p_strides, g.ndim, g.batches, g.nse);
  N(retype_parts)(c, c_length, g.c_offset, g.shape, g.c_strides, g.ndim, g.batches, g.C + 1, out_c);
  //@ assert offsets: N(offsets_retyped){Here,Pre}(c, g, out_c);
  //@ assert shape: same_sizes{Pre,Here}(g.shape, g.ndim);
  //@ assert strides: same_sizes{Pre,Here}(g.p_strides, g.ndim);
  /*@ ghost
    /@ loop invariant range: 0 <= t <= g.ndim;
       loop invariant places: places_same{Pre,Here}(g.shape, g.p_strides, t);
       loop invariant reach: reach_same{Pre,Here}(g.shape, g.p_strides, t);
       loop assigns t; loop variant g.ndim - t; @/
    for (int64_t t = 0; t < g.ndim; t++) { }
  */
  //@ assert plain_fit_here: g.nse > 0 ==> N(parts_fit)(d, g.p_offset, g.shape, g.p_strides, g.ndim, g.batches, g.nse);
  //@ assert plain_stays: N(all_same){Here,Pre}(d);
  //@ ghost Offsets: ;
  if (g.nse > 0) N(retype_parts)(d, d_length, g.p_offset, g.shape, g.p_strides, g.ndim, g.batches, g.nse, out_d);
  /*@ assert plain_there: g.nse > 0 ==>
        N(parts_retyped){Here,Offsets}(d, g.p_offset, g.shape, g.p_strides, g.ndim, g.batches, g.nse, out_d); */
  /*@ assert plain_from: g.nse > 0 ==>
        N(parts_retyped){Here,Pre}(d, g.p_offset, g.shape, g.p_strides, g.ndim, g.batches, g.nse, out_d); */
  //@ assert plain: N(plain_retyped){Here,Pre}(d, g, out_d);
  //@ assert offsets_stay: O(same_indices){Offsets,Here}(out_c, times(g.batches, g.C + 1));
  //@ ghost lem_times_within(g.batches, g.C + 1);
  //@ assert offsets_parts: O(parts_same){Offsets,Here}(out_c, g.batches, g.C + 1);
  //@ assert offsets_end: N(offsets_retyped){Here,Pre}(c, g, out_c);
  //@ ghost N(lem_same_searches)(d, out_d, g.nse);
  //@ assert searches: N(same_searches){Here,Pre}(d, out_d, g.nse);
}

#endif
