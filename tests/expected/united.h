/* SPDX-License-Identifier: Apache-2.0 */
/* A second opinion on elementwise operations: the elements of both operands in one list of positions, one by one. Shares
 * nothing with src. */
#ifndef TESTS_UNITED_H
#define TESTS_UNITED_H

#include "../../src/sparsewright.h"

/* How many operands a kind takes, whether it takes a scalar, and whether it is complete without one. The suite and the fuzz
 * target draw kinds from this table. */
typedef struct united_kind {
  int operands;
  bool scalar, no_scalar;
} united_kind;

static const united_kind united_kinds[] = {
    [SPW_PLUS] = {2, true, true},   [SPW_MINUS] = {2, true, true},   [SPW_TIMES] = {2, false, true},
    [SPW_SCALE] = {1, true, false}, [SPW_DIVIDE] = {1, true, false},
};
enum { UNITED_KINDS = sizeof united_kinds / sizeof *united_kinds };

/* Null where the answer of an elementwise operation is right: a refusal that has a reason, or a result that is canonical, of
 * the right layout, type and size, and holds what it must; else what is wrong (in static storage). What is beyond meaning_of
 * is not looked at, and *seen is then false. The operands are valid, but for their types and forms. */
const char *wrong_elementwise(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted, spw_status status,
                              const spw_refusal *refusal, const spw_tensor *result, bool *seen);

/* Tries the operation by all calls into buffers with fences: null, or what is wrong. */
const char *attempt_elementwise(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted,
                                spw_status *status, bool *seen);

#endif
