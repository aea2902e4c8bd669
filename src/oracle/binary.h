/* SPDX-License-Identifier: Apache-2.0 */
/* Floating-point numbers taken apart: integers times powers of two. */
#ifndef SPW_ORACLE_BINARY_H
#define SPW_ORACLE_BINARY_H

#include "../sparsewright_core.h"

/* A format of IEEE 754, or bfloat16. width 0: none. */
typedef struct spw_format {
  int32_t width;   /* of the whole */
  int32_t bits;    /* of a significand, the hidden one included: p */
  int32_t least;   /* the smallest normal number is 2^least, */
  int32_t most;    /* and the largest number is below 2^(most + 1) */
} spw_format;

/* Of a floating type; of a complex one, that of its parts. */
spw_format spw_format_of(spw_dtype dtype);

/* The smallest number above 0 is 2^this. */
int32_t spw_format_lowest(spw_format f);

/* Does `wide` have every number of `narrow`? */
bool spw_format_holds(spw_format wide, spw_format narrow);

typedef enum spw_kind { SPW_KIND_ZERO, SPW_KIND_FINITE, SPW_KIND_INFINITE, SPW_KIND_NAN } spw_kind;

typedef struct spw_binary {
  spw_kind kind;
  bool negative;
  uint64_t mantissa; /* odd where finite and not zero, which then is mantissa * 2^exponent */
  int32_t exponent;
} spw_binary;

spw_binary spw_binary_of_bits(spw_format f, uint64_t bits);
spw_binary spw_binary_of(double value);

/* The double that a number of any format is. */
double spw_double_of_bits(spw_format f, uint64_t bits);

/* It is below 2^this, and not below half of that; of a finite number that is not zero. */
int32_t spw_binary_top(spw_binary b);

/* The number of bits up to the highest that is set; 0 of 0. */
int32_t spw_bit_length(uint64_t n);

#endif
