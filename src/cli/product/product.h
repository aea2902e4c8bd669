/* SPDX-License-Identifier: Apache-2.0 */
/* A product of two tensors that have been judged, or in words why there is none. */
#ifndef SPW_CLI_PRODUCT_H
#define SPW_CLI_PRODUCT_H

#include "../posix.h"

#include "../../sparsewright.h"
#include "../input/input.h"
#include "../text/text.h"
#include "../verdict/verdict.h"

/* Multiplies what `about` is about, one of them sparse, if the steps of `request` allow it. Null after *problem, and *operand,
 * which of the two it is about (2: the result): "impossible", when they cannot be multiplied, "limit", when that takes more than
 * `memory` bytes or too many steps, or "internal". */
spw_owned *multiply_tensors(const spw_tensor *a, const spw_tensor *b, const cli_input *about, const check_request *request,
                            size_t memory, int *operand, cli_problem *problem);

/* Multiplications of a sparse and a dense tensor; INT64_MAX when there are more. */
int64_t multiplications(const spw_tensor *a, const spw_tensor *b);

typedef enum judged { NOT_JUDGED, JUDGED_RIGHT, UNDECIDED, JUDGED_WRONG } judged;

/* Is y the product of the sparse a and the dense x? A sentence about it in *text; NOT_JUDGED after *problem. Precision
 * 0: the one that a library has that says nothing. */
judged judge_result(const spw_tensor *a, const spw_tensor *x, const spw_tensor *y, spw_precision precision, size_t memory,
                    cli_text *text, cli_problem *problem);

#endif
