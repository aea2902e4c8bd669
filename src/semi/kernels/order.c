/* SPDX-License-Identifier: Apache-2.0 */
#include "order.h"
#include "pair_place.inc"

/*@ requires order: h == 2 || h == 4;
    requires inside: 0 <= r < m && m % (8 * h) == 0;
    terminates \true; exits \false; assigns \nothing;
    ensures meaning: \result == row_to(h, r);
    ensures inside: 0 <= \result < m;
    ensures inverse: row_from(h, \result) == r; */
/* level L2 */
static inline int64_t to_row(int h, int64_t r, int64_t m)
{
  (void)m;
  if (h == 4) {
    const int64_t g = r / 32, p = r % 32, q = p % 8 * 4 + p / 8;
    //@ assert inside: 0 <= q < 32;
    //@ assert low: r % 8 == p % 8;
    //@ assert whole: g * 32 + 32 <= m;
    //@ assert parts: q % 4 == p / 8 && q / 4 == p % 8 && (g * 32 + q) / 32 == g && (g * 32 + q) % 32 == q && (g * 32 + q) % 4 == p / 8;
    return g * 32 + q;
  }
  const int64_t g = r / 16, p = r % 16, q = p % 8 * 2 + p / 8;
  //@ assert inside: 0 <= q < 16;
  //@ assert low: r % 8 == p % 8;
  //@ assert whole: g * 16 + 16 <= m;
  //@ assert parts: q % 2 == p / 8 && q / 2 == p % 8 && (g * 16 + q) / 16 == g && (g * 16 + q) % 16 == q && (g * 16 + q) % 2 == p / 8;
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

/* level L2 */
int64_t spw_semi_place(int h, int64_t r, int64_t c, int64_t m, int64_t n)
{
  //@ assert even: m % 2 == 0;
  return swapped_place(to_row(h, r, m), c, m, n);
}

/* level L2 */
spw_semi_word spw_semi_word_at(int h, int64_t at, int64_t m, int64_t n)
{
  //@ assert even: m % 2 == 0;
  const spw_semi_word s = swapped_word(at, m, n);
  const spw_semi_word back = {from_row(h, s.row, m), s.column};
  return back;
}
