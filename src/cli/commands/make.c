/* SPDX-License-Identifier: Apache-2.0 */
/* spw make */
#include "../conversion/make_tensor.h"
#include "../product/product.h"
#include "operands.h"

#include <stdlib.h>
#include <string.h>

/* The rows of the options. Those before TEXTS are numbers; those before OUTPUT belong to some words only. */
enum {
  SIZE,
  OFFSETS,
  DIM,
  START,
  LENGTH,
  STEP,
  DIAGONAL,
  SPARSE,
  BATCH,
  DENSE,
  TEXTS,
  LAYOUT = TEXTS,
  BLOCKSIZE,
  DTYPE,
  INDEX,
  VALUE,
  OUTPUT,
  LIMITS
};

static const char *const option_names[OUTPUT] = {
    [SIZE] = "size",        [OFFSETS] = "offsets",  [DIM] = "dim",           [START] = "start",
    [LENGTH] = "length",    [STEP] = "step",        [DIAGONAL] = "diagonal", [SPARSE] = "sparse-dims",
    [BATCH] = "batch-dims", [DENSE] = "dense-dims", [LAYOUT] = "layout",     [BLOCKSIZE] = "blocksize",
    [DTYPE] = "dtype",      [INDEX] = "index",      [VALUE] = "value"};

typedef struct number_list {
  int64_t *numbers; /* null where the option is not there */
  int64_t count;
} number_list;

typedef struct making_word {
  const char *word;
  spw_make_kind kind;
  size_t files;
  unsigned needs, may; /* options */
} making_word;

/* Behind the kinds of spw_make: spw_stack_new. */
enum { STACKS = SPW_MAKE_RESPLIT + 1 };
#define ANY_FILES SIZE_MAX

#define O(option) (1u << (option))
#define FORM      (O(LAYOUT) | O(BLOCKSIZE) | O(INDEX))
static const making_word making_words[] = {{"zeros", SPW_MAKE_ZEROS, 0, O(SIZE), FORM | O(DTYPE) | O(BATCH) | O(DENSE)},
                                           {"eye", SPW_MAKE_DIAGONALS, 0, O(SIZE), FORM | O(DTYPE)},
                                           {"spdiags", SPW_MAKE_DIAGONALS, 1, O(SIZE) | O(OFFSETS), FORM},
                                           {"clone", SPW_MAKE_CLONE, 1, 0, 0},
                                           {"fill_specified", SPW_MAKE_FILL, 1, O(VALUE), 0},
                                           {"slice", SPW_MAKE_SLICE, 1, O(DIM) | O(START) | O(LENGTH) | O(STEP), 0},
                                           {"diag", SPW_MAKE_DIAGONAL, 1, 0, O(DIAGONAL)},
                                           {"tril", SPW_MAKE_LOWER, 1, 0, O(DIAGONAL)},
                                           {"triu", SPW_MAKE_UPPER, 1, 0, O(DIAGONAL)},
                                           {"kron", SPW_MAKE_KRON, 2, 0, 0},
                                           {"resplit", SPW_MAKE_RESPLIT, 1, O(SPARSE), 0},
                                           {"vstack", (spw_make_kind)(STACKS + SPW_VSTACK), ANY_FILES, 0, 0},
                                           {"hstack", (spw_make_kind)(STACKS + SPW_HSTACK), ANY_FILES, 0, 0},
                                           {"dstack", (spw_make_kind)(STACKS + SPW_DSTACK), ANY_FILES, 0, 0}};
enum { WORDS = sizeof making_words / sizeof *making_words };
#define ALL_WORDS "zeros, eye, spdiags, clone, fill_specified, slice, diag, tril, triu, kron, resplit, vstack, hstack or dstack"

typedef struct make_run {
  operand_run on;
  const making_word *word;
  number_list given[TEXTS];
  const char *texts[OUTPUT]; /* of the options from TEXTS on */
  spw_making wanted;
} make_run;

static bool take_numbers(int option, const char *argument, number_list *list)
{
  const bool is_list = option <= OFFSETS;
  if (read_numbers(argument, &list->numbers, &list->count) && (is_list || list->count == 1)) return true;
  usage_error("make", is_list ? "--%s is a list of numbers, as 0,2,2, not %s" : "--%s is a number, not %s",
              option_names[option], argument);
  return false;
}

static bool take(void *context, int option, const char *argument)
{
  make_run *run = context;
  if (option >= LIMITS) return take_limit_option("make", &run->on.input, option - LIMITS, argument);
  if (option == OUTPUT) return run->on.output.path = argument, true;
  if (option < TEXTS) return take_numbers(option, argument, &run->given[option]);
  run->texts[option] = argument;
  return true;
}

/* ---- What is wanted -------------------------------------------------------------------------------- */

static bool is_given(const make_run *run, int option)
{
  return option < TEXTS ? run->given[option].numbers != NULL : run->texts[option] != NULL;
}

static int64_t number_of(const make_run *run, int option)
{
  return run->given[option].numbers ? run->given[option].numbers[0] : 0;
}

/* Two numbers from 1 on, as 2x3. */
static bool read_blocks(const char *text, spw_making *w)
{
  char *end = NULL;
  w->block_rows = strtoll(text, &end, 10);
  if (end == text || *end != 'x') return false;
  const char *const second = end + 1;
  w->block_columns = strtoll(second, &end, 10);
  return end != second && !*end && w->block_rows > 0 && w->block_columns > 0;
}

static int take_form(make_run *run)
{
  spw_making *const w = &run->wanted;
  const char *const layout = run->texts[LAYOUT] ? run->texts[LAYOUT] : "coo", *const blocks = run->texts[BLOCKSIZE];
  const char *const dtype = run->texts[DTYPE] ? run->texts[DTYPE] : "float32", *const index = run->texts[INDEX]
                                                                                                  ? run->texts[INDEX]
                                                                                                  : "int64";
  const int found = spw_layout_from_name(layout);
  if (found < 0 || found == SPW_DENSE) return usage_error("make", "--layout is coo, csr, csc, bsr or bsc, not %s", layout);
  w->layout = (spw_layout)found;
  if (blocks && !read_blocks(blocks, w))
    return usage_error("make", "--blocksize is two numbers from 1 on, as 2x3, not %s", blocks);
  const bool blocked = w->layout == SPW_BSR || w->layout == SPW_BSC;
  if (blocked != (blocks != NULL)) return usage_error("make", blocked ? "%s needs --blocksize" : "%s has no blocks", layout);
  w->dtype = spw_dtype_from_name(dtype);
  if (w->dtype == SPW_DTYPE_NONE) return usage_error("make", "--dtype is a type as float32, not %s", dtype);
  w->index_dtype = spw_dtype_from_name(index);
  if (w->index_dtype != SPW_INT32 && w->index_dtype != SPW_INT64)
    return usage_error("make", "--index is int32 or int64, not %s", index);
  w->batch_dims = number_of(run, BATCH);
  w->dense_dims = number_of(run, DENSE);
  if (w->batch_dims < 0 || w->dense_dims < 0) return usage_error("make", "--batch-dims and --dense-dims are 0 or more");
  if (w->batch_dims > 0 && w->layout == SPW_COO) return usage_error("make", "coo has no batch dimensions");
  return EXIT_VALID;
}

static int take_wanted(make_run *run)
{
  static const int64_t main_diagonal[1] = {0};
  spw_making *const w = &run->wanted;
  w->kind = run->word->kind;
  w->size = run->given[SIZE].numbers;
  w->ndim = run->given[SIZE].count;
  w->numbers = run->given[OFFSETS].numbers ? run->given[OFFSETS].numbers : main_diagonal;
  w->count = run->word->kind != SPW_MAKE_DIAGONALS ? 0 : run->given[OFFSETS].numbers ? run->given[OFFSETS].count : 1;
  w->dim = number_of(run, DIM);
  w->start = number_of(run, START);
  w->length = number_of(run, LENGTH);
  w->step = number_of(run, STEP);
  w->diagonal = number_of(run, DIAGONAL);
  w->sparse_dims = number_of(run, SPARSE);
  if (w->kind == SPW_MAKE_SLICE && w->step == 0) return usage_error("make", "--step is not 0");
  return run->word->kind <= SPW_MAKE_DIAGONALS ? take_form(run) : EXIT_VALID;
}

/* ---- Making ---------------------------------------------------------------------------------------- */

/* Of which kind each operand has to be. */
static bool are_of_kind(const make_run *run, const spw_tensor *const *operands, int *operand, cli_problem *problem)
{
  const bool dense = run->word->kind == SPW_MAKE_DIAGONALS;
  for (size_t i = 0; i < run->on.files; i++) {
    if ((operands[i]->layout == SPW_DENSE) == dense) continue;
    *operand = (int)i;
    return set_problem(problem, "impossible",
                       dense ? "%s takes a dense array, and this is a sparse tensor"
                             : "%s is for sparse tensors, and this is a dense one",
                       run->word->word);
  }
  return true;
}

/* The value that fills, of the operand's type. */
static bool take_value(make_run *run, const spw_tensor *const *operands, spw_owned **value, cli_problem *problem)
{
  if (run->word->kind != SPW_MAKE_FILL) return true;
  const spw_dtype dtype = operands[0]->values.array.dtype;
  *value = read_scalar(dtype, run->texts[VALUE]);
  if (!*value) return set_problem(problem, "impossible", "--value=%s is no %s", run->texts[VALUE], spw_dtype_name(dtype));
  run->wanted.scalar = spw_owned_tensor(*value)->values.data;
  return true;
}

static spw_owned *stack(const make_run *run, const spw_tensor *const *operands, const cli_input *about, int *operand,
                        cli_problem *problem)
{
  const operand_run *const on = &run->on;
  spw_owned *result = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  int64_t steps = 0;
  for (size_t i = 0; i < on->files; i++) steps = add_counts(steps, count_elements(operands[i]));
  if (!may_spend(about, &on->request, "making", steps, problem)) return NULL;
  const spw_stacking how = (spw_stacking)((int)run->word->kind - STACKS);
  const spw_status status = spw_stack_new(operands, (int64_t)on->files, how, on->memory, &result, &refusal);
  if (status == SPW_OK ||
      !refused_for_reason(status, &refusal, "result", "a stack of valid tensors", on->memory, operand, problem))
    return result;
  const bool named = refusal.obstacle == SPW_OBSTACLE_OPERAND || refusal.obstacle == SPW_OBSTACLE_PATTERN;
  if (named) *operand = (int)refusal.other;
  cli_text text = new_text();
  add_refusal(&text, &(spw_refused){.operation = SPW_RESTRUCTURING}, &refusal);
  set_reason(problem, &text);
  return NULL;
}

static void make_operands(void *context)
{
  make_run *run = context;
  operand_run *const on = &run->on;
  const spw_tensor **const operands = allocate(on->files + 2, sizeof *operands);
  for (size_t i = 0; i < on->files; i++) operands[i] = operand_of(on, i);
  int64_t spent = 0;
  int operand = 0;
  cli_input about = {.file = on->files > 0 ? on->names[0] : run->word->word, .spent = &spent, .bytes = on->bytes};
  cli_problem problem;
  spw_owned *value = NULL, *made = NULL;
  const bool fits = are_of_kind(run, operands, &operand, &problem) && take_value(run, operands, &value, &problem);
  if (fits && (int)run->word->kind >= STACKS)
    made = stack(run, operands, &about, &operand, &problem);
  else if (fits)
    made = make_tensor(run->word->word, operands, (int64_t)on->files, &run->wanted, &about, &on->request, on->memory, &operand,
                       &problem);
  take_made(on, &about, made, operand, &problem);
  spw_owned_free(value);
  free(operands);
}

/* ---- The command ----------------------------------------------------------------------------------- */

static int take_word(make_run *run, const char *word, size_t files)
{
  int place = 0;
  while (place < WORDS && strcmp(making_words[place].word, word) != 0) place++;
  if (place == WORDS) return unknown_word(&make_command, word);
  run->word = &making_words[place];
  for (int option = 0; option < OUTPUT; option++) {
    const bool needed = run->word->needs & O(option), allowed = needed || (run->word->may & O(option));
    if (needed && !is_given(run, option)) return usage_error("make", "%s needs --%s", word, option_names[option]);
    if (!allowed && is_given(run, option)) return usage_error("make", "%s takes no --%s", word, option_names[option]);
  }
  if (run->word->files == ANY_FILES && files > 0) return take_wanted(run);
  if (run->word->files == ANY_FILES) return usage_error("make", "%s takes one file or more", word);
  if (files != run->word->files && files != run->word->files + 1)
    return usage_error("make", "%s takes %s", word,
                       run->word->files == 0   ? "no file"
                       : run->word->files == 1 ? "one file"
                                               : "two files");
  return take_wanted(run);
}

static int run_words(make_run *run, int argc, char **argv)
{
  file_list inputs = {0};
  int code = EXIT_USAGE;
  const int first = take_options(&make_command, argc, argv, take, run, &code);
  if (first < 0) return code;
  if (argc == first) return usage_error("make", "a word is needed: " ALL_WORDS);
  const size_t files = (size_t)(argc - first - 1);
  code = take_word(run, argv[first], files);
  if (code != EXIT_VALID) return code;
  const int has_output = run->word->files != ANY_FILES && files > run->word->files;
  if (has_output && !take_bare_output("make", &run->on.output, argv[argc - 1])) return EXIT_USAGE;
  if (run->word->files > 0 && !take_files("make", argc - has_output, (const char *const *)argv, first + 1, false, &inputs))
    return EXIT_USAGE;
  code = run_operands(&run->on, &inputs, make_operands, run);
  if (run->word->files > 0) free_file_list(&inputs);
  return code;
}

static int run_make(int argc, char **argv)
{
  make_run run = {.on = operand_run_of("make", "result")};
  const int code = run_words(&run, argc, argv);
  for (int option = 0; option < TEXTS; option++) free(run.given[option].numbers);
  return code;
}

const cli_command make_command = {
    .name = "make",
    .summary = "zeros, diagonals, slices, triangles, Kronecker products",
    .synopsis = "[OPTION...] zeros --size=N,... [OUT]\n[OPTION...] eye --size=M,N [OUT]\n"
                "[OPTION...] spdiags --size=M,N --offsets=K,... D [OUT]\n[OPTION...] clone A [OUT]\n"
                "[OPTION...] fill_specified --value=X A [OUT]\n"
                "[OPTION...] slice --dim=D --start=I --length=N --step=S A [OUT]\n[OPTION...] diag "
                "[--diagonal=K] A [OUT]\n"
                "[OPTION...] tril [--diagonal=K] A [OUT]\n[OPTION...] triu [--diagonal=K] A [OUT]\n"
                "[OPTION...] kron A B [OUT]\n[OPTION...] resplit --sparse-dims=N A [OUT]\n"
                "[OPTION...] vstack A...\n[OPTION...] hstack A...\n[OPTION...] dstack A...",
    .description = "Makes a sparse tensor from a size, or another one from one or two. zeros stores nothing, "
                   "eye stores ones on the main "
                   "diagonal, and spdiags the rows of a dense array on the diagonals that --offsets names.\n\n"
                   "clone keeps everything, fill_specified everything but the values. slice takes every "
                   "step-th index of a dimension. diag "
                   "takes a diagonal, or puts a vector on one; tril and triu keep what lies on one side of a "
                   "diagonal, and on it. kron is "
                   "the Kronecker product. vstack, hstack and dstack join as NumPy's do. resplit gives COO another number of "
                   "sparse dimensions. `spw "
                   "explain make` says it all.\n\n"
                   "Files have one of the formats that `spw list formats` names and hold one tensor.",
    .words = (const char *const[]){"zeros", "eye", "spdiags", "clone", "fill_specified", "slice", "diag", "tril", "triu",
                                   "kron", "resplit", "vstack", "hstack", "dstack", NULL},
    .options = (const cli_option[]){[SIZE] = {0, "size", "N,...", "the size of the result"},
                                    [OFFSETS] = {0, "offsets", "K,...",
                                                 "where each row of D goes: above the main diagonal if positive"},
                                    [DIM] = {0, "dim", "D", "along which dimension"},
                                    [START] = {0, "start", "I", "the first index that is taken"},
                                    [LENGTH] = {0, "length", "N", "how many are"},
                                    [STEP] = {0, "step", "S", "from one to the next; backwards if negative"},
                                    [DIAGONAL] = {0, "diagonal", "K", "which diagonal (default: 0, the main one)"},
                                    [SPARSE] = {0, "sparse-dims", "N", "how many sparse dimensions the result has"},
                                    [BATCH] = {0, "batch-dims", "N", "how many of the size are batch dimensions (default: 0)"},
                                    [DENSE] = {0, "dense-dims", "N", "how many are dense dimensions (default: 0)"},
                                    [LAYOUT] = {0, "layout", "NAME", "coo (default), csr, csc, bsr or bsc"},
                                    [BLOCKSIZE] = {0, "blocksize", "RxC", "rows and columns of a block of bsr and bsc"},
                                    [DTYPE] = {0, "dtype", "NAME", "the type of the values (default: float32)"},
                                    [INDEX] = {0, "index", "NAME", "the type of the indices: int32 or int64 (default)"},
                                    [VALUE] = {0, "value", "X", "the value of every stored scalar"},
                                    [OUTPUT] = OUTPUT_OPTION,
                                    [LIMITS] = LIMIT_OPTIONS,
                                    MEMORY_OPTION,
                                    {0, NULL, NULL, NULL}},
    .statuses = (const exit_status[]){{EXIT_VALID, "the result is written"},
                                      STATUS_OPERAND,
                                      {EXIT_USAGE, "there is no such result, or it takes too much "
                                                   "memory or work; or the command line is wrong"},
                                      STATUS_UNREADABLE,
                                      STATUS_INTERNAL,
                                      {0, NULL}},
    .examples = (const cli_example[]){{"spw make eye --size=3,3 --layout=csr", "the identity, as JSON on standard output"},
                                      {"spw make spdiags --size=9,9 --offsets=-1,0,1 -o a.npz d.npy",
                                       "a tridiagonal matrix, for SciPy"},
                                      {"spw make slice --dim=0 --start=0 --length=5 --step=2 a.npz", "every second row"},
                                      {"spw make tril -o lower.npz a.npz", "the lower triangle"},
                                      {NULL, NULL}},
    .run = run_make};
