/* SPDX-License-Identifier: Apache-2.0 */
/* A second opinion on reductions over dimensions: one dimension after the other, by lists of numbers with their positions. It
 * shares nothing with src. */
#ifndef TESTS_REDUCED_DIMS_H
#define TESTS_REDUCED_DIMS_H

#include "../operands/specimen.h"

/* Reduces by all calls, into buffers of exactly the lengths that are asked for. Null when all that must hold does, else what does
 * not (in static storage). *seen: the numbers were compared. */
const char *attempt_dims_reduction(const spw_tensor *t, const spw_dims_reduction *wanted, spw_status *status, bool *seen);

/* The same of a reduction that is drawn, of that *kind. `words` has room for 200 bytes: what was asked. */
const char *attempt_any_dims_reduction(const spw_tensor *t, dice *d, spw_dims_kind *kind, char *words, spw_status *status,
                                       bool *seen);

/* The positions of what is not 0, by all calls. */
const char *attempt_nonzero(const spw_tensor *t, spw_status *status, bool *seen);

#endif
