/* SPDX-License-Identifier: Apache-2.0 */
/* spw reduce */
#include "../product/product.h"
#include "operands.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct reduce_run {
  operand_run on;
  spw_reduction wanted;
  bool each, all, over_dims; /* --each is given; --dims=all; it is a reduction over dimensions */
  bool positions;            /* nonzero: no reduction */
  spw_dims_reduction dims;
  int64_t *numbers, count;   /* of --dims */
} reduce_run;

enum { OUTPUT, EACH, DIMS, KEEPDIM, SPARSE, DTYPE, LIMITS }; /* the rows of the options */

/* The first four are those of spw_reduction_kind. By kind, and by span. */
static const char *const kinds[] = {"sum", "mean", "amax", "amin", "mean_dense", "max", "min", "any", "all",
                                    "norm0", "norm1", "norm2", "norm_inf", "argmax", "argmin", "is_nonzero", "nonzero", NULL};
static const spw_dims_kind dims_kinds[] = {SPW_DIMS_SUM, SPW_DIMS_MEAN, SPW_DIMS_AMAX, SPW_DIMS_AMIN, SPW_DIMS_MEAN_DENSE,
                                           SPW_DIMS_MAX, SPW_DIMS_MIN, SPW_DIMS_ANY, SPW_DIMS_ALL, SPW_DIMS_NORM_0,
                                           SPW_DIMS_NORM_1, SPW_DIMS_NORM_2, SPW_DIMS_NORM_INF, SPW_DIMS_ARGMAX,
                                           SPW_DIMS_ARGMIN, SPW_DIMS_IS_NONZERO};
static const char *const spans[] = {"row", "column", "matrix", NULL};

static bool take_dims(reduce_run *run, const char *argument)
{
  run->over_dims = true;
  run->all = strcmp(argument, "all") == 0;
  if (run->all || read_numbers(argument, &run->numbers, &run->count)) return true;
  return usage_error("reduce", "--dims is all or a list of numbers, as 0,2, not %s", argument), false;
}

static bool take_dtype(reduce_run *run, const char *argument)
{
  run->over_dims = true;
  run->dims.dtype = spw_dtype_from_name(argument);
  return run->dims.dtype != SPW_DTYPE_NONE || (usage_error("reduce", "--dtype names a type as int64, not %s", argument), false);
}

static bool take(void *context, int option, const char *argument)
{
  reduce_run *run = context;
  if (option >= LIMITS) return take_limit_option("reduce", &run->on.input, option - LIMITS, argument);
  switch (option) {
  case OUTPUT: return run->on.output.path = argument, true;
  case DIMS: return take_dims(run, argument);
  case KEEPDIM: return run->over_dims = run->dims.keepdim = true;
  case SPARSE: return run->over_dims = run->dims.sparse = true;
  case DTYPE: return take_dtype(run, argument);
  default: break;
  }
  run->each = true;
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

/* Rows, columns and matrices as dimensions: the last, the last but one, or both. */
static void name_dims(reduce_run *run)
{
  static const int64_t last[] = {-1}, before[] = {-2}, both[] = {-2, -1};
  const int64_t *const spanned[] = {last, before, both};
  if (run->all || (run->dims.kind == SPW_DIMS_IS_NONZERO && !run->each && !run->numbers)) return;
  run->dims.dims = run->numbers ? run->numbers : spanned[run->wanted.span];
  run->dims.count = run->numbers ? run->count : run->wanted.span == SPW_EACH_MATRIX ? 2 : 1;
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
  if (!run->over_dims && run->wanted.kind != SPW_REDUCE_SUM && is_coalesced(on, &about, a)) {
    claiming.coalesced = SPW_CLAIM_YES;
    a = &claiming;
  }
  if (a->layout == SPW_DENSE) {
    set_problem(&problem, "impossible", "what is reduced has to be sparse");
  } else if (run->positions) {
    made = nonzero_of(a, &about, &on->request, on->memory, &operand, &problem);
  } else if (run->over_dims) {
    made = reduce_dims_of(a, &run->dims, &about, &on->request, on->memory, &operand, &problem);
  } else if (b && b->layout != SPW_DENSE) {
    operand = 1;
    set_problem(&problem, "impossible", "the second has to be dense");
  } else {
    made = reduce_tensor(a, b, &run->wanted, &about, &on->request, on->memory, &operand, &problem);
  }
  take_made(on, &about, made, operand, &problem);
}

/* The result is dense, if no dimensions are named: nothing is read for a file that cannot hold it. */
static bool may_hold_result(const reduce_run *run)
{
  const char *const path = run->on.output.path;
  if (run->over_dims) return true;
  const spw_file_format format = path ? output_format(path) : SPW_FORMAT_JSON;
  return format != SPW_FORMAT_NPZ && format != SPW_FORMAT_MTX;
}

static bool is_there(const char *path)
{
  return is_standard_stream(path) || access(path, F_OK) == 0;
}

/* Whether the options fit each other; EXIT_VALID, or a usage error. */
static int check_options(const reduce_run *run, int files)
{
  if (run->positions && (run->each || run->all || run->numbers || run->dims.keepdim || run->dims.sparse || run->dims.dtype))
    return usage_error("reduce", "nonzero lists the positions of the whole tensor, and takes no option of dimensions");
  if (files == 2 && run->over_dims) return usage_error("reduce", "with a second file there are sum, mean, amax and amin of rows");
  if (files == 2 && run->wanted.span != SPW_EACH_ROW)
    return usage_error("reduce", "with a second file rows are reduced, and nothing else");
  if (run->each && (run->all || run->numbers)) return usage_error("reduce", "--each and --dims are two answers to one question");
  if (!may_hold_result(run))
    return usage_error("reduce", "the result is dense, which a .npz or .mtx file cannot hold: %s", run->on.output.path);
  return EXIT_VALID;
}

static int run_words(reduce_run *run, int argc, char **argv)
{
  file_list inputs;
  int code = EXIT_USAGE;
  const int first = take_options(&reduce_command, argc, argv, take, run, &code);
  if (first < 0) return code;
  if (argc == first) return usage_error("reduce", "a reduction is needed: sum, mean, amax or amin, or another of its help");
  const char *const word = argv[first];
  const int kind = place_among(kinds, word), operands = argc - first - 1;
  if (kind < 0) return unknown_word(&reduce_command, word);
  run->over_dims |= kind > SPW_REDUCE_AMIN;
  if (!run->over_dims) run->wanted.kind = (spw_reduction_kind)kind;
  run->positions = kinds[kind + 1] == NULL;
  if (!run->positions) run->dims.kind = dims_kinds[kind];
  /* A second file that is not there is where the result goes, if nothing is multiplied. */
  const bool bare = operands == 3 || (operands == 2 && run->over_dims);
  const int files = operands - bare;
  if (files < 1 || files > 2) return usage_error("reduce", "%s takes one file, or two", word);
  if (bare && !take_bare_output("reduce", &run->on.output, argv[argc - 1])) return EXIT_USAGE;
  if (files == 2 && !bare && !is_there(argv[argc - 1]))
    return usage_error("reduce", "there is no %s to multiply by; -o %s writes the result there", argv[argc - 1], argv[argc - 1]);
  code = check_options(run, files);
  if (code != EXIT_VALID) return code;
  name_dims(run);
  if (!take_files("reduce", first + 1 + files, (const char *const *)argv, first + 1, false, &inputs)) return EXIT_USAGE;
  code = run_operands(&run->on, &inputs, reduce_operands, run);
  free_file_list(&inputs);
  return code;
}

static int run_reduce(int argc, char **argv)
{
  reduce_run run = {.on = operand_run_of("reduce", "result")};
  const int code = run_words(&run, argc, argv);
  free(run.numbers);
  return code;
}

const cli_command reduce_command = {
    .name = "reduce",
    .summary = "sums, means and extremes along dimensions",
    .synopsis = "[OPTION...] sum A [B [OUT]]\n[OPTION...] mean A [B [OUT]]\n[OPTION...] amax A [B [OUT]]\n"
                "[OPTION...] amin A [B [OUT]]\n[OPTION...] mean_dense|max|min|any|all A [OUT]\n"
                "[OPTION...] norm0|norm1|norm2|norm_inf A [OUT]\n"
                "[OPTION...] argmax|argmin|is_nonzero A [OUT]\n"
                "[OPTION...] nonzero A [OUT]\n"
                "[OPTION...] KIND --dims=D,... A [OUT]",
    .description =
        "Reduces each row, column or matrix of a sparse tensor to one number: the sum of its elements, their mean, the "
        "largest or the smallest. Only specified elements count; without any, the result is 0. With a dense B, the "
        "products of a row's elements with the rows of B are reduced, as a matrix product sums them.\n\nEvery layout gives "
        "the same bits: `spw explain reduce` says in which order sums are formed, and what NaN and -0 are compared to. The "
        "result is dense.\n\n"
        "mean_dense, max, min and all count unspecified elements as 0; any asks for one element that is not 0. "
        "norm0 counts elements that are not 0; norm1, norm2 and norm_inf are norms of vectors, rounded once. "
        "argmax and argmin give the number of the first position that has the extreme. is_nonzero asks the one element of a "
        "tensor; nonzero lists the positions of elements that are not 0, a row for each. --dims names "
        "the dimensions that are reduced, those of a hybrid tensor too; --keepdim, --sparse and --dtype go with it. Of COO, "
        "the result is then COO if sparse dimensions are left.\n\n"
        "Files have one of the formats that `spw list formats` names and hold one tensor.",
    .words = kinds,
    .options =
        (const cli_option[]){
            [OUTPUT] = {'o', "output", "FILE", "where the result goes: .npy, .spw.json, or - for JSON on standard output "
                                               "(default). The operand OUT does the same if no such file exists"},
            [EACH] = {0, "each", "WHAT", "what becomes one number: row (default), column or matrix"},
            [DIMS] = {0, "dims", "D,...", "which dimensions become one number: all, or a list; from the end where negative"},
            [KEEPDIM] = {0, "keepdim", NULL, "dimensions that are reduced stay, with size 1"},
            [SPARSE] = {0, "sparse", NULL, "rows or columns of compressed layouts: the result is coo, of those with an element"},
            [DTYPE] = {0, "dtype", "TYPE", "sum, mean: the type in which they are computed; it holds all numbers of A's"},
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
            {"spw reduce sum --dims=0,1 --dtype=int64 a.spw.json", "the sum over two dimensions, without overflow"},
            {"spw reduce amax a.npz features.npy", "the largest product in each row, for each feature"},
            {NULL, NULL}},
    .run = run_reduce};
