/* SPDX-License-Identifier: Apache-2.0 */
/* All offsets first; that they are lines of one matrix is seen batch by batch. */
#ifndef IDX
#include "join_lines.h"
#include "../../../../proofs/lemmas/grid_frame.h"

#define SPW_TEMPLATE "../../spec/acsl/unchanged_indices.acsl"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/indices/offsets/join_lines.c"
#include "../../../core/each_index_type.h"

#else /* for each index type */

/*@ lemma N(joined_from){L,D,E}: \forall IDX *oc, IDX *out, integer head, at, C;
      N(same_indices){D,E}(oc, C + 1) && N(lines_joined){L,E}(oc, out, head, at, C) ==> N(lines_joined){L,D}(oc, out, head, at, C);

    lemma N(lines_still_within){K,L}: \forall IDX *c, integer C, n;
      N(same_indices){K,L}(c, C + 1) && N(lines_within){K}(c, C, n) ==> N(lines_within){L}(c, C, n);

    // while the offsets before n stay
    lemma N(joined_stays){K,L,D}: \forall IDX *oc, IDX *out, integer head, at, C, n;
      0 <= head && head + C < n && N(same_indices){K,L}(out, n) && N(lines_joined){K,D}(oc, out, head, at, C) ==>
      N(lines_joined){L,D}(oc, out, head, at, C);
*/

/*@ ghost
  /@ // a search among elements that lie from `at` on
     requires sizes: 0 <= low && 0 <= n && 0 <= at;
     requires same: \forall integer e; low <= e < low + n ==> od[e] == N(offset_at)(d, at + e);
     terminates \true; exits \false; assigns \nothing;
     ensures shifted: \forall integer j, high; low <= high <= low + n ==> N(cell_among)(d, j, at + low, at + high) ==
       (0 <= N(cell_among)(od, j, low, high) ? at + N(cell_among)(od, j, low, high) : -1); @/
  void N(lem_cells_to)(const IDX *d, const IDX *od, int64_t at, int64_t low, int64_t n) {
    /@ loop invariant range: 0 <= t <= n;
       loop invariant shifted: \forall integer j, high; low <= high <= low + t ==> N(cell_among)(d, j, at + low, at + high) ==
         (0 <= N(cell_among)(od, j, low, high) ? at + N(cell_among)(od, j, low, high) : -1);
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++) {
      /@ assert own: od[low + t] == d[at + low + t]; @/
    }
  }

  /@ // what the lines of one batch are among all
     requires sizes: 0 <= C < INT64_MAX && 0 <= n && 0 <= head && 0 <= at && head + C < INT64_MAX && at + n <= INT64_MAX;
     requires readable: \valid_read(out + (head .. head + C));
     requires same: \forall integer e; 0 <= e < n ==> od[e] == N(offset_at)(d, at + e);
     requires minors: N(minors)(od, n, P);
     requires steps: \forall integer l; head <= l < head + C ==> at <= out[l] <= out[l + 1] <= at + n;
     requires rows: \forall integer l; head <= l < head + C ==> N(ascending_row)(od, out[l] - at, out[l + 1] - at);
     terminates \true; exits \false; assigns \nothing;
     ensures minors: \forall integer e; at <= e < at + n ==> 0 <= d[e] < P;
     ensures falls: \forall integer k; head < k <= head + C ==> out[k - 1] <= out[k];
     ensures order: \forall integer l; head <= l < head + C ==> N(ascending_row)(d, out[l], out[l + 1]);
     ensures cells: \forall integer l, j; head <= l < head + C ==> N(cell_at)(out, d, l, j) ==
       (0 <= N(cell_among)(od, j, out[l] - at, out[l + 1] - at) ?
          at + N(cell_among)(od, j, out[l] - at, out[l + 1] - at) : -1); @/
  void N(lem_lines_joined)(const IDX *od, const IDX *out, const IDX *d, int64_t head, int64_t at, int64_t C, int64_t P,
                           int64_t n) {
    /@ loop invariant range: 0 <= e <= n;
       loop invariant minors: \forall integer k; at <= k < at + e ==> 0 <= d[k] < P;
       loop assigns e; loop variant n - e; @/
    for (int64_t e = 0; e < n; e++) {
      /@ assert own: 0 <= od[e] < P && od[e] == d[at + e]; @/
    }
    int64_t line = head;
    /@ loop invariant range: 0 <= i <= C && line == head + i;
       loop invariant falls: \forall integer k; head < k <= line ==> out[k - 1] <= out[k];
       loop invariant order: \forall integer l; head <= l < line ==> N(ascending_row)(d, out[l], out[l + 1]);
       loop invariant cells: \forall integer l, j; head <= l < line ==> N(cell_at)(out, d, l, j) ==
         (0 <= N(cell_among)(od, j, out[l] - at, out[l + 1] - at) ?
          at + N(cell_among)(od, j, out[l] - at, out[l + 1] - at) : -1);
       loop assigns i, line; loop variant C - i; @/
    for (int64_t i = 0; i < C; i++) {
      int64_t low = out[line] - at;
      int64_t high = out[line + 1] - at;
      /@ assert bounds: 0 <= low <= high <= n && out[line] == at + low && out[line + 1] == at + high; @/
      /@ assert row: N(ascending_row)(od, low, high); @/
      N(lem_cells_to)(d, od, at, low, high - low);
      /@ assert cell: \forall integer j; N(cell_at)(out, d, line, j) == N(cell_among)(d, j, at + low, at + high); @/
      /@ assert same: \forall integer j; N(cell_at)(out, d, line, j) ==
           (0 <= N(cell_among)(od, j, low, high) ? at + N(cell_among)(od, j, low, high) : -1); @/
      /@ loop invariant range: low <= e <= high;
         loop invariant rise: \forall integer k; at + low < k < at + e ==> d[k - 1] < d[k];
         loop assigns e; loop variant high - e; @/
      for (int64_t e = low; e < high; e++) {
        /@ assert own: od[e] == d[at + e] && (low < e ==> od[e - 1] < od[e] && od[e - 1] == N(offset_at)(d, at + (e - 1))); @/
      }
      /@ assert own: N(ascending_row)(d, at + low, at + high); @/
      line = line + 1;
    }
  }
*/

/*@ requires sizes: 0 <= C < INT64_MAX && 0 <= n && 0 <= head && head + C < INT64_MAX && 0 <= at && at + n <= IDX_MAX;
    requires readable: \valid_read(oc + (0 .. C)) && \valid(out + (head .. head + C)) &&
      \separated(oc + (0 .. C), out + (head .. head + C));
    requires lines: N(offset_at)(oc, 0) == 0 && N(lines_within)(oc, C, n);
    requires begun: N(offset_at)(out, head) == at;
    terminates \true; exits \false; assigns out[head + 1 .. head + C];
    ensures joined: N(lines_joined){Post,Pre}(oc, out, head, at, C);
    ensures end: N(offset_at)(out, head + C) == N(offset_at){Pre}(oc, C) + at;
    ensures before: N(same_indices){Pre,Post}(out, head + 1); */
/* level L2 */
static void N(join_batch)(const IDX *oc, int64_t C, int64_t n, int64_t head, int64_t at, IDX *out)
{
  (void)n;
  /*@ loop invariant range: 0 <= i <= C;
      loop invariant joined: \forall integer t; 0 <= t <= i ==> N(offset_at)(out, head + t) == N(offset_at){Pre}(oc, t) + at;
      loop assigns i, out[head + 1 .. head + C]; loop variant C - i; */
  for (int64_t i = 0; i < C; i++) {
    const IDX to = oc[i + 1];
    //@ assert to: to == N(offset_at)(oc, i + 1) == N(offset_at){Pre}(oc, i + 1);
    //@ assert inside: 0 <= N(offset_at){Pre}(oc, i + 1) <= n;
    out[head + i + 1] = (IDX)(to + at);
  }
}

/* The offsets alone, and that the grid is what it was. */
/*@ requires sizes: 1 <= g.batches && 0 <= g.C < INT64_MAX && 0 <= g.nse && times(g.batches, g.C) < INT64_MAX &&
      times(g.batches, g.nse) <= IDX_MAX && c_length <= INT64_MAX;
    requires grid: 0 <= g.ndim <= SPW_NDIM_MAX && \valid_read(g.shape + (0 .. g.ndim - 1)) &&
      \valid_read(g.c_strides + (0 .. g.ndim - 1));
    requires inside: positive(g.shape, g.ndim) && non_negative(g.c_strides, g.ndim) && 0 <= g.c_offset &&
      0 <= reach(g.shape, g.c_strides, g.ndim) && g.c_offset + reach(g.shape, g.c_strides, g.ndim) + g.C < c_length;
    requires readable: \valid_read(c + (0 .. c_length - 1)) && \valid(out + (0 .. times(g.batches, g.C)));
    requires apart: \separated(out + (0 .. times(g.batches, g.C)), c + (0 .. c_length - 1)) &&
      \separated(out + (0 .. times(g.batches, g.C)), g.shape + (0 .. g.ndim - 1)) &&
      \separated(out + (0 .. times(g.batches, g.C)), g.c_strides + (0 .. g.ndim - 1));
    requires first: \forall integer b; 0 <= b < g.batches ==> N(offset_at)(c + compressed_start(g, b), 0) == 0;
    requires last: \forall integer b; 0 <= b < g.batches ==> N(offset_at)(c + compressed_start(g, b), g.C) == g.nse;
    requires within: \forall integer b; 0 <= b < g.batches ==> N(lines_within)(c + compressed_start(g, b), g.C, g.nse);
    terminates \true; exits \false; assigns out[0 .. times(g.batches, g.C)];
    ensures positive: positive(g.shape, g.ndim) && non_negative(g.c_strides, g.ndim);
    ensures reach: reach_same{Pre,Post}(g.shape, g.c_strides, g.ndim);
    ensures starts: places_same{Pre,Post}(g.shape, g.c_strides, g.ndim);
    ensures joined: \forall integer b; 0 <= b < g.batches ==>
      N(lines_joined){Post,Pre}(c + compressed_start{Pre}(g, b), out, times(b, g.C), times(b, g.nse), g.C); */
/* level L2 */
static void N(join_offsets)(const IDX *c, int64_t c_length, spw_grid g, IDX *out)
{
  (void)c_length;
  //@ ghost lem_times_apart(g.batches, g.C);
  //@ ghost lem_times_apart(g.batches, g.nse);
  //@ ghost const int64_t lines = g.batches * g.C;
  //@ assert products: lines == times(g.batches, g.C);
  int64_t head = 0, at = 0;
  out[0] = 0;
  /*@ loop invariant range: 0 <= b <= g.batches && head == times(b, g.C) && at == times(b, g.nse);
      loop invariant shape: same_sizes{Pre,Here}(g.shape, g.ndim);
      loop invariant strides: same_sizes{Pre,Here}(g.c_strides, g.ndim);
      loop invariant begun: N(offset_at)(out, head) == at;
      loop invariant joined: \forall integer r; 0 <= r < b ==>
        N(lines_joined){Here,Pre}(c + compressed_start{Pre}(g, r), out, times(r, g.C), times(r, g.nse), g.C);
      loop assigns b, head, at, out[0 .. times(g.batches, g.C)];
      loop variant g.batches - b; */
  for (int64_t b = 0; b < g.batches; b++) {
    /*@ assert fit: 0 <= head && head + g.C == times(b + 1, g.C) <= lines && 0 <= at &&
          at + g.nse == times(b + 1, g.nse) <= times(g.batches, g.nse); */
    //@ assert positive: positive(g.shape, g.ndim) && non_negative(g.c_strides, g.ndim);
    /*@ ghost
      /@ loop invariant range: 0 <= t <= g.ndim;
         loop invariant places: places_same{Pre,Here}(g.shape, g.c_strides, t);
         loop invariant reach: reach_same{Pre,Here}(g.shape, g.c_strides, t);
         loop assigns t; loop variant g.ndim - t; @/
      for (int64_t t = 0; t < g.ndim; t++) { }
    */
    const int64_t start = spw_compressed_start(g, b);
    const IDX *const oc = c + start;
    //@ assert start: start == compressed_start{Pre}(g, b) && 0 <= start && start + g.C < c_length;
    //@ assert here: oc == c + compressed_start{Pre}(g, b);
    //@ assert first: N(offset_at){Pre}(oc, 0) == 0 && N(offset_at){Pre}(oc, g.C) == g.nse;
    //@ assert stay: \forall integer i; 0 <= i <= g.C ==> N(offset_at)(oc, i) == N(offset_at){Pre}(oc, i);
    //@ assert within_pre: N(lines_within){Pre}(oc, g.C, g.nse);
    //@ assert same: N(same_indices){Pre,Here}(oc, g.C + 1);
    //@ assert begin: N(offset_at)(oc, 0) == 0;
    //@ assert within: N(lines_within)(oc, g.C, g.nse);
    //@ ghost Before: ;
    N(join_batch)(oc, g.C, g.nse, head, at, out);
    //@ assert end: N(offset_at)(out, head + g.C) == g.nse + at;
    //@ assert newest_here: N(lines_joined){Here,Before}(oc, out, head, at, g.C);
    //@ assert newest: N(lines_joined){Here,Pre}(oc, out, head, at, g.C);
    //@ assert older_stay: N(same_indices){Before,Here}(out, head + 1);
    //@ assert room: \forall integer r; 0 <= r < b ==> 0 <= times(r, g.C) && times(r, g.C) + g.C <= head;
    /*@ assert earlier: \forall integer r; 0 <= r < b ==>
          N(lines_joined){Before,Pre}(c + compressed_start{Pre}(g, r), out, times(r, g.C), times(r, g.nse), g.C); */
    /*@ assert older: \forall integer r; 0 <= r < b ==>
          N(lines_joined){Here,Pre}(c + compressed_start{Pre}(g, r), out, times(r, g.C), times(r, g.nse), g.C); */
    head += g.C;
    at += g.nse;
  }
  /*@ ghost
    /@ loop invariant range: 0 <= t <= g.ndim;
       loop invariant places: places_same{Pre,Here}(g.shape, g.c_strides, t);
       loop invariant reach: reach_same{Pre,Here}(g.shape, g.c_strides, t);
       loop assigns t; loop variant g.ndim - t; @/
    for (int64_t t = 0; t < g.ndim; t++) { }
  */
}

/* level L2 */
void N(spw_join_lines)(const IDX *c, int64_t c_length, spw_grid g, const IDX *d, IDX *out)
{
  (void)d;
  //@ ghost lem_times_apart(g.batches, g.C);
  //@ ghost lem_times_apart(g.batches, g.nse);
  //@ ghost const int64_t lines = g.batches * g.C, all = g.batches * g.nse;
  //@ assert products: lines == times(g.batches, g.C) && all == times(g.batches, g.nse);
  /*@ assert holds: \forall integer b; 0 <= b < g.batches ==>
        N(lines_hold)(c + compressed_start(g, b), d + times(b, g.nse), g.C, g.P, g.nse); */
  N(join_offsets)(c, c_length, g, out);
  //@ assert elements: \forall integer e; 0 <= e < all ==> N(offset_at)(d, e) == N(offset_at){Pre}(d, e);
  /*@ ghost
     int64_t head = 0;
     int64_t at = 0;
     /@ loop invariant range: 0 <= b <= g.batches && head == times(b, g.C) && at == times(b, g.nse);
        loop invariant equal: N(batches_equal)(out, b, g.C, g.nse);
        loop invariant minors: \forall integer e; 0 <= e < at ==> 0 <= d[e] < g.P;
        loop invariant falls: \forall integer k; 1 <= k <= head ==> out[k - 1] <= out[k];
        loop invariant order: \forall integer l; 0 <= l < head ==> N(ascending_row)(d, out[l], out[l + 1]);
        loop invariant joined: \forall integer r; 0 <= r < b ==> N(batch_is_joined){Here,Pre}(c, d, g, r, out);
        loop assigns b, head, at; loop variant g.batches - b; @/
     for (int64_t b = 0; b < g.batches; b++) {
       /@ assert fit: 0 <= head && head + g.C == times(b + 1, g.C) <= lines && 0 <= at &&
            at + g.nse == times(b + 1, g.nse) <= all; @/
       const IDX *od = g.nse == 0 ? d : d + at; // d may be null
       /@ assert there: od == d + times(b, g.nse); @/
       /@ assert held: N(lines_hold){Pre}(c + compressed_start{Pre}(g, b), od, g.C, g.P, g.nse); @/
       /@ assert moved: N(lines_joined){Here,Pre}(c + compressed_start{Pre}(g, b), out, head, at, g.C); @/
       /@ assert own: \forall integer e; 0 <= e < g.nse ==> N(offset_at)(od, e) == N(offset_at){Pre}(od, e); @/
       /@ assert same: \forall integer e; 0 <= e < g.nse ==> N(offset_at)(od, e) == N(offset_at)(d, at + e); @/
       /@ loop invariant range: 0 <= t <= g.nse;
          loop invariant among: \forall integer j, low, high; 0 <= low <= high <= t ==>
            N(cell_among)(od, j, low, high) == N(cell_among){Pre}(od, j, low, high);
          loop assigns t; loop variant g.nse - t; @/
       for (int64_t t = 0; t < g.nse; t++) {
         /@ assert element: N(offset_at)(od, t) == N(offset_at){Pre}(od, t); @/
       }
       /@ assert minors: N(minors)(od, g.nse, g.P); @/
       int64_t line = head;
       /@ loop invariant place: 0 <= i <= g.C && line == head + i;
          loop invariant at: \forall integer l; head <= l < line ==>
            N(offset_at)(out, l) == N(offset_at){Pre}(c + compressed_start{Pre}(g, b), l - head) + at &&
            N(offset_at)(out, l + 1) == N(offset_at){Pre}(c + compressed_start{Pre}(g, b), l - head + 1) + at;
          loop invariant steps: \forall integer l; head <= l < line ==> at <= out[l] <= out[l + 1] <= at + g.nse;
          loop invariant rows: \forall integer l; head <= l < line ==> N(ascending_row)(od, out[l] - at, out[l + 1] - at);
          loop assigns i, line; loop variant g.C - i; @/
       for (int64_t i = 0; i < g.C; i++) {
         /@ assert from: N(offset_at)(out, line) == N(offset_at){Pre}(c + compressed_start{Pre}(g, b), i) + at; @/
         /@ assert to: N(offset_at)(out, head + (i + 1)) == N(offset_at){Pre}(c + compressed_start{Pre}(g, b), i + 1) + at; @/
         /@ assert bounds: 0 <= N(offset_at){Pre}(c + compressed_start{Pre}(g, b), i) <=
              N(offset_at){Pre}(c + compressed_start{Pre}(g, b), i + 1) <= g.nse; @/
         /@ assert row: N(ascending_row){Pre}(od, N(offset_at){Pre}(c + compressed_start{Pre}(g, b), i),
              N(offset_at){Pre}(c + compressed_start{Pre}(g, b), i + 1)); @/
         /@ assert row_same: N(ascending_row)(od, out[line] - at, out[line + 1] - at); @/
         line = line + 1;
       }
       N(lem_lines_joined)(od, out, d, head, at, g.C, g.P, g.nse);
       /@ assert ends: N(offset_at)(out, head + 0) == at && N(offset_at)(out, head + g.C) == at + g.nse; @/
       /@ assert cells: \forall integer i, j; 0 <= i < g.C ==> N(cell_at){Pre}(c + compressed_start{Pre}(g, b), od, i, j) ==
            N(cell_among)(od, j, N(offset_at){Pre}(c + compressed_start{Pre}(g, b), i),
              N(offset_at){Pre}(c + compressed_start{Pre}(g, b), i + 1)); @/
       /@ assert cells_joined: N(cells_joined){Here,Pre}(c + compressed_start{Pre}(g, b), od, out, d, head, at, g.C); @/
       /@ assert batch: N(batch_is_joined){Here,Pre}(c, d, g, b, out); @/
       head = head + g.C;
       at = at + g.nse;
     }
  */
  //@ assert first: out[0] == 0 && out[lines] == all;
  //@ assert offsets: N(offsets)(out, lines, all);
  //@ assert minors: N(minors)(d, all, g.P);
  //@ assert order: N(rule_5_6)(out, d, lines, g.P, all);
  //@ ghost N(lem_lines_fit)(out, d, lines, g.P, all);
}

#endif
