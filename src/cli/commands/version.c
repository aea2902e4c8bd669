/* SPDX-License-Identifier: Apache-2.0 */
/* spw version */
#include "command.h"

static int run_version(int argc, char **argv)
{
  int code = EXIT_USAGE;
  const int first = take_options(&version_command, argc, argv, NULL, NULL, &code);
  if (first < 0) return code;
  if (first < argc) return usage_error("version", "no operand is needed: %s", argv[first]);
  puts("spw " SPW_VERSION);
  return finish_output(EXIT_VALID);
}

const cli_command version_command = {
    .name = "version",
    .summary = "print the version",
    .synopsis = "",
    .description = "Prints the version, as `spw --version` does.",
    .options = (const cli_option[]){{0, NULL, NULL, NULL}},
    .statuses = (const exit_status[]){{EXIT_VALID, "the version is printed"},
                                      STATUS_USAGE,
                                      {EXIT_INTERNAL, "the output cannot be written"},
                                      {0, NULL}},
    .examples = (const cli_example[]){{"spw version", "which spw is this?"}, {NULL, NULL}},
    .run = run_version};
