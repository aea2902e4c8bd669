/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with a command line. */
#include "output.h"

#include <stdarg.h>
#include <stdlib.h>

int usage_error(const char *command, const char *format, ...)
{
  const char *space = command[0] ? " " : "";
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  const int length = vsnprintf(NULL, 0, format, args);
  const size_t room = length > 0 ? (size_t)length + 1 : 1;
  char *message = allocate(room, 1);
  vsnprintf(message, room, format, again);
  va_end(again);
  va_end(args);
  char *safe = escape_text(message);
  free(message);
  fprintf(stderr, "spw%s%s: %s\nTry 'spw%s%s --help'.\n", space, command, safe, space, command);
  free(safe);
  return EXIT_USAGE;
}
