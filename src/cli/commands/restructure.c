/* SPDX-License-Identifier: Apache-2.0 */
/* spw restructure */
#include "../conversion/restructure.h"
#include "operands.h"

#include <stdlib.h>
#include <string.h>

/* The rows of the options; the first are those that operations need. */
enum { DIM, INDEX, START, LENGTH, INDICES, SIZE, ORDER, NEEDED, DUPLICATES = NEEDED, OUTPUT, LIMITS };

static const char *const needed_names[NEEDED] = {"dim", "index", "start", "length", "indices", "size", "order"};

typedef struct number_list {
  int64_t *numbers; /* null where the option is not there */
  int64_t count;
} number_list;

typedef struct operation {
  const char *word;
  spw_structure_kind kind;
  size_t files; /* how many; 0: any number from 1 on */
  unsigned needs;
} operation;

enum { TRANSPOSE = SPW_SPARSE_MASK + 1, PERMUTE }; /* behind the kinds of the library */

#define NEEDS(option) (1u << (option))
static const operation operations[] = {
    {"select", SPW_SELECT, 1, NEEDS(DIM) | NEEDS(INDEX)},
    {"narrow", SPW_NARROW, 1, NEEDS(DIM) | NEEDS(START) | NEEDS(LENGTH)},
    {"index_select", SPW_INDEX_SELECT, 1, NEEDS(DIM) | NEEDS(INDICES)},
    {"cat", SPW_CAT, 0, NEEDS(DIM)},
    {"stack", SPW_STACK, 0, NEEDS(DIM)},
    {"unsqueeze", SPW_UNSQUEEZE, 1, NEEDS(DIM)},
    {"broadcast", SPW_BROADCAST, 1, NEEDS(DIM) | NEEDS(LENGTH)},
    {"resize", SPW_RESIZE, 1, NEEDS(SIZE)},
    {"sparse_mask", SPW_SPARSE_MASK, 2, 0},
    {"transpose", (spw_structure_kind)TRANSPOSE, 1, 0},
    {"permute", (spw_structure_kind)PERMUTE, 1, NEEDS(ORDER)}};
enum { OPERATIONS = sizeof operations / sizeof *operations };
#define WORDS "select, narrow, index_select, cat, stack, unsqueeze, broadcast, resize, sparse_mask, transpose or permute"

typedef struct restructure_run {
  operand_run on;
  const operation *operation;
  number_list given[NEEDED]; /* one number of those that are no lists */
  spw_combine duplicates;
} restructure_run;

/* ---- Options --------------------------------------------------------------------------------- */

static bool is_list(int option)
{
  return option >= INDICES;
}

static bool wrong_numbers(int option, const char *argument)
{
  usage_error("restructure", is_list(option) ? "--%s is a list of numbers, as 0,2,2, not %s" : "--%s is a number, not %s",
              needed_names[option], argument);
  return false;
}

static bool take_numbers(int option, const char *argument, number_list *list)
{
  if (read_numbers(argument, &list->numbers, &list->count) && (is_list(option) || list->count == 1)) return true;
  return wrong_numbers(option, argument);
}

static bool take(void *context, int option, const char *argument)
{
  restructure_run *run = context;
  if (option >= LIMITS) return take_limit_option("restructure", &run->on.input, option - LIMITS, argument);
  if (option == OUTPUT) return run->on.output.path = argument, true;
  if (option == DUPLICATES) return take_duplicates_option("restructure", &run->duplicates, argument);
  return take_numbers(option, argument, &run->given[option]);
}

/* ---- The operation ----------------------------------------------------------------------------- */

static int64_t number_of(const restructure_run *run, int option)
{
  return run->given[option].numbers ? run->given[option].numbers[0] : 0;
}

static spw_structure wanted_of(const restructure_run *run)
{
  const number_list *const list = &run->given[run->operation->kind == SPW_RESIZE ? SIZE : INDICES];
  return (spw_structure){.kind = run->operation->kind,
                         .dim = number_of(run, DIM),
                         .start = number_of(run, run->operation->kind == SPW_SELECT ? INDEX : START),
                         .length = number_of(run, LENGTH),
                         .numbers = list->numbers,
                         .count = list->count,
                         .duplicates = run->duplicates};
}

static const spw_tensor **operands_of(const operand_run *on)
{
  const spw_tensor **const operands = allocate(on->files, sizeof *operands);
  for (size_t i = 0; i < on->files; i++) operands[i] = operand_of(on, i);
  return operands;
}

/* The first of sparse_mask may be dense. */
static bool are_sparse(const restructure_run *run, const spw_tensor *const *operands, int *operand, cli_problem *problem)
{
  for (size_t i = run->operation->kind == SPW_SPARSE_MASK; i < run->on.files; i++) {
    if (operands[i]->layout != SPW_DENSE) continue;
    *operand = (int)i;
    return set_problem(problem, "impossible", "%s is for sparse tensors, and this is a dense one", run->operation->word);
  }
  return true;
}

/* Of a resized tensor there are as many entries as dimensions. */
static bool fits_size(const restructure_run *run, const spw_tensor *tensor, int *operand, cli_problem *problem)
{
  const int64_t ndim = count_dimensions(tensor), count = run->given[SIZE].count;
  if (run->operation->kind != SPW_RESIZE || count == ndim) return true;
  *operand = 0;
  return set_problem(problem, "impossible", "it has %lld dimensions, and --size names %lld", (long long)ndim, (long long)count);
}

static void restructure(void *context)
{
  restructure_run *run = context;
  operand_run *const on = &run->on;
  const spw_tensor **const operands = operands_of(on);
  const spw_structure wanted = wanted_of(run);
  const char *const word = run->operation->word;
  int64_t spent = 0;
  int operand = 0;
  cli_input about = {.file = on->names[0], .spent = &spent, .bytes = on->bytes};
  cli_problem problem;
  spw_owned *made = NULL;
  if (are_sparse(run, operands, &operand, &problem) && fits_size(run, operands[0], &operand, &problem))
    made = (int)wanted.kind >= TRANSPOSE
               ? permute_tensor(word, operands[0], run->given[ORDER].numbers, run->given[ORDER].count, run->duplicates, &about,
                                &on->request, on->memory, &operand, &problem)
               : restructure_tensors(word, operands, (int64_t)on->files, &wanted, &about, &on->request, on->memory, &operand,
                                     &problem);
  take_made(on, &about, made, operand, &problem);
  free(operands);
}

/* ---- The command ------------------------------------------------------------------------------- */

/* The operation, and whether what it needs is there and nothing else; EXIT_VALID, or a usage error. */
static int take_operation(restructure_run *run, const char *word, size_t files)
{
  int place = 0;
  while (place < OPERATIONS && strcmp(operations[place].word, word) != 0) place++;
  if (place == OPERATIONS) return unknown_word(&restructure_command, word);
  run->operation = &operations[place];
  for (int option = 0; option < NEEDED; option++) {
    const bool needed = run->operation->needs & NEEDS(option), given = run->given[option].numbers;
    if (needed && !given) return usage_error("restructure", "%s needs --%s", word, needed_names[option]);
    if (given && !needed) return usage_error("restructure", "%s takes no --%s", word, needed_names[option]);
  }
  const size_t wanted = run->operation->files;
  if (files == 0 || (wanted && files != wanted && files != wanted + 1))
    return usage_error("restructure", "%s takes %s", word, run->operation->files == 0 ? "one file or more"
                       : run->operation->files == 1 ? "one file" : "two files");
  return EXIT_VALID;
}

static int run_words(restructure_run *run, int argc, char **argv)
{
  file_list inputs;
  int code = EXIT_USAGE;
  const int first = take_options(&restructure_command, argc, argv, take, run, &code);
  if (first < 0) return code;
  if (argc == first) return usage_error("restructure", "an operation is needed: " WORDS);
  code = take_operation(run, argv[first], (size_t)(argc - first - 1));
  if (code != EXIT_VALID) return code;
  const int has_output = run->operation->files && (size_t)(argc - first - 1) > run->operation->files;
  if (has_output && !take_bare_output("restructure", &run->on.output, argv[argc - 1])) return EXIT_USAGE;
  if (!take_files("restructure", argc - has_output, (const char *const *)argv, first + 1, false, &inputs)) return EXIT_USAGE;
  code = run_operands(&run->on, &inputs, restructure, run);
  free_file_list(&inputs);
  return code;
}

static int run_restructure(int argc, char **argv)
{
  restructure_run run = {.on = operand_run_of("restructure", "result")};
  const int code = run_words(&run, argc, argv);
  for (int option = 0; option < NEEDED; option++) free(run.given[option].numbers);
  return code;
}

const cli_command restructure_command = {
    .name = "restructure",
    .summary = "slice, join, resize or transpose sparse tensors",
    .synopsis = "[OPTION...] select --dim=D --index=I A [OUT]\n[OPTION...] narrow --dim=D --start=I --length=N A [OUT]\n"
                "[OPTION...] index_select --dim=D --indices=I,... A [OUT]\n[OPTION...] cat --dim=D A...\n"
                "[OPTION...] stack --dim=D A...\n[OPTION...] unsqueeze --dim=D A [OUT]\n"
                "[OPTION...] broadcast --dim=D --length=N A [OUT]\n[OPTION...] resize --size=N,... A [OUT]\n"
                "[OPTION...] sparse_mask A MASK [OUT]\n[OPTION...] transpose A [OUT]\n[OPTION...] permute --order=D,... A [OUT]",
    .description =
        "Cuts a sparse tensor, joins several, or changes dimensions. Elements keep the bits of their values; explicit "
        "zeros stay. The result is canonical, of the layout of the operand where that can hold it: a row of a matrix is "
        "coo, csr transposed is csc.\n\nsparse_mask takes the values of the first operand, which may be dense, at the "
        "positions of the second, in the order there. transpose exchanges the last two sparse dimensions; permute puts "
        "dimensions in another order, each among those of its kind: batch, sparse or dense. Dimensions count from 0. `spw "
        "explain structure` says it all.\n\nFiles have one of the formats that `spw list formats` names and hold one "
        "tensor.",
    .words = (const char *const[]){"select", "narrow", "index_select", "cat", "stack", "unsqueeze", "broadcast", "resize",
                                   "sparse_mask", "transpose", "permute", NULL},
    .options =
        (const cli_option[]){
            [DIM] = {0, "dim", "D", "along which dimension"},
            [INDEX] = {0, "index", "I", "which index of it is taken; from the end where it is negative"},
            [START] = {0, "start", "I", "the first index that is taken"},
            [LENGTH] = {0, "length", "N", "how many are; how often broadcast repeats a dimension of size 1"},
            [INDICES] = {0, "indices", "I,...", "which indices are taken, in any order, repeated or not"},
            [SIZE] = {0, "size", "N,...", "the size of the result; what is specified has to lie in it"},
            [ORDER] = {0, "order", "D,...", "which dimension of A each of the result is"},
            [DUPLICATES] = {0, "duplicates", "HOW", "what elements at one position become: sum, first, last, or error, which "
                            "refuses them where the result keeps them (default: sum)"},
            [OUTPUT] = OUTPUT_OPTION,
            [LIMITS] = LIMIT_OPTIONS,
            MEMORY_OPTION,
            {0, NULL, NULL, NULL}},
    .statuses =
        (const exit_status[]){
            {EXIT_VALID, "the result is written"},
            STATUS_OPERAND,
            {EXIT_USAGE, "there is no such result, the operands do not fit each other, or it takes too much memory or work; or "
                         "the command line is wrong"},
            STATUS_UNREADABLE,
            STATUS_INTERNAL,
            {0, NULL}},
    .examples =
        (const cli_example[]){
            {"spw restructure index_select --dim=0 --indices=7,3 a.npz", "two rows, as JSON on standard output"},
            {"spw restructure cat --dim=1 -o ab.npz a.npz b.npz", "b to the right of a, for SciPy"},
            {"spw restructure transpose -o at.npz a.npz", "rows and columns exchanged"},
            {NULL, NULL}},
    .run = run_restructure};
