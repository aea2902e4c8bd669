/* SPDX-License-Identifier: Apache-2.0 */
#include "exactly.h"

#include <math.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 wide;

/* The product, without its lower 126 bits. */
static wide times(wide a, wide b)
{
  const wide al = (uint64_t)a, ah = a >> 64, bl = (uint64_t)b, bh = b >> 64, cross = ah * bl + (al * bl >> 64);
  const wide low = (wide)(uint64_t)cross + al * bh, high = ah * bh + (cross >> 64) + (low >> 64);
  return high << 2 | (uint64_t)low >> 62;
}

/* v * 2^power, to nearest, ties to even. */
static double rounded(wide v, int power, int bits)
{
  int top = 127;
  if (v == 0) return 0;
  while (!(v >> top)) top--;
  const int least = bits == 24 ? -149 : -1074;
  int unit = top + power - bits + 1;
  if (unit < least) unit = least;
  const int cut = unit - power;
  if (cut <= 0) return ldexp((double)v, power);
  if (cut > 127) return 0;
  const wide rest = v & (((wide)1 << cut) - 1), half = (wide)1 << (cut - 1);
  const uint64_t whole = (uint64_t)(v >> cut);
  return ldexp((double)(whole + (rest > half || (rest == half && (whole & 1)))), unit);
}

/* x * 2^power, of what is an integer then, or cut off. */
static wide scaled(double x, int power)
{
  int exponent;
  if (!isfinite(x)) return 0;
  const double fraction = frexp(x, &exponent);
  const wide digits = (uint64_t)ldexp(fraction, 53);
  const int shift = exponent - 53 + power;
  return shift >= 0 ? digits << shift : shift > -64 ? digits >> -shift : 0;
}

/* exp(-x) = v * 2^(-126 - *halvings). */
static wide exp_of(double x, int *halvings)
{
  const wide log2 = (wide)0x162e42fefa39ef << 64 | 0x35793c7673007e5e, a = scaled(x, 117);
  const wide f = (a % log2) << 9;
  wide sum = (wide)1 << 126, term = sum;
  *halvings = (int)(a / log2);
  for (unsigned k = 1; term > 0; k++) {
    term = times(term, f) / k;
    sum = k % 2 ? sum - term : sum + term;
  }
  return sum;
}

double exactly_exp(double x, int bits)
{
  int halvings;
  if (x < -1000) return 0;
  const wide v = exp_of(-x, &halvings);
  return rounded(v, -126 - halvings, bits);
}

/* Of what is little above 1: x times 1 - x/2 + x^2/3 ... */
static double log_near_one(double x, int bits)
{
  int exponent;
  const wide digits = (wide)(uint64_t)ldexp(frexp(x, &exponent), 53) << 73, ratio = scaled(x, 126);
  wide sum = 0, power = (wide)1 << 126;
  for (unsigned k = 1; power > 0; k++) {
    sum = k % 2 ? sum + power / k : sum - power / k;
    power = times(power, ratio);
  }
  return rounded(times(sum, digits), -126 + exponent, bits);
}

/* Newton's method, to the last bits of a double. */
static double near_log(double x)
{
  int exponent;
  (void)frexp(x, &exponent);
  for (double y = 0.6931471805599453 * (exponent - 1);;) {
    const double more = x * exactly_exp(-y, 53) - 1;
    y += more;
    if (more < 1e-13 && more > -1e-13) return y;
  }
}

double exactly_log(double x, int bits)
{
  int exponent, halvings;
  if (x - 1 < 0x1p-10) return log_near_one(x - 1, bits);
  const double guess = near_log(x);
  const wide v = exp_of(guess, &halvings), digits = (wide)(uint64_t)ldexp(frexp(x, &exponent), 53) << 73;
  /* x exp(-guess) is nearly 1, and log(x) what it is above 1, more than the guess */
  const wide near = times(v, digits), one = (wide)1 << 126;
  const int shift = exponent - halvings;
  const wide all = shift >= 0 ? near << shift : near >> -shift;
  const wide sum = all >= one ? scaled(guess, 117) + ((all - one) >> 9) : scaled(guess, 117) - ((one - all) >> 9);
  return rounded(sum, -117, bits);
}
