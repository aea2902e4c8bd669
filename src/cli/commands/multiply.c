/* SPDX-License-Identifier: Apache-2.0 */
/* spw multiply */
#include "../product/product.h"
#include "operands.h"

#include <stdlib.h>

typedef struct multiply_run {
  operand_run on;
  const char *claim; /* a file with what is said to be the product, the third operand; or null */
  spw_precision precision;
} multiply_run;

enum { OUTPUT, JUDGE, PRECISION, LIMITS }; /* the rows of the options */

static bool take(void *context, int option, const char *argument)
{
  multiply_run *run = context;
  if (option >= LIMITS) return take_limit_option("multiply", &run->on.input, option - LIMITS, argument);
  if (option == OUTPUT) return name_output("multiply", &run->on.output, argument);
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

/* ---- The product ----------------------------------------------------------------------------- */

static void judge_claim(multiply_run *run, cli_input *about)
{
  operand_run *const on = &run->on;
  const spw_tensor *const a = operand_of(on, 0), *const x = operand_of(on, 1);
  const spw_tensor *const y = operand_of(on, 2);
  cli_problem problem;
  cli_text text = new_text();
  about->file = run->claim;
  if (a->layout == SPW_DENSE || x->layout != SPW_DENSE || y->layout != SPW_DENSE) {
    set_problem(&problem, "impossible", "to be judged, a product has to be dense, its first operand sparse, its second dense");
    refuse_operands(on, about, &problem);
  } else {
    const judged verdict = judge_result(a, x, y, run->precision, on->memory, &text, &problem);
    if (verdict == NOT_JUDGED) refuse_operands(on, about, &problem);
    if (verdict == JUDGED_WRONG || verdict == UNDECIDED) fail_operands(on, EXIT_INVALID);
    if (verdict != NOT_JUDGED) printf("%s: %s\n", run->claim, text.bytes);
  }
  free(text.bytes);
}

static void multiply(void *context)
{
  multiply_run *run = context;
  operand_run *const on = &run->on;
  const spw_tensor *const a = operand_of(on, 0), *const b = operand_of(on, 1);
  int64_t spent = 0;
  int operand = 0;
  cli_input about = {.file = on->names[0], .spent = &spent, .bytes = on->bytes};
  cli_problem problem;
  if (a->layout == SPW_DENSE && b->layout == SPW_DENSE) {
    set_problem(&problem, "impossible", "one operand at least has to be sparse; both are dense");
    refuse_operands(on, &about, &problem);
  } else if (!run->claim) {
    spw_owned *const product = multiply_tensors(a, b, &about, &on->request, on->memory, &operand, &problem);
    take_made(on, &about, product, operand, &problem);
  } else if (b->layout != SPW_DENSE || may_spend(&about, &on->request, "judging", multiplications(a, b), &problem)) {
    judge_claim(run, &about);
  } else {
    refuse_operands(on, &about, &problem);
  }
}

/* ---- The command ----------------------------------------------------------------------------- */

static int run_multiply(int argc, char **argv)
{
  multiply_run run = {.on = operand_run_of("multiply", "product")};
  file_list inputs;
  int code = EXIT_USAGE;
  const int first = take_options(&multiply_command, argc, argv, take, &run, &code);
  if (first < 0) return code;
  if (argc - first != 2) return usage_error("multiply", "two files are needed: two operands, of which one at least is sparse");
  if (!take_files("multiply", argc, argv, first, false, &inputs)) return EXIT_USAGE;
  if (run.claim) list_files(&inputs, run.claim, false);
  code = run_operands(&run.on, &inputs, multiply, &run);
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
