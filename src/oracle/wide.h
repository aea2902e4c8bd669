/* SPDX-License-Identifier: Apache-2.0 */
/* The limbs of an exact sum, as numbers: multiples of 2^SPW_EXACT_LEAST. */
#ifndef SPW_ORACLE_WIDE_H
#define SPW_ORACLE_WIDE_H

#include "binary.h"
#include "upper.h"
#include "../sparsewright_oracle.h"

/* Adds (high * 2^64 + low) * 2^exponent, where exponent >= SPW_EXACT_LEAST and the number is below 2^3328. */
void spw_wide_add_at(uint32_t *wide, uint64_t low, uint64_t high, int32_t exponent);

/* wide += other */
void spw_wide_add(uint32_t *wide, const uint32_t *other);

/* wide += other * mantissa * 2^exponent. `other` has nothing below 2^-2148, and so no limb that 2^-1074 would move
 * below the unit. */
void spw_wide_add_scaled(uint32_t *wide, const uint32_t *other, uint64_t mantissa, int32_t exponent);

/* |a - b|, and the sign of a - b: -1, 0 or 1 */
int spw_wide_difference(uint32_t *magnitude, const uint32_t *a, const uint32_t *b);

bool spw_wide_is_zero(const uint32_t *wide);

/* The number is below 2^this, and not below half of it; SPW_EXACT_LEAST for 0. */
int32_t spw_wide_top(const uint32_t *wide);

/* The next one above, of 64 bits. */
spw_upper spw_wide_upper(const uint32_t *wide);

/* wide += bound, rounded up to a multiple of the unit; false where it is too large to be added to anything. */
bool spw_wide_add_upper(uint32_t *wide, spw_upper bound);

/* Rounded to nearest, ties to even, as the bits of a format. */
uint64_t spw_wide_round(const uint32_t *magnitude, bool negative, spw_format f);

#endif
