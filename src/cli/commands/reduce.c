/* SPDX-License-Identifier: Apache-2.0 */
/* spw reduce */
#include "../product/product.h"
#include "operands.h"

#include <unistd.h>

typedef struct reduce_run {
  operand_run on;
  spw_reduction wanted;
} reduce_run;

enum { OUTPUT, EACH, LIMITS }; /* the rows of the options */

/* By kind, and by span. */
static const char *const kinds[] = {"sum", "mean", "amax", "amin", NULL};
static const char *const spans[] = {"row", "column", "matrix", NULL};

static bool take(void *context, int option, const char *argument)
{
  reduce_run *run = context;
  if (option >= LIMITS) return take_limit_option("reduce", &run->on.input, option - LIMITS, argument);
  if (option == OUTPUT) return run->on.output.path = argument, true;
  const int span = place_among(spans, argument);
  if (span < 0) return usage_error("reduce", "--each is row, column or matrix, not %s", argument), false;
  run->wanted.span = (spw_reduction_span)span;
  return true;
}

/* Is it COO that claims nothing, as files of other formats than JSON, and whose elements are sorted and distinct? */
static bool is_coalesced(const operand_run *on, const cli_input *about, const spw_tensor *t)
{
  spw_tensor claiming = *t;
  cli_problem problem;
  int64_t steps = 0;
  bool valid = false;
  if (t->layout != SPW_COO || t->coalesced != SPW_CLAIM_NONE) return false;
  claiming.coalesced = SPW_CLAIM_YES;
  if (spw_work(&claiming, SPW_CANONICAL, &steps) != SPW_OK) return false;
  if (!may_spend(about, &on->request, "checking", steps, &problem)) return false;
  return spw_is_valid(&claiming, SPW_CANONICAL, &valid) == SPW_OK && valid;
}

static void reduce_operands(void *context)
{
  reduce_run *run = context;
  operand_run *const on = &run->on;
  const spw_tensor *a = operand_of(on, 0);
  const spw_tensor *const b = operand_of(on, 1);
  int64_t spent = 0;
  int operand = 0;
  cli_input about = {.file = on->names[0], .spent = &spent, .bytes = on->bytes};
  cli_problem problem;
  spw_owned *made = NULL;
  spw_tensor claiming = *a;
  if (run->wanted.kind != SPW_REDUCE_SUM && is_coalesced(on, &about, a)) {
    claiming.coalesced = SPW_CLAIM_YES;
    a = &claiming;
  }
  if (a->layout == SPW_DENSE) {
    set_problem(&problem, "impossible", "what is reduced has to be sparse");
  } else if (b && b->layout != SPW_DENSE) {
    operand = 1;
    set_problem(&problem, "impossible", "the second has to be dense");
  } else {
    made = reduce_tensor(a, b, &run->wanted, &about, &on->request, on->memory, &operand, &problem);
  }
  take_made(on, &about, made, operand, &problem);
}

/* The result is dense: nothing is read for a file that cannot hold it. */
static bool may_hold_result(const char *path)
{
  const cli_format format = path ? output_format(path) : FORMAT_JSON;
  return format != FORMAT_NPZ && format != FORMAT_MTX;
}

static bool is_there(const char *path)
{
  return is_standard_stream(path) || access(path, F_OK) == 0;
}

static int run_reduce(int argc, char **argv)
{
  reduce_run run = {.on = operand_run_of("reduce", "result")};
  file_list inputs;
  int code = EXIT_USAGE;
  const int first = take_options(&reduce_command, argc, argv, take, &run, &code);
  if (first < 0) return code;
  if (argc == first) return usage_error("reduce", "a reduction is needed: sum, mean, amax or amin");
  const char *const word = argv[first];
  const int kind = place_among(kinds, word), operands = argc - first - 1, files = operands == 3 ? 2 : operands;
  if (kind < 0) return unknown_word(&reduce_command, word);
  run.wanted.kind = (spw_reduction_kind)kind;
  if (files < 1 || files > 2) return usage_error("reduce", "%s takes one file, or two", word);
  if (operands == 3 && !take_bare_output("reduce", &run.on.output, argv[argc - 1])) return EXIT_USAGE;
  if (operands == 2 && !is_there(argv[argc - 1]))
    return usage_error("reduce", "there is no %s to multiply by; -o %s writes the result there", argv[argc - 1], argv[argc - 1]);
  if (files == 2 && run.wanted.span != SPW_EACH_ROW)
    return usage_error("reduce", "with a second file rows are reduced, and nothing else");
  if (!may_hold_result(run.on.output.path))
    return usage_error("reduce", "the result is dense, which a .npz or .mtx file cannot hold: %s", run.on.output.path);
  if (!take_files("reduce", first + 1 + files, (const char *const *)argv, first + 1, false, &inputs)) return EXIT_USAGE;
  code = run_operands(&run.on, &inputs, reduce_operands, &run);
  free_file_list(&inputs);
  return code;
}

const cli_command reduce_command = {
    .name = "reduce",
    .summary = "sums, means and extremes of rows, columns or matrices",
    .synopsis = "[OPTION...] sum A [B [OUT]]\n[OPTION...] mean A [B [OUT]]\n[OPTION...] amax A [B [OUT]]\n"
                "[OPTION...] amin A [B [OUT]]",
    .description =
        "Makes one number of each row of a sparse tensor, of each column or of each matrix: the sum of its elements, their mean, "
        "the largest or the smallest. Only what is specified counts; what has no element gives 0. With a dense B, what is "
        "reduced are the products of the elements of a row with the rows of B, as a matrix product sums them.\n\n"
        "Every layout gives the same bits: `spw explain reduce` says in which order sums are formed, and what NaN and -0 are "
        "compared to. The result is dense.\n\n"
        "Files have one of the formats that `spw list formats` names and hold one tensor.",
    .words = kinds,
    .options =
        (const cli_option[]){
            [OUTPUT] = {'o', "output", "FILE", "where the result goes: .npy, .spw.json, or - for JSON on standard output "
                        "(default). OUT is the same, but no file that exists"},
            [EACH] = {0, "each", "WHAT", "what becomes one number: row (default), column or matrix"},
            [LIMITS] = LIMIT_OPTIONS,
            MEMORY_OPTION,
            {0, NULL, NULL, NULL}},
    .statuses =
        (const exit_status[]){
            {EXIT_VALID, "the result is written"},
            STATUS_OPERAND,
            {EXIT_USAGE, "there is no such reduction of the type, the operands do not fit each other, or the result takes too "
                         "much memory or work; or the command line is wrong"},
            STATUS_UNREADABLE,
            STATUS_INTERNAL,
            {0, NULL}},
    .examples =
        (const cli_example[]){
            {"spw reduce sum a.npz", "the sums of rows as JSON, on standard output"},
            {"spw reduce mean --each=column -o means.npy a.npz", "the means of columns, for NumPy"},
            {"spw reduce amax a.npz features.npy", "the largest product in each row, for each feature"},
            {NULL, NULL}},
    .run = run_reduce};
