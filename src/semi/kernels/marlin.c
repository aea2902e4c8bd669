/* SPDX-License-Identifier: Apache-2.0 */
#include "marlin.h"
#include "pair_place.inc"

/*@ requires inside: 0 <= r < m && m % 64 == 0;
    terminates \true; exits \false; assigns \nothing;
    ensures meaning: \result == marlin_to(r);
    ensures inside: 0 <= \result < m;
    ensures inverse: marlin_from(\result) == r; */
/* level L2 */
static inline int64_t marlin_row(int64_t r, int64_t m)
{
  (void)m;
  const int64_t g = r / 64, p = r % 64, a = p / 8, b = p / 4 % 2, c = p / 2 % 2, d = p % 2, q = c * 32 + a * 4 + d * 2 + b;
  //@ assert digits: p == 8 * a + 4 * b + 2 * c + d && 0 <= a < 8 && 0 <= b < 2 && 0 <= c < 2 && 0 <= d < 2;
  //@ assert inside: 0 <= q < 64 && g * 64 + 64 <= m;
  //@ assert back: q / 4 % 8 == a && q % 2 == b && q / 32 == c && q / 2 % 2 == d;
  //@ assert parts: (g * 64 + q) / 64 == g && (g * 64 + q) % 64 == q;
  return g * 64 + q;
}

/*@ requires inside: 0 <= t < m && m % 64 == 0;
    terminates \true; exits \false; assigns \nothing;
    ensures meaning: \result == marlin_from(t);
    ensures inside: 0 <= \result < m;
    ensures inverse: marlin_to(\result) == t; */
/* level L2 */
static inline int64_t row_of_marlin(int64_t t, int64_t m)
{
  (void)m;
  const int64_t g = t / 64, p = t % 64, c = p / 32, a = p / 4 % 8, d = p / 2 % 2, b = p % 2, q = a * 8 + b * 4 + c * 2 + d;
  //@ assert digits: p == 32 * c + 4 * a + 2 * d + b && 0 <= a < 8 && 0 <= b < 2 && 0 <= c < 2 && 0 <= d < 2;
  //@ assert inside: 0 <= q < 64 && g * 64 + 64 <= m;
  //@ assert eighth: q / 8 == a;
  //@ assert fourth: q / 4 == 2 * a + b;
  //@ assert half: q / 2 == 2 * (2 * a + b) + c;
  //@ assert back: (2 * a + b) % 2 == b && (2 * (2 * a + b) + c) % 2 == c && q % 2 == d;
  //@ assert parts: (g * 64 + q) / 64 == g && (g * 64 + q) % 64 == q;
  return g * 64 + q;
}

/* level L2 */
int64_t spw_semi_marlin_place(int64_t r, int64_t c, int64_t m, int64_t n)
{
  //@ assert even: m % 2 == 0;
  return swapped_place(marlin_row(r, m), c, m, n);
}

/* level L2 */
spw_semi_word spw_semi_marlin_word(int64_t at, int64_t m, int64_t n)
{
  //@ assert even: m % 2 == 0;
  const spw_semi_word s = swapped_word(at, m, n);
  const spw_semi_word back = {row_of_marlin(s.row, m), s.column};
  return back;
}
