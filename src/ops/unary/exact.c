/* SPDX-License-Identifier: Apache-2.0 */
#include "exact.h"

#include <math.h>
#include <stdbool.h>

/* 2^e, with c in [2^e, 2^(e + 1)). */
static double binade(double c)
{
  int e;
  (void)frexp(c, &e);
  return ldexp(1, e - 1);
}

static bool is_even(double c, double h)
{
  return fmod(c / h, 2) == 0;
}

double spw_round_exactly(double c, int bits, double step, spw_compare_exactly *compare, const void *context)
{
  double h = c > 0 ? ldexp(binade(c), 1 - bits) : step;
  if (h < step) h = step;
  c = rint(c / h) * h;
  for (;;) {
    const double below = c > 0 && h > step && c == binade(c) ? h / 2 : h; /* the numbers below a power of 2 are denser */
    const int over = compare(context, c, h / 2), under = c > 0 ? compare(context, c, -below / 2) : 1;
    if (over > 0) {
      c += h;
    } else if (under < 0) {
      c -= below;
    } else if (over == 0) {
      return is_even(c, h) ? c : c + h;
    } else if (under == 0) {
      return is_even(c, below) ? c : c - below;
    } else {
      return c;
    }
    if (c > 0 && h > step) h = ldexp(binade(c), 1 - bits);
    if (h < step) h = step;
  }
}
