/* SPDX-License-Identifier: Apache-2.0 */
/* The oracle asked about products that are known to be right, and about the same with one wrong number. */
#ifndef TESTS_JUDGE_ATTEMPT_H
#define TESTS_JUDGE_ATTEMPT_H

#include "../operands/strided.h"

/* c holds what a times x comes to, and c->before what it held before. Null when the oracle calls it right, and names the
 * place of a number that is changed; else what is wrong (in static storage). *found counts the changed numbers. */
const char *attempt_judgement(const spw_tensor *a, const spw_tensor *x, const spw_factors *how, const strided *c, dice *d,
                              int64_t *found);

/* The same of a sparse x, and a sparse y in memory that may be written, without gaps between its values. */
const char *attempt_sparse_judgement(const spw_tensor *a, const spw_tensor *x, const spw_tensor *y, dice *d, int64_t *found);

/* Null when the oracle refuses the operands as a product has refused them: with this status. */
const char *attempt_refused_judgement(const spw_tensor *a, const spw_tensor *x, const strided *c, spw_status status);

#endif
