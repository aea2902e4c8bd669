/* SPDX-License-Identifier: Apache-2.0 */
/* spw softmax */
#include "../product/product.h"
#include "operands.h"

#include <stdlib.h>

typedef struct softmax_run {
  operand_run on;
  spw_softmax_request wanted;
} softmax_run;

enum { OUTPUT, DIM, LOGARITHM, LIMITS }; /* the rows of the options */

static bool take_dim(softmax_run *run, const char *argument)
{
  int64_t *numbers = NULL, count = 0;
  const bool one = read_numbers(argument, &numbers, &count) && count == 1;
  if (one) run->wanted.dim = numbers[0];
  free(numbers);
  return one || (usage_error("softmax", "--dim is a number, not %s", argument), false);
}

static bool take(void *context, int option, const char *argument)
{
  softmax_run *run = context;
  if (option >= LIMITS) return take_limit_option("softmax", &run->on.input, option - LIMITS, argument);
  if (option == OUTPUT) return run->on.output.path = argument, true;
  if (option == LOGARITHM) return run->wanted.logarithm = true;
  return take_dim(run, argument);
}

static void normalise(void *context)
{
  softmax_run *run = context;
  operand_run *const on = &run->on;
  const spw_tensor *const t = operand_of(on, 0);
  int64_t spent = 0;
  int operand = 0;
  cli_input about = {.file = on->names[0], .spent = &spent, .bytes = on->bytes};
  cli_problem problem;
  spw_owned *made = NULL;
  if (t->layout == SPW_DENSE)
    set_problem(&problem, "impossible", "softmax is for sparse tensors, and this is a dense one");
  else
    made = softmax_of(t, &run->wanted, &about, &on->request, on->memory, &operand, &problem);
  take_made(on, &about, made, operand, &problem);
}

static int run_softmax(int argc, char **argv)
{
  softmax_run run = {.on = operand_run_of("softmax", "result"), .wanted = {.dim = -1}};
  file_list inputs;
  int code = EXIT_USAGE;
  const int first = take_options(&softmax_command, argc, argv, take, &run, &code);
  if (first < 0) return code;
  if (argc == first || argc > first + 2) return usage_error("softmax", "it takes one file, and where the result goes");
  if (argc == first + 2 && !take_bare_output("softmax", &run.on.output, argv[argc - 1])) return EXIT_USAGE;
  if (!take_files("softmax", first + 1, (const char *const *)argv, first, false, &inputs)) return EXIT_USAGE;
  code = run_operands(&run.on, &inputs, normalise, &run);
  free_file_list(&inputs);
  return code;
}

const cli_command softmax_command = {
    .name = "softmax",
    .summary = "softmax and log_softmax of the specified elements",
    .synopsis = "[OPTION...] A [OUT]",
    .description =
        "Gives the specified elements along a dimension of a sparse tensor values that are positive and whose sum is 1; with "
        "--log their logarithms. What is not specified counts as -inf, and stays so. The layout, the positions and their order "
        "stay too. `spw explain N1` says what is rounded, and in which order sums are formed.\n\n"
        "Files have one of the formats that `spw list formats` names and hold one tensor.",
    .options =
        (const cli_option[]){
            [OUTPUT] = OUTPUT_OPTION,
            [DIM] = {0, "dim", "D", "along which dimension (default: -1, the last)"},
            [LOGARITHM] = {0, "log", NULL, "log_softmax"},
            [LIMITS] = LIMIT_OPTIONS,
            MEMORY_OPTION,
            {0, NULL, NULL, NULL}},
    .statuses =
        (const exit_status[]){
            {EXIT_VALID, "the result is written"},
            STATUS_OPERAND,
            {EXIT_USAGE, "there is no such result, or it takes too much memory or work; or the command line is wrong"},
            STATUS_UNREADABLE,
            STATUS_INTERNAL,
            {0, NULL}},
    .examples =
        (const cli_example[]){
            {"spw softmax scores.npz", "the softmax of each row, as JSON on standard output"},
            {"spw softmax --log --dim=0 -o s.spw.json scores.npz", "log_softmax of each column"},
            {NULL, NULL}},
    .run = run_softmax};
