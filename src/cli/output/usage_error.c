/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with a command line. */
#include "output.h"

#include <stdarg.h>
#include <stdlib.h>

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
