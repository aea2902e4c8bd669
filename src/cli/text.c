/* SPDX-License-Identifier: Apache-2.0 */
/* Text that may come from strangers: UTF-8, escapes, line breaks. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static const char *looked_at;

void now_looking_at(const char *file)
{
  looked_at = file;
}

/* Byte by byte: there is no memory for a copy of the name that is safe on a terminal. */
static void put_safe_bytes(FILE *out, const char *text)
{
  for (; *text; text++) fputc(*text < 0x20 || *text > 0x7e ? '?' : *text, out);
}

static void *or_exit(void *memory)
{
  if (memory) return memory;
  fputs("spw: ", stderr);
  if (looked_at) put_safe_bytes(stderr, looked_at);
  fputs(looked_at ? ": not enough memory for the file\n" : "out of memory\n", stderr);
  exit(looked_at ? EXIT_UNREADABLE : EXIT_INTERNAL);
}

void *allocate(size_t count, size_t size)
{
  return or_exit(calloc(count ? count : 1, size));
}

void *allocate_again(void *memory, size_t size)
{
  return or_exit(realloc(memory, size));
}

char *copy_text(const char *text)
{
  const size_t size = strlen(text) + 1;
  return memcpy(allocate(size, 1), text, size);
}

/* Overlong forms and surrogates are not UTF-8. */
size_t decode_utf8(const char *text, unsigned long *code)
{
  static const unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned char *bytes = (const unsigned char *)text;
  const unsigned lead = bytes[0];
  const size_t length = lead < 0x80 ? 1 : lead < 0xc0 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3
                        : lead < 0xf8 ? 4 : 0;
  *code = length < 2 ? lead : lead & (0x7fu >> length);
  for (size_t i = 1; i < length; i++) {
    if ((bytes[i] & 0xc0) != 0x80) return 0;
    *code = *code << 6 | (bytes[i] & 0x3f);
  }
  if (length > 1 && *code < least[length]) return 0;
  if (*code > 0x10ffff || (*code >= 0xd800 && *code <= 0xdfff)) return 0;
  return length;
}

char *clean_utf8(const char *text)
{
  char *clean = allocate(3 * strlen(text) + 1, 1), *to = clean;
  while (*text) {
    unsigned long code;
    const size_t length = decode_utf8(text, &code);
    memcpy(to, length ? text : "\xef\xbf\xbd", length ? length : 3);
    to += length ? length : 3;
    text += length ? length : 1;
  }
  return clean;
}

/* Control characters (C0, DEL, C1), separators of lines, what sets the direction of text or embeds
 * one in another, marks of byte order and the invisible tags. Joiners, which scripts need, are not. */
bool is_unsafe(unsigned long code)
{
  static const unsigned long ranges[][2] = {{0, 0x1f}, {0x7f, 0x9f}, {0x61c, 0x61c},
      {0x200b, 0x200b}, {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff},
      {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (code >= ranges[i][0] && code <= ranges[i][1]) return true;
  return false;
}

static int write_escape(char *to, unsigned long code, bool is_byte)
{
  if (!is_byte && code == '\n') return sprintf(to, "\\n");
  if (!is_byte && code == '\t') return sprintf(to, "\\t");
  if (is_byte || code < 0x80) return sprintf(to, "\\x%02lx", code);
  return sprintf(to, code < 0x10000 ? "\\u%04lx" : "\\U%08lx", code);
}

char *escape_text(const char *text)
{
  char *safe = allocate(6 * strlen(text) + 1, 1), *to = safe;
  while (*text) {
    unsigned long code;
    const size_t length = decode_utf8(text, &code);
    if (!length)
      to += write_escape(to, (unsigned char)*text, true);
    else if (is_unsafe(code))
      to += write_escape(to, code, false);
    else
      to = (char *)memcpy(to, text, length) + length;
    text += length ? length : 1;
  }
  return safe;
}

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

/* XML 1.0 has neither controls below 0x20 but for these three, nor U+FFFE and U+FFFF. */
static bool is_xml(unsigned long code)
{
  return (code >= 0x20 || code == '\n' || code == '\t' || code == '\r') && code != 0xfffe
         && code != 0xffff;
}

static void add_xml_character(cli_text *text, const char *bytes, size_t length, unsigned long code)
{
  switch (code) {
  case '&': add_text(text, "&amp;"); return;
  case '<': add_text(text, "&lt;"); return;
  case '>': add_text(text, "&gt;"); return;
  case '"': add_text(text, "&quot;"); return;
  default:
    if (!is_xml(code))
      add_text(text, "\xef\xbf\xbd");
    else if (is_unsafe(code))
      add_format(text, "&#x%lx;", code);
    else
      add_bytes(text, bytes, length);
  }
}

void add_xml(cli_text *text, const char *contents)
{
  char *clean = clean_utf8(contents);
  for (const char *at = clean; *at;) {
    unsigned long code;
    const size_t length = decode_utf8(at, &code);
    add_xml_character(text, at, length, code);
    at += length;
  }
  free(clean);
}

bool has_suffix(const char *text, const char *suffix)
{
  const size_t length = strlen(text), end = strlen(suffix);
  return length >= end && strcmp(text + length - end, suffix) == 0;
}

int edit_distance(const char *a, const char *b)
{
  enum { LONGEST = 31 };
  int row[LONGEST + 1];
  const size_t na = strlen(a), nb = strlen(b);
  if (na > LONGEST || nb > LONGEST) return LONGEST;
  for (size_t j = 0; j <= nb; j++) row[j] = (int)j;
  for (size_t i = 1; i <= na; i++) {
    int diagonal = row[0];
    row[0] = (int)i;
    for (size_t j = 1; j <= nb; j++) {
      const int replaced = diagonal + (a[i - 1] != b[j - 1]);
      const int shifted = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
      diagonal = row[j];
      row[j] = replaced < shifted ? replaced : shifted;
    }
  }
  return row[nb];
}
