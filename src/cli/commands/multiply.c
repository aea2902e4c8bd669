/* SPDX-License-Identifier: Apache-2.0 */
/* spw multiply */
#include "../product/product.h"
#include "operands.h"

#include <stdlib.h>
#include <string.h>

typedef struct multiply_run {
  operand_run on;
  const char *claim, *add, *at, *bias; /* the file of the third operand: what is said to be the product, what it is added to,
                                        * where it is wanted, or what is added to each row; one of them, or none */
  const char *as;               /* how a product with a dense one is stored; null: dense */
  const char *alpha, *beta;     /* as they are written */
  spw_precision precision;
} multiply_run;

enum { OUTPUT, ADD, AT, BIAS, AS, ALPHA, BETA, JUDGE, PRECISION, DTYPE, LIMITS }; /* the rows of the options */

static bool take(void *context, int option, const char *argument)
{
  multiply_run *run = context;
  if (option >= LIMITS) return take_limit_option("multiply", &run->on.input, option - LIMITS, argument);
  if (option == OUTPUT) return run->on.output.path = argument, true;
  if (option == DTYPE) return take_operand_dtype(&run->on, argument);
  const char **const texts[] = {[ADD] = &run->add, [AT] = &run->at, [BIAS] = &run->bias, [AS] = &run->as,
                                [ALPHA] = &run->alpha, [BETA] = &run->beta, [JUDGE] = &run->claim};
  if (option < PRECISION) {
    *texts[option] = argument;
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
  if (a->layout == SPW_DENSE || (x->layout == SPW_DENSE && y->layout != SPW_DENSE)) {
    set_problem(&problem, "impossible", "to be judged, a product has to have a sparse first operand, and to be dense "
                "where the second is");
    refuse_operands(on, about, &problem);
  } else {
    const judged verdict = judge_result(a, x, y, run->precision, about, &on->request, on->memory, &text, &problem);
    put_verdict(on, about, run->claim, verdict, text.bytes, &problem);
  }
  free(text.bytes);
}

/* What each operand has to be; false after *problem. */
static bool are_of_kind(const multiply_run *run, const product_request *wanted, const spw_tensor *a, const spw_tensor *b,
                        int *operand, cli_problem *problem)
{
  const bool dense_a = a->layout == SPW_DENSE, dense_b = b->layout == SPW_DENSE;
  if (run->at) {
    *operand = !dense_a ? 0 : !dense_b ? 1 : 2;
    if (dense_a && dense_b && wanted->at->layout != SPW_DENSE) return true;
    return set_problem(problem, "impossible", "with --at two dense tensors are multiplied where a sparse one stores something");
  }
  *operand = 0;
  if (dense_a && dense_b)
    return set_problem(problem, "impossible", "one operand at least has to be sparse; both are dense");
  if (run->as && !dense_a && dense_b) return true;
  if (run->as) return set_problem(problem, "impossible", "with --as a sparse matrix is multiplied by a dense one");
  if (run->bias && dense_a != dense_b) return true;
  if (run->bias) return set_problem(problem, "impossible", "with --bias one of the two has to be dense");
  if (!run->add) return true;
  *operand = dense_a != dense_b ? 2 : 1;
  if (!dense_a && wanted->add->layout != SPW_DENSE) return true;
  if (dense_a != dense_b && wanted->add->layout == SPW_DENSE) return true;
  return set_problem(problem, "impossible", "with --add the product of a sparse tensor and a dense one is added to a dense one");
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
  const product_request wanted = {.add = run->add ? operand_of(on, 2) : NULL,
                                  .bias = run->bias ? operand_of(on, 2) : NULL,
                                  .at = run->at ? operand_of(on, 2) : NULL,
                                  .alpha = run->alpha,
                                  .beta = run->beta};
  if (!are_of_kind(run, &wanted, a, b, &operand, &problem)) {
    take_made(on, &about, NULL, operand, &problem);
  } else if (!run->claim) {
    spw_owned *const product =
        run->as ? multiply_rows(a, b, strcmp(run->as, "elements") == 0, &about, &on->request, on->memory, &operand, &problem)
        : run->add || run->at || run->bias
            ? multiply_with(a, b, &wanted, &about, &on->request, on->memory, &operand, &problem)
                            : multiply_tensors(a, b, &about, &on->request, on->memory, &operand, &problem);
    take_made(on, &about, product, operand, &problem);
  } else if (may_spend(&about, &on->request, "judging", steps_of_judging(a, b), &problem)) {
    judge_claim(run, &about);
  } else {
    refuse_operands(on, &about, &problem);
  }
}

/* ---- The command ----------------------------------------------------------------------------- */

/* A usage error, or EXIT_VALID. */
static int judge_options(const multiply_run *run)
{
  const int thirds = (run->claim != NULL) + (run->add != NULL) + (run->at != NULL) + (run->bias != NULL);
  if (thirds > 1) return usage_error("multiply", "only one of --add, --at, --bias and --judge is possible");
  if (run->as && thirds > 0) return usage_error("multiply", "--as goes with none of --add, --at, --bias and --judge");
  if (run->as && strcmp(run->as, "rows") != 0 && strcmp(run->as, "elements") != 0)
    return usage_error("multiply", "--as is rows or elements, not %s", run->as);
  if (run->bias && (run->alpha || run->beta)) return usage_error("multiply", "with --bias there are no factors");
  if (run->claim && (run->alpha || run->beta)) return usage_error("multiply", "with --judge there are no factors");
  if (run->claim && run->on.output.path)
    return usage_error("multiply", "--judge writes no product, and --output says where one goes");
  if (!run->claim && run->precision) return usage_error("multiply", "--precision is for --judge");
  if (thirds == 0 && (run->alpha || run->beta)) return usage_error("multiply", "--alpha and --beta need --add or --at");
  return EXIT_VALID;
}

static int run_multiply(int argc, char **argv)
{
  multiply_run run = {.on = operand_run_of("multiply", "product")};
  file_list inputs;
  run.on.request.takes_semi = true;
  int code = EXIT_USAGE;
  const int first = take_options(&multiply_command, argc, argv, take, &run, &code);
  if (first < 0) return code;
  const int operands = argc - first;
  if (operands != 2 && (operands != 3 || run.claim))
    return usage_error("multiply", "two files are needed: two operands, of which one at least is sparse");
  if (operands == 3 && !take_bare_output("multiply", &run.on.output, argv[first + 2])) return EXIT_USAGE;
  if (judge_options(&run) != EXIT_VALID) return EXIT_USAGE;
  const char *const third = run.claim ? run.claim : run.add ? run.add : run.at ? run.at : run.bias;
  const char *const files[] = {argv[first], argv[first + 1], third};
  if (!take_files("multiply", third ? 3 : 2, files, 0, false, &inputs)) return EXIT_USAGE;
  code = run_operands(&run.on, &inputs, multiply, &run);
  free_file_list(&inputs);
  return run.claim ? finish_output(code) : code;
}

const cli_command multiply_command = {
    .name = "multiply",
    .summary = "multiply a sparse tensor by a dense or a sparse one",
    .synopsis = "[OPTION...] A B [OUT]\n[OPTION...] --add=C A B [OUT]\n[OPTION...] --at=S A B [OUT]\n"
                "[OPTION...] --bias=V A B [OUT]\n[OPTION...] --as=rows|elements A B [OUT]\n"
                "[OPTION...] --judge=FILE A B",
    .description =
        "Multiplies A by B: matrices, a sparse matrix and a dense vector, or batches of matrices, of one element type. At "
        "least one of the two is sparse, except with --at; a 2:4 matrix counts as the CSR of what it stores, zeros too. Every "
        "element of the product is a sum in ascending order of "
        "columns, with one rounding per operation (`spw explain product`). Every layout gives the same bits.\n\n--judge "
        "writes nothing. It judges every number of a file that is said to be the product of the sparse A and B, whatever "
        "the order of its sums. Where every order gives the same bits, these are required. Elsewhere the error must be "
        "within the bound of the precision. There is no tolerance (`spw explain judge`).\n\nWith --add it is beta * C + "
        "alpha * (A B), with --at alpha * (A B) for two dense tensors at the positions that S stores and nowhere else, "
        "plus beta times what it stores there. If beta is 0, C or S is not read, even if it holds NaN.\n\nThe product is "
        "dense, but for that of two sparse tensors, which has an element wherever two elements meet, a zero too: CSR, CSC "
        "where both are and have indices of one type, COO where both are. Vectors, and batches of other sizes, are "
        "multiplied as by NumPy's matmul.\n\nFiles have one of the formats that `spw list "
        "formats` names and hold one tensor.",
    .options =
        (const cli_option[]){
            [OUTPUT] = {'o', "output", "FILE", "where the product goes: .npy, .npz, .mtx, .spw.json, or - for JSON on "
                                               "standard output (default). The operand OUT does the same if no such file "
                                               "exists"},
            [ADD] = {0, "add", "C", "a tensor that the product is added to; a sparse one gives a sparse result"},
            [BIAS] = {0, "bias", "V", "a dense vector: the result is A times the transposed B, plus V in each row"},
            [AS] = {0, "as", "HOW", "the product with a dense B as COO of the rows that have an element: rows, each a cell, "
                                    "or elements"},
            [AT] = {0, "at", "S", "a sparse tensor: where the product of two dense ones is wanted"},
            [ALPHA] = {0, "alpha", "NUMBER", "with --add or --at, the factor of the product (default: 1)"},
            [BETA] = {0, "beta", "NUMBER", "what C is multiplied by (default: 1), or S (default: 0)"},
            [JUDGE] = {0, "judge", "FILE", "the file to judge: dense, or sparse if A and B are; unstored elements count as "
                                           "0"},
            [PRECISION] = {0, "precision", "NAME", "in which the judged sums were accumulated, such as float32 or tf32 "
                           "(default: that of the element type, float32 for 16 bits)"},
            [DTYPE] = OPERAND_DTYPE_OPTION,
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
            {"spw multiply --add=c.npy --alpha=2 --beta=0.5 a.npz x.npy", "0.5 c + 2 (a x)"},
            {"spw multiply --at=mask.npz queries.npy keys.npy", "two dense ones, where a mask has an element"},
            {"spw multiply --judge theirs.npy matrix.mtx dense.npy", "is another library's product right?"},
            {NULL, NULL}},
    .run = run_multiply};
