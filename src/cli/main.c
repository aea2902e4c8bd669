/* SPDX-License-Identifier: Apache-2.0 */
/* spw -- checks sparse tensors in files. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

typedef struct command { const char *name; int (*run)(int, char **); } command;

static const command commands[] = {{"check", command_check},
                                   {"conform", command_conform},
                                   {"explain", command_explain},
                                   {"info", command_info},
                                   {"list", command_list}};

#define NAMES "check, conform, explain, info, list"
enum { COMMANDS = sizeof commands / sizeof *commands };

static int unknown_command(const char *word)
{
  if (word[0] == '-') return usage_error("", "unknown option %s", word);
  for (int i = 0; i < COMMANDS; i++)
    if (edit_distance(word, commands[i].name) <= 2)
      return usage_error("", "unknown command %s; did you mean %s?", word, commands[i].name);
  return usage_error("", "unknown command %s; the commands are " NAMES, word);
}

/* With it no call of jansson fails for want of memory, which nobody could see in its text. */
static void *allocate_for_json(size_t size)
{
  return allocate_again(NULL, size);
}

int main(int argc, char **argv)
{
  prepare_streams();
  json_set_alloc_funcs(allocate_for_json, free);
  if (argc < 2) return usage_error("", "a command is needed: one of " NAMES);
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) return print_help("");
  if (strcmp(argv[1], "--version") == 0) {
    puts("spw " SPW_VERSION);
    return finish_output(EXIT_VALID);
  }
  for (int i = 0; i < COMMANDS; i++)
    if (strcmp(argv[1], commands[i].name) == 0) return commands[i].run(argc - 1, argv + 1);
  return unknown_command(argv[1]);
}
