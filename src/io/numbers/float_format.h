/* SPDX-License-Identifier: Apache-2.0 */
/* Binary floating-point formats as bit patterns: exact conversion with one rounding. */
#ifndef SPW_IO_FLOAT_FORMAT_H
#define SPW_IO_FLOAT_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

/* An IEEE 754 style interchange format of `bits` bits, `fraction` of them below the exponent. */
typedef struct spw_float_format {
  int bits;
  int fraction;
} spw_float_format;

/* (-1)^negative * significand * 2^exponent; `inexact` when the value is a little larger (by less
 * than one unit of the significand, which then has its top four bits in use). */
typedef struct spw_scaled {
  bool negative;
  bool inexact;
  uint64_t significand;
  int64_t exponent; /* |exponent| <= 2^62 */
} spw_scaled;

uint64_t spw_float_infinity(spw_float_format format);
uint64_t spw_float_quiet_nan(spw_float_format format);
uint64_t spw_float_sign(spw_float_format format);

/* The nearest number of the format, ties to even, in *bits; false when it is beyond the largest. */
bool spw_float_round(spw_float_format format, spw_scaled value, uint64_t *bits);

/* The value of a finite bit pattern, exactly. */
spw_scaled spw_float_unpack(spw_float_format format, uint64_t bits);

#endif
