/* SPDX-License-Identifier: Apache-2.0 */
/* 1:2: pairs of elements of four bytes, of which one is stored. As halves of two bytes they are groups of four, and their codes
 * are those of groups: 4 for the first element, 14 for the second. */
#ifndef SPW_SEMI_KERNELS_PAIRS_H
#define SPW_SEMI_KERNELS_PAIRS_H

#include <stdint.h>

#include "../../../spec/acsl/semi_pairs.acsl"

/* The largest number of pairs: their elements can be numbered. */
#define SPW_SEMI_PAIRS_MAX 2305843009213693951

/* Does no pair hold two elements that are not zero? O(pairs). */
/*@ requires room: 0 <= pairs <= SPW_SEMI_PAIRS_MAX;
    requires reads: \valid_read(x + (0 .. 2 * pairs - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> (\forall integer g; 0 <= g < pairs ==> pair_fits(x, g, other)); */
int spw_semi_pairs_fit(const uint32_t *x, int64_t pairs, uint32_t other);

/* The first pair that holds two, or `pairs`. O(pairs). */
/*@ requires room: 0 <= pairs <= SPW_SEMI_PAIRS_MAX;
    requires reads: \valid_read(x + (0 .. 2 * pairs - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures range: 0 <= \result <= pairs;
    ensures before: \forall integer g; 0 <= g < \result ==> pair_fits(x, g, other);
    ensures unfit: \result < pairs ==> !pair_fits(x, \result, other); */
int64_t spw_semi_first_unfit_pair(const uint32_t *x, int64_t pairs, uint32_t other);

/* The codes of pairs, and the element of each that is stored. O(pairs). */
/*@ requires room: 0 <= pairs <= SPW_SEMI_PAIRS_MAX;
    requires reads: \valid_read(x + (0 .. 2 * pairs - 1));
    requires writes: \valid(packed + (0 .. pairs - 1)) && \valid(code + (0 .. pairs - 1));
    requires apart: \separated(packed + (0 .. pairs - 1), x + (0 .. 2 * pairs - 1)) &&
                    \separated(code + (0 .. pairs - 1), x + (0 .. 2 * pairs - 1)) &&
                    \separated(code + (0 .. pairs - 1), packed + (0 .. pairs - 1));
    terminates \true; exits \false; assigns packed[0 .. pairs - 1], code[0 .. pairs - 1];
    ensures codes: \forall integer g; 0 <= g < pairs ==> code[g] == pair_code{Pre}(x, g, other);
    ensures stored: \forall integer g; 0 <= g < pairs ==> packed[g] == pair_pick{Pre}(x, g, code[g]); */
void spw_semi_encode_pairs(const uint32_t *x, int64_t pairs, uint32_t other, uint32_t *packed, int8_t *code);

/* The pairs that codes and stored elements stand for. O(pairs). */
/*@ requires room: 0 <= pairs <= SPW_SEMI_PAIRS_MAX;
    requires reads: \valid_read(packed + (0 .. pairs - 1)) && \valid_read(code + (0 .. pairs - 1));
    requires writes: \valid(x + (0 .. 2 * pairs - 1));
    requires apart: \separated(x + (0 .. 2 * pairs - 1), packed + (0 .. pairs - 1)) &&
                    \separated(x + (0 .. 2 * pairs - 1), code + (0 .. pairs - 1));
    terminates \true; exits \false; assigns x[0 .. 2 * pairs - 1];
    ensures put_0: \forall integer g; 0 <= g < pairs ==> x[2 * g] == (code[g] == 4 ? \at(packed[g],Pre) : 0);
    ensures put_1: \forall integer g; 0 <= g < pairs ==> x[2 * g + 1] == (code[g] == 4 ? 0 : \at(packed[g],Pre)); */
void spw_semi_decode_pairs(const uint32_t *packed, const int8_t *code, int64_t pairs, uint32_t *x);

#endif
