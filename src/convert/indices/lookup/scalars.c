/* SPDX-License-Identifier: Apache-2.0 */
#include "scalars.h"
#include "../../../../proofs/lemmas/times_at.h"

/*@ ghost
  void lem_quotient(int64_t n, int64_t m, int64_t x) {
    lem_times(n, m);
    int64_t k = x / m;
    /@ assert division: x == k * m + x % m && 0 <= x % m < m; @/
    /@ assert below: k < n || n * m <= k * m; @/
    /@ assert product: times(k, m) == k * m; @/
  }

  void lem_quotients(int64_t n, int64_t m) {
    lem_times(n, m);
    /@ loop invariant range: 0 <= x <= times(n, m);
       loop invariant quotients: \forall integer t; 0 <= t < x ==> 0 <= t / m < n && 0 <= t % m < m && times(t / m, m) + t % m == t;
       loop assigns x; loop variant n * m - x; @/
    for (int64_t x = 0; x < n * m; x++) {
      lem_quotient(n, m, x);
    }
  }

  void lem_run(int64_t n, int64_t m, int64_t x) {
    lem_times(n, m);
    int64_t k = (n * m + x) / m;
    /@ assert division: n * m + x == k * m + (n * m + x) % m && 0 <= (n * m + x) % m < m; @/
    /@ assert not_more: k <= n || n * m + m <= k * m; @/
    /@ assert not_less: n <= k || k * m + m <= n * m; @/
  }
*/

/* k * m + x, which can be told */
/*@ requires sizes: 0 <= k < n && 0 <= m && 0 <= x < m && times(n, m) <= INT64_MAX;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == times(k, m) + x;
    ensures inside: 0 <= \result < times(n, m); */
/* level L2 */
static int64_t place_in(int64_t n, int64_t k, int64_t m, int64_t x)
{
  (void)n;
  //@ ghost lem_times_at(k, n, m);
  //@ ghost lem_times(k, m);
  return k * m + x;
}

/*@ lemma wide_line{L}: \forall spw_scalars s, integer q, x, begin, end; s.wide != 0 &&
      line_exact_i64(s.c64, s.d64, s.grid, q, x, begin, end) ==> line_of_scalars(s, q, x, begin, end);

    lemma narrow_line{L}: \forall spw_scalars s, integer q, x, begin, end; s.wide == 0 &&
      line_exact_i32(s.c32, s.d32, s.grid, q, x, begin, end) ==> line_of_scalars(s, q, x, begin, end);
*/

/* level L2 */
spw_line spw_line_of_scalars(spw_scalars s, int64_t q, int64_t x)
{
  return s.wide != 0 ? spw_line_of_i64(s.c64, s.c_length, s.d64, s.d_length, s.grid, q, x)
                     : spw_line_of_i32(s.c32, s.c_length, s.d32, s.d_length, s.grid, q, x);
}

/* level L2 */
int64_t spw_plain_of(spw_scalars s, int64_t q, int64_t e)
{
  return s.wide != 0 ? spw_plain_at_i64(s.c64, s.c_length, s.d64, s.d_length, s.grid, q, e)
                     : spw_plain_at_i32(s.c32, s.c_length, s.d32, s.d_length, s.grid, q, e);
}

/*@ ghost
  void lem_runs_of_scalars(spw_scalars s) {
    if (s.wide != 0) lem_listed_at_i64(s.d64, s.d_length, s.listed, s.size);
    else lem_listed_at_i32(s.d32, s.d_length, s.listed, s.size);
  }

  void lem_run_stays(spw_scalars s, int64_t q, int64_t i, int64_t y, int64_t k) {
    if (s.wide != 0) lem_listed_stays_i64(s.d64, s.listed, s.size, q, i, y, k);
    else lem_listed_stays_i32(s.d32, s.listed, s.size, q, i, y, k);
  }
*/

/*@ requires valid: scalars_valid(s) && lines_valid(s);
    requires place: 0 <= q < s.batches && 0 <= x < s.grid.C;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == block_at(s, q, x, y);
    ensures inside: -1 <= \result < s.grid.nse; */
/* level L2 */
static int64_t block_of(spw_scalars s, int64_t q, int64_t x, int64_t y)
{
  return s.wide != 0 ? spw_block_at_i64(s.c64, s.c_length, s.d64, s.d_length, s.grid, q, x, y)
                     : spw_block_at_i32(s.c32, s.c_length, s.d32, s.d_length, s.grid, q, x, y);
}

/*@ requires valid: scalars_valid(s) && lines_valid(s);
    requires position: 0 <= r < s.across && 0 <= t < s.along;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == in_block(s, r, t);
    ensures inside: 0 <= \result < s.area; */
/* level L2 */
static int64_t place_in_block(spw_scalars s, int64_t r, int64_t t)
{
  return s.order == SPW_COLUMN_LINES ? place_in(s.along, t, s.across, r) : place_in(s.across, r, s.along, t);
}

/* level L2 */
int64_t spw_scalar_of_block(spw_scalars s, int64_t q, int64_t e, int64_t r, int64_t t)
{
  //@ ghost lem_times(s.batches, s.grid.nse);
  const int64_t element = place_in(s.batches, q, s.grid.nse, e);
  return place_in(s.batches * s.grid.nse, element, s.area, place_in_block(s, r, t));
}

/*@ requires valid: scalars_valid(s) && lines_valid(s);
    requires position: 0 <= q < s.batches && 0 <= x < lines_down(s) && 0 <= y < lines_along(s);
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == in_line(s, q, x, y);
    ensures inside: -1 <= \result < s.count; */
/* level L2 */
static int64_t place_in_line(spw_scalars s, int64_t q, int64_t x, int64_t y)
{
  //@ ghost lem_quotient(s.grid.C, s.across, x);
  //@ ghost lem_quotient(s.grid.P, s.along, y);
  //@ assert positive: s.across > 0 && s.along > 0;
  const int64_t block = block_of(s, q, x / s.across, y / s.along);
  return block < 0 ? -1 : spw_scalar_of_block(s, q, block, x % s.across, y % s.along);
}

/* level L2 */
int64_t spw_run_at(spw_scalars s, int64_t q, int64_t i, int64_t y)
{
  return s.wide != 0 ? spw_listed_at_i64(s.d64, s.d_length, s.listed, s.size, q, i, y)
                     : spw_listed_at_i32(s.d32, s.d_length, s.listed, s.size, q, i, y);
}

/*@ requires valid: scalars_valid(s) && s.order == SPW_LIST;
    requires position: position_inside(s, q, i, j);
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == in_run(s, q, i, j);
    ensures inside: -1 <= \result < s.count; */
/* level L2 */
static int64_t place_in_run(spw_scalars s, int64_t q, int64_t i, int64_t j)
{
  //@ assert positive: s.along > 0;
  const int64_t run = spw_run_at(s, q, i, j / s.along);
  return run < 0 ? -1 : place_in(s.listed.nse, run, s.along, j % s.along);
}

/* level L2 */
spw_coordinates spw_coordinates_of(spw_scalars s, int64_t k)
{
  spw_coordinates at;
  if (s.wide != 0) {
    at.batch = spw_listed_batch_i64(s.d64, s.d_length, s.listed, s.size, k);
    at.row = spw_listed_row_i64(s.d64, s.d_length, s.listed, s.size, k);
    at.column = spw_listed_column_i64(s.d64, s.d_length, s.listed, s.size, k);
    //@ assert there: is_listed_i64(s.d64, s.listed, s.size, at.batch, at.row, at.column, k);
  } else {
    at.batch = spw_listed_batch_i32(s.d32, s.d_length, s.listed, s.size, k);
    at.row = spw_listed_row_i32(s.d32, s.d_length, s.listed, s.size, k);
    at.column = spw_listed_column_i32(s.d32, s.d_length, s.listed, s.size, k);
    //@ assert there: is_listed_i32(s.d32, s.listed, s.size, at.batch, at.row, at.column, k);
  }
  return at;
}

/*@ requires valid: scalars_valid(s) && s.order == SPW_EVERYWHERE;
    requires position: position_inside(s, q, i, j);
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == times(times(q, s.rows) + i, s.columns) + j;
    ensures inside: 0 <= \result < s.count; */
/* level L2 */
static int64_t place_in_all(spw_scalars s, int64_t q, int64_t i, int64_t j)
{
  //@ ghost lem_times(s.batches, s.rows);
  const int64_t row = place_in(s.batches, q, s.rows, i);
  return place_in(s.batches * s.rows, row, s.columns, j);
}

/* level L2 */
int64_t spw_scalar_at(spw_scalars s, int64_t q, int64_t i, int64_t j)
{
  if (s.order == SPW_ROW_LINES) return place_in_line(s, q, i, j);
  if (s.order == SPW_COLUMN_LINES) return place_in_line(s, q, j, i);
  if (s.order == SPW_LIST) return place_in_run(s, q, i, j);
  return place_in_all(s, q, i, j);
}
