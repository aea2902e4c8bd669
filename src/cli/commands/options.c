/* SPDX-License-Identifier: Apache-2.0 */
/* Reads options as the table of a command has them, and the operands that name files. */
#include "command.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CODE = 256 }; /* beyond the letters */

typedef struct getopt_tables {
  struct option *rows;
  char *letters;
  bool *given; /* which options there have been */
} getopt_tables;

static int count_options(const cli_option *options)
{
  int count = 0;
  while (options[count].name) count++;
  return count;
}

/* --help is the row behind the last of the table. */
static getopt_tables tables_of(const cli_option *options, int count)
{
  const size_t rows = (size_t)count + 2;
  const getopt_tables tables = {allocate(rows, sizeof *tables.rows), allocate(rows, 2), allocate(rows, sizeof *tables.given)};
  char *letters = tables.letters;
  *letters++ = ':';
  for (int i = 0; i < count; i++) {
    const int arguments = options[i].argument ? required_argument : no_argument;
    tables.rows[i] = (struct option){options[i].name, arguments, NULL, FIRST_CODE + i};
    if (!options[i].letter) continue;
    *letters++ = options[i].letter;
    if (options[i].argument) *letters++ = ':';
  }
  tables.rows[count] = (struct option){"help", no_argument, NULL, FIRST_CODE + count};
  *letters = 'h';
  return tables;
}

/* The row of what getopt_long gives: FIRST_CODE and the row, or the letter. */
static int row_of(const cli_option *options, int code, int help)
{
  if (code >= FIRST_CODE) return code - FIRST_CODE;
  for (int i = 0; options[i].name; i++)
    if (options[i].letter == code) return i;
  return help;
}

/* The usage error for the option that getopt_long has just refused with `code` ('?' or ':'). Where letters of a word follow it,
 * that is still the next one: only optopt says which letter it was. */
static int option_error(const char *command, char **argv, int code)
{
  const char *word = argv[optind - 1];
  const bool letter = optopt != 0 && optopt < FIRST_CODE;
  if (letter) return usage_error(command, code == ':' ? "option -%c needs an argument" : "unknown option -%c", optopt);
  if (code == ':') return usage_error(command, "option %s needs an argument", word);
  if (optopt) return usage_error(command, "option %s takes no argument", word);
  return usage_error(command, "unknown or ambiguous option %s", word);
}

/* Whichever of two values counted, the other would be passed over in silence. */
static bool is_first_value(const cli_command *command, const getopt_tables *tables, int row)
{
  const cli_option *option = &command->options[row];
  const bool again = tables->given[row];
  tables->given[row] = option->argument != NULL;
  if (again) usage_error(command->name, "--%s is given twice", option->name);
  return !again;
}

/* One after the other; -1 when the command is to end with *code. */
static int take_each(const cli_command *command, int argc, char **argv, const getopt_tables *tables,
                     take_option *take, void *context, int *code)
{
  const int help = count_options(command->options);
  opterr = 0;
  for (int got; (got = getopt_long(argc, argv, tables->letters, tables->rows, NULL)) != -1;) {
    if (got == '?' || got == ':') {
      *code = option_error(command->name, argv, got);
      return -1;
    }
    const int row = row_of(command->options, got, help);
    *code = row == help ? print_help(command) : EXIT_USAGE;
    if (row == help || !is_first_value(command, tables, row) || !take(context, row, optarg)) return -1;
  }
  return optind;
}

int take_options(const cli_command *command, int argc, char **argv, take_option *take,
                 void *context, int *code)
{
  const getopt_tables tables = tables_of(command->options, count_options(command->options));
  const int first = take_each(command, argc, argv, &tables, take, context, code);
  free(tables.rows);
  free(tables.letters);
  free(tables.given);
  return first;
}

int place_among(const char *const *words, const char *word)
{
  for (int i = 0; words[i]; i++)
    if (strcmp(words[i], word) == 0) return i;
  return -1;
}

bool parse_count(const char *command, const char *option, const char *text, int64_t *count)
{
  char *end = NULL;
  errno = 0;
  const long long number = text[0] >= '0' && text[0] <= '9' ? strtoll(text, &end, 10) : 0;
  if (number > 0 && errno == 0 && !*end) {
    *count = number;
    return true;
  }
  usage_error(command, "--%s is a number from 1 to %lld, not %s", option, (long long)INT64_MAX,
              text);
  return false;
}

bool take_duplicates_option(const char *command, spw_combine *duplicates, const char *argument)
{
  static const char *const names[] = {[SPW_COMBINE_SUM] = "sum", [SPW_COMBINE_FIRST] = "first",
                                      [SPW_COMBINE_LAST] = "last", [SPW_COMBINE_REFUSE] = "error", NULL};
  const int place = place_among(names, argument);
  if (place < 0) return usage_error(command, "--duplicates is sum, first, last or error, not %s", argument), false;
  *duplicates = (spw_combine)place;
  return true;
}

bool take_limit_option(const char *command, input_options *options, int row, const char *argument)
{
  static const cli_option table[] = {LIMIT_OPTIONS, MEMORY_OPTION};
  int64_t *const limits[] = {&options->max_work, &options->max_bytes, &options->max_memory};
  return parse_count(command, table[row].name, argument, limits[row]);
}

bool take_input_option(const char *command, input_options *options, int row, const char *argument)
{
  if (row > 0) return take_limit_option(command, options, row - 1, argument);
  options->recursive = true;
  return true;
}

bool take_files(const char *command, int argc, const char *const *argv, int first, bool recursive,
                file_list *list)
{
  int standard = 0;
  *list = (file_list){0};
  for (int i = first; i < argc; i++) standard += is_standard_stream(argv[i]);
  if (first == argc) usage_error(command, "a file is needed, or - for standard input");
  if (standard > 1) usage_error(command, "standard input, -, is named twice, but can be read once");
  if (first == argc || standard > 1) return false;
  for (int i = first; i < argc; i++) list_files(list, argv[i], recursive);
  return true;
}
