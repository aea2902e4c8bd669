/* SPDX-License-Identifier: Apache-2.0 */
/* spw elementwise */
#include "../product/product.h"
#include "operands.h"

typedef struct elementwise_run {
  operand_run on;
  spw_elementwise_request wanted;
  const char *scalar; /* as it is written, or null */
} elementwise_run;

enum { OUTPUT, SCALAR, DTYPE, LIMITS }; /* the rows of the options */

/* By kind. */
static const char *const operations[] = {"add", "subtract", "multiply", "scale", "divide", NULL};

static bool take(void *context, int option, const char *argument)
{
  elementwise_run *run = context;
  if (option >= LIMITS) return take_limit_option("elementwise", &run->on.input, option - LIMITS, argument);
  if (option == OUTPUT) return run->on.output.path = argument, true;
  if (option == DTYPE) return take_operand_dtype(&run->on, argument);
  run->scalar = argument;
  return true;
}

/* ---- The result -------------------------------------------------------------------------------- */

/* Indices and values of the operands, whose batches may share memory: the result, whose batches do not, has no more. */
static int64_t steps_of(const spw_tensor *a, const spw_tensor *b)
{
  return add_counts(count_elements(a), b ? count_elements(b) : 0);
}

static spw_owned *combine(elementwise_run *run, const cli_input *about, int *operand, cli_problem *problem)
{
  operand_run *const on = &run->on;
  const spw_tensor *const a = operand_of(on, 0);
  const spw_tensor *const b = operand_of(on, 1);
  if (a->layout == SPW_DENSE && (!b || b->layout == SPW_DENSE)) {
    *operand = 0;
    set_problem(problem, "impossible",
                b ? "one operand at least has to be sparse; both are dense" : "the operand has to be sparse");
    return NULL;
  }
  spw_owned *const scalar = run->scalar ? read_scalar(a->values.array.dtype, run->scalar) : NULL;
  if (run->scalar && !scalar) {
    set_problem(problem, "impossible", "--scalar=%s is no value of type %s", run->scalar, spw_dtype_name(a->values.array.dtype));
    return NULL;
  }
  run->wanted.scalar = scalar ? spw_owned_tensor(scalar)->values.data : NULL;
  spw_owned *made = NULL;
  if (may_spend(about, &on->request, "combining", steps_of(a, b), problem))
    made = combine_elements(a, b, &run->wanted, on->memory, operand, problem);
  spw_owned_free(scalar);
  return made;
}

static void combine_operands(void *context)
{
  elementwise_run *run = context;
  int64_t spent = 0;
  int operand = 0;
  cli_input about = {.file = run->on.names[0], .spent = &spent, .bytes = run->on.bytes};
  cli_problem problem;
  spw_owned *const made = combine(run, &about, &operand, &problem);
  take_made(&run->on, &about, made, operand, &problem);
}

/* ---- The command ------------------------------------------------------------------------------- */

/* The operation, and whether what it needs is there; EXIT_VALID, or a usage error. */
static int take_operation(elementwise_run *run, const char *word, int files)
{
  const int kind = place_among(operations, word);
  if (kind < 0) return unknown_word(&elementwise_command, word);
  run->wanted.kind = (spw_elementwise_kind)kind;
  const bool two = kind <= SPW_TIMES;
  if (files != (two ? 2 : 1) && files != (two ? 3 : 2))
    return usage_error("elementwise", "%s takes %s", word, two ? "two files" : "one file");
  if (!two && !run->scalar) return usage_error("elementwise", "%s needs --scalar=NUMBER", word);
  if (kind == SPW_TIMES && run->scalar) return usage_error("elementwise", "multiply takes no --scalar; scale does");
  return EXIT_VALID;
}

static int run_elementwise(int argc, char **argv)
{
  elementwise_run run = {.on = operand_run_of("elementwise", "result")};
  file_list inputs;
  int code = EXIT_USAGE;
  const int first = take_options(&elementwise_command, argc, argv, take, &run, &code);
  if (first < 0) return code;
  if (argc == first) return usage_error("elementwise", "an operation is needed: add, subtract, multiply, scale or divide");
  code = take_operation(&run, argv[first], argc - first - 1);
  if (code != EXIT_VALID) return code;
  const bool has_output = argc - first - 1 > (run.wanted.kind <= SPW_TIMES ? 2 : 1);
  if (has_output && !take_bare_output("elementwise", &run.on.output, argv[argc - 1])) return EXIT_USAGE;
  if (!take_files("elementwise", argc - has_output, (const char *const *)argv, first + 1, false, &inputs)) return EXIT_USAGE;
  code = run_operands(&run.on, &inputs, combine_operands, &run);
  free_file_list(&inputs);
  return code;
}

const cli_command elementwise_command = {
    .name = "elementwise",
    .summary = "add, subtract or multiply tensors element by element",
    .synopsis = "[OPTION...] add A B [OUT]\n[OPTION...] subtract A B [OUT]\n[OPTION...] multiply A B [OUT]\n"
                "[OPTION...] scale --scalar=NUMBER A [OUT]\n[OPTION...] divide --scalar=NUMBER A [OUT]",
    .description =
        "Combines tensors of one element type, element by element. A sum or a difference specifies what either of them does, a "
        "product what both do; what comes to zero stays stored. One of them may be dense: then a product has the pattern of the "
        "sparse one, and a sum is dense. Dimensions of size 1 are repeated as by NumPy, and the second of two sparse ones gets "
        "the layout of the first. scale and divide work on every stored value. Each operation is rounded once: "
        "`spw explain elementwise` says it all.\n\n"
        "Files have one of the formats that `spw list formats` names and hold one tensor. The product of matrices is "
        "`spw multiply`.",
    .words = operations,
    .options =
        (const cli_option[]){
            [OUTPUT] = OUTPUT_OPTION,
            [SCALAR] = {0, "scalar", "NUMBER", "what the second operand of add and subtract is multiplied by (default: it is "
                        "not), or what scale multiplies and divide divides by; "
                        "as a JSON file has it, with or without quotes: 0.5, nan, 0x1p-3, [1,-inf]"},
            [DTYPE] = OPERAND_DTYPE_OPTION,
            [LIMITS] = LIMIT_OPTIONS,
            MEMORY_OPTION,
            {0, NULL, NULL, NULL}},
    .statuses =
        (const exit_status[]){
            {EXIT_VALID, "the result is written"},
            STATUS_OPERAND,
            {EXIT_USAGE, "the operands do not fit each other, or the result takes too much memory or work; or the command "
                         "line is wrong"},
            STATUS_UNREADABLE,
            STATUS_INTERNAL,
            {0, NULL}},
    .examples =
        (const cli_example[]){
            {"spw elementwise add a.npz b.npz", "the sum as JSON, on standard output"},
            {"spw elementwise subtract --scalar=0.5 -o c.npz a.npz b.npz", "a - 0.5 b"},
            {"spw elementwise multiply a.npz mask.npz", "where both have an element"},
            {NULL, NULL}},
    .run = run_elementwise};
