/* SPDX-License-Identifier: Apache-2.0 */
/* spw gradient */
#include "../product/product.h"
#include "operands.h"

#include <stdlib.h>
#include <string.h>

typedef enum family { CONVERT, TRANSPOSE, ELEMENTWISE, MULTIPLY, SAMPLED, REDUCE, SOFTMAX, LINEAR, KRON, SOLVE, SPSOLVE,
               REDUCED_PRODUCT, FUNCTION } family;

typedef struct gradient_run {
  operand_run on;
  spw_vjp_request how;
  const char *upstream;
  int64_t *dims, count;
  family family;
  int kind, operands; /* of the operation: its number, and how many it takes */
  bool keepdim;
} gradient_run;

enum { OUTPUT, UPSTREAM, WRT, VALUES, FULL, DIMS, KEEPDIM, LIMITS }; /* the rows of the options */

static const struct {
  const char *word;
  family family;
  int kind, operands;
} operations[] = {{"convert", CONVERT, 0, 1}, {"transpose", TRANSPOSE, 0, 1}, {"add", ELEMENTWISE, SPW_PLUS, 2},
                  {"sub", ELEMENTWISE, SPW_MINUS, 2}, {"mul", ELEMENTWISE, SPW_TIMES, 2}, {"multiply", MULTIPLY, 0, 2},
                  {"sampled", SAMPLED, 0, 3}, {"sum", REDUCE, SPW_DIMS_SUM, 1}, {"mean", REDUCE, SPW_DIMS_MEAN, 1},
                  {"mean_dense", REDUCE, SPW_DIMS_MEAN_DENSE, 1}, {"amax", REDUCE, SPW_DIMS_AMAX, 1},
                  {"amin", REDUCE, SPW_DIMS_AMIN, 1}, {"max", REDUCE, SPW_DIMS_MAX, 1}, {"min", REDUCE, SPW_DIMS_MIN, 1},
                  {"norm0", REDUCE, SPW_DIMS_NORM_0, 1}, {"norm1", REDUCE, SPW_DIMS_NORM_1, 1},
                  {"norm2", REDUCE, SPW_DIMS_NORM_2, 1}, {"norm_inf", REDUCE, SPW_DIMS_NORM_INF, 1},
                  {"softmax", SOFTMAX, false, 1}, {"log_softmax", SOFTMAX, true, 1}, {"linear", LINEAR, 0, 3},
                  {"kron", KRON, 0, 2}, {"solve_lower", SOLVE, false, 2}, {"solve_upper", SOLVE, true, 2},
                  {"spsolve", SPSOLVE, 0, 2}, {"mm_sum", REDUCED_PRODUCT, SPW_REDUCE_SUM, 2},
                  {"mm_mean", REDUCED_PRODUCT, SPW_REDUCE_MEAN, 2}, {"mm_amax", REDUCED_PRODUCT, SPW_REDUCE_AMAX, 2},
                  {"mm_amin", REDUCED_PRODUCT, SPW_REDUCE_AMIN, 2}};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static const char *const words[] = {"convert", "transpose", "add", "sub", "mul", "multiply", "sampled", "sum", "mean",
                                    "mean_dense", "amax", "amin", "max", "min", "norm0", "norm1", "norm2", "norm_inf",
                                    "softmax", "log_softmax", "linear", "kron", "solve_lower", "solve_upper", "spsolve",
                                    "mm_sum", "mm_mean", "mm_amax", "mm_amin", "abs",
                                    "asin", "asinh", "atan", "atanh", "ceil", "deg2rad", "erf", "erfinv",
                                    "expm1", "floor", "frac", "log1p", "nan_to_num", "neg", "positive", "rad2deg", "relu",
                                    "round", "sign", "sin", "sinh", "sqrt", "square", "tan", "tanh", "trunc",
                                    "acos_specified", "cos_specified", "cosh_specified", "exp_specified", "log_specified",
                                    "log10_specified", "log2_specified", "rsqrt_specified", "reciprocal_specified",
                                    "sigmoid_specified", NULL};

static bool take_wrt(gradient_run *run, const char *argument)
{
  int64_t *numbers = NULL, count = 0;
  const bool one = read_numbers(argument, &numbers, &count) && count == 1 && numbers[0] >= 0 && numbers[0] <= 2;
  if (one) run->how.operand = (int)numbers[0];
  free(numbers);
  return one || (usage_error("gradient", "--wrt is 0, 1 or 2, not %s", argument), false);
}

static bool take(void *context, int option, const char *argument)
{
  gradient_run *run = context;
  if (option >= LIMITS) return take_limit_option("gradient", &run->on.input, option - LIMITS, argument);
  if (option == OUTPUT) return run->on.output.path = argument, true;
  if (option == UPSTREAM) return run->upstream = argument, true;
  if (option == VALUES) return run->how.values = true;
  if (option == FULL) return run->how.full = true;
  if (option == KEEPDIM) return run->keepdim = true;
  if (option == WRT) return take_wrt(run, argument);
  free(run->dims);
  run->dims = NULL;
  return read_numbers(argument, &run->dims, &run->count) ||
         (usage_error("gradient", "--dims is a list of numbers as 0,1, not %s", argument), false);
}

/* ---- The gradient -------------------------------------------------------------------------------- */

static spw_status transposed(const gradient_run *run, const spw_tensor *a, const spw_tensor *g, spw_owned **made,
                             spw_refusal *refusal)
{
  int64_t order[SPW_STRUCTURE_DIMS];
  spw_numbers n;
  if (!a->has_size || a->ndim > SPW_STRUCTURE_DIMS || spw_numbers_of(a, &n) != SPW_OK) return SPW_EUNSUPPORTED;
  const int64_t leading = n.batch_dims + n.sparse_dims;
  for (int64_t d = 0; d < a->ndim; d++) order[d] = d;
  if (leading >= 2) {
    order[leading - 2] = leading - 1;
    order[leading - 1] = leading - 2;
  }
  return spw_vjp_permute_new(a, order, g, &run->how, run->on.memory, made, refusal);
}

static spw_status differentiate(const gradient_run *run, const spw_tensor *const t[4], spw_owned **made, spw_refusal *refusal)
{
  const spw_tensor *const g = t[run->operands];
  const size_t memory = run->on.memory;
  const spw_conversion coo = {.layout = SPW_COO, .batch_dims = -1, .dense_dims = -1};
  const spw_elementwise_request combined = {.kind = (spw_elementwise_kind)run->kind};
  const spw_dims_reduction reduced = {.kind = (spw_dims_kind)run->kind, .dims = run->dims, .count = run->count,
                                      .keepdim = run->keepdim};
  const spw_softmax_request normalised = {.dim = run->count == 1 ? run->dims[0] : -1, .logarithm = run->kind};
  const spw_reduction rows = {(spw_reduction_kind)run->kind, SPW_EACH_ROW};
  const spw_triangle triangle = {.upper = run->kind};
  const spw_unary_request mapped = {.function = (spw_unary_function)run->kind};
  switch (run->family) {
  case CONVERT: return spw_vjp_convert_new(t[0], &coo, g, &run->how, memory, made, refusal);
  case TRANSPOSE: return transposed(run, t[0], g, made, refusal);
  case ELEMENTWISE: return spw_vjp_elementwise_new(t[0], t[1], &combined, g, &run->how, memory, made, refusal);
  case MULTIPLY: return spw_vjp_matmul_new(t[0], t[1], g, &run->how, memory, made, refusal);
  case SAMPLED: return spw_vjp_sampled_multiply_new(t[0], t[1], t[2], NULL, g, &run->how, memory, made, refusal);
  case REDUCE: return spw_vjp_reduce_dims_new(t[0], &reduced, g, &run->how, memory, made, refusal);
  case SOFTMAX: return spw_vjp_softmax_new(t[0], &normalised, g, &run->how, memory, made, refusal);
  case LINEAR: return spw_vjp_linear_new(t[0], t[1], t[2], g, &run->how, memory, made, refusal);
  case KRON: return spw_vjp_kron_new(t[0], t[1], g, &run->how, memory, made, refusal);
  case SOLVE: return spw_vjp_solve_triangular_new(t[0], t[1], &triangle, g, &run->how, memory, made, refusal);
  case SPSOLVE: return spw_vjp_solve_triangular_new(t[0], t[1], NULL, g, &run->how, memory, made, refusal);
  case REDUCED_PRODUCT: return spw_vjp_reduce_new(t[0], t[1], &rows, g, &run->how, memory, made, refusal);
  default: return spw_vjp_unary_new(t[0], &mapped, g, &run->how, memory, made, refusal);
  }
}

static void explain_none(const gradient_run *run, spw_status status, const spw_refusal *refusal, int *operand,
                         cli_problem *problem)
{
  static const char *const added[4] = {"the first", "the second", "the bias", "the upstream gradient"};
  static const char *const names[3][4] = {{"the operand", "the upstream gradient", "the gradient", NULL},
                                          {"the first", "the second", "the upstream gradient", NULL},
                                          {"the sparse operand", "the first", "the second", "the upstream gradient"}};
  if (status == SPW_EINVAL) {
    set_problem(problem, "impossible", "these operands have no such gradient: `spw gradient --help` says what they have to be");
    return;
  }
  if (run->family == SPSOLVE && lacks_solver(status, operand, problem)) return;
  if (!refused_for_reason(status, refusal, "gradient", "the gradient of valid tensors", run->on.memory, operand, problem)) return;
  cli_text text = new_text();
  const spw_operation operation = run->family == SAMPLED ? SPW_SAMPLING : run->family == REDUCED_PRODUCT ? SPW_REDUCING
                                                                                                         : SPW_ANY_OPERATION;
  const spw_refused what = {.operation = operation,
                            .names = run->family == LINEAR ? added : names[run->operands - 1]};
  add_refusal(&text, &what, refusal);
  set_reason(problem, &text);
}

static void make_gradient(void *context)
{
  gradient_run *run = context;
  operand_run *const on = &run->on;
  const spw_tensor *t[4] = {NULL, NULL, NULL, NULL};
  int64_t spent = 0, steps = 0;
  int operand = 0;
  cli_input about = {.file = on->names[0], .spent = &spent, .bytes = on->bytes};
  cli_problem problem;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  spw_owned *made = NULL;
  for (int i = 0; i <= run->operands; i++) {
    t[i] = operand_of(on, (size_t)i);
    steps = add_counts(steps, add_counts(count_positions(&t[i]->values.array), t[i]->layout == SPW_DENSE ? 0 : count_ends(t[i])));
  }
  if (may_spend(&about, &on->request, "the gradient of", steps, &problem)) {
    const spw_status status = differentiate(run, t, &made, &refusal);
    if (status != SPW_OK) explain_none(run, status, &refusal, &operand, &problem);
  }
  take_made(on, &about, made, operand, &problem);
}

/* ---- The command --------------------------------------------------------------------------------- */

static bool find_operation(gradient_run *run, const char *word)
{
  for (int i = 0; i < OPERATIONS; i++)
    if (strcmp(operations[i].word, word) == 0) {
      run->family = operations[i].family;
      run->kind = operations[i].kind;
      run->operands = operations[i].operands;
      return true;
    }
  run->family = FUNCTION;
  run->kind = spw_unary_from_name(word);
  run->operands = 1;
  return place_among(words, word) >= 0;
}

static int run_files(gradient_run *run, int argc, char **argv, int first)
{
  const char *files[4] = {NULL, NULL, NULL, NULL};
  file_list inputs;
  if (!run->upstream) return usage_error("gradient", "--upstream=FILE is needed: the gradient of the result");
  if (run->count > (run->family == REDUCE ? run->count : run->family == SOFTMAX))
    return usage_error("gradient", "--dims is for reductions, and one dimension for softmax");
  if (argc - first != run->operands) return usage_error("gradient", "%s takes %d file%s", argv[first - 1], run->operands,
                                                        run->operands == 1 ? "" : "s");
  if (run->how.operand >= run->operands) return usage_error("gradient", "there is no operand %d", run->how.operand);
  for (int i = 0; i < run->operands; i++) files[i] = argv[first + i];
  files[run->operands] = run->upstream;
  if (!take_files("gradient", run->operands + 1, files, 0, false, &inputs)) return EXIT_USAGE;
  const int code = run_operands(&run->on, &inputs, make_gradient, run);
  free_file_list(&inputs);
  return code;
}

static int run_gradient(int argc, char **argv)
{
  gradient_run run = {.on = operand_run_of("gradient", "gradient")};
  int code = EXIT_USAGE;
  const int first = take_options(&gradient_command, argc, argv, take, &run, &code);
  if (first >= 0) {
    if (argc == first) code = usage_error("gradient", "an operation is needed: `spw gradient --help` lists them");
    else if (!find_operation(&run, argv[first])) code = unknown_word(&gradient_command, argv[first]);
    else code = run_files(&run, argc, argv, first + 1);
  }
  free(run.dims);
  return code;
}

const cli_command gradient_command = {
    .name = "gradient",
    .summary = "the gradient of an operation, where its operand stores something",
    .synopsis = "[OPTION...] --upstream=G OPERATION A [B [C]]",
    .description =
        "Multiplies the upstream gradient G by the Jacobian of an operation. The gradient of a sparse operand is stored "
        "where the operand stores something, and nowhere else; that of a dense operand is dense. G has the size of the "
        "result. `spw explain gradient` says what is rounded.\n\n"
        "Operations: convert (to any layout), transpose (of the last two sparse dimensions), add, sub and mul of A and B, "
        "multiply (A times B; batches are broadcast), sampled (B times C at the positions of A), linear (A times B "
        "transposed, and the bias C in each row), mm_sum, mm_mean, mm_amax and mm_amin (A times a dense B, by another "
        "fold), kron (the Kronecker "
        "product), solve_lower, solve_upper and spsolve (A X = B), sum, mean, mean_dense, amax, amin, max, min, norm0, "
        "norm1, norm2, norm_inf, softmax and log_softmax (--dims), and functions of values: abs, asin, asinh, atan, "
        "atanh, ceil, deg2rad, erf, erfinv, expm1, floor, frac, log1p, nan_to_num, neg, positive, rad2deg, relu, round, "
        "sign, sin, sinh, sqrt, square, tan, tanh, trunc; acos, cos, cosh, exp, log, log10, log2, rsqrt, reciprocal and "
        "sigmoid with _specified behind their names.",
    .words = words,
    .options =
        (const cli_option[]){
            [OUTPUT] = OUTPUT_OPTION,
            [UPSTREAM] = {0, "upstream", "G", "the gradient of the result"},
            [WRT] = {0, "wrt", "N", "with respect to operand 0 (default), 1 or 2"},
            [VALUES] = {0, "values", NULL, "of coo with duplicates: each copy has the derivative of its position"},
            [FULL] = {0, "full", NULL, "of multiply: at every position of the sparse operand, as a dense array"},
            [DIMS] = {0, "dims", "D,...", "the dimensions that are reduced (default: all; of softmax: the last one)"},
            [KEEPDIM] = {0, "keepdim", NULL, "reduced dimensions stay in the result, with size 1"},
            [LIMITS] = LIMIT_OPTIONS,
            MEMORY_OPTION,
            {0, NULL, NULL, NULL}},
    .statuses =
        (const exit_status[]){
            {EXIT_VALID, "the gradient is written"},
            STATUS_OPERAND,
            {EXIT_USAGE, "there is no such gradient, or it takes too much memory or work; or the command line is wrong"},
            STATUS_UNREADABLE,
            STATUS_INTERNAL,
            {0, NULL}},
    .examples =
        (const cli_example[]){
            {"spw gradient --upstream=g.npy multiply a.npz x.npy", "of a times x, at the stored positions of a"},
            {"spw gradient --upstream=g.npy --wrt=1 multiply a.npz x.npy", "with respect to x: dense"},
            {"spw gradient --upstream=g.npz -o d.npz tanh a.npz", "of tanh of every value"},
            {NULL, NULL}},
    .run = run_gradient};
