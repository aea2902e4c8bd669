/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of the command line and of the output. */
#include "cli.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int usage_error(const char *command, const char *format, ...)
{
  const char *space = command[0] ? " " : "";
  char message[512];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  char *safe = escape_text(message);
  fprintf(stderr, "spw%s%s: %s\nTry 'spw%s%s --help'.\n", space, command, safe, space, command);
  free(safe);
  return EXIT_USAGE;
}

int option_error(const char *command, char **argv, int code)
{
  const char *word = argv[optind - 1];
  if (code == ':') return usage_error(command, "option %s needs an argument", word);
  if (optopt && strncmp(word, "--", 2) != 0)
    return usage_error(command, "unknown option -%c", optopt);
  if (optopt) return usage_error(command, "option %s takes no argument", word);
  return usage_error(command, "unknown or ambiguous option %s", word);
}

int finish_output(int code)
{
  errno = 0;
  const bool failed = fflush(stdout) != 0;
  if (!failed && !ferror(stdout)) return code;
  fprintf(stderr, "spw: cannot write to standard output%s%s\n", errno ? ": " : "",
          errno ? strerror(errno) : "");
  return EXIT_INTERNAL;
}
