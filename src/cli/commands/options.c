/* SPDX-License-Identifier: Apache-2.0 */
/* Reads options as the table of a command has them, and the operands that name files. */
#include "command.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* --help is the row behind the last of the table. What stands behind the name of a command is not for spw itself. */
static getopt_tables tables_of(const cli_option *options, int count, bool permutes)
{
  const size_t rows = (size_t)count + 2;
  const getopt_tables tables = {allocate(rows, sizeof *tables.rows), allocate(rows + 1, 2), allocate(rows, sizeof *tables.given)};
  char *letters = tables.letters;
  if (!permutes) *letters++ = '+';
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

/* ---- What may be meant ------------------------------------------------------------------------- */

/* A slip of the finger, or a part of the name: --index-dtype of --index, --format of --output-format. */
static bool is_near(const char *typed, const char *name)
{
  const size_t a = strlen(typed), b = strlen(name);
  return edit_distance(typed, name) <= (a < 5 ? 1 : 2) || (b >= 3 && strncmp(typed, name, b) == 0 && typed[b] == '-') ||
         (a >= 3 && strstr(name, typed));
}

/* Adds the options that `is` is true of, with --help. */
static int add_options(cli_text *text, const cli_option *options, const char *typed, bool is(const char *typed, const char *name))
{
  int count = 0;
  for (const cli_option *at = options; at->name; at++)
    if (is(typed, at->name)) add_format(text, "%s--%s", count++ ? ", " : "", at->name);
  return is(typed, "help") ? add_format(text, "%s--help", count ? ", " : ""), count + 1 : count;
}

static bool begins(const char *typed, const char *name)
{
  return strncmp(typed, name, strlen(typed)) == 0;
}

int unknown_option(const cli_command *command, const char *word)
{
  const size_t length = strcspn(word, "=");
  cli_text typed = new_text(), near = new_text();
  const char *const says[] = {"option %.*s is ambiguous: %s", "unknown option %.*s; did you mean %s?", "unknown option %.*s"};
  add_bytes(&typed, word, length);
  const char *const name = typed.bytes + strspn(typed.bytes, "-");
  int kind = name[0] && add_options(&near, command->options, name, begins) > 1 ? 0 : 1;
  if (kind == 1) near.size = 0;
  if (kind == 1 && add_options(&near, command->options, name, is_near) == 0) kind = 2;
  const int code = kind == 0   ? usage_error(command->name, says[0], (int)length, word, near.bytes)
                   : kind == 1 ? usage_error(command->name, says[1], (int)length, word, near.bytes)
                               : usage_error(command->name, says[2], (int)length, word);
  free(typed.bytes);
  free(near.bytes);
  return code;
}

void add_words(cli_text *text, const char *const *words)
{
  for (int i = 0; words[i]; i++) add_format(text, "%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
}

int unknown_word(const cli_command *command, const char *word)
{
  cli_text words = new_text();
  const char *near = NULL;
  add_words(&words, command->words);
  for (int i = 0; command->words[i] && !near; i++)
    if (is_near(word, command->words[i])) near = command->words[i];
  const int code = near ? usage_error(command->name, "%s is not one of %s; did you mean %s?", word, words.bytes, near)
                        : usage_error(command->name, "%s is not one of %s", word, words.bytes);
  free(words.bytes);
  return code;
}

/* ---- Options --------------------------------------------------------------------------------- */

/* The usage error for the option that getopt_long has just refused with `code` ('?' or ':'). Where letters of a word follow it,
 * that is still the next one: only optopt says which letter it was. */
static int option_error(const cli_command *of, char **argv, int code)
{
  const char *const command = of->name;
  const char *word = argv[optind - 1];
  const bool letter = optopt != 0 && optopt < FIRST_CODE;
  if (letter) return usage_error(command, code == ':' ? "option -%c needs an argument" : "unknown option -%c", optopt);
  if (code == ':') return usage_error(command, "option %s needs an argument", word);
  if (optopt) return usage_error(command, "option %s takes no argument", word);
  return unknown_option(of, word);
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
  optind = 0; /* from the beginning, whatever has been taken before */
  for (int got; (got = getopt_long(argc, argv, tables->letters, tables->rows, NULL)) != -1;) {
    if (got == '?' || got == ':') {
      *code = option_error(command, argv, got);
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
  const getopt_tables tables = tables_of(command->options, count_options(command->options), command->name[0] != 0);
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

bool parse_magnitude(const char *text, double *number)
{
  char *end = NULL;
  *number = strtod(text, &end);
  return end != text && *end == 0 && *number >= 0;
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

/* "csc:" before names, if it is a layout; *at goes behind it. */
static int take_layout_word(char **at)
{
  char *const colon = strchr(*at, ':');
  if (!colon) return -1;
  *colon = 0;
  const int layout = spw_layout_from_name(*at);
  *colon = ':';
  if (layout < 0 || layout >= SPW_LAYOUT_COUNT) return -1;
  *at = colon + 1;
  return layout;
}

/* Up to four names between commas; 0 where one is empty, or there are more. */
static int split_names(char *at, const char *names[4])
{
  int count = 0;
  for (char *comma = at; comma; at = comma + 1) {
    comma = strchr(at, ',');
    if (comma) *comma = 0;
    if (count == 4 || !*at) return 0;
    names[count++] = at;
    if (!comma) break;
  }
  return count;
}

bool take_members_option(const char *command, input_options *options, const char *argument)
{
  const char *names[4] = {NULL, NULL, NULL, NULL};
  free(options->names);
  char *at = options->names = copy_text(argument);
  const int layout = take_layout_word(&at), count = split_names(at, names);
  const bool coo = layout == SPW_COO || (layout < 0 && count == 2);
  if (count < (coo ? 2 : 3) || (coo && count > 3)) {
    usage_error(command, "--members is CROW,COL,VALUES or INDICES,VALUES, with ,SIZE behind and LAYOUT: before them, not %s",
                argument);
    free(options->names);
    options->names = NULL;
    return false;
  }
  options->members = coo ? (spw_members){layout, NULL, names[0], names[1], names[2]}
                         : (spw_members){layout, names[0], names[1], names[2], names[3]};
  return true;
}

const spw_members *given_members(const input_options *options)
{
  return options->names ? &options->members : NULL;
}

bool take_bare_output(const char *command, cli_output *output, const char *path)
{
  if (output->path) return usage_error(command, "%s is one operand too many; the result goes to %s", path, output->path), false;
  if (!is_standard_stream(path) && access(path, F_OK) == 0)
    return usage_error(command, "%s is one operand too many, and exists; -o %s writes the result over it", path, path), false;
  output->path = path;
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
