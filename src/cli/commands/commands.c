/* SPDX-License-Identifier: Apache-2.0 */
/* spw itself, with every command. What is listed here is found, and stands in the help. */
#include "../terminal/terminal.h"
#include "command.h"

#include <stdlib.h>

static const cli_command *const commands[] = {
    &cast_command, &check_command, &completion_command,  &conform_command, &convert_command, &diff_command,
    &eigen_command, &elementwise_command, &explain_command, &gradient_command, &help_command,    &info_command,    &list_command,
    &make_command,    &multiply_command, &reduce_command,     &restructure_command,
    &softmax_command, &solve_command, &unary_command, &version_command, NULL};

enum { VERSION, COLOUR }; /* the rows of the options */

static bool take(void *context, int option, const char *argument)
{
  colour_mode colour = COLOUR_AUTO;
  if (option == VERSION) return *(bool *)context = true;
  if (!parse_colour(argument, &colour)) return usage_error("", "--color is always, never or auto, not %s", argument), false;
  set_default_colour(colour);
  return true;
}

static int run_spw(int argc, char **argv)
{
  bool version = false;
  int code = EXIT_USAGE;
  const int first = take_options(&spw_command, argc, argv, take, &version, &code);
  if (first < 0) return code;
  if (version) return version_command.run(1, (char *[]){"version", NULL});
  if (first == argc) {
    char *names = command_names();
    usage_error("", "a command is needed: one of %s", names);
    free(names);
    return EXIT_USAGE;
  }
  const cli_command *command = find_command(argv[first]);
  return command ? command->run(argc - first, argv + first) : EXIT_USAGE;
}

const cli_command spw_command = {
    .name = "",
    .summary = "checks, converts and compares sparse tensors in files",
    .synopsis = "[--color=WHEN] COMMAND [OPTION...] [ARGUMENT...]",
    .description =
        "Checks sparse tensors (COO, CSR, CSC, BSR, BSC) in files against numbered rules, converts "
        "and compares them.",
    .commands = commands,
    .options =
        (const cli_option[]){
            [VERSION] = {'V', "version", NULL, "print the version"}, [COLOUR] = COLOUR_OPTION, {0, NULL, NULL, NULL}},
    .statuses = (const exit_status[]){{EXIT_VALID, "success"},
                                      {EXIT_INVALID, "the answer is no: a tensor is invalid, two differ, a result is wrong"},
                                      STATUS_USAGE,
                                      STATUS_UNREADABLE,
                                      STATUS_INTERNAL,
                                      {0, NULL}},
    .examples = (const cli_example[]){{"spw check matrix.npz tensors.spw.jsonl",
                                       "are these tensors valid, and if not, why?"},
                                      {"spw help check", "the options of a command"},
                                      {NULL, NULL}},
    .run = run_spw};
