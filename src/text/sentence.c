/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>

spw_sentence spw_sentence_in(char *text, size_t length)
{
  if (length > 0) text[0] = 0;
  return (spw_sentence){text, length, 0};
}

void spw_say(spw_sentence *out, const char *format, ...)
{
  const size_t room = out->needed < out->length ? out->length - out->needed : 0;
  va_list args;
  va_start(args, format);
  const int written = vsnprintf(room ? out->text + out->needed : NULL, room, format, args);
  va_end(args);
  if (written > 0) out->needed += (size_t)written;
}
