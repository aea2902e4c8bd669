/* SPDX-License-Identifier: Apache-2.0 */
/* Text from strangers: what is not UTF-8, and what does not belong on a terminal. */
#include "text.h"

#include <string.h>

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
 * one in another, marks of byte order, invisible tags; not the joiners, which scripts need. */
bool is_unsafe(unsigned long code)
{
  if (code >= 0x20 && code < 0x7f) return false;
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

static bool begins_with(const char *text, const char *word)
{
  return strncmp(text, word, strlen(word)) == 0;
}

/* What a CI service takes for a command in the output of a job: ::WORD, where a line begins or may be broken, and ##[WORD,
 * ##vso[ and ##teamcity[ anywhere. */
static bool is_command(const char *text, const char *at)
{
  if (begins_with(at, "::")) return at == text || at[-1] == ' ';
  return begins_with(at, "##[") || begins_with(at, "##vso[") || begins_with(at, "##teamcity[");
}

char *escape_text(const char *text)
{
  const char *const begin = text;
  char *safe = allocate(6 * strlen(text) + 1, 1), *to = safe;
  while (*text) {
    unsigned long code;
    const size_t length = decode_utf8(text, &code);
    if (is_command(begin, text))
      to += write_escape(to, code, true);
    else if (!length)
      to += write_escape(to, (unsigned char)*text, true);
    else if (is_unsafe(code))
      to += write_escape(to, code, false);
    else
      to = (char *)memcpy(to, text, length) + length;
    text += length ? length : 1;
  }
  return safe;
}
