/* SPDX-License-Identifier: Apache-2.0 */
/* spw help: the help of a command, or what commands there are. */
#include "command.h"

static int run_help(int argc, char **argv)
{
  int code = EXIT_USAGE;
  const int first = take_options(&help_command, argc, argv, NULL, NULL, &code);
  if (first < 0) return code;
  if (argc - first > 1) return usage_error("help", "one command at a time");
  const cli_command *command = first < argc ? find_command(argv[first]) : the_program();
  return command ? print_help(command) : EXIT_USAGE;
}

const cli_command help_command = {
    .name = "help",
    .summary = "print the help of a command, or this list",
    .synopsis = "[COMMAND]",
    .description = "Prints the help of a command, as `spw COMMAND --help` does; without one, what "
                   "commands there are.",
    .options = (const cli_option[]){{0, NULL, NULL, NULL}},
    .statuses = (const exit_status[]){{EXIT_VALID, "the help is printed"},
                                      {EXIT_USAGE, "there is no such command"},
                                      {EXIT_INTERNAL, "the output cannot be written"},
                                      {0, NULL}},
    .examples = (const cli_example[]){{"spw help check", "how files are checked"}, {NULL, NULL}},
    .run = run_help};
