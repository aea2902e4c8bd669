/* SPDX-License-Identifier: Apache-2.0 */
#include "power.h"
#include "exact.h"
#include "round.h"

#include <math.h>
#include <stdbool.h>

/* ---- Pairs of doubles: 104 bits ------------------------------------------------------------------------ */

static spw_pair renormal(double hi, double lo)
{
  const double sum = hi + lo;
  const spw_pair pair = {sum, lo - (sum - hi)};
  return pair;
}

static spw_pair plus(spw_pair a, spw_pair b)
{
  const spw_pair high = spw_two_sum(a.hi, b.hi), low = spw_two_sum(a.lo, b.lo);
  const spw_pair sum = renormal(high.hi, high.lo + low.hi);
  return renormal(sum.hi, sum.lo + low.lo);
}

static spw_pair times(spw_pair a, spw_pair b)
{
  const spw_pair high = spw_two_product(a.hi, b.hi);
  return renormal(high.hi, high.lo + (a.hi * b.lo + a.lo * b.hi));
}

static spw_pair over(spw_pair a, spw_pair b)
{
  const double q = a.hi / b.hi;
  const spw_pair taken = times(b, (spw_pair){-q, 0}), rest = plus(a, taken);
  const double more = rest.hi / b.hi;
  const spw_pair taken_more = times(b, (spw_pair){-more, 0}), last = plus(rest, taken_more);
  return plus(renormal(q, more), (spw_pair){last.hi / b.hi, 0});
}

static const spw_pair ln_2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
static const double ln_2_rest = 0x1.7b57a079a1934p-111;

static spw_pair times_ln_2(double n)
{
  const spw_pair product = times(ln_2, (spw_pair){n, 0});
  return plus(product, (spw_pair){n * ln_2_rest, 0});
}

/* ln x = k ln 2 + 2 artanh(s), of x = 2^k m and s = (m - 1) / (m + 1): s is below 0.172. */
static spw_pair logarithm(double x)
{
  enum { TERMS = 24 };
  int k;
  double m = frexp(x, &k);
  if (m < 0x1.6a09e6p-1) m *= 2, k--;
  const spw_pair s = over((spw_pair){m - 1, 0}, spw_two_sum(m, 1)), square = times(s, s);
  spw_pair sum = {0, 0};
  for (int i = TERMS; i >= 0; i--) sum = plus(times(sum, square), over((spw_pair){2, 0}, (spw_pair){2 * i + 1, 0}));
  const spw_pair of_m = times(sum, s);
  return k == 0 ? of_m : plus(times_ln_2(k), of_m);
}

/* e^t of a t of a few hundred, scaled by 2^*scale. */
static spw_pair exponential(spw_pair t, int *scale)
{
  enum { TERMS = 18, HALVINGS = 5 };
  const double n = rint(t.hi / ln_2.hi);
  const spw_pair whole = times_ln_2(-n), rest = plus(t, whole), r = {ldexp(rest.hi, -HALVINGS), ldexp(rest.lo, -HALVINGS)};
  spw_pair sum = {1, 0};
  for (int i = TERMS; i > 0; i--) sum = plus(over(times(sum, r), (spw_pair){i, 0}), (spw_pair){1, 0});
  for (int i = 0; i < HALVINGS; i++) sum = times(sum, sum);
  *scale = (int)n;
  return sum;
}

/* ---- Powers -------------------------------------------------------------------------------------------- */

/* Is x^e, of finite x > 0, a number of so few bits that it may be exact, or in the middle of two? *exact is it then. A root that
 * is no dyadic number makes it none. */
static bool is_dyadic(double x, double e, double *exact)
{
  enum { MOST_BITS = 1 << 27 };
  int k;
  double m = frexp(x, &k);
  while (m != rint(m)) m *= 2, k--;
  while (m != 1 && fmod(m, 2) == 0) m /= 2, k++;
  for (int i = 0; i < 1100 && e != rint(e); i++) {
    const double root = sqrt(m);
    if (root != rint(root) || k % 2 != 0) return false;
    m = root, k /= 2, e *= 2;
    if (m == 1 && k == 0) break;
  }
  if (m == 1) return *exact = ldexp(1, k * e > 5000 ? 5000 : k * e < -5000 ? -5000 : (int)(k * e)), true;
  if (e > 64) return false;
  double power = 1;
  for (int i = 0; i < (int)e; i++)
    if ((power *= m) > MOST_BITS) return false;
  *exact = ldexp(power, k * (int)e);
  return true;
}

static double positive_power(double x, double e, int rounds(double, double))
{
  const double y = pow(x, e), unsure = y * 0x1p-50;
  double exact;
  int scale;
  if (rounds(y - unsure, y + unsure)) return y;
  if (!(y > 0x1p-400 && y < 0x1p400)) return y; /* beyond every narrower type */
  if (is_dyadic(x, e, &exact)) return exact;
  const spw_pair power = exponential(times(logarithm(x), (spw_pair){e, 0}), &scale);
  return ldexp(spw_odd_double(power.hi, power.lo), scale);
}

double spw_power(double x, double e, int rounds(double, double))
{
  const bool whole = e == rint(e), odd = whole && fmod(e, 2) == 1;
  if (x == 0) return odd ? x : 0;
  if (!(x > 0) || isinf(x) || isinf(e)) {
    if (!(x < 0) || isinf(x) || isinf(e) || !whole) return pow(x, e);
    const double y = positive_power(-x, e, rounds);
    return odd ? -y : y;
  }
  return positive_power(x, e, rounds);
}

/* ---- Whole quotients ------------------------------------------------------------------------------------ */

__extension__ typedef unsigned __int128 wide;

/* A whole number times 2^exponent, of a finite x > 0. */
static uint64_t significand(double x, int *exponent)
{
  int e;
  const double m = frexp(x, &e);
  *exponent = e - 53;
  return (uint64_t)ldexp(m, 53);
}

/* A whole number as its first bits, 2^shift times which it is, or a little more where bits are `lost`. */
typedef struct whole_number {
  uint64_t bits;
  int shift;
  bool lost;
  bool ends; /* one more is the next multiple of 2^shift */
} whole_number;

/* The integer part of x / s, of positive ones; and whether a fraction is left out. */
static whole_number divide_positive(double x, double s, bool *fraction)
{
  int ex, es;
  const uint64_t a = significand(x, &ex), b = significand(s, &es);
  const int d = ex - es; /* (a / b) 2^d, of a / b in (1/2, 2) */
  whole_number q = {.bits = 0};
  *fraction = true;
  if (d < 0) return q;
  const int taken = d < 60 ? d : 60;
  const wide dividend = (wide)a << taken;
  const uint64_t rest = (uint64_t)(dividend % b);
  q.bits = (uint64_t)(dividend / b);
  q.shift = d - taken;
  *fraction = rest != 0;
  if (q.shift == 0 || rest == 0) return q;
  /* What is left of the integer part: rest 2^shift / b. */
  const wide more = q.shift < 64 ? (wide)rest << q.shift : 0;
  q.lost = q.shift >= 64 || more >= b;
  q.ends = q.shift < 64 && ((wide)(b - rest) << q.shift) <= b;
  if (q.shift < 64) *fraction = more % b != 0; /* else b would have to divide rest times a power of 2 */
  return q;
}

/* One more. */
static void increase(whole_number *q)
{
  if (q->shift == 0 || q->ends) {
    q->bits++;
    q->lost = false;
  } else {
    q->lost = true;
  }
}

/* Rounded to 53 bits: to odd, or to nearest. */
static double double_of(whole_number q, bool nearest)
{
  uint64_t bits = q.bits;
  int shift = q.shift;
  bool lost = q.lost;
  if (bits == 0) return 0;
  while (bits < (uint64_t)1 << 62) bits <<= 1, shift--;
  bits |= lost;
  if (nearest) return ldexp((double)bits, shift); /* 62 bits or more to 53: what is lost is the last of them */
  const uint64_t dropped = bits & 0x3ff;
  const double cut = (double)(bits - dropped);
  return ldexp(spw_odd_double(cut, dropped != 0), shift);
}

double spw_whole_quotient(double x, double s, int trunc, int whole)
{
  bool fraction;
  const bool negative = signbit(x) != signbit(s);
  if (x != x || s != s || isinf(x) || x == 0 || s == 0) return x / s;
  if (isinf(s)) return trunc || !negative ? x / s : -1;
  whole_number q = divide_positive(fabs(x), fabs(s), &fraction);
  if (negative && !trunc && fraction) increase(&q);
  const double y = double_of(q, whole);
  return negative ? -y : y;
}
