/* SPDX-License-Identifier: Apache-2.0 */
/* spw unary and spw cast: functions of every value. */
#include "../product/product.h"
#include "operands.h"

typedef struct unary_run {
  operand_run on;
  spw_unary_request wanted;
  const char *scalar, *nan, *posinf, *neginf; /* as they are written, or null */
} unary_run;

/* The rows of the options. */
enum { OUTPUT, SCALAR, NAN_BY, POSINF_BY, NEGINF_BY, DUPLICATES, LIMITS };
enum { CAST_OUTPUT, CAST_DUPLICATES, CAST_LIMITS };

#define WORD(ENUM, name, group, zero) #name,
#define NAMED(ENUM, name, group, zero) #name ", "
static const char *const functions[] = {SPW_EACH_REAL_UNARY(WORD) SPW_EACH_OTHER_UNARY(WORD) "fix", "floor_divide", NULL};
static const char *const types[] = {"bool",    "uint8",    "int8",    "int16",   "int32",     "int64",     "float16",
                                    "bfloat16", "float32", "float64", "complex64", "complex128", NULL};

static bool take(void *context, int option, const char *argument)
{
  unary_run *run = context;
  const char **const numbers[] = {NULL, &run->scalar, &run->nan, &run->posinf, &run->neginf};
  if (option >= LIMITS) return take_limit_option("unary", &run->on.input, option - LIMITS, argument);
  if (option == DUPLICATES) return take_duplicates_option("unary", &run->wanted.duplicates, argument);
  if (option == OUTPUT) return run->on.output.path = argument, true;
  return *numbers[option] = argument, true;
}

static bool take_cast(void *context, int option, const char *argument)
{
  unary_run *run = context;
  if (option >= CAST_LIMITS) return take_limit_option("cast", &run->on.input, option - CAST_LIMITS, argument);
  if (option == CAST_DUPLICATES) return take_duplicates_option("cast", &run->wanted.duplicates, argument);
  return run->on.output.path = argument, true;
}

/* ---- The result -------------------------------------------------------------------------------- */

/* Reads a number of the operand's type, or of that of its parts, where one is given. */
static bool read_number(const char *option, const char *text, spw_dtype dtype, spw_owned **owned, const void **number,
                        cli_problem *problem)
{
  if (!text) return true;
  *owned = read_scalar(dtype, text);
  if (*owned) return *number = spw_owned_tensor(*owned)->values.data, true;
  set_problem(problem, "impossible", "--%s=%s is no value of type %s", option, text, spw_dtype_name(dtype));
  return false;
}

static spw_owned *map_operand(unary_run *run, const cli_input *about, int *operand, cli_problem *problem)
{
  operand_run *const on = &run->on;
  const spw_tensor *const a = operand_of(on, 0);
  spw_unary_request *const w = &run->wanted;
  spw_owned *numbers[4] = {NULL, NULL, NULL, NULL}, *made = NULL;
  if (a->layout == SPW_DENSE) {
    set_problem(problem, "impossible", "what is mapped has to be sparse");
    return NULL;
  }
  const spw_dtype dtype = a->values.array.dtype;
  const spw_dtype part = dtype == SPW_COMPLEX64 ? SPW_FLOAT32 : dtype == SPW_COMPLEX128 ? SPW_FLOAT64 : dtype;
  if (read_number("scalar", run->scalar, dtype, &numbers[0], &w->scalar, problem) &&
      read_number("nan", run->nan, part, &numbers[1], &w->nan, problem) &&
      read_number("posinf", run->posinf, part, &numbers[2], &w->posinf, problem) &&
      read_number("neginf", run->neginf, part, &numbers[3], &w->neginf, problem))
    made = map_values(a, w, about, &on->request, on->memory, operand, problem);
  for (int i = 0; i < 4; i++) spw_owned_free(numbers[i]);
  return made;
}

static void map_operands(void *context)
{
  unary_run *run = context;
  int64_t spent = 0;
  int operand = 0;
  cli_input about = {.file = run->on.names[0], .spent = &spent, .bytes = run->on.bytes};
  cli_problem problem;
  spw_owned *const made = map_operand(run, &about, &operand, &problem);
  take_made(&run->on, &about, made, operand, &problem);
}

static int run_files(const cli_command *command, unary_run *run, int argc, char **argv, int first)
{
  file_list inputs;
  const int operands = argc - first;
  if (operands != 1 && operands != 2) return usage_error(command->name, "%s takes one file", argv[first - 1]);
  if (operands == 2 && !take_bare_output(command->name, &run->on.output, argv[argc - 1])) return EXIT_USAGE;
  if (!take_files(command->name, first + 1, (const char *const *)argv, first, false, &inputs)) return EXIT_USAGE;
  const int code = run_operands(&run->on, &inputs, map_operands, run);
  free_file_list(&inputs);
  return code;
}

/* ---- The commands ------------------------------------------------------------------------------ */

static bool needs_scalar(spw_unary_function f)
{
  return f == SPW_UNARY_POW || f == SPW_UNARY_DIV || f == SPW_UNARY_DIV_FLOOR || f == SPW_UNARY_DIV_TRUNC;
}

static int run_unary(int argc, char **argv)
{
  unary_run run = {.on = operand_run_of("unary", "result")};
  int code = EXIT_USAGE;
  const int first = take_options(&unary_command, argc, argv, take, &run, &code);
  if (first < 0) return code;
  if (argc == first) return usage_error("unary", "a function is needed: `spw unary --help` lists them");
  const int function = spw_unary_from_name(argv[first]);
  if (function < 0 || function == SPW_UNARY_CAST) return unknown_word(&unary_command, argv[first]);
  run.wanted.function = (spw_unary_function)function;
  const bool needs = needs_scalar(run.wanted.function);
  if (needs && !run.scalar) return usage_error("unary", "%s needs --scalar=NUMBER", argv[first]);
  if (!needs && run.scalar) return usage_error("unary", "%s takes no --scalar", argv[first]);
  if ((run.nan || run.posinf || run.neginf) && function != SPW_UNARY_NAN_TO_NUM)
    return usage_error("unary", "--nan, --posinf and --neginf are for nan_to_num, not for %s", argv[first]);
  return run_files(&unary_command, &run, argc, argv, first + 1);
}

static int run_cast(int argc, char **argv)
{
  unary_run run = {.on = operand_run_of("cast", "result"), .wanted = {.function = SPW_UNARY_CAST}};
  int code = EXIT_USAGE;
  const int first = take_options(&cast_command, argc, argv, take_cast, &run, &code);
  if (first < 0) return code;
  if (argc == first) return usage_error("cast", "a type is needed, such as float32");
  if (place_among(types, argv[first]) < 0) return unknown_word(&cast_command, argv[first]);
  run.wanted.dtype = spw_dtype_from_name(argv[first]);
  return run_files(&cast_command, &run, argc, argv, first + 1);
}

#define STATUSES                                                                                   \
  (const exit_status[])                                                                            \
  {                                                                                                \
    {EXIT_VALID, "the result is written"}, STATUS_OPERAND,                                         \
        {EXIT_USAGE, "there is no such result, or it takes too much memory or work; or the command line is wrong"}, \
        STATUS_UNREADABLE, STATUS_INTERNAL, {0, NULL}                                              \
  }

const cli_command unary_command = {
    .name = "unary",
    .summary = "sin, abs, pow and other functions of every value",
    .synopsis = "[OPTION...] FUNCTION A [OUT]",
    .description =
        "Maps every stored value of a sparse tensor by a function. Size, layout and indices stay, and stored zeros stay stored. "
        "Elements of coo that share a position are combined first.\n\n"
        "Functions: " SPW_EACH_REAL_UNARY(NAMED) SPW_EACH_OTHER_UNARY(NAMED) "fix (trunc), floor_divide (div_floor). pow, div, "
        "div_floor and div_trunc need --scalar.\n\n"
        "A function that makes another number of 0 is refused, because unspecified positions would not stay 0. Those that end in "
        "_specified map specified values only.\n\n"
        "float16, bfloat16 and float32 are correctly rounded: `spw explain unary` says it all.",
    .words = functions,
    .options =
        (const cli_option[]){
            [OUTPUT] = OUTPUT_OPTION,
            [SCALAR] = {0, "scalar", "NUMBER", "the exponent of pow, or the divisor"},
            [NAN_BY] = {0, "nan", "NUMBER", "what nan_to_num makes of NaN (default: 0)"},
            [POSINF_BY] = {0, "posinf", "NUMBER", "what nan_to_num makes of Inf (default: the largest number)"},
            [NEGINF_BY] = {0, "neginf", "NUMBER", "what nan_to_num makes of -Inf (default: the lowest number)"},
            [DUPLICATES] = DUPLICATES_OPTION,
            [LIMITS] = LIMIT_OPTIONS,
            MEMORY_OPTION,
            {0, NULL, NULL, NULL}},
    .statuses = STATUSES,
    .examples =
        (const cli_example[]){
            {"spw unary sin a.npz", "the sine of every value as JSON, on standard output"},
            {"spw unary pow --scalar=0.5 -o roots.npz a.npz", "square roots"},
            {"spw unary exp_specified a.npz", "exp of what is specified; all else stays unspecified"},
            {NULL, NULL}},
    .run = run_unary};

const cli_command cast_command = {
    .name = "cast",
    .summary = "values of another type",
    .synopsis = "[OPTION...] TYPE A [OUT]",
    .description =
        "Gives a sparse tensor values of another type: bool, uint8, int8, int16, int32, int64, float16, bfloat16, float32, "
        "float64, complex64 or complex128. Floats are truncated to integers, and rounded once to narrower floats. What is not 0 "
        "becomes true. A value that has no place in the type is refused, with its position.\n\n"
        "Elements of coo that share a position are combined first.",
    .words = types,
    .options =
        (const cli_option[]){
            [CAST_OUTPUT] = OUTPUT_OPTION,
            [CAST_DUPLICATES] = DUPLICATES_OPTION,
            [CAST_LIMITS] = LIMIT_OPTIONS,
            MEMORY_OPTION,
            {0, NULL, NULL, NULL}},
    .statuses = STATUSES,
    .examples =
        (const cli_example[]){
            {"spw cast float32 -o b.npz a.npz", "every value rounded to float32"},
            {"spw cast int64 a.npz", "every value truncated"},
            {NULL, NULL}},
    .run = run_cast};
