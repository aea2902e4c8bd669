/* SPDX-License-Identifier: Apache-2.0 */
/* A second opinion: the rules once more, as plain as possible and sharing nothing with src. */
#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include "../../src/sparsewright.h"

/* What spw_check should report. False when that would take more than some 10^6 steps; `report` then
 * means nothing. The tensor must be one that spw_check does not refuse with SPW_EINVAL, and have at
 * most 16 dimensions anywhere. */
bool oracle_check(const spw_tensor *tensor, spw_level level, spw_report *report);

/* The first rule that a result breaks, or SPW_RULE_NONE: by oracle_check, and where that would take too long by the library. */
spw_rule oracle_broken_rule(const spw_tensor *result);

/* What spw_first_violation and spw_is_valid should give, read from a report. */
spw_violation oracle_first_violation(const spw_report *report);

/* Null when the two say the same, else what they do not agree on (in static storage). */
const char *oracle_difference(const spw_report *expected, const spw_report *actual);

/* The tensor in words, for messages (in static storage). */
const char *oracle_describe(const spw_tensor *tensor);

#endif
