/* SPDX-License-Identifier: Apache-2.0 */
/* From a tensor to another one, or in words why not. */
#ifndef SPW_CLI_CONVERSION_H
#define SPW_CLI_CONVERSION_H

#include "../posix.h"

#include "../../sparsewright.h"
#include "../verdict/verdict.h"

/* Bytes that results may take: what --max-memory says, or a quarter of the machine's memory. */
size_t memory_limit(int64_t max_memory);

/* Converts a tensor that has been judged valid, if the steps of `request` allow it. Null after *problem: "impossible", when
 * the tensor cannot become what is wanted, "limit", when that takes more than `memory` bytes or too many steps, or
 * "internal". */
spw_owned *convert_tensor(const cli_judgement *judgement, const spw_conversion *wanted, const check_request *request,
                          size_t memory, cli_problem *problem);

/* Adds to a text which steps would convert a tensor that has been judged valid, and why. False after *problem, as above. */
bool explain_conversion(const cli_judgement *judgement, const spw_conversion *wanted, const check_request *request,
                        cli_text *text, cli_problem *problem);

/* *same: do two valid tensors that spw_certify does not take mean the same? COO in any order is sorted first, each side in so
 * much `memory`, and its duplicates are combined, those of `a` as is asked and those of b to sums, which is certified as well.
 * With `canonicalize`, so are the lines of `a`, which may be valid up to SPW_STRUCTURE.
 * SPW_EUNSUPPORTED: UNCERTIFIABLE; SPW_ENOMEM; SPW_EINVALID: what came of it is not certified, which is a fault of ours. */
spw_status certify_combined(const spw_tensor *a, const spw_tensor *b, spw_zeros zeros, spw_combine duplicates, bool canonicalize,
                            size_t memory, bool *same);

/* What the certifier does not take, and what of lines that are not in order it does not. */
#define UNCERTIFIABLE "one has no size, is coo without a sparse dimension, or has values that do not lie one behind the other; " \
                      "or their dense dimensions differ; or there are more batches, or values in a row, than int64 can number"
#define UNCERTIFIABLE_LINES "it has no size, or values that do not lie one behind the other; or its batches are left with " \
                            "different numbers of elements, or have more in all than its index type can number"

/* Steps for an element that is certified: it may have to be sorted first. */
enum { FEW_DIMENSIONS = 64, SORTED_TOO = 2 };

/* The result, with what making it takes; SIZE_MAX when there are more bytes than can be counted. */
size_t bytes_of_room(const spw_room *room);

/* Elements that are written into such a room, times dimensions where these are more than a few; INT64_MAX beyond. */
int64_t steps_of_room(const spw_room *room);

/* Says in *problem why an operation has no result although nothing is refused: memory, dimensions, or a fault of ours; `word`
 * names it. False for a refusal, which *problem does not say yet. */
bool explain_no_result(spw_status status, const char *word, size_t memory, cli_problem *problem);

/* What is wrong with options that ask this of a result in a layout; null if nothing is. */
const char *misfit_of(const spw_conversion *wanted, spw_layout layout);

#endif
