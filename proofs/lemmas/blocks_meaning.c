/* SPDX-License-Identifier: Apache-2.0 */
/* Block after block, line after line. */
#ifndef IDX
#include "blocks_meaning.h"

#define SPW_TEMPLATE "../../proofs/lemmas/blocks_meaning.c"
#include "../../src/core/each_index_type.h"

#else /* for each index type */

/*@ ghost
  int64_t N(ghost_product)(int64_t k, int64_t m) {
    lem_times(k, m);
    return k * m;
  }
*/

/*@ ghost
  /@ // the columns of a block are its own
     requires sizes: 0 <= P && 0 < bw && 0 <= x < P;
     terminates \true; exits \false; assigns \nothing;
     ensures inside: 0 <= times(x, bw) && times(x, bw) + bw <= times(P, bw);
     ensures before: \forall integer j; 0 <= j < x ==> times(j, bw) + bw <= times(x, bw);
     ensures behind: \forall integer j; x < j < P ==> times(x, bw) + bw <= times(j, bw); @/
  void N(lem_columns_apart)(int64_t P, int64_t bw, int64_t x) {
    lem_times_apart(P, bw);
  }
*/

/*@ // what s columns from column `first` on, from position `at` on, add to what lies before them
    predicate N(run_adds){L}(IDX *od, integer first, integer s, integer start, integer at) =
      \forall integer q; N(cell_among)(od, q, start, at + s) ==
        (first <= q < first + s ? at + (q - first) : N(cell_among)(od, q, start, at));
*/

/*@ ghost
  /@ // one more block
     requires sizes: 0 <= lo <= k && 0 < bw && 0 <= P && 0 <= start <= at && at + bw <= INT64_MAX && 0 <= d[k] < P;
     requires place: at == start + times(k - lo, bw);
     requires readable: \valid_read(d + k);
     requires run: N(run_listed)(d, od, k, at, bw);
     requires before: N(runs_found)(d, lo, k, P, bw, od, start, at);
     terminates \true; exits \false; assigns \nothing;
     ensures range: \forall integer q; at <= q < at + bw ==> 0 <= od[q] < times(P, bw);
     ensures found: N(runs_found)(d, lo, k + 1, P, bw, od, start, at + bw); @/
  void N(lem_one_block_more)(const IDX *d, int64_t lo, int64_t k, int64_t P, int64_t bw, const IDX *od, int64_t start,
                             int64_t at) {
    const int64_t x = d[k];
    N(lem_columns_apart)(P, bw, x);
    /@ loop invariant range: 0 <= s <= bw;
       loop invariant adds: N(run_adds)(od, times(x, bw), s, start, at);
       loop assigns s; loop variant bw - s; @/
    for (int64_t s = 0; s < bw; s++) {
      /@ assert column: od[at + s] == times(x, bw) + s; @/
      /@ assert unfold: \forall integer J; N(cell_among)(od, J, start, at + (s + 1)) ==
           (od[at + s] == J ? at + s : N(cell_among)(od, J, start, at + s)); @/
    }
    /@ assert adds: N(run_adds)(od, times(x, bw), bw, start, at); @/
    /@ assert last: \forall integer j; N(cell_among)(d, j, lo, k + 1) == (x == j ? k : N(cell_among)(d, j, lo, k)); @/
    /@ assert mine: \forall integer q; times(x, bw) <= q < times(x, bw) + bw ==>
         N(cell_among)(od, q, start, at + bw) == start + times(k - lo, bw) + (q - times(x, bw)); @/
    /@ assert others: \forall integer j, q; 0 <= j < P && j != x && times(j, bw) <= q < times(j, bw) + bw ==>
         N(cell_among)(od, q, start, at + bw) == N(cell_among)(od, q, start, at); @/
  }
*/

/*@ ghost
  /@ // one line of all blocks of a line
     requires sizes: 0 <= lo <= hi && 0 < bw && 0 <= P && 0 <= start && start + times(hi - lo, bw) == end <= INT64_MAX;
     requires minors: \forall integer k; lo <= k < hi ==> 0 <= d[k] < P;
     requires readable: \valid_read(d + (lo .. hi - 1));
     requires runs: \forall integer j; 0 <= j < hi - lo ==> N(run_listed)(d, od, lo + j, start + times(j, bw), bw);
     terminates \true; exits \false; assigns \nothing;
     ensures range: \forall integer q; start <= q < end ==> 0 <= od[q] < times(P, bw);
     ensures ascends: N(ascending_row)(d, lo, hi) ==> N(ascending_row)(od, start, end);
     ensures found: N(runs_found)(d, lo, hi, P, bw, od, start, end); @/
  void N(lem_line_of_blocks)(const IDX *d, int64_t lo, int64_t hi, int64_t P, int64_t bw, const IDX *od, int64_t start,
                             int64_t end) {
    int64_t at = start;
    lem_times_apart(P, bw);
    lem_times_within(hi - lo, bw);
    /@ loop invariant range: lo <= k <= hi && at == start + times(k - lo, bw) && start <= at <= end;
       loop invariant below: \forall integer q; start <= q < at ==> 0 <= od[q] < times(P, bw);
       loop invariant last: N(ascending_row)(d, lo, hi) && lo < k ==> start < at && od[at - 1] < times(d[k - 1], bw) + bw;
       loop invariant ascends: N(ascending_row)(d, lo, hi) ==> N(ascending_row)(od, start, at);
       loop invariant found: N(runs_found)(d, lo, k, P, bw, od, start, at);
       loop assigns k, at; loop variant hi - k; @/
    for (int64_t k = lo; k < hi; k++) {
      lem_times_at(k - lo, hi - lo, bw);
      /@ assert next: at + bw == start + times(k + 1 - lo, bw) && at + bw <= end; @/
      /@ assert run: N(run_listed)(d, od, lo + (k - lo), start + times(k - lo, bw), bw); @/
      N(lem_one_block_more)(d, lo, k, P, bw, od, start, at);
      /@ assert step: N(ascending_row)(d, lo, hi) && lo < k ==> d[k - 1] < d[k]; @/
      /@ assert behind: N(ascending_row)(d, lo, hi) && lo < k ==> od[at - 1] < od[at]; @/
      at += bw;
    }
  }
*/

/*@ // lines of elements, where there are `all` columns: rules 5.3 and 5.6
    predicate N(lines_rise){L}(IDX *oc, integer from, integer to, integer all) = \forall integer i; from <= i < to ==>
      0 <= oc[i] <= oc[i + 1] <= oc[i] + all;

    predicate N(each_ascends){L}(IDX *oc, IDX *od, integer from, integer to) = \forall integer i; from <= i < to ==>
      N(ascending_row)(od, oc[i], oc[i + 1]);

    // lines from .. to - 1 are of the blocks lo .. hi - 1
    predicate N(all_found){L}(IDX *d, integer lo, integer hi, integer P, integer bw, IDX *oc, IDX *od, integer from, integer to) =
      \forall integer i; from <= i < to ==> N(found_there)(d, lo, hi, P, bw, oc, od, i);

    // lines end `width` apart
    predicate N(ends_apart){L}(IDX *oc, integer line, integer bh, integer at, integer width) =
      \forall integer r; 0 <= r <= bh ==> oc[line + r] == at + times(r, width);
*/

/*@ ghost
  /@ // lines of `width` elements, which is all blocks of a line
     requires sizes: 0 <= lo <= hi && 0 < bh && 0 < bw && 0 <= P && width == times(hi - lo, bw) && 0 <= width <= times(P, bw) &&
       times(P, bw) <= INT64_MAX && 0 <= at && at + times(bh, width) == end <= INT64_MAX && 0 <= line && line + bh <= INT64_MAX;
     requires minors: \forall integer k; lo <= k < hi ==> 0 <= d[k] < P;
     requires readable: \valid_read(d + (lo .. hi - 1));
     requires runs: N(lines_of_runs)(d, od, at, width, lo, hi - lo, bh, bw);
     requires ends: N(ends_apart)(oc, line, bh, at, width);
     terminates \true; exits \false; assigns \nothing;
     ensures rise: N(lines_rise)(oc, line, line + bh, times(P, bw));
     ensures ascend: N(ascending_row)(d, lo, hi) ==> N(each_ascends)(oc, od, line, line + bh);
     ensures range: \forall integer q; at <= q < end ==> 0 <= od[q] < times(P, bw);
     ensures found: N(all_found)(d, lo, hi, P, bw, oc, od, line, line + bh); @/
  void N(lem_lines_of_width)(const IDX *d, int64_t lo, int64_t hi, int64_t P, int64_t bh, int64_t bw, int64_t width,
                             const IDX *oc, int64_t line, const IDX *od, int64_t at, int64_t end) {
    int64_t here = at;
    /@ assert none: times(0, width) == 0; @/
    lem_times_at(0, bh, width);
    /@ loop invariant range: 0 <= s <= bh && here == at + times(s, width) && at <= here <= end;
       loop invariant rise: N(lines_rise)(oc, line, line + s, times(P, bw));
       loop invariant ascend: N(ascending_row)(d, lo, hi) ==> N(each_ascends)(oc, od, line, line + s);
       loop invariant below: \forall integer q; at <= q < here ==> 0 <= od[q] < times(P, bw);
       loop invariant found: N(all_found)(d, lo, hi, P, bw, oc, od, line, line + s);
       loop assigns s, here; loop variant bh - s; @/
    for (int64_t s = 0; s < bh; s++) {
      lem_times_at(s, bh, width);
      const int64_t i = line + s;
      /@ assert start: oc[i] == here; @/
      /@ assert stop: oc[i + 1] == oc[line + (s + 1)] == here + width <= end; @/
      /@ assert runs: \forall integer j; 0 <= j < hi - lo ==> N(run_listed)(d, od, lo + j, here + times(j, bw), bw); @/
      N(lem_line_of_blocks)(d, lo, hi, P, bw, od, here, here + width);
      /@ assert rise: 0 <= oc[i] <= oc[i + 1] <= oc[i] + times(P, bw); @/
      /@ assert ascend: N(ascending_row)(d, lo, hi) ==> N(ascending_row)(od, oc[i], oc[i + 1]); @/
      /@ assert found: N(found_there)(d, lo, hi, P, bw, oc, od, i); @/
      here += width;
    }
  }
*/

/*@ ghost
  /@ requires sizes: 0 < bh && 0 < bw && times(bh, bw) == bs;
     terminates \true; exits \false; assigns \nothing;
     ensures positive: 0 < bs; @/
  void N(lem_block_has_elements)(int64_t bh, int64_t bw, int64_t bs) { lem_times_at(0, bh, bw); }
*/

/*@ ghost
  /@ // all lines of one line of blocks
     requires sizes: 0 <= lo <= hi <= n && 0 < bh && 0 < bw && 0 <= P && times(bh, bw) == bs && times(n, bs) <= INT64_MAX &&
       0 <= line && line + bh <= INT64_MAX && times(P, bw) <= INT64_MAX;
     requires few: hi - lo <= P;
     requires minors: \forall integer k; lo <= k < hi ==> 0 <= d[k] < P;
     requires readable: \valid_read(d + (lo .. hi - 1));
     requires runs: N(lines_of_runs)(d, od, times(lo, bs), times(hi - lo, bw), lo, hi - lo, bh, bw);
     requires ends: N(ends_apart)(oc, line, bh, times(lo, bs), times(hi - lo, bw));
     terminates \true; exits \false; assigns \nothing;
     ensures rise: N(lines_rise)(oc, line, line + bh, times(P, bw));
     ensures ascend: N(ascending_row)(d, lo, hi) ==> N(each_ascends)(oc, od, line, line + bh);
     ensures end: oc[line + bh] == times(hi, bs);
     ensures range: \forall integer q; times(lo, bs) <= q < times(hi, bs) ==> 0 <= od[q] < times(P, bw);
     ensures found: N(all_found)(d, lo, hi, P, bw, oc, od, line, line + bh); @/
  void N(lem_lines_of_blocks)(const IDX *d, int64_t lo, int64_t hi, int64_t P, int64_t n, int64_t bh, int64_t bw, int64_t bs,
                              const IDX *oc, int64_t line, const IDX *od) {
    N(lem_block_has_elements)(bh, bw, bs);
    lem_times_at(lo, hi, bs);
    lem_times_at(hi, n, bs);
    lem_times_at(hi - lo, n, bs);
    lem_times_sum(lo, hi, bs);
    lem_times_area(hi - lo, bh, bw, bs);
    lem_times_at(hi - lo, P, bw);
    const int64_t width = N(ghost_product)(hi - lo, bw), at = N(ghost_product)(lo, bs), end = N(ghost_product)(hi, bs);
    N(lem_lines_of_width)(d, lo, hi, P, bh, bw, width, oc, line, od, at, end);
  }
*/

/*@ ghost
  void N(lem_blocks_meaning)(const IDX *c, const IDX *d, int64_t C, int64_t P, int64_t n, int64_t bh, int64_t bw, int64_t bs,
                             const IDX *oc, const IDX *od) {
    N(lem_line_only)(c, C, n);
    N(lem_block_has_elements)(bh, bw, bs);
    lem_times_at(0, C, bh);
    lem_times_at(0, n, bs);
    int64_t line = 0;
    /@ loop invariant range: 0 <= s <= C && line == times(s, bh) <= times(C, bh);
       loop invariant at: oc[line] == times(c[s], bs);
       loop invariant rise: N(lines_rise)(oc, 0, line, times(P, bw));
       loop invariant ascend: N(rule_5_6)(c, d, C, P, n) ==> N(each_ascends)(oc, od, 0, line);
       loop invariant below: \forall integer q; 0 <= q < times(c[s], bs) ==> 0 <= od[q] < times(P, bw);
       loop invariant starts: N(lines_start)(c, oc, s, bh, bw, bs);
       loop invariant found: N(lines_found)(c, d, s, P, bh, bw, oc, od);
       loop assigns s, line; loop variant C - s; @/
    for (int64_t s = 0; s < C; s++) {
      lem_times_at(s, C, bh);
      /@ assert inside: 0 <= c[s] <= c[s + 1] <= n; @/
      /@ assert step: N(step)(c, P, s + 1); @/
      /@ assert few: c[s + 1] - c[s] <= P; @/
      /@ assert row: N(rule_5_6)(c, d, C, P, n) ==> N(ascending_row)(d, c[s], c[s + 1]); @/
      /@ assert ends: \forall integer r; 1 <= r <= bh ==> oc[line + r] == N(line_start)(c, s, r, bw, bs); @/
      /@ assert first: oc[line + 0] == times(c[s], bs) + times(0, times(c[s + 1] - c[s], bw)); @/
      /@ assert apart: N(ends_apart)(oc, line, bh, times(c[s], bs), times(c[s + 1] - c[s], bw)); @/
      N(lem_lines_of_blocks)(d, c[s], c[s + 1], P, n, bh, bw, bs, oc, line, od);
      /@ assert newest: \forall integer r; 0 <= r < bh ==> N(found_there)(d, c[s], c[s + 1], P, bw, oc, od, line + r); @/
      /@ assert starts: \forall integer r; 0 <= r < bh ==> oc[line + r] == N(line_start)(c, s, r, bw, bs); @/
      /@ assert found: \forall integer r; 0 <= r < bh ==> N(line_found)(c, d, s, r, P, bh, bw, oc, od); @/
      line += bh;
    }
    /@ assert never: \forall integer i; 0 <= i < line ==> oc[i] <= oc[i + 1] <= oc[i] + times(P, bw); @/
    /@ assert falls: N(never_falls)(oc, line); @/
    /@ assert offsets: N(offsets)(oc, line, times(n, bs)); @/
    /@ assert minors: N(minors)(od, times(n, bs), times(P, bw)); @/
    /@ assert steps: N(rule_5_3)(oc, od, line, times(P, bw), times(n, bs)); @/
    /@ assert order: N(rule_5_6)(c, d, C, P, n) ==> N(rule_5_6)(oc, od, line, times(P, bw), times(n, bs)); @/
    N(lem_line_only)(oc, line, N(ghost_product)(n, bs));
  }
*/

#endif
