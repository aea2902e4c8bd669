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
  const char *claim;      /* a file with what is said to be the product, or null */
  spw_precision precision;
  size_t file;
  size_t counts[3];       /* tensors of each file */
  spw_owned *operands[3]; /* the first of each, if it is valid; the claim is the third */
  const char *names[3];
  size_t bytes;           /* of all files */
  cli_text result;
  int code;
} multiply_run;

enum { OUTPUT, JUDGE, PRECISION, LIMITS }; /* the rows of the options */

static bool take(void *context, int option, const char *argument)
{
  multiply_run *run = context;
  if (option >= LIMITS) return take_limit_option("multiply", &run->input, option - LIMITS, argument);
  if (option == OUTPUT) return name_output("multiply", &run->output, argument);
  if (option == JUDGE) {
    run->claim = argument;
    return true;
  }
  run->precision = spw_precision_from_name(argument);
  if (run->precision != SPW_PRECISION_NONE) return true;
  cli_text names = new_text();
  for (int i = SPW_PRECISION_NONE + 1; spw_precision_name((spw_precision)i); i++)
    add_format(&names, "%s%s", i == SPW_PRECISION_NONE + 1 ? "" : ", ", spw_precision_name((spw_precision)i));
  usage_error("multiply", "--precision is one of %s, not %s", names.bytes, argument);
  free(names.bytes);
  return false;
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

static void judge_claim(multiply_run *run, cli_input *about)
{
  const spw_tensor *const a = spw_owned_tensor(run->operands[0]), *const x = spw_owned_tensor(run->operands[1]);
  const spw_tensor *const y = spw_owned_tensor(run->operands[2]);
  cli_problem problem;
  cli_text text = new_text();
  about->file = run->claim;
  if (a->layout == SPW_DENSE || x->layout != SPW_DENSE || y->layout != SPW_DENSE) {
    set_problem(&problem, "impossible", "to be judged, a product has to be dense, its first operand sparse, its second dense");
    refuse(run, about, &problem);
  } else {
    const judged verdict = judge_result(a, x, y, run->precision, run->memory, &text, &problem);
    if (verdict == NOT_JUDGED) refuse(run, about, &problem);
    if (verdict == JUDGED_WRONG || verdict == UNDECIDED) fail(run, EXIT_INVALID);
    if (verdict != NOT_JUDGED) printf("%s: %s\n", run->claim, text.bytes);
  }
  free(text.bytes);
}

static void multiply(multiply_run *run)
{
  const spw_tensor *const a = spw_owned_tensor(run->operands[0]), *const b = spw_owned_tensor(run->operands[1]);
  int64_t spent = 0;
  int operand = 0;
  cli_input about = {.file = run->names[0], .spent = &spent, .bytes = run->bytes};
  cli_problem problem;
  if (a->layout == SPW_DENSE && b->layout == SPW_DENSE) {
    set_problem(&problem, "impossible", "one operand at least has to be sparse; both are dense");
    refuse(run, &about, &problem);
    return;
  }
  spw_owned *product = NULL;
  if (run->claim) {
    const bool small = b->layout != SPW_DENSE || may_spend(&about, &run->request, "judging", multiplications(a, b), &problem);
    if (small)
      judge_claim(run, &about);
    else
      refuse(run, &about, &problem);
    return;
  }
  product = multiply_tensors(a, b, &about, &run->request, run->memory, &operand, &problem);
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
  if (run->format == FORMAT_UNKNOWN) return format_error("multiply", run->output.path);
  const int code = claim_outputs("multiply", &run->output, 1, inputs);
  if (code >= 0) return code;
  run->request.max_work = run->input.max_work;
  run->memory = memory_limit(run->input.max_memory);
  run->style = stderr_style(COLOUR_AUTO);
  run->result = new_text();
  visit_files(inputs, run->input.max_bytes, multiply_input, begin_file, run);
  if (run->code == EXIT_VALID) multiply(run);
  if (run->code == EXIT_VALID && !run->claim) run->code = write_output("multiply", &run->output, &run->result);
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
  if (argc - first != 2) return usage_error("multiply", "two files are needed: two operands, of which one at least is sparse");
  if (!take_files("multiply", argc, argv, first, false, &inputs)) return EXIT_USAGE;
  if (run.claim) list_files(&inputs, run.claim, false);
  for (size_t i = 0; i < inputs.count; i++) run.names[i] = inputs.files[i].path;
  code = multiply_files(&run, &inputs);
  for (int i = 0; i < 3; i++) spw_owned_free(run.operands[i]);
  free_file_list(&inputs);
  return run.claim ? finish_output(code) : code;
}

const cli_command multiply_command = {
    .name = "multiply",
    .summary = "multiply a sparse tensor by a dense or a sparse one",
    .synopsis = "[OPTION...] A B",
    .description =
        "Multiplies A by B, of which one at least is sparse: matrices, a sparse matrix and a dense vector, or batches of "
        "matrices, of one element type. Every element of the product is a sum in ascending order of columns, with one "
        "rounding for each multiplication and each addition: `spw explain product` says it all. Every layout gives the "
        "same bits.\n\n"
        "With --judge nothing is written: the file is somebody's product of the sparse A and the dense B, and every number "
        "of it is judged, in whatever order it was summed: exactly where every order gives the same bits, else by the bound "
        "of the precision that it was accumulated in. There is no tolerance: `spw explain judge`.\n\n"
        "The product is dense, but for that of two sparse tensors, which has an element wherever two elements meet, a zero too: "
        "CSR, CSC where both are, COO where both are.\n\n"
        "Files have one of the formats that `spw list formats` names and hold one tensor.",
    .options =
        (const cli_option[]){
            [OUTPUT] = {'o', "output", "FILE", "where the product goes: .npy, .npz, .mtx, .spw.json, or - for standard "
                      "output (default)"},
            [JUDGE] = {0, "judge", "FILE", "a dense tensor: is it the product?"},
            [PRECISION] = {0, "precision", "NAME", "in which the judged sums were accumulated, such as float32 or tf32 "
                           "(default: that of the element type, float32 for 16 bits)"},
            [LIMITS] = LIMIT_OPTIONS,
            MEMORY_OPTION,
            {0, NULL, NULL, NULL}},
    .statuses =
        (const exit_status[]){
            {EXIT_VALID, "the product is written, or what is judged is right"},
            {EXIT_INVALID, "what is judged is wrong, or may be; or an operand is invalid: what it violates is printed as "
                           "`spw check` does"},
            {EXIT_USAGE, "the operands do not fit each other, or the product takes too much memory or work; or the command "
                         "line is wrong"},
            STATUS_UNREADABLE,
            STATUS_INTERNAL,
            {0, NULL}},
    .examples =
        (const cli_example[]){
            {"spw multiply matrix.npz vector.npy", "the product as JSON, on standard output"},
            {"spw multiply -o product.npy matrix.mtx dense.npy", "for NumPy"},
            {"spw multiply -o square.npz matrix.npz matrix.npz", "two sparse ones, for SciPy"},
            {"spw multiply --judge theirs.npy matrix.mtx dense.npy", "is another library's product right?"},
            {NULL, NULL}},
    .run = run_multiply};
