/* SPDX-License-Identifier: Apache-2.0 */
/* What there is to say about one tensor, and its numbers, which no rule may have confirmed. */
#ifndef SPW_CLI_VERDICT_H
#define SPW_CLI_VERDICT_H

#include "../posix.h"

#include "../../sparsewright.h"
#include "../input/input.h"
#include "../text/text.h"

/* ---- Verdicts -------------------------------------------------------------------------------- */

typedef enum cli_verdict { VERDICT_VALID, VERDICT_INVALID, VERDICT_MALFORMED } cli_verdict;

enum { MAX_INFERRED_DIMS = 1024 }; /* sizes with more are not shown */

/* What there is to say about one input. */
typedef struct cli_judgement {
  const cli_input *input;
  cli_verdict verdict;
  spw_level level;
  cli_problem problem;   /* VERDICT_MALFORMED; kind is null otherwise */
  spw_report report; /* otherwise */
  bool size_known;   /* given or inferred */
  int64_t ndim;
  const int64_t *size;
  int64_t inferred[MAX_INFERRED_DIMS];
  const spw_semi *semi;  /* a 2:4 matrix, which semi_report is about; null otherwise */
  spw_semi_report semi_report;
} cli_judgement;

/* What is asked of a check. `first_only`: as spw_first_violation, the rules behind the first
 * violated one count as not evaluated. */
typedef struct check_request {
  spw_level level;
  bool first_only;
  bool takes_semi;   /* 2:4 matrices, too */
  bool reads_values; /* of dense arrays, too: every one is a step */
  int64_t max_work; /* steps that the tensors of a file may take; 0: the default */
  int64_t max_dense_bytes; /* of the dense array that a valid tensor means; 0: any */
} check_request;

/* Checks one input; false after an internal error, reported on stderr. */
bool judge(const cli_input *input, const check_request *request, cli_judgement *judgement);

/* spw_check, which for a dense array judges 1.4, 1.5, 3.11, 3.12 and 3.14. */
spw_status check_tensor(const spw_tensor *tensor, spw_level level, spw_report *report);

/* Counts steps that are not the checker's to those that the file may take; false after *problem, which
 * says what ("comparing") takes too many. */
bool may_spend(const cli_input *input, const check_request *request, const char *what, int64_t steps,
               cli_problem *problem);

/* Steps that may still be counted. */
int64_t work_left(const cli_input *input, const check_request *request);

const char *verdict_name(cli_verdict verdict);

const char *level_name(spw_level level); /* of rules: their phase */

/* Every rule, those of 2:4 matrices behind the others; null for no number of one. Their layouts are 0. */
enum { ANY_RULE_COUNT = SPW_RULE_COUNT + SPW_SEMI_RULE_COUNT };
const spw_rule_info *any_rule(int number);

/* What became of it. */
spw_state state_of_rule(const cli_judgement *judgement, int number);
bool parse_level(const char *name, spw_level *level);

/* ---- Members and quantities ------------------------------------------------------------------ */

const spw_array *member_array(const spw_tensor *tensor, spw_member member);
bool has_member(spw_layout layout, spw_member member); /* one of the three arrays */

/* Sums and products of what is not negative; INT64_MAX when there is more. And the larger one. */
int64_t add_counts(int64_t a, int64_t b);
int64_t multiply_counts(int64_t a, int64_t b);
int64_t larger_count(int64_t a, int64_t b);

/* Positions of an array, and of all arrays of a tensor, whatever memory they share; INT64_MAX when there
 * are more. */
int64_t count_positions(const spw_array *array);
int64_t count_elements(const spw_tensor *tensor);

/* Elements of the storages of all arrays of a tensor. */
int64_t count_stored(const spw_tensor *tensor);

/* The numbers of a tensor whose rules may be violated, -1 where unknown; batch dimensions, 0 then. */
spw_numbers numbers_of(const spw_tensor *tensor);
int64_t batch_dims(const spw_tensor *tensor);

/* The dimensions of a valid tensor; INT64_MAX when there are more, as coo of no element and no size may have. */
int64_t count_dimensions(const spw_tensor *tensor);
bool is_blocked(spw_layout layout);
bool is_compressed(spw_layout layout);

/* The batch of a violation as an index along each batch dimension, into index[0 .. returned - 1]
 * to free(); 0 dimensions for shape rules. */
int64_t violation_batch(const spw_tensor *tensor, const spw_violation *violation, int64_t **index);

/* Element of an index array of a tensor whose shape rules hold, in a batch, at a position of its
 * last dimension (COO: row `dim` of indices). */
int64_t batch_element(const spw_tensor *tensor, const spw_violation *violation, int64_t position);
int64_t coo_element(const spw_tensor *tensor, int64_t dim, int64_t position);

/* A sentence: why the library refuses (SPW_ERANGE), with the numbers. */
void add_refusal(cli_text *text, const spw_refused *what, const spw_refusal *refusal);

/* "2x6", "scalar" without dimensions; many are "2 x 6", so that lines can be broken. */
void add_sizes(cli_text *text, int64_t ndim, const int64_t *sizes);

#endif
