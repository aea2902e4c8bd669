/* SPDX-License-Identifier: Apache-2.0 */
/* What commands share that make one tensor of a few: each file holds an operand, which is judged as it is read. */
#ifndef SPW_CLI_OPERANDS_H
#define SPW_CLI_OPERANDS_H

#include "../product/product.h"
#include "../report/report.h"
#include "command.h"

typedef struct operand_run {
  const char *command;
  const char *made; /* what it makes, in a word: "product" */
  input_options input;
  check_request request;
  size_t memory;
  cli_output output;
  spw_dtype dtype;      /* to which the operands are cast first; SPW_DTYPE_NONE: to none */
  spw_file_format format;
  cli_style style;
  cli_progress progress;
  size_t file;
  size_t files;
  size_t *counts;       /* tensors of each file */
  spw_owned **operands; /* the first of each, if it is valid; null: there is no such operand */
  const char **names;
  size_t bytes;         /* of all files */
  cli_text result;
  int code;
} operand_run;

/* All that is not 0 before options are taken. */
operand_run operand_run_of(const char *command, const char *made);

/* Reads the operands, and has `make`, if all are valid, make something of them; writes the result, where there is one. Gives
 * the exit code. */
int run_operands(operand_run *run, const file_list *inputs, void make(void *context), void *context);

/* The last word is the worst: 0, 1 invalid, 2 impossible, 3 unreadable, 70. */
void fail_operands(operand_run *run, int code);

/* Says what the problem is, and fails. */
void refuse_operands(operand_run *run, const cli_input *about, const cli_problem *problem);

/* Takes --dtype; false after a usage error. */
bool take_operand_dtype(operand_run *run, const char *argument);

/* The operand, or null where there are not so many. */
const spw_tensor *operand_of(const operand_run *run, size_t operand);

/* What has been made, or, where it is null, why it has not: a problem of an operand, or of the result where the number is
 * none of an operand. Takes it. */
void take_made(operand_run *run, cli_input *about, spw_owned *made, int operand, const cli_problem *problem);

/* Prints what is said of a claim, a file; or says what the problem is where nothing can be said. */
void put_verdict(operand_run *run, const cli_input *about, const char *claim, judged verdict, const char *text,
                 const cli_problem *problem);

#endif
