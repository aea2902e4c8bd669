/* SPDX-License-Identifier: Apache-2.0 */
/* A second opinion on softmax: fibre by fibre, by exp and log in integers (exactly.h). It shares nothing with src. */
#ifndef TESTS_SOFTMAXED_H
#define TESTS_SOFTMAXED_H

#include "../operands/specimen.h"

/* By all calls, into buffers of exactly the lengths that are asked for. Null when all that must hold does, else what does not (in
 * static storage). *seen: the numbers were compared. */
const char *attempt_softmax(const spw_tensor *t, const spw_softmax_request *wanted, spw_status *status, bool *seen);

/* The same of a dimension that is drawn. */
const char *attempt_any_softmax(const spw_tensor *t, dice *d, spw_softmax_request *wanted, spw_status *status, bool *seen);

#endif
