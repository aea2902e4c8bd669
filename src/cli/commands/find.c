/* SPDX-License-Identifier: Apache-2.0 */
/* The commands that the program has, by their names. */
#include "command.h"

#include <stdlib.h>
#include <string.h>

static const cli_command *program;

int run_program(const cli_command *command, int argc, char **argv)
{
  program = command;
  return command->run(argc, argv);
}

const cli_command *the_program(void)
{
  return program;
}

char *command_names(void)
{
  cli_text text = new_text();
  for (const cli_command *const *at = program->commands; *at; at++)
    add_format(&text, "%s%s", at == program->commands ? "" : ", ", (*at)->name);
  return text.bytes;
}

/* A beginning of the name, or a slip of the finger. */
static bool may_be_meant(const char *word, const char *name)
{
  return (word[0] && strncmp(word, name, strlen(word)) == 0) || edit_distance(word, name) <= 2;
}

const cli_command *find_command(const char *name)
{
  for (const cli_command *const *at = program->commands; *at; at++)
    if (strcmp(name, (*at)->name) == 0) return *at;
  for (const cli_command *const *at = program->commands; *at; at++) {
    if (!may_be_meant(name, (*at)->name)) continue;
    usage_error("", "unknown command %s; did you mean %s?", name, (*at)->name);
    return NULL;
  }
  char *names = command_names();
  usage_error("", "unknown command %s; the commands are %s", name, names);
  free(names);
  return NULL;
}
