/* SPDX-License-Identifier: Apache-2.0 */
#include "order.h"

/*@ lemma rows_div: \forall integer p, w, x; 0 <= p && 0 <= x < w ==> (p * w + x) / w == p && (p * w + x) % w == x;
    lemma rows_below: \forall integer p, q, w; 0 <= p < q && 0 <= w ==> 0 <= p * w && p * w + w <= q * w;
    lemma rows_split: \forall integer o, w; 0 <= o && 0 < w ==> o == (o / w) * w + o % w && 0 <= o % w < w && 0 <= o / w;
    lemma rows_less: \forall integer p, q, w; 0 <= p && 0 < w && p * w < q * w ==> p < q;
    lemma pairs_product: \forall integer m, n; n % 2 == 0 && 0 <= n ==> (n / 2) * (2 * m) == m * n; */

/*@ requires order: h == 2 || h == 4;
    requires inside: 0 <= r < m && m % (8 * h) == 0;
    terminates \true; exits \false; assigns \nothing;
    ensures meaning: \result == row_to(h, r);
    ensures inside: 0 <= \result < m; */
/* level L2 */
static inline int64_t to_row(int h, int64_t r, int64_t m)
{
  (void)m;
  if (h == 4) {
    const int64_t g = r / 32, p = r % 32, q = p % 8 * 4 + p / 8;
    //@ assert inside: 0 <= q < 32;
    //@ assert low: r % 8 == p % 8;
    //@ assert whole: g * 32 + 32 <= m;
    return g * 32 + q;
  }
  const int64_t g = r / 16, p = r % 16, q = p % 8 * 2 + p / 8;
  //@ assert inside: 0 <= q < 16;
  //@ assert low: r % 8 == p % 8;
  //@ assert whole: g * 16 + 16 <= m;
  return g * 16 + q;
}

/*@ requires order: h == 2 || h == 4;
    requires inside: 0 <= t < m && m % (8 * h) == 0;
    terminates \true; exits \false; assigns \nothing;
    ensures meaning: \result == row_from(h, t);
    ensures inside: 0 <= \result < m;
    ensures inverse: row_to(h, \result) == t; */
/* level L2 */
static inline int64_t from_row(int h, int64_t t, int64_t m)
{
  (void)m;
  if (h == 4) {
    const int64_t g = t / 32, p = t % 32, l = p / 4, k = p % 4, q = k * 8 + l;
    //@ assert split: p == 4 * l + k && 0 <= k < 4 && 0 <= l < 8 && t % 4 == k;
    //@ assert inside: 0 <= q < 32 && q % 8 == l && q / 8 == k;
    //@ assert whole: g * 32 + 32 <= m;
    const int64_t r = g * 32 + q;
    //@ assert parts: r / 32 == g && r % 32 == q && r % 8 == l;
    //@ assert four: row_from(h, t) == (t / 32) * 32 + (t % 4) * 8 + (t % 32) / 4;
    return r;
  }
  const int64_t g = t / 16, p = t % 16, l = p / 2, k = p % 2, q = k * 8 + l;
  //@ assert split: p == 2 * l + k && 0 <= k < 2 && 0 <= l < 8 && t % 2 == k;
  //@ assert inside: 0 <= q < 16 && q % 8 == l && q / 8 == k;
  //@ assert whole: g * 16 + 16 <= m;
  const int64_t r = g * 16 + q;
  //@ assert parts: r / 16 == g && r % 16 == q && r % 8 == l;
  //@ assert two: row_from(h, t) == (t / 16) * 16 + (t % 2) * 8 + (t % 16) / 2;
  return r;
}

/* The word with which a word changes its place. */
/*@ requires inside: 0 <= r < m && 0 <= c < n && m % 2 == 0 && n % 2 == 0;
    terminates \true; exits \false; assigns \nothing;
    ensures meaning: \result.row == swap_row(r, c) && \result.column == swap_column(r, c);
    ensures inside: 0 <= \result.row < m && 0 <= \result.column < n;
    ensures inverse: swap_row(\result.row, \result.column) == r && swap_column(\result.row, \result.column) == c; */
/* level L2 */
static inline spw_semi_word swapped(int64_t r, int64_t c, int64_t m, int64_t n)
{
  (void)m, (void)n;
  spw_semi_word to = {r, c};
  if (r % 2 == 0 && c % 2 == 1) {
    to.row = r + 1;
    to.column = c - 1;
  }
  if (r % 2 == 1 && c % 2 == 0) {
    to.row = r - 1;
    to.column = c + 1;
  }
  return to;
}

/* level L2 */
int64_t spw_semi_place(int h, int64_t r, int64_t c, int64_t m, int64_t n)
{
  //@ assert even: m % 2 == 0;
  const spw_semi_word s = swapped(to_row(h, r, m), c, m, n);
  //@ assert two: 2 <= n && (n / 2) * (2 * m) == m * n;
  //@ assert row: 2 * m <= (n / 2) * (2 * m);
  const int64_t p = s.column / 2, w = 2 * m, x = 2 * s.row + s.column % 2;
  //@ assert inside: 0 <= x < w && 0 <= p < n / 2;
  //@ assert fits: 0 <= p * w && p * w + w <= (n / 2) * w;
  return p * w + x;
}

/* level L2 */
spw_semi_word spw_semi_word_at(int h, int64_t at, int64_t m, int64_t n)
{
  //@ assert even: m % 2 == 0;
  //@ assert two: 2 <= n && (n / 2) * (2 * m) == m * n;
  //@ assert row: 2 * m <= (n / 2) * (2 * m);
  const int64_t w = 2 * m;
  //@ assert positive: w > 0;
  const int64_t p = at / w, x = at % w;
  //@ assert split: at == p * w + x && 0 <= x < w && 0 <= p;
  //@ assert below: p * w < (n / 2) * w;
  //@ assert less: p < n / 2;
  const int64_t row = x / 2, column = 2 * p + x % 2;
  //@ assert half: column / 2 == p && column % 2 == x % 2 && 2 * row + x % 2 == x;
  //@ assert pair: pair_place(row, column, m) == at;
  const spw_semi_word s = swapped(row, column, m, n);
  const spw_semi_word back = {from_row(h, s.row, m), s.column};
  return back;
}
