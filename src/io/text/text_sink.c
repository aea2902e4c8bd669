/* SPDX-License-Identifier: Apache-2.0 */
/* Text that grows in memory. */
#include "text_sink.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST_CAPACITY = 4096 };

static bool make_room(spw_text_sink *sink, size_t room)
{
  if (sink->capacity - sink->size >= room) return true;
  if (sink->capacity > SIZE_MAX / 2) return false;
  const size_t capacity = sink->capacity ? 2 * sink->capacity : FIRST_CAPACITY;
  char *bytes = realloc(sink->bytes, capacity);
  if (!bytes) return false;
  sink->bytes = bytes;
  sink->capacity = capacity;
  return true;
}

void spw_print(spw_text_sink *sink, const char *format, ...)
{
  if (sink->lost || !make_room(sink, SPW_PRINT_MAX + 1)) {
    sink->lost = true;
    return;
  }
  va_list args;
  va_start(args, format);
  const int length = vsnprintf(sink->bytes + sink->size, SPW_PRINT_MAX + 1, format, args);
  va_end(args);
  if (length < 0 || length > SPW_PRINT_MAX)
    sink->lost = true;
  else
    sink->size += (size_t)length;
}
