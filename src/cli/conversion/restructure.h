/* SPDX-License-Identifier: Apache-2.0 */
/* A structure operation on tensors that have been judged, or in words why there is no result. */
#ifndef SPW_CLI_RESTRUCTURE_H
#define SPW_CLI_RESTRUCTURE_H

#include "conversion.h"

/* spw_restructure of `count` operands, called `word`, if the steps of `request` allow it. Null after *problem, and *operand, the
 * number of the one that it is about, -1 where it is about the result: "impossible", "limit" or "internal". */
spw_owned *restructure_tensors(const char *word, const spw_tensor *const *operands, int64_t count, const spw_structure *wanted,
                               const cli_input *about, const check_request *request, size_t memory, int *operand,
                               cli_problem *problem);

/* The same with the dimensions in another order, `count` numbers; null: the last two sparse ones exchanged. Canonical. */
spw_owned *permute_tensor(const char *word, const spw_tensor *tensor, const int64_t *order, int64_t count,
                          spw_combine duplicates, const cli_input *about, const check_request *request, size_t memory,
                          int *operand, cli_problem *problem);

#endif
