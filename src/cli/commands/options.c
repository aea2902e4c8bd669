/* SPDX-License-Identifier: Apache-2.0 */
/* Reads options as the table of a command has them, and the operands that name files. */
#include "command.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 30, FIRST_CODE = 256 };

typedef struct getopt_tables {
  struct option rows[MOST_OPTIONS + 2];
  char letters[2 * MOST_OPTIONS + 3];
} getopt_tables;

/* --help is the row behind the last of the table. Gives its number. */
static int fill(getopt_tables *tables, const cli_option *options)
{
  char *letters = tables->letters;
  int count = 0;
  *letters++ = ':';
  for (; options[count].name && count < MOST_OPTIONS; count++) {
    const cli_option *option = &options[count];
    tables->rows[count] = (struct option){
        option->name, option->argument ? required_argument : no_argument, NULL, FIRST_CODE + count};
    if (!option->letter) continue;
    *letters++ = option->letter;
    if (option->argument) *letters++ = ':';
  }
  tables->rows[count] = (struct option){"help", no_argument, NULL, FIRST_CODE + count};
  tables->rows[count + 1] = (struct option){NULL, 0, NULL, 0};
  *letters++ = 'h';
  *letters = 0;
  return count;
}

/* The row of what getopt_long gives: FIRST_CODE and the row, or the letter. */
static int row_of(const cli_option *options, int code, int help)
{
  if (code >= FIRST_CODE) return code - FIRST_CODE;
  for (int i = 0; options[i].name; i++)
    if (options[i].letter == code) return i;
  return help;
}

/* The usage error for the option that getopt_long has just refused with `code` ('?' or ':'). */
static int option_error(const char *command, char **argv, int code)
{
  const char *word = argv[optind - 1];
  if (code == ':') return usage_error(command, "option %s needs an argument", word);
  if (optopt && strncmp(word, "--", 2) != 0)
    return usage_error(command, "unknown option -%c", optopt);
  if (optopt) return usage_error(command, "option %s takes no argument", word);
  return usage_error(command, "unknown or ambiguous option %s", word);
}

int take_options(const cli_command *command, int argc, char **argv, take_option *take,
                 void *context, int *code)
{
  getopt_tables tables;
  const int help = fill(&tables, command->options);
  opterr = 0;
  for (int got; (got = getopt_long(argc, argv, tables.letters, tables.rows, NULL)) != -1;) {
    if (got == '?' || got == ':') {
      *code = option_error(command->name, argv, got);
      return -1;
    }
    const int row = row_of(command->options, got, help);
    *code = row == help ? print_help(command) : EXIT_USAGE;
    if (row == help || !take(context, row, optarg)) return -1;
  }
  return optind;
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

bool take_input_option(const char *command, input_options *options, int row, const char *argument)
{
  static const cli_option table[] = {INPUT_OPTIONS};
  enum { RECURSIVE, MAX_WORK, MAX_BYTES };
  if (row == MAX_WORK) return parse_count(command, table[row].name, argument, &options->max_work);
  if (row == MAX_BYTES) return parse_count(command, table[row].name, argument, &options->max_bytes);
  options->recursive = true;
  return true;
}

bool take_files(const char *command, int argc, char **argv, int first, bool recursive,
                file_list *list)
{
  int standard = 0;
  *list = (file_list){0, 0, NULL};
  for (int i = first; i < argc; i++) standard += is_standard_stream(argv[i]);
  if (first == argc) usage_error(command, "a file is needed, or - for standard input");
  if (standard > 1) usage_error(command, "standard input, -, is named twice, but can be read once");
  if (first == argc || standard > 1) return false;
  for (int i = first; i < argc; i++) list_files(list, argv[i], recursive);
  return true;
}
