/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients held to the adjoint identity: for an operation J that is linear in an operand x, the sum of G J(x) is the sum of
 * (adjoint of G) x. All numbers are small integers, so both sums are exact. What is not linear is held to second models. */
#ifndef TESTS_GRADIENT_ATTEMPT_H
#define TESTS_GRADIENT_ATTEMPT_H

#include "../operands/specimen.h"

typedef enum gradient_kind {
  GRADIENT_CONVERT, GRADIENT_PERMUTE, GRADIENT_RESTRUCTURE, GRADIENT_MAKE, GRADIENT_SUM, GRADIENT_MEAN, GRADIENT_ELEMENTWISE,
  GRADIENT_MULTIPLY, GRADIENT_SAMPLED, GRADIENT_EXTREME, GRADIENT_SOFTMAX, GRADIENT_KRON, GRADIENT_SPARSE, GRADIENT_LINEAR,
  GRADIENT_REDUCED, GRADIENT_SOLVE, GRADIENT_DIAGONALS, GRADIENT_MATMUL, GRADIENT_KINDS
} gradient_kind;

/* Of an operation that is drawn, on the index arrays of x with other values. Null when all that must hold does, else what does
 * not (in static storage). *seen: numbers were compared. */
const char *attempt_any_gradient(const spw_tensor *x, dice *d, gradient_kind *kind, spw_status *status, bool *seen);

#endif
