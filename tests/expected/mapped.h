/* SPDX-License-Identifier: Apache-2.0 */
/* A second opinion on functions of values: in long double or by integers, bit for bit where that decides. Shares nothing with
 * src. */
#ifndef TESTS_MAPPED_H
#define TESTS_MAPPED_H

#include "../operands/specimen.h"

/* Null where `got`, of the type of the result, is the function of the scalar `x`; else what is wrong (in static storage). Of
 * float32 and narrower types it is the nearest number, but where the middle of two is so near that a long double does not tell.
 * *value_fits: a cast has a place for it; otherwise `got` is not looked at. */
const char *wrong_scalar(const spw_unary_request *wanted, spw_dtype dtype, const void *x, const void *got, bool *value_fits);

/* The type of the result; SPW_DTYPE_NONE: there is none of the type. */
spw_dtype mapped_dtype(const spw_unary_request *wanted, spw_dtype dtype);

/* Null where the answer is right: a refusal that has a reason, or a result with the index arrays of the operand, or of the
 * operand without its duplicates, and the right values. */
const char *wrong_mapping(const spw_tensor *a, const spw_unary_request *wanted, spw_status status, const spw_refusal *refusal,
                          const spw_tensor *result, bool *seen);

/* Tries the function by all calls into buffers with fences, some of them too short, and in place: null, or what is wrong. What
 * is not valid is to be called so. */
const char *attempt_unary(const spw_tensor *a, const spw_unary_request *wanted, spw_status *status, bool *seen);

/* The same with a function, a scalar and ways to combine that are drawn. The request is left in *wanted, without its scalars. */
const char *attempt_any_unary(const spw_tensor *a, dice *d, spw_unary_request *wanted, spw_status *status, bool *seen);

#endif
