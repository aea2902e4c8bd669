/* SPDX-License-Identifier: Apache-2.0 */
/* A product of two tensors that have been judged, a reduction, or what is made element by element; or in words why there is
 * none. */
#ifndef SPW_CLI_PRODUCT_H
#define SPW_CLI_PRODUCT_H

#include "../posix.h"

#include "../../sparsewright.h"
#include "../input/input.h"
#include "../text/text.h"
#include "../verdict/verdict.h"

/* Multiplies what `about` is about, one of them sparse, if the steps of `request` allow it. Null after *problem, and *operand,
 * which of the files it is about (-1: none): "impossible", when they cannot be multiplied, "limit", when that takes more than
 * `memory` bytes or too many steps, or "internal". */
spw_owned *multiply_tensors(const spw_tensor *a, const spw_tensor *b, const cli_input *about, const check_request *request,
                            size_t memory, int *operand, cli_problem *problem);

/* What is wanted of a product besides. */
typedef struct product_request {
  const spw_tensor *add; /* beta times this is added; or null */
  const spw_tensor *bias; /* a vector is added to each row of a times b transposed; or null */
  const spw_tensor *at;  /* two dense ones are multiplied where this, sparse, stores something; or null */
  const char *alpha, *beta; /* as they are written; or null */
} product_request;

/* The same with factors: add, bias or at is there. The file of that is number 2. */
spw_owned *multiply_with(const spw_tensor *a, const spw_tensor *b, const product_request *wanted, const cli_input *about,
                         const check_request *request, size_t memory, int *operand, cli_problem *problem);

/* Of a sparse matrix and a dense one the rows that have an element, as COO: of `elements`, or hybrid. */
spw_owned *multiply_rows(const spw_tensor *a, const spw_tensor *b, bool elements, const cli_input *about,
                         const check_request *request, size_t memory, int *operand, cli_problem *problem);

/* Multiplications of a sparse and a dense tensor, and the elements of their product. Of two sparse ones their rows and columns,
 * which cost something even where nothing is stored: their multiplications are not known yet. INT64_MAX when there are more. */
int64_t steps_of_product(const spw_tensor *a, const spw_tensor *b);

/* What is gone along even where nothing is stored: the ends of rows, or of columns, in all batches; 1 where there are none. */
int64_t count_ends(const spw_tensor *sparse);

/* The steps of judging one number: to clear and to copy an exact sum of kilobytes takes as long as many others, and a complex
 * number has two. */
int64_t steps_of_number(spw_dtype dtype);

/* Those of judging such a product. Of two sparse ones the numbers are counted as they are judged. */
int64_t steps_of_judging(const spw_tensor *a, const spw_tensor *b);

/* The library has made no `result` ("product"). True where the operands are why, which is still to be put in words; else
 * *problem says all, "internal" of `making`. *operand as above. */
bool refused_for_reason(spw_status status, const spw_refusal *refusal, const char *result, const char *making, size_t memory,
                        int *operand, cli_problem *problem);

/* False after *problem: judging takes more bytes than `memory`. */
bool may_take_to_judge(size_t bytes, size_t memory, cli_problem *problem);

/* What a reduction gives; b may be null. Null after *problem and *operand, as above. */
spw_owned *reduce_tensor(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, const cli_input *about,
                         const check_request *request, size_t memory, int *operand, cli_problem *problem);

/* What a reduction over dimensions gives. */
spw_owned *reduce_dims_of(const spw_tensor *t, const spw_dims_reduction *wanted, const cli_input *about,
                          const check_request *request, size_t memory, int *operand, cli_problem *problem);

/* The positions of what is not 0. */
spw_owned *nonzero_of(const spw_tensor *t, const cli_input *about, const check_request *request, size_t memory, int *operand,
                      cli_problem *problem);

/* What a softmax gives. */
spw_owned *softmax_of(const spw_tensor *t, const spw_softmax_request *wanted, const cli_input *about,
                      const check_request *request, size_t memory, int *operand, cli_problem *problem);

/* Was a system not solved because KLU is not installed? Then *problem says so. */
bool lacks_solver(spw_status status, int *operand, cli_problem *problem);

/* The solution of a triangular system; if `wanted` is null, of any. */
spw_owned *solve_tensors(const spw_tensor *a, const spw_tensor *b, const spw_triangle *wanted, const cli_input *about,
                         const check_request *request, size_t memory, int *operand, cli_problem *problem);

/* What an elementwise operation gives; null after *problem and *operand, as above. */
spw_owned *combine_elements(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted, size_t memory,
                            int *operand, cli_problem *problem);

/* What a function of values gives; null after *problem and *operand, as above. */
spw_owned *map_values(const spw_tensor *a, const spw_unary_request *wanted, const cli_input *about, const check_request *request,
                      size_t memory, int *operand, cli_problem *problem);

/* A tensor, sparse or dense, with values of another type; null after *problem, as above. */
spw_owned *cast_tensor(const spw_tensor *t, spw_dtype dtype, const cli_input *about, const check_request *request, size_t memory,
                       cli_problem *problem);

/* One value of a type, as a file in JSON has it, but that strings need no quotes and a complex number no imaginary part; null
 * where the text is none. */
spw_owned *read_scalar(spw_dtype dtype, const char *text);

typedef enum judged { NOT_JUDGED, JUDGED_RIGHT, UNDECIDED, JUDGED_WRONG } judged;

/* Is y the product of the sparse a and x, which is dense, as y is then, or sparse? A sentence about it in *text; NOT_JUDGED after
 * *problem. Precision 0: the one that a library has that says nothing. */
judged judge_result(const spw_tensor *a, const spw_tensor *x, const spw_tensor *y, spw_precision precision,
                    const cli_input *about, const check_request *request, size_t memory, cli_text *text, cli_problem *problem);

/* What is claimed: A x = value x, or with `weights` A x = value W x; with `right`, that vectors are left ones of singular
 * triples, of A less the row `center`. All but the first three may be null. */
typedef struct eigen_claim {
  const spw_tensor *a, *values, *vectors, *weights, *right, *center;
  double radius; /* the largest that is right */
} eigen_claim;

/* Judges each pair or triple, and says so. *operand as below. */
judged judge_eigen(const eigen_claim *claim, const cli_input *about, const check_request *request, size_t memory, cli_text *text,
                   int *operand, cli_problem *problem);

/* Does x solve the system? A sentence about it in *text; NOT_JUDGED after *problem and *operand: 0 is a, 1 b, 2 x. */
judged judge_solution(const spw_solution_claim *claim, const cli_input *about, const check_request *request, size_t memory,
                      cli_text *text, int *operand, cli_problem *problem);

#endif
