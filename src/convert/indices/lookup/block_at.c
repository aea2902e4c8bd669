/* SPDX-License-Identifier: Apache-2.0 */
/* A search in a line. */
#ifndef IDX
#include "block_at.h"

#define SPW_TEMPLATE "../convert/indices/lookup/block_at.c"
#include "../../../core/each_index_type.h"

#else /* for each index type */

#include "../../../../proofs/lemmas/batch_rules.inc"

/*@ logic integer N(plain){L}(IDX *d, integer e) = d[e]; */

/*@ ghost
  /@ // what all lines of a batch are
     requires size: 0 <= C < INT64_MAX && 0 <= n;
     requires readable: \valid_read(c + (0 .. C));
     requires ends: N(rule_5_1)(c, d, C, P, n) && N(rule_5_2)(c, d, C, P, n);
     requires steps: N(rule_5_3)(c, d, C, P, n);
     requires below: N(rule_5_4)(c, d, C, P, n) && N(rule_5_5)(c, d, C, P, n);
     requires order: N(rule_5_6)(c, d, C, P, n);
     requires place: 0 <= x < C;
     terminates \true; exits \false; assigns \nothing;
     ensures line: 0 <= c[x] <= c[x + 1] <= n;
     ensures minors: N(minors)(d, n, P);
     ensures least: \forall integer y; -1 <= N(cell_at)(c, d, x, y);
     ensures found: \forall integer y; 0 <= N(cell_at)(c, d, x, y) ==>
       c[x] <= N(cell_at)(c, d, x, y) < c[x + 1] && d[N(cell_at)(c, d, x, y)] == y;
     ensures there: \forall integer e; c[x] <= e < c[x + 1] ==> N(cell_at)(c, d, x, d[e]) == e; @/
  void N(lem_line)(const IDX *c, const IDX *d, int64_t C, int64_t P, int64_t n, int64_t x) {
    N(lem_lines_of_batch)(c, d, C, P, n);
    N(lem_line_only)(c, C, n);
    N(lem_cell_at)(c, d, C, P, n);
    int64_t low = c[x];
    /@ loop invariant range: c[x] <= high <= c[x + 1] || high == c[x];
       loop invariant least: \forall integer y; -1 <= N(cell_among)(d, y, c[x], high);
       loop assigns high; loop variant c[x + 1] - high; @/
    for (int64_t high = low; high < c[x + 1]; high++) { }
  }
*/

/*@ requires line: 0 <= low <= high <= n && \valid_read(d + (0 .. n - 1)) && N(ascending_row)(d, low, high);
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == N(cell_among)(d, y, low, high); */
/* level L2 */
static int64_t N(find_in_line)(const IDX *d, int64_t n, int64_t low, int64_t high, int64_t y)
{
  (void)n;
  //@ ghost N(lem_cell_among)(d, n);
  //@ ghost N(lem_ascending_pairs)(d, low, high);
  int64_t from = low, to = high;
  /*@ ghost
    /@ loop invariant range: low <= t <= high;
       loop invariant least: -1 <= N(cell_among)(d, y, low, t);
       loop assigns t; loop variant high - t; @/
    for (int64_t t = low; t < high; t++) { }
  */
  /*@ loop invariant range: low <= from <= to <= high;
      loop invariant before: \forall integer k; low <= k < from ==> d[k] < y;
      loop invariant behind: \forall integer k; to <= k < high ==> d[k] > y;
      loop assigns from, to;
      loop variant to - from; */
  while (from < to) {
    const int64_t middle = from + (to - from) / 2;
    if (d[middle] < y) {
      from = middle + 1;
    } else if (d[middle] == y) {
      //@ assert last: middle <= N(cell_among)(d, d[middle], low, high);
      return middle;
    } else {
      to = middle;
    }
  }
  return -1;
}

/*@ requires size: 0 <= C < INT64_MAX && 0 <= n && \valid_read(c + (0 .. C)) && \valid_read(d + (0 .. n - 1));
    requires ends: N(rule_5_1)(c, d, C, P, n) && N(rule_5_2)(c, d, C, P, n);
    requires steps: N(rule_5_3)(c, d, C, P, n);
    requires below: N(rule_5_4)(c, d, C, P, n) && N(rule_5_5)(c, d, C, P, n);
    requires order: N(rule_5_6)(c, d, C, P, n);
    requires place: 0 <= x < C;
    terminates \true; exits \false; assigns \nothing;
    ensures inside: 0 <= \result.begin <= \result.end <= n;
    ensures found: \forall integer y; N(cell_at)(c, d, x, y) == -1 ||
      (\result.begin <= N(cell_at)(c, d, x, y) < \result.end && d[N(cell_at)(c, d, x, y)] == y);
    ensures there: \forall integer e; \result.begin <= e < \result.end ==> 0 <= N(plain)(d, e) < P &&
      N(cell_at)(c, d, x, N(plain)(d, e)) == e; */
/* level L2 */
static spw_line N(line_here)(const IDX *c, const IDX *d, int64_t C, int64_t P, int64_t n, int64_t x)
{
  (void)d, (void)C, (void)P, (void)n;
  //@ ghost N(lem_line)(c, d, C, P, n, x);
  const spw_line line = {c[x], c[x + 1]};
  return line;
}

/*@ requires size: 0 <= C < INT64_MAX && 0 <= n && \valid_read(c + (0 .. C)) && \valid_read(d + (0 .. n - 1));
    requires ends: N(rule_5_1)(c, d, C, P, n) && N(rule_5_2)(c, d, C, P, n);
    requires steps: N(rule_5_3)(c, d, C, P, n);
    requires below: N(rule_5_4)(c, d, C, P, n) && N(rule_5_5)(c, d, C, P, n);
    requires order: N(rule_5_6)(c, d, C, P, n);
    requires place: 0 <= x < C;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == N(cell_at)(c, d, x, y);
    ensures inside: -1 <= \result < n; */
/* level L2 */
static int64_t N(block_here)(const IDX *c, const IDX *d, int64_t C, int64_t P, int64_t n, int64_t x, int64_t y)
{
  (void)C, (void)P;
  //@ ghost N(lem_line)(c, d, C, P, n, x);
  //@ assert own: N(ascending_row)(d, c[x], c[x + 1]);
  return N(find_in_line)(d, n, c[x], c[x + 1], y);
}

/*@ requires size: 0 <= C < INT64_MAX && 0 <= n && \valid_read(c + (0 .. C)) && \valid_read(d + (0 .. n - 1));
    requires ends: N(rule_5_1)(c, d, C, P, n) && N(rule_5_2)(c, d, C, P, n);
    requires steps: N(rule_5_3)(c, d, C, P, n);
    requires below: N(rule_5_4)(c, d, C, P, n) && N(rule_5_5)(c, d, C, P, n);
    requires order: N(rule_5_6)(c, d, C, P, n);
    requires place: 0 <= e < n;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == d[e];
    ensures inside: 0 <= \result < P; */
/* level L2 */
static int64_t N(plain_here)(const IDX *c, const IDX *d, int64_t C, int64_t P, int64_t n, int64_t e)
{
  (void)c, (void)C, (void)P, (void)n;
  return d[e];
}

/* level L2 */
spw_line N(spw_line_of)(const IDX *c, int64_t c_length, const IDX *d, int64_t d_length, spw_grid g, int64_t q, int64_t x)
{
  (void)c_length, (void)d_length;
  const IDX *const cb = c + spw_compressed_start(g, q);
  const IDX *const db = g.nse > 0 ? d + spw_plain_start(g, q) : d;
  //@ assert plain: db == d + plain_start(g, q);
  //@ assert ends: N(rule_5_1)(cb, db, g.C, g.P, g.nse) && N(rule_5_2)(cb, db, g.C, g.P, g.nse);
  //@ assert steps: N(rule_5_3)(cb, db, g.C, g.P, g.nse);
  //@ assert below: N(rule_5_4)(cb, db, g.C, g.P, g.nse) && N(rule_5_5)(cb, db, g.C, g.P, g.nse);
  //@ assert order: N(rule_5_6)(cb, db, g.C, g.P, g.nse);
  /*@ assert plains: \forall integer e; N(plain)(db, e) == N(plain_entry)(d, g, q, e); */
  /*@ assert elements: \forall integer y; N(cell_at)(cb, db, x, y) == N(element_of)(c, d, g, q, x, y); */
  const spw_line line = N(line_here)(cb, db, g.C, g.P, g.nse, x);
  /*@ assert found: \forall integer y; N(element_of)(c, d, g, q, x, y) == -1 ||
        (line.begin <= N(element_of)(c, d, g, q, x, y) < line.end && N(plain)(db, N(element_of)(c, d, g, q, x, y)) == y); */
  /*@ assert minors: \forall integer e; line.begin <= e < line.end ==> 0 <= N(plain_entry)(d, g, q, e) < g.P; */
  /*@ assert there: \forall integer e; line.begin <= e < line.end ==> N(cell_at)(cb, db, x, N(plain_entry)(d, g, q, e)) == e; */
  return line;
}

/* level L2 */
int64_t N(spw_plain_at)(const IDX *c, int64_t c_length, const IDX *d, int64_t d_length, spw_grid g, int64_t q, int64_t e)
{
  (void)c_length, (void)d_length;
  const IDX *const cb = c + spw_compressed_start(g, q);
  const IDX *const db = d + spw_plain_start(g, q);
  //@ assert plain: db == d + plain_start(g, q);
  //@ assert ends: N(rule_5_1)(cb, db, g.C, g.P, g.nse) && N(rule_5_2)(cb, db, g.C, g.P, g.nse);
  //@ assert steps: N(rule_5_3)(cb, db, g.C, g.P, g.nse);
  //@ assert below: N(rule_5_4)(cb, db, g.C, g.P, g.nse) && N(rule_5_5)(cb, db, g.C, g.P, g.nse);
  //@ assert order: N(rule_5_6)(cb, db, g.C, g.P, g.nse);
  return N(plain_here)(cb, db, g.C, g.P, g.nse, e);
}

/* level L2 */
int64_t N(spw_block_at)(const IDX *c, int64_t c_length, const IDX *d, int64_t d_length, spw_grid g, int64_t q, int64_t x,
                        int64_t y)
{
  (void)c_length, (void)d_length;
  const IDX *const cb = c + spw_compressed_start(g, q);
  const IDX *const db = g.nse > 0 ? d + spw_plain_start(g, q) : d;
  //@ assert plain: db == d + plain_start(g, q);
  //@ assert ends: N(rule_5_1)(cb, db, g.C, g.P, g.nse) && N(rule_5_2)(cb, db, g.C, g.P, g.nse);
  //@ assert steps: N(rule_5_3)(cb, db, g.C, g.P, g.nse);
  //@ assert below: N(rule_5_4)(cb, db, g.C, g.P, g.nse) && N(rule_5_5)(cb, db, g.C, g.P, g.nse);
  //@ assert order: N(rule_5_6)(cb, db, g.C, g.P, g.nse);
  return N(block_here)(cb, db, g.C, g.P, g.nse, x, y);
}

#endif
