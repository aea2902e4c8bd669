/* SPDX-License-Identifier: Apache-2.0 */
/* Quotients and roots of upper bounds, rounded up, and what is below them. */
#ifndef SPW_ORACLE_QUOTIENT_H
#define SPW_ORACLE_QUOTIENT_H

#include "wide.h"

/* At most the number of the limbs: m * 2^e, where the highest bit of m is set or m is 0. */
typedef struct spw_lower {
  uint64_t m;
  int64_t e;
} spw_lower;
spw_lower spw_wide_lower(const uint32_t *wide);

spw_lower spw_lower_add(spw_lower a, spw_lower b);
spw_lower spw_lower_mul(spw_lower a, spw_lower b);

/* At least a / b; b is not 0. */
spw_upper spw_upper_over(spw_upper a, spw_lower b);

/* At least the square root. */
spw_upper spw_upper_root(spw_upper a);

/* A double that is not below it: an infinity beyond all. */
double spw_upper_above(spw_upper a);

/* The next double in the direction of an infinity; infinities stay. */
double spw_next_above(double x);
double spw_next_below(double x);

/* (1 + a) (1 + b) - 1 */
spw_upper spw_upper_compound(spw_upper a, spw_upper b);

/* At least (1 - u)^-n - 1 for u = 2^-bits. */
spw_upper spw_upper_shrunk(int32_t bits, int64_t n);

/* A finite number's magnitude. */
spw_upper spw_upper_magnitude(double value);

#endif
