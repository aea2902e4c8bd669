/* SPDX-License-Identifier: Apache-2.0 */
/* What a command is: one table for what it is called, what it does, its options and its help. */
#ifndef SPW_CLI_COMMAND_H
#define SPW_CLI_COMMAND_H

#include "../posix.h"

#include "../../sparsewright.h"
#include "../output/output.h"

/* ---- Tables ---------------------------------------------------------------------------------- */

/* An option; --help, which every command has, is in no table. */
typedef struct cli_option {
  char letter;          /* 0: it has none */
  const char *name;     /* null ends a table */
  const char *argument; /* "FILE"; null: it takes none */
  const char *help;
} cli_option;

typedef struct exit_status {
  int code;
  const char *meaning; /* null ends a table */
} exit_status;

typedef struct cli_example {
  const char *line; /* null ends a table */
  const char *what;
} cli_example;

/* Text is broken into lines where it is shown; an empty line begins a paragraph. */
typedef struct cli_command {
  const char *name; /* "" for spw itself */
  const char *summary;
  const char *synopsis; /* what follows the name, a line for each way to call it */
  const char *description;
  const char *const *words; /* of which the first operand is one, up to a null; null where it is a file */
  const cli_option *options;
  const exit_status *statuses;
  const cli_example *examples;
  const struct cli_command *const *commands; /* of spw, in the order in which they are listed, up to a null */
  int (*run)(int argc, char **argv); /* argv[0] is the command's name; gives an exit code */
} cli_command;

extern const cli_command cast_command, check_command, completion_command, conform_command, convert_command, diff_command,
    eigen_command, elementwise_command, explain_command, gradient_command, help_command, info_command, list_command, make_command,
    multiply_command, reduce_command, restructure_command, softmax_command, solve_command, spw_command, unary_command,
    version_command;

/* Runs the program, whose commands are then found. */
int run_program(const cli_command *command, int argc, char **argv);
const cli_command *the_program(void);

/* The names of its commands, with commas, to free(). */
char *command_names(void);

/* Null after a usage error that says which one may be meant. */
const cli_command *find_command(const char *name);

/* ---- Options --------------------------------------------------------------------------------- */

/* Stores what an option, by its place in the table, says; false after a usage error. */
typedef bool take_option(void *context, int option, const char *argument);

/* The number of the first operand, or -1 when the command is to end with *code: help was asked for,
 * or an option is wrong. */
int take_options(const cli_command *command, int argc, char **argv, take_option *take,
                 void *context, int *code);

/* A number of --OPTION from 1 to 2^63 - 1; false after a usage error. */
bool parse_count(const char *command, const char *option, const char *text, int64_t *count);

/* Takes a number that is at least 0, infinity too; says nothing of another text. */
bool parse_magnitude(const char *text, double *number);

/* Says that the command has no such option (a word as it is typed, --NAME or --NAME=VALUE), or several that it may mean;
 * gives EXIT_USAGE. */
int unknown_option(const cli_command *command, const char *word);

/* "a, b or c" */
void add_words(cli_text *text, const char *const *words);

/* Says which words the command knows, and which of them may be meant; gives EXIT_USAGE. */
int unknown_word(const cli_command *command, const char *word);

/* Which of the words, of which a null is the last, a word is; -1: none. */
int place_among(const char *const *words, const char *word);

/* ---- Options and exit codes that commands share ---------------------------------------------- */

/* How files are read; the last rows of the table of every command that reads some. */
typedef struct input_options {
  char *names; /* the text of --members, to free() */
  spw_members members;
  bool recursive;
  int64_t max_work, max_bytes, max_memory; /* 0: the default */
} input_options;

#define INPUT_OPTIONS                                                                              \
  {'r', "recursive", NULL, "check every file below a directory whose name ends as a format's, except .npy"},      \
  LIMIT_OPTIONS

#define LIMIT_OPTIONS                                                                              \
  {0, "max-work", "N", "limit of steps per file, about one per index (default: 2^28, or 16 per " \
   "byte of the file if that is more)"},                                   \
  {0, "max-bytes", "N", "limit of the size of a file, in bytes (default: 16 GiB; 1 GiB from a " \
   "pipe or a device; never more than the memory)"}

#define MEMBERS_OPTION                                                                             \
  {0, "members", "NAMES", "the arrays that are the tensor, where their names tell nothing: CROW,COL,VALUES or "          \
   "INDICES,VALUES, and ,SIZE if there is one; LAYOUT: before them is another layout than csr and coo. Of .safetensors, " \
   ".npz and HDF5 files"}
bool take_members_option(const char *command, input_options *options, const char *argument);

/* Those that were given; null for none. */
const spw_members *given_members(const input_options *options);

/* Where a sparse result goes. */
#define OUTPUT_OPTION                                                                              \
  {'o', "output", "FILE", "where the result goes: a name that says the format, as out.npz, or - for JSON on standard " \
   "output (default). The operand OUT does the same if no such file exists"}

/* Behind LIMIT_OPTIONS, where results are made. */
#define MEMORY_OPTION                                                                              \
  {0, "max-memory", "N", "limit of memory for a result and its computation, in bytes (default: " \
   "a quarter of the machine's memory)"}

/* `row` counts from the first of INPUT_OPTIONS, or of LIMIT_OPTIONS. */
bool take_input_option(const char *command, input_options *options, int row, const char *argument);
bool take_limit_option(const char *command, input_options *options, int row, const char *argument);

/* Of commands that combine operands. */
#define OPERAND_DTYPE_OPTION                                                                       \
  {0, "dtype", "TYPE", "operands of other types are cast to this one first, as `spw cast` does"}

#define DUPLICATES_OPTION                                                                          \
  {0, "duplicates", "HOW", "what elements at one position become: sum, first, last, or error, "     \
   "which refuses them (default: sum)"}
bool take_duplicates_option(const char *command, spw_combine *duplicates, const char *argument);

/* Takes the operand behind the last file, where there is one, for --output: what is not there yet. False after a usage error. */
bool take_bare_output(const char *command, cli_output *output, const char *path);

/* The files that argv[first] and all behind it name, in *list; false after a usage error: there is
 * none, or standard input is to be read twice. */
bool take_files(const char *command, int argc, const char *const *argv, int first, bool recursive,
                file_list *list);

#define COLOUR_OPTION                                                                              \
  {0, "color", "WHEN", "always, never or auto (default: auto, which means on a terminal unless "   \
   "NO_COLOR is set)"}

#define STATUS_OPERAND {EXIT_INVALID, "an operand is invalid: what it violates is printed as `spw check` does"}
#define STATUS_USAGE {EXIT_USAGE, "the command line is wrong"}
#define STATUS_UNREADABLE {EXIT_UNREADABLE, "some file is unreadable, malformed or too much work"}
#define STATUS_INTERNAL {EXIT_INTERNAL, "internal error, or the output cannot be written"}

/* ---- Help ------------------------------------------------------------------------------------ */

/* Prints the help of a command, or of spw and all commands, to stdout; gives an exit code. */
int print_help(const cli_command *command);

#endif
