/* SPDX-License-Identifier: Apache-2.0 */
/* A second opinion on steps of optimisers: dense arrays and a mark for each position. It shares nothing with src. */
#ifndef TESTS_OPTIMISED_H
#define TESTS_OPTIMISED_H

#include "../operands/specimen.h"

/* Some steps of an optimiser that is drawn, on parts of one gradient, by all calls. Null when all that must hold does, else what
 * does not (in static storage). *status is of the last step; *seen: numbers were compared. */
const char *attempt_any_steps(const spw_tensor *g, dice *d, spw_optimisation *how, spw_status *status, bool *seen);

/* beta^t by repeated products of whole numbers, rounded once; of t up to 60. */
double whole_power_expected(double beta, int t);

#endif
