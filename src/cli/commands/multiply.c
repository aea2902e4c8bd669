/* SPDX-License-Identifier: Apache-2.0 */
/* spw multiply */
#include "../conversion/conversion.h"
#include "../product/product.h"
#include "../report/report.h"
#include "command.h"

#include <stdlib.h>
#include <string.h>

typedef struct multiply_run {
  input_options input;
  check_request request;
  size_t memory;
  cli_output output;
  cli_format format;
  cli_style style;
  size_t file;
  size_t counts[2];       /* tensors of either file */
  spw_owned *operands[2]; /* the first of either, if it is valid */
  const char *names[2];
  size_t bytes;           /* of both files */
  cli_text result;
  int code;
} multiply_run;

enum { OUTPUT, LIMITS }; /* the rows of the options */

static bool take(void *context, int option, const char *argument)
{
  multiply_run *run = context;
  if (option >= LIMITS) return take_limit_option("multiply", &run->input, option - LIMITS, argument);
  return name_output("multiply", &run->output, argument);
}

/* The last word is the worst: 0, 1 invalid, 2 impossible, 3 unreadable, 70. */
static void fail(multiply_run *run, int code)
{
  if (code > run->code) run->code = code;
}

static int code_of(const cli_problem *problem)
{
  return strcmp(problem->kind, "internal") == 0 ? EXIT_INTERNAL : EXIT_USAGE;
}

static void refuse(multiply_run *run, const cli_input *input, const cli_problem *problem)
{
  put_problem_line("multiply", input, problem);
  fail(run, code_of(problem));
}

/* ---- Operands -------------------------------------------------------------------------------- */

static void take_operand(multiply_run *run, const cli_input *input)
{
  cli_judgement judgement;
  if (!judge(input, &run->request, &judgement)) {
    fail(run, EXIT_INTERNAL);
  } else if (judgement.verdict != VERDICT_VALID) {
    put_human(&run->style, &judgement);
    fail(run, judgement.verdict == VERDICT_MALFORMED ? EXIT_UNREADABLE : EXIT_INVALID);
  } else {
    run->operands[run->file] = *input->owned;
    *input->owned = NULL;
  }
}

static void multiply_input(void *context, const cli_input *input)
{
  multiply_run *run = context;
  cli_problem problem;
  if (++run->counts[run->file] == 1) {
    run->bytes += input->bytes;
    take_operand(run, input);
  } else if (run->counts[run->file] == 2) {
    set_problem(&problem, "impossible", "an operand is one tensor, and there are more");
    refuse(run, input, &problem);
  }
}

static void begin_file(void *context, size_t file)
{
  ((multiply_run *)context)->file = file;
}

/* ---- The product ----------------------------------------------------------------------------- */

static void write_result(multiply_run *run, const cli_input *about, const spw_tensor *product)
{
  spw_error error;
  cli_problem problem;
  void *bytes;
  size_t size;
  const spw_status status = format_tensor(run->format, product, &bytes, &size, &error);
  if (status == SPW_OK) {
    add_bytes(&run->result, bytes, size);
    free(bytes);
    return;
  }
  set_problem(&problem, status == SPW_EUNSUPPORTED ? "impossible" : "limit", "%s cannot hold the product: %s", run->output.path,
              error.message);
  refuse(run, about, &problem);
}

static void multiply(multiply_run *run)
{
  const spw_tensor *const a = spw_owned_tensor(run->operands[0]), *const b = spw_owned_tensor(run->operands[1]);
  int64_t spent = 0;
  int operand = 0;
  cli_input about = {.file = run->names[0], .spent = &spent, .bytes = run->bytes};
  cli_problem problem;
  if ((a->layout == SPW_DENSE) == (b->layout == SPW_DENSE)) {
    set_problem(&problem, "impossible", "one operand has to be sparse and the other dense; both are %s",
                a->layout == SPW_DENSE ? "dense" : "sparse, and --to=dense of `spw convert` makes one dense");
    refuse(run, &about, &problem);
    return;
  }
  spw_owned *product = NULL;
  if (may_spend(&about, &run->request, "multiplying", multiplications(a, b), &problem))
    product = multiply_tensors(a, b, run->memory, &operand, &problem);
  if (operand == 1) about.file = run->names[1];
  if (product)
    write_result(run, &about, spw_owned_tensor(product));
  else
    refuse(run, &about, &problem);
  spw_owned_free(product);
}

/* ---- The command ----------------------------------------------------------------------------- */

static int multiply_files(multiply_run *run, const file_list *inputs)
{
  if (!run->output.path) run->output.path = "-";
  run->format = output_format(run->output.path);
  if (run->format == FORMAT_UNKNOWN) {
    cli_text endings = new_text();
    add_output_names(&endings);
    usage_error("multiply", "the name of %s says no format that can be written: %s, or - for JSON on standard output",
                run->output.path, endings.bytes);
    free(endings.bytes);
    return EXIT_USAGE;
  }
  const int code = claim_outputs("multiply", &run->output, 1, inputs);
  if (code >= 0) return code;
  run->request.max_work = run->input.max_work;
  run->memory = memory_limit(run->input.max_memory);
  run->style = stderr_style(COLOUR_AUTO);
  run->result = new_text();
  visit_files(inputs, run->input.max_bytes, multiply_input, begin_file, run);
  if (run->code == EXIT_VALID) multiply(run);
  if (run->code == EXIT_VALID) run->code = write_output("multiply", &run->output, &run->result);
  free(run->result.bytes);
  return run->code;
}

static int run_multiply(int argc, char **argv)
{
  multiply_run run = {.request = {.level = SPW_CANONICAL, .reads_values = true}, .output = {.option = "output"}};
  file_list inputs;
  int code = EXIT_USAGE;
  const int first = take_options(&multiply_command, argc, argv, take, &run, &code);
  if (first < 0) return code;
  if (argc - first != 2) return usage_error("multiply", "two files are needed: one operand sparse, the other dense");
  if (!take_files("multiply", argc, argv, first, false, &inputs)) return EXIT_USAGE;
  for (int i = 0; i < 2; i++) run.names[i] = inputs.files[i].path;
  code = multiply_files(&run, &inputs);
  for (int i = 0; i < 2; i++) spw_owned_free(run.operands[i]);
  free_file_list(&inputs);
  return code;
}

const cli_command multiply_command = {
    .name = "multiply",
    .summary = "multiply a sparse and a dense tensor",
    .synopsis = "[OPTION...] A B",
    .description =
        "Multiplies A by B, of which one is sparse and the other dense: matrices, a matrix and a vector, or batches of "
        "matrices, of one element type. Every element of the product is a sum in ascending order of columns, with one "
        "rounding for each multiplication and each addition: `spw explain product` says it all. Every layout gives the "
        "same bits.\n\n"
        "Both files have one of the formats that `spw list formats` names and hold one tensor. The product is dense.",
    .options =
        (const cli_option[]){
            [OUTPUT] = {'o', "output", "FILE", "where the product goes: .npy, .spw.json, or - for standard output (default)"},
            [LIMITS] = LIMIT_OPTIONS,
            MEMORY_OPTION,
            {0, NULL, NULL, NULL}},
    .statuses =
        (const exit_status[]){
            {EXIT_VALID, "the product is written"},
            {EXIT_INVALID, "an operand is invalid: what it violates is printed as `spw check` does"},
            {EXIT_USAGE, "the operands do not fit each other, or the product takes too much memory or work; or the command "
                         "line is wrong"},
            STATUS_UNREADABLE,
            STATUS_INTERNAL,
            {0, NULL}},
    .examples =
        (const cli_example[]){
            {"spw multiply matrix.npz vector.npy", "the product as JSON, on standard output"},
            {"spw multiply -o product.npy matrix.mtx dense.npy", "for NumPy"},
            {NULL, NULL}},
    .run = run_multiply};
