/* SPDX-License-Identifier: Apache-2.0 */
/* Help: what the tables of the commands say, always in the same form: synopsis, description,
 * options, exit status, examples. Lines end before column 80. */
#include "command.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 79, OPTION_COLUMN = 25, STATUS_COLUMN = 6 };

static void put_synopsis(const cli_command *command)
{
  const char *lead = "Usage:", *space = command->name[0] ? " " : "";
  for (const char *line = command->synopsis;; lead = "      ") {
    const size_t length = strcspn(line, "\n");
    printf("%s spw%s%s%s%.*s\n", lead, space, command->name, length ? " " : "", (int)length, line);
    if (!line[length]) return;
    line += length + 1;
  }
}

static void put_paragraphs(const char *text)
{
  while (*text) {
    const char *end = strstr(text, "\n\n");
    const size_t length = end ? (size_t)(end - text) : strlen(text);
    cli_text paragraph = new_text();
    add_bytes(&paragraph, text, length);
    putchar('\n');
    put_wrapped(stdout, paragraph.bytes, 0, WIDTH);
    free(paragraph.bytes);
    text += length + (end ? 2 : 0);
  }
}

/* `title` in the columns before `column`, or on a line of its own. */
static void put_item(const char *title, const char *text, int column)
{
  printf("  %-*s", column - 2, title);
  if ((int)strlen(title) + 2 >= column) printf("\n%*s", column, "");
  put_wrapped(stdout, text, column, WIDTH);
}

static void put_option(const cli_option *option)
{
  char title[64], letter[4] = "   ";
  if (option->letter) snprintf(letter, sizeof letter, "-%c,", option->letter);
  snprintf(title, sizeof title, "%s --%s%s%s", letter, option->name, option->argument ? "=" : "",
           option->argument ? option->argument : "");
  put_item(title, option->help, OPTION_COLUMN);
}

static void put_options(const cli_option *options)
{
  puts("\nOptions:");
  for (; options->name; options++) put_option(options);
  put_option(&(cli_option){'h', "help", NULL, "print this help"});
}

static void put_commands(const cli_command *const *commands)
{
  size_t longest = 0;
  for (const cli_command *const *at = commands; *at; at++)
    if (strlen((*at)->name) > longest) longest = strlen((*at)->name);
  puts("\nCommands:");
  for (const cli_command *const *at = commands; *at; at++) put_item((*at)->name, (*at)->summary, (int)longest + 4);
}

static void put_statuses(const exit_status *status)
{
  puts("\nExit status:");
  for (; status->meaning; status++) {
    char title[16];
    snprintf(title, sizeof title, "%d", status->code);
    put_item(title, status->meaning, STATUS_COLUMN);
  }
}

static void put_examples(const cli_example *example)
{
  puts("\nExamples:");
  for (; example->line; example++) {
    printf("  %s\n%*s", example->line, STATUS_COLUMN, "");
    put_wrapped(stdout, example->what, STATUS_COLUMN, WIDTH);
  }
}

int print_help(const cli_command *command)
{
  put_synopsis(command);
  put_paragraphs(command->description);
  if (command->commands) put_commands(command->commands);
  put_options(command->options);
  put_statuses(command->statuses);
  put_examples(command->examples);
  return finish_output(EXIT_VALID);
}
