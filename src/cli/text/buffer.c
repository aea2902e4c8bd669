/* SPDX-License-Identifier: Apache-2.0 */
/* Text that grows in memory. (The stream of open_memstream loses text unnoticed without memory.) */
#include "text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

cli_text new_text(void)
{
  enum { CAPACITY = 256 };
  return (cli_text){allocate(CAPACITY, 1), 0, CAPACITY};
}

/* Room for `size` more bytes and the zero at the end. */
static void make_room(cli_text *text, size_t size)
{
  if (size < text->capacity - text->size) return;
  text->capacity = 2 * text->capacity + size;
  text->bytes = allocate_again(text->bytes, text->capacity);
}

void add_bytes(cli_text *text, const char *bytes, size_t size)
{
  make_room(text, size);
  memcpy(text->bytes + text->size, bytes, size);
  text->size += size;
  text->bytes[text->size] = 0;
}

void add_text(cli_text *text, const char *more)
{
  add_bytes(text, more, strlen(more));
}

void add_format(cli_text *text, const char *format, ...)
{
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  const int length = vsnprintf(NULL, 0, format, args);
  if (length > 0) {
    make_room(text, (size_t)length);
    vsnprintf(text->bytes + text->size, (size_t)length + 1, format, again);
    text->size += (size_t)length;
  }
  va_end(again);
  va_end(args);
}
