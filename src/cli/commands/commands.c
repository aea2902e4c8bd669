/* SPDX-License-Identifier: Apache-2.0 */
/* Every command. What is listed here is found, and stands in the help. */
#include "command.h"

#include <stdlib.h>
#include <string.h>

const cli_command *const commands[] = {
    &check_command,   &conform_command, &convert_command, &diff_command,     &elementwise_command, &explain_command,
    &help_command,    &info_command,    &list_command,    &multiply_command, &reduce_command,      &restructure_command,
    NULL};

static char *all_names(void)
{
  cli_text text = new_text();
  for (const cli_command *const *at = commands; *at; at++)
    add_format(&text, "%s%s", at == commands ? "" : ", ", (*at)->name);
  return text.bytes;
}

/* A beginning of the name, or a slip of the finger. */
static bool may_be_meant(const char *word, const char *name)
{
  return (word[0] && strncmp(word, name, strlen(word)) == 0) || edit_distance(word, name) <= 2;
}

const cli_command *find_command(const char *name)
{
  for (const cli_command *const *at = commands; *at; at++)
    if (strcmp(name, (*at)->name) == 0) return *at;
  for (const cli_command *const *at = commands; *at; at++) {
    if (!may_be_meant(name, (*at)->name)) continue;
    usage_error("", "unknown command %s; did you mean %s?", name, (*at)->name);
    return NULL;
  }
  char *names = all_names();
  usage_error("", "unknown command %s; the commands are %s", name, names);
  free(names);
  return NULL;
}

static int run_spw(int argc, char **argv)
{
  if (argc < 2) {
    char *names = all_names();
    usage_error("", "a command is needed: one of %s", names);
    free(names);
    return EXIT_USAGE;
  }
  const char *word = argv[1];
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return print_help(&spw_command);
  if (strcmp(word, "--version") == 0) {
    puts("spw " SPW_VERSION);
    return finish_output(EXIT_VALID);
  }
  if (word[0] == '-') return usage_error("", "unknown option %s", word);
  const cli_command *command = find_command(word);
  return command ? command->run(argc - 1, argv + 1) : EXIT_USAGE;
}

const cli_command spw_command = {
    .name = "",
    .summary = "checks, converts and compares sparse tensors in files",
    .synopsis = "COMMAND [OPTION...] [ARGUMENT...]",
    .description =
        "Checks sparse tensors (COO, CSR, CSC, BSR, BSC) in files against numbered rules, converts "
        "and compares them.",
    .options =
        (const cli_option[]){{0, "version", NULL, "print the version"}, {0, NULL, NULL, NULL}},
    .statuses = (const exit_status[]){{EXIT_VALID, "all is as it should be"},
                                      {EXIT_INVALID, "something is not: see the command"},
                                      STATUS_USAGE,
                                      STATUS_UNREADABLE,
                                      STATUS_INTERNAL,
                                      {0, NULL}},
    .examples = (const cli_example[]){{"spw check matrix.npz tensors.spw.jsonl",
                                       "are these tensors valid, and if not, why?"},
                                      {"spw help check", "the options of a command"},
                                      {NULL, NULL}},
    .run = run_spw};
