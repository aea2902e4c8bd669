/* SPDX-License-Identifier: Apache-2.0 */
/* From tensors to 2:4 matrices and back. */
#ifndef SPW_CLI_CONVERSION_SEMI_H
#define SPW_CLI_CONVERSION_SEMI_H

#include "conversion.h"

/* What is asked of a 2:4 result. */
typedef struct semi_wanted {
  bool asked;    /* --to=semi */
  spw_semi_order order;
  bool prune, tiles, bits;
} semi_wanted;

/* Encodes a tensor that has been judged valid. Null after *problem: "impossible", "limit" or "internal". *semi lies in the
 * result. */
spw_owned *semi_from_tensor(const cli_judgement *judgement, const semi_wanted *wanted, size_t memory, const spw_semi **semi,
                            cli_problem *problem);

/* In another order, if that is asked. */
spw_owned *semi_in_order(const cli_judgement *judgement, const semi_wanted *wanted, size_t memory, const spw_semi **semi,
                         cli_problem *problem);

/* As a dense array, or as CSR with the stored elements; null after *problem. */
spw_owned *tensor_from_semi(const cli_judgement *judgement, bool dense, spw_dtype index, size_t memory, cli_problem *problem);

#endif
