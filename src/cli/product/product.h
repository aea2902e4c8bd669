/* SPDX-License-Identifier: Apache-2.0 */
/* A product of two tensors that have been judged, or in words why there is none. */
#ifndef SPW_CLI_PRODUCT_H
#define SPW_CLI_PRODUCT_H

#include "../posix.h"

#include "../../sparsewright.h"
#include "../input/input.h"

/* Null after *problem, and *operand, which of the two it is about (2: the result): "impossible", when they cannot be
 * multiplied, "limit", when that takes more than `memory` bytes, or "internal". */
spw_owned *multiply_tensors(const spw_tensor *a, const spw_tensor *b, size_t memory, int *operand, cli_problem *problem);

/* Multiplications that it takes; INT64_MAX when there are more. */
int64_t multiplications(const spw_tensor *a, const spw_tensor *b);

#endif
