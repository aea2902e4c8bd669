/* SPDX-License-Identifier: Apache-2.0 */
/* Large numbers of a fixed width: limbs of 32 bits, the lowest first. */
#ifndef SPW_ORACLE_LIMBS_H
#define SPW_ORACLE_LIMBS_H

#include <stdint.h>

/* sum += digits * 2^(32 * at), where at + count <= n; what is carried out of the last limb. The two do not overlap. */
uint32_t spw_limbs_add(uint32_t *sum, int64_t n, const uint32_t *digits, int64_t count, int64_t at);

/* a -= b; 1 where b was larger, which wraps. The two do not overlap. */
uint32_t spw_limbs_subtract(uint32_t *a, const uint32_t *b, int64_t n);

/* -1, 0 or 1, as a is smaller than b, equal, or larger. */
int spw_limbs_compare(const uint32_t *a, const uint32_t *b, int64_t n);

/* The number of limbs up to the last that is not 0. */
int64_t spw_limbs_length(const uint32_t *a, int64_t n);

#endif
