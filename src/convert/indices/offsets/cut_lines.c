/* SPDX-License-Identifier: Apache-2.0 */
/* From the last batch on: where one is cut, only such offsets are lost that were read before. */
#ifndef IDX
#include "cut_lines.h"

#define SPW_TEMPLATE "../convert/indices/offsets/cut_lines.c"
#include "../../../core/each_index_type.h"

#else /* for each index type */

/* level L2 */
int64_t N(spw_other_batch)(const IDX *ptr, int64_t batches, int64_t C, int64_t n)
{
  (void)n;
  //@ ghost lem_times_apart(batches, C);
  //@ assert one: times(1, C) == C && C <= times(batches, C);
  const IDX first = ptr[C];
  //@ ghost const int64_t lines = batches * C;
  //@ assert lines: lines == times(batches, C) && times(1, first) == first && times(0, first) == 0;
  //@ ghost N(lem_line_of)(ptr, lines, n);
  //@ assert within: N(offset_at)(ptr, 0) == 0 && N(offset_at)(ptr, lines) == n;
  //@ assert up: \forall integer l, m; 0 <= l <= m <= lines ==> N(offset_at)(ptr, l) <= N(offset_at)(ptr, m);
  int64_t line = C;
  /*@ loop invariant range: 1 <= b <= batches && line == times(b, C);
      loop invariant before: N(batches_equal)(ptr, b, C, first);
      loop assigns b, line; loop variant batches - b; */
  for (int64_t b = 1; b < batches; b++) {
    //@ assert next: 0 <= line && line + C == times(b + 1, C) <= lines;
    const IDX here = ptr[line], next = ptr[line + C];
    //@ assert offsets: here == N(offset_at)(ptr, line) && next == N(offset_at)(ptr, line + C);
    //@ assert inside: 0 <= here <= next;
    if (next - here != first) return b;
    //@ assert own: ptr[times(b + 1, C)] == times(b + 1, first);
    line += C;
  }
  return batches;
}

/*@ ghost
  /@ // a search among elements from `at` on
     requires sizes: 0 <= low && 0 <= n && 0 <= at;
     requires same: \forall integer e; low <= e < low + n ==> od[e] == N(offset_at)(d, at + e);
     terminates \true; exits \false; assigns \nothing;
     ensures shifted: \forall integer j, high; low <= high <= low + n ==> N(cell_among)(od, j, low, high) ==
       (0 <= N(cell_among)(d, j, at + low, at + high) ? N(cell_among)(d, j, at + low, at + high) - at : -1); @/
  void N(lem_cells_from)(const IDX *d, const IDX *od, int64_t at, int64_t low, int64_t n) {
    /@ loop invariant range: 0 <= t <= n;
       loop invariant shifted: \forall integer j, high; low <= high <= low + t ==> N(cell_among)(od, j, low, high) ==
         (0 <= N(cell_among)(d, j, at + low, at + high) ? N(cell_among)(d, j, at + low, at + high) - at : -1);
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++) {
      /@ assert own: od[low + t] == d[at + low + t]; @/
    }
  }

  /@ // what lines by themselves are
     requires sizes: 0 <= C < INT64_MAX && 0 <= P && 0 <= n && 0 <= head && 0 <= at && head + C <= lines < INT64_MAX && at + n <= all;
     requires readable: \valid_read(oc + (0 .. C)) && \valid_read(od + (0 .. n - 1));
     requires same: \forall integer e; 0 <= e < n ==> od[e] == N(offset_at)(d, at + e);
     requires lines: N(lines_hold)(c, d, lines, P, all) && N(lines_cut)(oc, c, head, at, C);
     requires ends: N(offset_at)(c, head) == at && N(offset_at)(c, head + C) == at + n;
     terminates \true; exits \false; assigns \nothing;
     ensures hold: N(lines_hold)(oc, od, C, P, n);
     ensures cells: N(cells_cut){Here,Here}(oc, od, c, d, head, at, C); @/
  void N(lem_lines_cut)(const IDX *c, const IDX *d, int64_t lines, int64_t P, int64_t all, const IDX *oc, const IDX *od,
                        int64_t head, int64_t at, int64_t C, int64_t n) {
    /@ assert ends: oc[0] == 0 && oc[C] == n; @/
    /@ loop invariant range: 0 <= i <= C && 0 <= oc[i];
       loop invariant within: \forall integer l; 0 <= l <= i ==> 0 <= oc[l] <= oc[i];
       loop invariant falls: N(never_falls)(oc, i);
       loop assigns i; loop variant C - i; @/
    for (int64_t i = 0; i < C; i++) {
      /@ assert here: oc[i] == N(offset_at)(c, head + i) - at && oc[i + 1] == N(offset_at)(c, head + i + 1) - at; @/
      /@ assert line: N(offset_at)(c, head + i) <= N(offset_at)(c, head + i + 1); @/
    }
    /@ assert within: \forall integer l; 0 <= l <= C ==> 0 <= oc[l] <= n; @/
    /@ assert minors: N(minors)(od, n, P); @/
    N(lem_cell_among)(d, all);
    /@ loop invariant range: 0 <= i <= C;
       loop invariant order: \forall integer r; 0 <= r < i ==> N(ascending_row)(od, oc[r], oc[r + 1]);
       loop invariant cells: N(cells_cut){Here,Here}(oc, od, c, d, head, at, i);
       loop assigns i; loop variant C - i; @/
    for (int64_t i = 0; i < C; i++) {
      /@ assert here: oc[i] == c[head + i] - at && oc[i + 1] == c[head + i + 1] - at && 0 <= oc[i] <= oc[i + 1] <= n; @/
      int64_t low = oc[i];
      int64_t high = oc[i + 1];
      /@ assert row: N(ascending_row)(d, at + low, at + high); @/
      N(lem_cells_from)(d, od, at, low, high - low);
      /@ assert cell: \forall integer j; N(cell_at)(oc, od, i, j) == N(cell_among)(od, j, low, high) &&
           N(cell_at)(c, d, head + i, j) == N(cell_among)(d, j, at + low, at + high); @/
      /@ assert behind: \forall integer j; 0 <= N(cell_among)(d, j, at + low, at + high) ==>
           at + low <= N(cell_among)(d, j, at + low, at + high); @/
      /@ assert same: \forall integer j; N(cell_at)(oc, od, i, j) ==
           (0 <= N(cell_at)(c, d, head + i, j) ? N(cell_at)(c, d, head + i, j) - at : -1); @/
      /@ assert own: N(ascending_row)(od, low, high); @/
    }
    N(lem_lines_fit)(oc, od, C, P, n);
  }
*/

/*@ requires sizes: 0 <= C < INT64_MAX && 0 <= at;
    requires place: 0 <= head && head + C < INT64_MAX;
    requires readable: \valid_read(c + (head .. head + C)) && \valid(oc + (0 .. C)) &&
      \separated(oc + (0 .. C), c + (head .. head + C));
    requires inside: \forall integer k; head <= k <= head + C ==> at <= N(offset_at)(c, k);
    terminates \true; exits \false; assigns oc[0 .. C];
    ensures cut: N(lines_cut)(oc, c, head, at, C); */
/* level L2 */
static void N(cut_batch)(const IDX *c, int64_t head, IDX at, int64_t C, IDX *oc)
{
  /*@ loop invariant range: 0 <= i <= C + 1;
      loop invariant cut: \forall integer t; 0 <= t < i ==> N(offset_at)(oc, t) == N(offset_at)(c, head + t) - at;
      loop assigns i, oc[0 .. C]; loop variant C + 1 - i; */
  for (int64_t i = 0; i <= C; i++) {
    const IDX from = c[head + i];
    //@ assert from: from == N(offset_at)(c, head + i) == N(offset_at){Pre}(c, head + i);
    //@ assert inside: 0 <= at <= N(offset_at){Pre}(c, head + i);
    oc[i] = (IDX)(from - at);
  }
}

/* level L2 */
void N(spw_cut_lines)(const IDX *c, const IDX *d, int64_t batches, int64_t C, int64_t P, int64_t n, IDX *oc)
{
  (void)d, (void)P;
  //@ ghost lem_times_apart(batches, C);
  //@ ghost lem_times_apart(batches, C + 1);
  //@ ghost lem_times_apart(batches, n);
  int64_t head = 0, to = 0, at = 0;
  //@ ghost const int64_t lines = batches * C, all = batches * n;
  //@ assert products: lines == times(batches, C) && all == times(batches, n);
  //@ ghost N(lem_line_of)(c, lines, all);
  //@ assert up: \forall integer l, m; 0 <= l <= m <= lines ==> N(offset_at)(c, l) <= N(offset_at)(c, m);
  /*@ loop invariant range: 0 <= q <= batches && head == times(q, C) && to == times(q, C + 1) && at == times(q, n);
      loop invariant cut: \forall integer r; 0 <= r < q ==> N(lines_cut)(oc + times(r, C + 1), c, times(r, C), times(r, n), C);
      loop assigns q, head, to, at, oc[0 .. times(batches, C + 1) - 1]; loop variant batches - q; */
  for (int64_t q = 0; q < batches; q++) {
    /*@ assert fit: 0 <= head && head + C == times(q + 1, C) <= lines && 0 <= at && at + n == times(q + 1, n) <= all &&
          0 <= to && to + C + 1 == times(q + 1, C + 1) <= times(batches, C + 1); */
    //@ assert base: at == N(offset_at){Pre}(c, head);
    //@ assert stay: \forall integer k; head <= k <= head + C ==> N(offset_at)(c, k) == N(offset_at){Pre}(c, k);
    //@ assert inside: \forall integer k; head <= k <= head + C ==> at <= N(offset_at)(c, k);
    N(cut_batch)(c, head, (IDX)at, C, oc + to);
    //@ assert own: N(lines_cut)(oc + to, c, head, at, C);
    head += C;
    to += C + 1;
    at += n;
  }
  //@ assert offsets_stay: \forall integer l; 0 <= l <= lines ==> c[l] == \at(c[l],Pre);
  //@ assert elements_stay: \forall integer e; 0 <= e < all ==> d[e] == \at(d[e],Pre);
  //@ assert equal: N(batches_equal)(c, batches, C, n);
  //@ assert offsets: N(offsets)(c, lines, all);
  //@ assert minors: N(minors)(d, all, P);
  //@ assert order: N(rule_5_6)(c, d, lines, P, all);
  //@ ghost N(lem_lines_fit)(c, d, lines, P, all);
  //@ assert hold: N(lines_hold)(c, d, lines, P, all);
  /*@ ghost
     /@ loop invariant range: 0 <= t <= all;
        loop invariant among: \forall integer j, low, high; 0 <= low <= high <= t ==>
          N(cell_among)(d, j, low, high) == N(cell_among){Pre}(d, j, low, high);
        loop assigns t; loop variant all - t; @/
     for (int64_t t = 0; t < all; t++) {
       /@ assert own: d[t] == N(offset_at){Pre}(d, t); @/
     }
  */
  /*@ assert cells: \forall integer l, j; 0 <= l < lines ==> N(cell_at)(c, d, l, j) == N(cell_at){Pre}(c, d, l, j); */
  /*@ ghost
     int64_t first = 0;
     int64_t line = 0;
     int64_t element = 0;
     /@ loop invariant range: 0 <= q <= batches && first == times(q, C) && line == times(q, C + 1) && element == times(q, n);
        loop invariant done: \forall integer r; 0 <= r < q ==> N(batch_is_cut){Here,Pre}(oc, c, d, r, C, P, n);
        loop assigns q, first, line, element; loop variant batches - q; @/
     for (int64_t q = 0; q < batches; q++) {
       /@ assert fit: 0 <= first && first + C == times(q + 1, C) <= lines && 0 <= element && element + n == times(q + 1, n) <= all &&
            0 <= line && line + C + 1 == times(q + 1, C + 1) <= times(batches, C + 1); @/
       /@ assert ends: c[first] == element && c[first + C] == element + n; @/
       const IDX *od = n == 0 ? d : d + element; // d may be null
       N(lem_lines_cut)(c, d, lines, P, all, oc + line, od, first, element, C, n);
       /@ assert own: N(batch_is_cut){Here,Pre}(oc, c, d, q, C, P, n); @/
       first = first + C;
       line = line + C + 1;
       element = element + n;
     }
  */
}

#endif
