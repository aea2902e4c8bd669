/* SPDX-License-Identifier: Apache-2.0 */
/* A second opinion on what spw_make makes: each element of each operand goes where the statement says, one by one. Shares
 * nothing with src. */
#ifndef TESTS_MADE_H
#define TESTS_MADE_H

#include "meaning.h"

/* Null where the answer is right: a refusal that has a reason, or a result that is canonical, of the right layout, type and
 * size, and means what it must; else what is wrong (in static storage). Whatever is beyond meaning_of is not looked at, and
 * *seen is then false. The operands are valid. */
const char *wrong_made(const spw_tensor *const *operands, int64_t count, const spw_making *wanted, spw_status status,
                       const spw_refusal *refusal, const spw_tensor *result, bool *seen);

/* Tries it by all calls into buffers with fences: null, or what is wrong. */
const char *attempt_make(const spw_tensor *const *operands, int64_t count, const spw_making *wanted, spw_status *status,
                         bool *seen);

/* What is wanted in words (in static storage). */
const char *making_text(const spw_making *wanted);

#endif
