/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of complex numbers: magnitudes and directions are correctly rounded (U2). */
#include "exact.h"
#include "maps.h"
#include "round.h"
#include "../../core/names.h"

#include <math.h>

/* ---- Magnitudes --------------------------------------------------------------------------------------- */

/* Both are finite, one is 1 or more and below 2, and no square underflows. */
typedef struct two_parts {
  double a, b;
} two_parts;

/* The sign of a^2 + b^2 - (hi + lo)^2, where lo is a power of 2, or 0. */
static int compare_magnitude(const void *context, double hi, double lo)
{
  const two_parts *const z = context;
  spw_exact_doubles sum = {.count = 0};
  spw_exact_add_pair(&sum, spw_two_product(z->a, z->a), 1);
  spw_exact_add_pair(&sum, spw_two_product(z->b, z->b), 1);
  spw_exact_add_pair(&sum, spw_two_product(hi, hi), -1);
  spw_exact_add_double(&sum, -2 * lo * hi);
  spw_exact_add_double(&sum, -lo * lo);
  return spw_exact_sign(&sum);
}

/* Numbers whose exponents differ by more take no part in what the larger one is rounded to. */
enum { FAR = 60 };

static int exponent_of(double x)
{
  int e;
  (void)frexp(x, &e);
  return e - 1;
}

/* Of finite parts, in the precision of the type: `bits` bits, and multiples of 2^least. */
static double magnitude(double re, double im, int bits, int least)
{
  const double x = fabs(re), y = fabs(im), a = x > y ? x : y, b = x > y ? y : x;
  if (b == 0) return a;
  const int e = exponent_of(a);
  if (e - exponent_of(b) > FAR) return a;
  const two_parts z = {ldexp(a, -e), ldexp(b, -e)};
  const double near = sqrt(z.a * z.a + z.b * z.b);
  return ldexp(spw_round_exactly(near, bits, ldexp(1, least - e), compare_magnitude, &z), e);
}

static float abs_c64(float re, float im)
{
  if (isinf(re) || isinf(im)) return INFINITY;
  if (re != re || im != im) return re + im;
  const double y = sqrt((double)re * (double)re + (double)im * (double)im), unsure = y * 0x1p-50;
  if ((float)(y - unsure) == (float)(y + unsure)) return (float)y;
  return (float)magnitude((double)re, (double)im, 24, -149);
}

static double abs_c128(double re, double im)
{
  if (isinf(re) || isinf(im)) return INFINITY;
  return re != re || im != im ? re + im : magnitude(re, im, 53, -1074);
}

/* ---- Directions --------------------------------------------------------------------------------------- */

/* A part x, scaled to [1, 2); the larger of both parts, scaled likewise; and the other, scaled as the larger, 0 where it is far
 * below. */
typedef struct direction {
  double x, large, small;
  bool far; /* x is the smaller one, and far below */
} direction;

/* Adds sign * (hi + lo)^2 * p^2; lo is a power of 2, or 0. */
static void add_product(spw_exact_doubles *sum, double hi, double lo, double p)
{
  const spw_pair square = spw_two_product(p, p), own = spw_two_product(hi, hi);
  const double terms[] = {own.hi, own.lo, 2 * lo * hi, lo * lo};
  for (int i = 0; i < 4; i++) {
    spw_exact_add_pair(sum, spw_two_product(terms[i], square.hi), -1);
    spw_exact_add_pair(sum, spw_two_product(terms[i], square.lo), -1);
  }
}

/* The sign of x^2 - (hi + lo)^2 (large^2 + small^2). */
static int compare_direction(const void *context, double hi, double lo)
{
  const direction *const d = context;
  spw_exact_doubles sum = {.count = 0};
  if (d->far) { /* of x - (hi + lo) large, from which it is by so little that only a tie is not one */
    spw_exact_add_double(&sum, d->x);
    spw_exact_add_pair(&sum, spw_two_product(hi, d->large), -1);
    spw_exact_add_double(&sum, -lo * d->large);
    const int sign = spw_exact_sign(&sum);
    return sign == 0 ? -1 : sign;
  }
  spw_exact_add_pair(&sum, spw_two_product(d->x, d->x), 1);
  add_product(&sum, hi, lo, d->large);
  add_product(&sum, hi, lo, d->small);
  return spw_exact_sign(&sum);
}

/* part / |z| of finite parts. */
static double part_of_direction(double part, double other, int bits, int least)
{
  const double x = fabs(part), y = fabs(other);
  if (x == 0) return part;
  if (y == 0) return part < 0 ? -1 : 1;
  const int ex = exponent_of(x), ey = exponent_of(y), e = ex > ey ? ex : ey;
  if (ex - ey > FAR) return part < 0 ? -1 : 1;
  const bool larger = x > y, far = ey - ex > FAR;
  const direction d = {ldexp(x, -ex), ldexp(larger ? x : y, -e), far ? 0 : ldexp(larger ? y : x, -e), far};
  const double near = d.x / sqrt(d.large * d.large + d.small * d.small);
  const int shift = ex - e; /* the quotient is 2^shift of the scaled one */
  const double scaled = spw_round_exactly(near, bits, ldexp(1, least - shift), compare_direction, &d);
  const double rounded = ldexp(scaled, shift);
  return part < 0 ? -rounded : rounded;
}

static float sgn_part_c64(float part, float other)
{
  const double x = (double)part, s = x * x + (double)other * (double)other, y = x / sqrt(s), unsure = y * 0x1p-50;
  if (x != 0 && (float)(y - unsure) == (float)(y + unsure)) return (float)y;
  return (float)part_of_direction(x, (double)other, 24, -149);
}

static double sgn_part_c128(double part, double other)
{
  return part_of_direction(part, other, 53, -1074);
}

/* ---- Kernels ------------------------------------------------------------------------------------------ */

#define PART float
#define TYPE c64
#define PART_TYPE f32
#include "complex.inc"
#undef PART
#undef TYPE
#undef PART_TYPE

#define PART double
#define TYPE c128
#define PART_TYPE f64
#include "complex.inc"
