/* SPDX-License-Identifier: Apache-2.0 */
/* Large numbers of a fixed width: limbs of 32 bits, the lowest first. */
#ifndef SPW_ORACLE_LIMBS_H
#define SPW_ORACLE_LIMBS_H

#include <stdint.h>

#include "../../../spec/acsl/limbs.acsl"

#define SPW_LIMB_BASE 4294967296u

/* sum += digits; gives what is carried out of the last limb, 0 or 1. */
/*@ requires numbers: 0 <= count <= n && \valid(sum + (0 .. n - 1)) && \valid_read(digits + (0 .. count - 1));
    requires apart: \separated(sum + (0 .. n - 1), digits + (0 .. count - 1));
    terminates \true; exits \false; assigns sum[0 .. n - 1];
    ensures carried: 0 <= \result <= 1;
    ensures exact: limbs(sum, n) + \result * pow32(n) == limbs{Pre}(sum, n) + limbs{Pre}(digits, count); */
uint32_t spw_limbs_add(uint32_t *sum, int64_t n, const uint32_t *digits, int64_t count);

/* a -= b; gives 1 where b was larger, which wraps, else 0. */
/*@ requires numbers: 0 <= n && \valid(a + (0 .. n - 1)) && \valid_read(b + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1));
    terminates \true; exits \false; assigns a[0 .. n - 1];
    ensures borrowed: 0 <= \result <= 1;
    ensures exact: limbs(a, n) == limbs{Pre}(a, n) - limbs{Pre}(b, n) + \result * pow32(n); */
uint32_t spw_limbs_subtract(uint32_t *a, const uint32_t *b, int64_t n);

/* -1, 0 or 1, as a is smaller than b, equal, or larger. */
/*@ requires numbers: 0 <= n && \valid_read(a + (0 .. n - 1)) && \valid_read(b + (0 .. n - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures sign: -1 <= \result <= 1;
    ensures less: \result == -1 <==> limbs(a, n) < limbs(b, n);
    ensures more: \result == 1 <==> limbs(a, n) > limbs(b, n); */
int spw_limbs_compare(const uint32_t *a, const uint32_t *b, int64_t n);

/* The number of limbs up to the last that is not 0. */
/*@ requires number: 0 <= n && \valid_read(a + (0 .. n - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures range: 0 <= \result <= n;
    ensures last: \result > 0 ==> a[\result - 1] != 0;
    ensures rest: \forall integer k; \result <= k < n ==> a[k] == 0;
    ensures same: limbs(a, \result) == limbs(a, n); */
int64_t spw_limbs_length(const uint32_t *a, int64_t n);

#endif
