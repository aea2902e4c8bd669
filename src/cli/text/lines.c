/* SPDX-License-Identifier: Apache-2.0 */
/* Columns and line breaks. */
#include "text.h"

#include <string.h>

static int columns_of(const char *text, size_t bytes)
{
  int columns = 0;
  for (size_t i = 0; i < bytes; i++) columns += ((unsigned char)text[i] & 0xc0) != 0x80;
  return columns;
}

int text_columns(const char *text)
{
  return columns_of(text, strlen(text));
}

void put_wrapped(FILE *out, const char *text, int indent, int width)
{
  int column = indent;
  for (;;) {
    text += strspn(text, " \n");
    const size_t bytes = strcspn(text, " \n");
    if (!bytes) break;
    const int columns = columns_of(text, bytes);
    if (column > indent && column + 1 + columns > width) {
      fprintf(out, "\n%*s", indent, "");
      column = indent;
    } else if (column > indent) {
      column += fprintf(out, " ");
    }
    fwrite(text, 1, bytes, out);
    column += columns;
    text += bytes;
  }
  fputc('\n', out);
}
