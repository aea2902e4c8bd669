/* SPDX-License-Identifier: Apache-2.0 */
/* Checked arithmetic on sizes. Every function is total: no input overflows. */
#ifndef SPW_CORE_SIZE_H
#define SPW_CORE_SIZE_H

#include "../sparsewright_core.h"
#include "../../spec/acsl/sizes.acsl"

/* a * b <= limit, in exact arithmetic */
/*@ requires sign: 0 <= a && 0 <= b && 0 <= limit;
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> a * b <= limit;
*/
int spw_product_fits(int64_t a, int64_t b, int64_t limit);

/* a + b, or the end of the range that it passes */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == saturated(a + b);
*/
int64_t spw_add_saturated(int64_t a, int64_t b);

/* a - b, or the end of the range that it passes */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == saturated(a - b);
*/
int64_t spw_sub_saturated(int64_t a, int64_t b);

/* a * b, at most INT64_MAX */
/*@ requires sign: 0 <= a && 0 <= b;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == saturated(a * b);
    ensures sign: 0 <= \result;
*/
int64_t spw_mul_saturated(int64_t a, int64_t b);

/* The product of a shape, -1 when it exceeds int64. A zero makes it 0, whatever the others are. */
/*@ requires entries: 0 <= n <= SPW_NDIM_MAX && \valid_read(shape + (0 .. n - 1));
    requires sign: non_negative(shape, n);
    terminates \true; exits \false; assigns \nothing;
    ensures range: -1 <= \result;
    ensures fits: \result >= 0 <==> product(shape, n) <= INT64_MAX;
    ensures exact: \result >= 0 ==> \result == product(shape, n);
*/
int64_t spw_product(const int64_t *shape, int64_t n);

/* Storage position of element `flat` (row-major) of a strided array, without its offset. */
/*@ requires entries: 0 <= n <= SPW_NDIM_MAX && \valid_read(shape + (0 .. n - 1)) && \valid_read(strides + (0 .. n - 1));
    requires sign: positive(shape, n) && non_negative(strides, n) && 0 <= flat;
    requires fits: reach(shape, strides, n) <= INT64_MAX;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == position_of(shape, strides, n, flat);
    ensures bound: 0 <= \result <= reach(shape, strides, n);
*/
int64_t spw_position_of(const int64_t *shape, const int64_t *strides, int64_t n, int64_t flat);

/* Rule 3.14 for one array: do shape and strides reach only elements inside the storage? */
/*@ requires entries: 0 <= n <= SPW_NDIM_MAX && \valid_read(shape + (0 .. n - 1)) && \valid_read(strides + (0 .. n - 1));
    requires sign: non_negative(shape, n) && 0 <= length;
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> inside_storage(shape, strides, n, offset, length);
*/
int spw_inside_storage(const int64_t *shape, const int64_t *strides, int64_t n, int64_t offset, int64_t length);

#endif
