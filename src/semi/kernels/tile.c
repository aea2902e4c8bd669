/* SPDX-License-Identifier: Apache-2.0 */
#include "tile.h"

/* How much room there is: rows[r] and columns[c] are what may still be kept. */
/*@ predicate rows_are_told{L}(uint8_t *keep, int *rows) =
      \forall integer r; 0 <= r < 4 ==> rows[r] >= 0 && rows[r] + kept_in_row(keep, r) == 2;
    predicate columns_are_told{L}(uint8_t *keep, int *columns) =
      \forall integer c; 0 <= c < 4 ==> columns[c] >= 0 && columns[c] + kept_in_column(keep, c) == 2;
    predicate may_be_kept{L}(uint8_t *keep, int *rows, int *columns, integer r, integer c) =
      keep[4 * r + c] == 0 && rows[r] > 0 && columns[c] > 0;
    predicate is_next{L}(uint32_t *key, uint8_t *keep, int *rows, int *columns, integer r, integer c) =
      \forall integer s, d; 0 <= s < 4 && 0 <= d < 4 && may_be_kept(keep, rows, columns, s, d) && 4 * s + d != 4 * r + c ==>
        is_preferred(key, r, c, s, d);
    predicate largest_are_kept{L}(uint32_t *key, uint8_t *keep, int *rows, int *columns) =
      \forall integer r, c, s, d; 0 <= r < 4 && 0 <= c < 4 && 0 <= s < 4 && 0 <= d < 4 &&
        may_be_kept(keep, rows, columns, s, d) && keep[4 * r + c] == 1 ==> is_preferred(key, r, c, s, d);
    predicate rest_is_closed{L}(uint32_t *key, uint8_t *keep, int *rows, int *columns) =
      \forall integer r, c; 0 <= r < 4 && 0 <= c < 4 && keep[4 * r + c] == 0 && !may_be_kept(keep, rows, columns, r, c) ==>
        row_is_full(key, keep, r, c) || column_is_full(key, keep, r, c); */

/* The place that comes before all others that have room; -1 where none has. */
/*@ requires reads: \valid_read(key + (0 .. 15)) && \valid_read(keep + (0 .. 15));
    requires room: \valid_read(rows + (0 .. 3)) && \valid_read(columns + (0 .. 3));
    terminates \true; exits \false; assigns \nothing;
    ensures range: -1 <= \result < 16;
    ensures none: \result == -1 ==> (\forall integer r, c; 0 <= r < 4 && 0 <= c < 4 ==> !may_be_kept(keep, rows, columns, r, c));
    ensures next: \result >= 0 ==> may_be_kept(keep, rows, columns, \result / 4, \result % 4) &&
      is_next(key, keep, rows, columns, \result / 4, \result % 4); */
/* level L2 */
static inline int next_with_room(const uint32_t *key, const uint8_t *keep, const int *rows, const int *columns)
{
  int at = -1;
  int64_t most = -1; /* the key there */
  /*@ loop invariant range: 0 <= r <= 4 && -1 <= at < 4 * r;
      loop invariant most: at >= 0 ? most == key[at] : most == -1;
      loop invariant none: at == -1 ==> (\forall integer s, d; 0 <= s < r && 0 <= d < 4 ==> !may_be_kept(keep, rows, columns, s, d));
      loop invariant room: at >= 0 ==> may_be_kept(keep, rows, columns, at / 4, at % 4);
      loop invariant next: at >= 0 ==> (\forall integer s, d; 0 <= s < r && 0 <= d < 4 && may_be_kept(keep, rows, columns, s, d) &&
        4 * s + d != at ==> key[at] > key[4 * s + d] || (key[at] == key[4 * s + d] && at < 4 * s + d));
      loop assigns r, at, most;
      loop variant 4 - r; */
  for (int r = 0; r < 4; r++) {
    if (rows[r] <= 0) continue;
    /*@ loop invariant range: 0 <= c <= 4 && -1 <= at < 4 * r + c;
        loop invariant most: at >= 0 ? most == key[at] : most == -1;
        loop invariant none: at == -1 ==> (\forall integer s, d; 0 <= s <= r && 0 <= d < 4 && 4 * s + d < 4 * r + c ==>
          !may_be_kept(keep, rows, columns, s, d));
        loop invariant room: at >= 0 ==> may_be_kept(keep, rows, columns, at / 4, at % 4);
        loop invariant next: at >= 0 ==> (\forall integer s, d; 0 <= s <= r && 0 <= d < 4 && 4 * s + d < 4 * r + c &&
          may_be_kept(keep, rows, columns, s, d) && 4 * s + d != at ==>
          key[at] > key[4 * s + d] || (key[at] == key[4 * s + d] && at < 4 * s + d));
        loop assigns c, at, most;
        loop variant 4 - c; */
    for (int c = 0; c < 4; c++) {
      const int p = 4 * r + c;
      //@ assert place: p / 4 == r && p % 4 == c;
      const int against = keep[p] + (columns[c] <= 0) + (key[p] <= most);
      most = against == 0 ? key[p] : most;
      at = against == 0 ? p : at;
    }
  }
  //@ assert place: at >= 0 ==> at == 4 * (at / 4) + at % 4;
  return at;
}

/*@ requires writes: \valid(keep + (0 .. 15)) && \valid(rows + (0 .. 3)) && \valid(columns + (0 .. 3));
    requires apart: \separated(rows + (0 .. 3), columns + (0 .. 3));
    requires place: 0 <= r < 4 && 0 <= c < 4;
    requires told: only_kept_or_not(keep);
    requires rows: rows_are_told(keep, rows);
    requires columns: columns_are_told(keep, columns);
    requires room: may_be_kept(keep, rows, columns, r, c);
    terminates \true; exits \false; assigns keep[4 * r + c], rows[r], columns[c];
    ensures told: only_kept_or_not(keep);
    ensures kept: keep[4 * r + c] == 1;
    ensures less: rows[r] == \old(rows[r]) - 1 && columns[c] == \old(columns[c]) - 1;
    ensures rows: rows_are_told(keep, rows);
    ensures columns: columns_are_told(keep, columns);
    ensures total: rows[0] + rows[1] + rows[2] + rows[3] == \old(rows[0] + rows[1] + rows[2] + rows[3]) - 1; */
/* level L2 */
static inline void keep_place(uint8_t *keep, int *rows, int *columns, int r, int c)
{
  keep[4 * r + c] = 1;
  //@ assert row: kept_in_row(keep, r) == \at(kept_in_row(keep, r), Pre) + 1;
  //@ assert column: kept_in_column(keep, c) == \at(kept_in_column(keep, c), Pre) + 1;
  //@ assert rows: \forall integer s; 0 <= s < 4 && s != r ==> kept_in_row(keep, s) == \at(kept_in_row(keep, s), Pre);
  //@ assert columns: \forall integer d; 0 <= d < 4 && d != c ==> kept_in_column(keep, d) == \at(kept_in_column(keep, d), Pre);
  rows[r]--;
  columns[c]--;
  //@ assert rows_after: \forall integer s; 0 <= s < 4 && s != r ==> rows[s] == \at(rows[s], Pre);
  //@ assert columns_after: \forall integer d; 0 <= d < 4 && d != c ==> columns[d] == \at(columns[d], Pre);
}

/* One step more of the choice. */
/*@ requires reads: \valid_read(key + (0 .. 15));
    requires writes: \valid(keep + (0 .. 15)) && \valid(rows + (0 .. 3)) && \valid(columns + (0 .. 3));
    requires apart: \separated(rows + (0 .. 3), columns + (0 .. 3)) && \separated(key + (0 .. 15), keep + (0 .. 15)) &&
      \separated(key + (0 .. 15), rows + (0 .. 3), columns + (0 .. 3));
    requires place: 0 <= r < 4 && 0 <= c < 4;
    requires told: only_kept_or_not(keep);
    requires rows: rows_are_told(keep, rows);
    requires columns: columns_are_told(keep, columns);
    requires next: may_be_kept(keep, rows, columns, r, c) && is_next(key, keep, rows, columns, r, c);
    requires greedy: largest_are_kept(key, keep, rows, columns) && rest_is_closed(key, keep, rows, columns);
    terminates \true; exits \false; assigns keep[4 * r + c], rows[r], columns[c];
    ensures told: only_kept_or_not(keep);
    ensures rows: rows_are_told(keep, rows);
    ensures columns: columns_are_told(keep, columns);
    ensures first: largest_are_kept(key, keep, rows, columns);
    ensures closed: rest_is_closed(key, keep, rows, columns);
    ensures total: rows[0] + rows[1] + rows[2] + rows[3] == \old(rows[0] + rows[1] + rows[2] + rows[3]) - 1; */
/* level L2 */
static inline void keep_next(const uint32_t *key, uint8_t *keep, int *rows, int *columns, int r, int c)
{
  (void)key;
  keep_place(keep, rows, columns, r, c);
  /*@ assert others: \forall integer s, d; 0 <= s < 4 && 0 <= d < 4 && 4 * s + d != 4 * r + c ==>
        keep[4 * s + d] == \at(keep[4 * s + d], Pre); */
  /*@ assert room: \forall integer s, d; 0 <= s < 4 && 0 <= d < 4 && may_be_kept(keep, rows, columns, s, d) ==>
        \at(may_be_kept(keep, rows, columns, s, d), Pre) && is_preferred(key, r, c, s, d); */
  /*@ assert row: rows[r] == 0 ==> (\forall integer d; 0 <= d < 4 && d != c && \at(may_be_kept(keep, rows, columns, r, d), Pre) ==>
        row_is_full(key, keep, r, d)); */
  /*@ assert column: columns[c] == 0 ==> (\forall integer s; 0 <= s < 4 && s != r && \at(may_be_kept(keep, rows, columns, s, c), Pre) ==>
        column_is_full(key, keep, s, c)); */
  //@ assert full_row: \forall integer s; 0 <= s < 4 && \at(kept_in_row(keep, s), Pre) == 2 ==> s != r && kept_in_row(keep, s) == 2;
  /*@ assert full_column: \forall integer d; 0 <= d < 4 && \at(kept_in_column(keep, d), Pre) == 2 ==>
        d != c && kept_in_column(keep, d) == 2; */
  /*@ assert row_stays: \forall integer s, d; 0 <= s < 4 && 0 <= d < 4 && 4 * s + d != 4 * r + c &&
        \at(row_is_full(key, keep, s, d), Pre) ==> row_is_full(key, keep, s, d); */
  /*@ assert column_stays: \forall integer s, d; 0 <= s < 4 && 0 <= d < 4 && 4 * s + d != 4 * r + c &&
        \at(column_is_full(key, keep, s, d), Pre) ==> column_is_full(key, keep, s, d); */
  /*@ assert before: \forall integer s, d; 0 <= s < 4 && 0 <= d < 4 && keep[4 * s + d] == 0 &&
        !\at(may_be_kept(keep, rows, columns, s, d), Pre) ==> row_is_full(key, keep, s, d) || column_is_full(key, keep, s, d); */
  /*@ assert lost: \forall integer s, d; 0 <= s < 4 && 0 <= d < 4 && keep[4 * s + d] == 0 && !may_be_kept(keep, rows, columns, s, d) &&
        \at(may_be_kept(keep, rows, columns, s, d), Pre) ==> (s == r && d != c && rows[r] == 0) || (d == c && s != r && columns[c] == 0); */
  /*@ assert now: \forall integer s, d; 0 <= s < 4 && 0 <= d < 4 && keep[4 * s + d] == 0 && !may_be_kept(keep, rows, columns, s, d) &&
        \at(may_be_kept(keep, rows, columns, s, d), Pre) ==> row_is_full(key, keep, s, d) || column_is_full(key, keep, s, d); */
}

/* level L2 */
void spw_semi_choose_in_tile(const uint32_t *key, uint8_t *keep)
{
  int rows[4] = {2, 2, 2, 2}, columns[4] = {2, 2, 2, 2};
  /*@ loop invariant range: 0 <= p <= 16;
      loop invariant none: \forall integer k; 0 <= k < p ==> keep[k] == 0;
      loop assigns p, keep[0 .. 15];
      loop variant 16 - p; */
  for (int p = 0; p < 16; p++) keep[p] = 0;
  //@ assert two: \forall integer k; 0 <= k < 4 ==> rows[k] == 2 && columns[k] == 2;
  //@ assert none: \forall integer k; 0 <= k < 4 ==> kept_in_row(keep, k) == 0 && kept_in_column(keep, k) == 0;
  /*@ loop invariant range: 0 <= i <= 8;
      loop invariant told: only_kept_or_not(keep);
      loop invariant rows: rows_are_told(keep, &rows[0]);
      loop invariant columns: columns_are_told(keep, &columns[0]);
      loop invariant total: rows[0] + rows[1] + rows[2] + rows[3] == 8 - i;
      loop invariant first: largest_are_kept(key, keep, &rows[0], &columns[0]);
      loop invariant closed: rest_is_closed(key, keep, &rows[0], &columns[0]);
      loop assigns i, keep[0 .. 15], rows[0 .. 3], columns[0 .. 3];
      loop variant 8 - i; */
  for (int i = 0; i < 8; i++) {
    const int at = next_with_room(key, keep, rows, columns);
    if (at < 0) return;
    keep_next(key, keep, rows, columns, at / 4, at % 4);
  }
  //@ assert full: \forall integer r; 0 <= r < 4 ==> rows[r] == 0;
}

/* level L2 */
uint8_t spw_semi_main_diagonal(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
  const uint32_t most = b > c ? b : c;
  return a >= most || d > most;
}
