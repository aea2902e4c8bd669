/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a JSON tensor file before it is parsed. Nothing of it need be JSON. */
#include "json_text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ---- Memory -------------------------------------------------------------------------------- */

/* At most what jansson allocates for one byte of text: each value, key or bracket comes with one of
 * these characters, and each string is held up to four times while it grows. */
static size_t parser_bytes(char c)
{
  switch (c) {
  case '{': return 320;
  case '[': return 160;
  case ':': return 160;
  case ',': return 56;
  case '"': return 32;
  default: return 4;
  }
}

size_t spw_json_parser_memory(const char *text, size_t size)
{
  if (size > SIZE_MAX / 512) return SIZE_MAX;
  size_t sum = 256;
  for (size_t i = 0; i < size; i++) sum += parser_bytes(text[i]);
  return sum;
}

/* ---- Long integers ------------------------------------------------------------------------- */

static const char MARK[] = ".0";

enum { MARK_SIZE = sizeof MARK - 1 };

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

/* Does a number begin with these digits that is beyond int64? A minus allows one more. */
static bool is_beyond_int64(const char *digits, size_t length, bool negative)
{
  const char *const most = negative ? "9223372036854775808" : "9223372036854775807";
  const size_t width = 19;
  return length > width || (length == width && memcmp(digits, most, width) > 0);
}

/* Behind the string that begins before `at`. */
static size_t skip_string(const char *text, size_t size, size_t at)
{
  for (; at < size && text[at] != '"'; at++)
    if (text[at] == '\\') at++;
  return at < size ? at + 1 : size;
}

/* Behind the next long integer from `at` on, which is outside of strings; 0 when there is none. */
static size_t next_long_integer(const char *text, size_t size, size_t at)
{
  while (at < size) {
    if (text[at] == '"') {
      at = skip_string(text, size, at + 1);
    } else if (!is_digit(text[at])) {
      at++;
    } else {
      const size_t start = at;
      while (at < size && is_digit(text[at])) at++;
      const bool whole = at == size || !strchr(".eE", text[at]) || !text[at];
      const bool negative = start > 0 && text[start - 1] == '-';
      if (whole && is_beyond_int64(text + start, at - start, negative)) return at;
      while (at < size && (is_digit(text[at]) || (text[at] && strchr(".eE+-", text[at])))) at++;
    }
  }
  return 0;
}

size_t spw_json_count_long_integers(const char *text, size_t size)
{
  size_t count = 0;
  for (size_t at = 0; (at = next_long_integer(text, size, at)) > 0;) count++;
  return count;
}

void spw_json_mark_long_integers(const char *text, size_t size, char *to)
{
  size_t copied = 0;
  for (size_t at = 0; (at = next_long_integer(text, size, at)) > 0; copied = at) {
    memcpy(to, text + copied, at - copied);
    memcpy(to + (at - copied), MARK, MARK_SIZE);
    to += at - copied + MARK_SIZE;
  }
  memcpy(to, text + copied, size - copied);
}

size_t spw_json_place_before_marks(const char *text, size_t size, size_t place)
{
  size_t marks = 0;
  for (size_t at = 0; (at = next_long_integer(text, size, at)) > 0; marks += MARK_SIZE)
    if (at + marks >= place) break;
  return place > marks ? place - marks : 0;
}
