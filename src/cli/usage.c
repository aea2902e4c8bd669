/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of the command line. */
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

bool parse_count(const char *command, const char *option, const char *text, int64_t *count)
{
  char *end = NULL;
  errno = 0;
  const long long number = text[0] >= '0' && text[0] <= '9' ? strtoll(text, &end, 10) : 0;
  if (number > 0 && errno == 0 && !*end) {
    *count = number;
    return true;
  }
  usage_error(command, "--%s is a number from 1 to %lld, not %s", option, (long long)INT64_MAX, text);
  return false;
}
