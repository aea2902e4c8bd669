/* SPDX-License-Identifier: Apache-2.0 */
/* A second opinion on structure operations: each cell of each operand goes where the statement says, one by one. Shares
 * nothing with src. */
#ifndef TESTS_RESTRUCTURED_H
#define TESTS_RESTRUCTURED_H

#include "meaning.h"

/* Null where the answer of a structure operation is right: a refusal that has a reason, or a result that is canonical, of
 * the right layout, type and size, and means what it must; else what is wrong (in static storage). Whatever is beyond
 * meaning_of is not looked at, and *seen is then false. The operands are valid. */
const char *wrong_restructure(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted, spw_status status,
                              const spw_refusal *refusal, const spw_tensor *result, bool *seen);

/* Tries the operation by all calls into buffers with fences: null, or what is wrong. */
const char *attempt_restructure(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted, spw_status *status,
                                bool *seen);

/* An operation in words (in static storage). */
const char *restructure_text(const spw_structure *wanted);

#endif
