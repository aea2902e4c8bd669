/* SPDX-License-Identifier: Apache-2.0 */
/* How many JSON objects a text is, answered without memory, so that any text may be asked: brackets
 * are counted and strings skipped, but nothing else is judged. */
#include "input.h"

#include <string.h>

static bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static size_t skip_blanks(const char *text, size_t size, size_t at)
{
  while (at < size && is_blank(text[at])) at++;
  return at;
}

/* Behind the string that begins at `at`; `size` when it does not end. */
static size_t skip_string(const char *text, size_t size, size_t at)
{
  for (at++; at < size && text[at] != '"'; at++)
    if (text[at] == '\\') at++;
  return at < size ? at + 1 : size;
}

static bool is_layout_key(const char *text, size_t size)
{
  static const char key[] = "\"layout\"";
  return size == sizeof key - 1 && memcmp(text, key, size) == 0;
}

/* Behind the object that the text begins with; 0 when it is none or does not end. */
static size_t skip_object(const char *text, size_t size, bool *has_layout)
{
  int64_t depth = 0;
  *has_layout = false;
  for (size_t at = skip_blanks(text, size, 0), next; at < size; at = next) {
    const char c = text[at];
    if (depth == 0 && c != '{') return 0;
    next = c == '"' ? skip_string(text, size, at) : at + 1;
    *has_layout = *has_layout || (depth == 1 && is_layout_key(text + at, next - at));
    depth += (c == '{' || c == '[') - (c == '}' || c == ']');
    if (depth == 0) return next;
  }
  return 0;
}

bool is_tensor_text(const char *text, size_t size)
{
  bool has_layout;
  const size_t end = skip_object(text, size, &has_layout);
  return end > 0 && has_layout && skip_blanks(text, size, end) == size;
}

bool has_second_object(const char *text, size_t size)
{
  bool has_layout;
  const size_t end = skip_object(text, size, &has_layout);
  const size_t second = skip_blanks(text, size, end);
  return end > 0 && second < size && text[second] == '{';
}
