/* SPDX-License-Identifier: Apache-2.0 */
/* A second opinion on reductions: for each number of the result, all elements of the operand are looked through. Shares
 * nothing with src. */
#ifndef TESTS_REDUCED_H
#define TESTS_REDUCED_H

#include "../operands/specimen.h"

enum { REDUCED_KINDS = SPW_REDUCE_AMIN + 1 };

/* Null where the answer of a reduction is right: a refusal that has a reason, or a dense result of the right size and type that
 * holds what it must; else what is wrong (in static storage). What is too much to be looked through is not, and *seen is then
 * false. b may be null. The operands are valid, but for their types and forms. */
const char *wrong_reduction(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, spw_status status,
                            const spw_refusal *refusal, const spw_tensor *result, bool *seen);

/* Tries the reduction by all calls into buffers with fences, some of them too short: null, or what is wrong. What is not valid is
 * to be called so. */
const char *attempt_reduction(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, spw_status *status,
                              bool *seen);

/* The same with a dense operand that is drawn, and nearly always fits; or without one. */
const char *attempt_any_reduction(const spw_tensor *a, dice *d, spw_reduction *wanted, bool *dense, spw_status *status,
                                  bool *seen);

#endif
