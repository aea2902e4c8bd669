/* SPDX-License-Identifier: Apache-2.0 */
/* spw diff */
#include "../compare/compare.h"
#include "../conversion/conversion.h"
#include "../report/report.h"
#include "command.h"

#include <stdlib.h>
#include <string.h>

typedef enum diff_mode { BY_MEANING, AS_DENSE, BY_BITS } diff_mode;

/* A tensor of the first file that is kept, as it is read or as COO; null where there was none. */
typedef struct operand {
  int64_t line;
  bool is_dense;
  spw_owned *owned;
} operand;

typedef struct diff_run {
  diff_mode mode;
  bool named; /* the mode was asked for */
  bool certify;
  input_options input;
  check_request request;
  size_t memory;
  cli_style style;
  cli_progress progress;
  const char *names[2];
  size_t file, capacity;
  size_t counts[2]; /* tensors of either file */
  operand *operands;
  int code;
} diff_run;

enum { MEANING, DENSE, BITS, CERTIFY, LIMITS }; /* the rows of the options */

static bool take(void *context, int option, const char *argument)
{
  static const diff_mode modes[] = {[MEANING] = BY_MEANING, [DENSE] = AS_DENSE, [BITS] = BY_BITS};
  diff_run *run = context;
  if (option >= LIMITS) return take_limit_option("diff", &run->input, option - LIMITS, argument);
  if (option == CERTIFY) {
    run->certify = true;
    return true;
  }
  if (run->named && run->mode != modes[option]) {
    usage_error("diff", "tensors are compared in one way: --%s, or another", diff_command.options[option].name);
    return false;
  }
  run->mode = modes[option];
  run->named = true;
  return true;
}

/* ---- Operands -------------------------------------------------------------------------------- */

/* The last word is the worst: 0, 1 different, 2 invalid, 3 unreadable, 70. */
static void fail(diff_run *run, int code)
{
  if (code > run->code) run->code = code;
}

static spw_owned *refuse(diff_run *run, const cli_input *input, const cli_problem *problem)
{
  progress_clear(&run->progress);
  put_problem_line("diff", input, problem);
  fail(run, strcmp(problem->kind, "internal") == 0 ? EXIT_INTERNAL : EXIT_UNREADABLE);
  return NULL;
}

static spw_owned *take_over(const cli_input *input)
{
  spw_owned *owned = *input->owned;
  *input->owned = NULL;
  return owned;
}

/* A size that is inferred has an entry for each dimension, and COO without an element may have any number of them. */
static bool may_hold_size(const diff_run *run, const spw_tensor *tensor, cli_problem *problem)
{
  const int64_t ndim = count_dimensions(tensor);
  if (ndim > SPW_NDIM_MAX)
    return set_problem(problem, "impossible", "it has %lld dimensions, and a size can have %d at most", (long long)ndim,
                       SPW_NDIM_MAX);
  if ((size_t)ndim <= run->memory / sizeof(int64_t)) return true;
  return set_problem(problem, "limit", "the size of its %lld dimensions takes more than the limit of %zu bytes; --max-memory=N "
                     "changes the limit", (long long)ndim, run->memory);
}

/* What is compared: the tensor as it was read, which is certified, or what it means. Null after a message. */
static spw_owned *prepare(diff_run *run, const cli_judgement *judgement)
{
  const cli_input *input = judgement->input;
  const spw_conversion wanted = {.layout = SPW_COO, .batch_dims = -1, .dense_dims = -1, .index_dtype = SPW_INT64,
                                 .bits = true};
  cli_problem problem;
  if (run->mode == BY_BITS || run->certify) {
    const int64_t ndim = count_dimensions(input->tensor), places = 1 + ndim / FEW_DIMENSIONS;
    const int64_t steps = run->certify ? SORTED_TOO : 1;
    if (!may_spend(input, &run->request, "comparing", multiply_counts(count_elements(input->tensor), steps * places),
                   &problem) ||
        !may_spend(input, &run->request, "comparing", ndim, &problem) ||
        !may_hold_size(run, input->tensor, &problem))
      return refuse(run, input, &problem);
    return take_over(input);
  }
  spw_owned *result = convert_tensor(judgement, &wanted, &run->request, run->memory, &problem);
  return result ? result : refuse(run, input, &problem);
}

static spw_owned *judge_and_prepare(diff_run *run, const cli_input *input)
{
  cli_judgement judgement;
  if (!judge(input, &run->request, &judgement)) {
    fail(run, EXIT_INTERNAL);
    return NULL;
  }
  if (judgement.verdict == VERDICT_VALID) return prepare(run, &judgement);
  progress_clear(&run->progress);
  if (run->file == 0 || strcmp(run->names[0], run->names[1]) != 0) put_human(&run->style, &judgement); /* else it has been said */
  fail(run, judgement.verdict == VERDICT_INVALID ? EXIT_USAGE : EXIT_UNREADABLE);
  return NULL;
}

static void keep(diff_run *run, const operand *one)
{
  if (run->counts[0] == run->capacity) {
    run->capacity = 2 * run->capacity + 16;
    run->operands = allocate_again(run->operands, run->capacity * sizeof *run->operands);
  }
  run->operands[run->counts[0]++] = *one;
}

/* ---- Comparison ------------------------------------------------------------------------------ */

static void put_name(const char *name, int64_t line)
{
  char *safe = escape_text(name);
  fputs(safe, stdout);
  if (line) printf(":%lld", (long long)line);
  free(safe);
}

static void put_both(diff_run *run, const operand *a, const operand *b)
{
  progress_clear(&run->progress);
  put_name(run->names[0], a->line);
  fputs(" and ", stdout);
  put_name(run->names[1], b->line);
}

/* By code that is proved, where it takes both. False after a message. */
static bool is_certified(diff_run *run, const operand *a, const operand *b, bool *differ)
{
  bool same = false;
  const spw_zeros zeros = run->mode == AS_DENSE ? SPW_ZEROS_ANY : SPW_ZEROS_KEPT;
  const spw_tensor *const of_a = spw_owned_tensor(a->owned), *const of_b = spw_owned_tensor(b->owned);
  spw_status status = spw_certify_unchecked(of_a, of_b, zeros, &same);
  if (status == SPW_EUNSUPPORTED) status = certify_combined(of_a, of_b, zeros, SPW_COMBINE_SUM, false, run->memory, &same);
  *differ = status == SPW_OK && !same;
  if (status == SPW_OK) return true;
  put_both(run, a, b);
  if (status == SPW_EUNSUPPORTED)
    fputs(" cannot be certified: " UNCERTIFIABLE "\n", stdout);
  else if (status == SPW_ENOMEM)
    printf(" cannot be certified: to sort them for that takes more memory than there is, or than the limit of %zu bytes; "
           "--max-memory=N changes the limit\n", run->memory);
  else
    fputs(" cannot be certified: what their elements come to is not\n", stdout);
  flush_output();
  fail(run, status == SPW_EUNSUPPORTED ? EXIT_USAGE : status == SPW_ENOMEM ? EXIT_UNREADABLE : EXIT_INTERNAL);
  return false;
}

static void compare(diff_run *run, const operand *a, const operand *b)
{
  const spw_tensor *of_a = spw_owned_tensor(a->owned), *of_b = spw_owned_tensor(b->owned);
  cli_text text = new_text();
  bool differ = false;
  if (run->certify) {
    if (is_certified(run, a, b, &differ) && differ)
      add_text(&text, ": the certifier says no more; without --certify the first position is told");
  } else if (run->mode == BY_BITS) {
    differ = add_difference_of_bits(&text, of_a, of_b);
  } else {
    differ = add_difference_of_meaning(&text, &(meaning){of_a, a->is_dense}, &(meaning){of_b, b->is_dense},
                                       run->mode == AS_DENSE);
  }
  if (differ) {
    put_both(run, a, b);
    printf(" differ%s\n", text.bytes);
    flush_output();
    fail(run, EXIT_INVALID);
  }
  free(text.bytes);
}

static void compare_with_first(diff_run *run, const operand *b)
{
  const size_t number = run->counts[1]++;
  if (number >= run->counts[0]) return;
  operand *a = &run->operands[number];
  if (a->owned && b->owned) compare(run, a, b);
  spw_owned_free(a->owned);
  a->owned = NULL;
}

static void diff_input(void *context, const cli_input *input)
{
  diff_run *run = context;
  operand one = {.line = input->line, .is_dense = input->tensor && input->tensor->layout == SPW_DENSE};
  one.owned = judge_and_prepare(run, input);
  if (run->file == 0) {
    keep(run, &one);
  } else {
    compare_with_first(run, &one);
    spw_owned_free(one.owned);
  }
  progress_draw(&run->progress, (int64_t)(run->counts[0] + run->counts[1]), ((double)run->file + input->done) / 2);
}

static void begin_file(void *context, size_t file)
{
  ((diff_run *)context)->file = file;
}

static void compare_counts(diff_run *run)
{
  if (run->counts[0] == run->counts[1] || run->code >= EXIT_UNREADABLE) return;
  put_name(run->names[0], 0);
  fputs(" and ", stdout);
  put_name(run->names[1], 0);
  printf(" differ: they hold %zu and %zu tensors\n", run->counts[0], run->counts[1]);
  fail(run, EXIT_INVALID);
}

/* ---- The command ----------------------------------------------------------------------------- */

static int run_diff(int argc, char **argv)
{
  diff_run run = {.request = {.level = SPW_CANONICAL, .reads_values = true}};
  file_list list;
  int code = EXIT_USAGE;
  const int first = take_options(&diff_command, argc, argv, take, &run, &code);
  if (first < 0) return code;
  if (argc - first != 2) return usage_error("diff", "two files are needed");
  if (run.certify && run.mode == BY_BITS) return usage_error("diff", "--certify is of meaning, and --bits of arrays");
  if (!take_files("diff", argc, (const char *const *)argv, first, false, &list)) return EXIT_USAGE;
  run.request.max_work = run.input.max_work;
  run.memory = memory_limit(run.input.max_memory);
  run.style = stderr_style(COLOUR_AUTO);
  run.progress = progress_begin();
  for (int i = 0; i < 2; i++) run.names[i] = list.files[i].path;
  visit_files(&list, run.input.max_bytes, diff_input, begin_file, &run);
  progress_clear(&run.progress);
  compare_counts(&run);
  for (size_t i = 0; i < run.counts[0]; i++) spw_owned_free(run.operands[i].owned);
  free(run.operands);
  free_file_list(&list);
  return finish_output(run.code);
}

const cli_command diff_command = {
    .name = "diff",
    .summary = "say where two tensors differ first",
    .synopsis = "[OPTION...] A B",
    .description =
        "Compares the tensors of two files, whatever their layouts and formats, and prints the first position at which "
        "they differ, with both values. It prints nothing if they are the same. Files of one tensor a line are compared "
        "line by line.\n\nBy default two tensors are the same when they have the same size, element type and specified "
        "positions, and every value has the same bits; duplicates of coo count as their sum. Where one of them is dense, "
        "they are compared as --dense does.",
    .options =
        (const cli_option[]){
            [MEANING] = {0, "meaning", NULL, "compare what the tensors mean (default)"},
            [DENSE] = {0, "dense", NULL, "compare them as dense arrays: an unspecified element equals zero bits"},
            [BITS] = {0, "bits", NULL,
                      "compare layout, size, types, and every element of every array in its order"},
            [CERTIFY] = {0, "certify", NULL,
                         "let proved code compare; exit with 2 if it cannot judge"},
            [LIMITS] = LIMIT_OPTIONS,
            MEMORY_OPTION,
            {0, NULL, NULL, NULL}},
    .statuses = (const exit_status[]){{EXIT_VALID, "the tensors are the same"},
                                      {EXIT_INVALID, "some differ"},
                                      {EXIT_USAGE, "some tensor is invalid or cannot be certified, or the command line is wrong"},
                                      {EXIT_UNREADABLE, "some file is unreadable, malformed or too much work, or too "
                                                        "much memory; wins over 1 and 2"},
                                      STATUS_INTERNAL,
                                      {0, NULL}},
    .examples = (const cli_example[]){{"spw diff matrix.mtx matrix.npz", "do these mean the same?"},
                                      {"spw diff --certify theirs.npz ours.npz", "is that proved?"},
                                      {"spw diff --bits before.spw.json after.spw.json", "are these the same arrays?"},
                                      {NULL, NULL}},
    .run = run_diff};
