/* SPDX-License-Identifier: Apache-2.0 */
/* What spw_make makes of tensors that have been judged, or in words why there is no result. */
#ifndef SPW_CLI_MAKE_TENSOR_H
#define SPW_CLI_MAKE_TENSOR_H

#include "conversion.h"

/* Null after *problem, and *operand, the number of the one that it is about, -1 where it is about the result: "impossible",
 * "limit" or "internal". */
spw_owned *make_tensor(const char *word, const spw_tensor *const *operands, int64_t count, const spw_making *wanted,
                       const cli_input *about, const check_request *request, size_t memory, int *operand, cli_problem *problem);

#endif
