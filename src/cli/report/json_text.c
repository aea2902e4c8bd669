/* SPDX-License-Identifier: Apache-2.0 */
/* JSON values as text that is safe on a terminal: what is dangerous there is escaped, which changes
 * nothing for a parser, since it can only stand in strings. */
#include "report.h"

#include "../output/output.h"

#include <stdlib.h>

json_t *json_text(const char *text)
{
  char *clean = clean_utf8(text);
  json_t *value = json_string(clean);
  free(clean);
  return value;
}

json_t *json_numbers(int64_t count, const int64_t *numbers)
{
  json_t *list = json_array();
  for (int64_t i = 0; i < count; i++) json_array_append_new(list, json_integer(numbers[i]));
  return list;
}

static int add_chunk(const char *bytes, size_t size, void *text)
{
  add_bytes(text, bytes, size);
  return 0;
}

static void add_code_unit(cli_text *text, unsigned long unit)
{
  add_format(text, "\\u%04lx", unit);
}

/* Beyond 16 bits a code point is two units. */
static void add_escape(cli_text *text, unsigned long code)
{
  if (code < 0x10000) {
    add_code_unit(text, code);
    return;
  }
  add_code_unit(text, 0xd800 + ((code - 0x10000) >> 10));
  add_code_unit(text, 0xdc00 + ((code - 0x10000) & 0x3ff));
}

void add_json(cli_text *text, const json_t *value, size_t flags)
{
  cli_text raw = new_text();
  json_dump_callback(value, add_chunk, &raw, flags);
  for (const char *at = raw.bytes; *at;) {
    unsigned long code;
    const size_t length = decode_utf8(at, &code);
    if (code != '\n' && is_unsafe(code))
      add_escape(text, code);
    else
      add_bytes(text, at, length);
    at += length;
  }
  free(raw.bytes);
}

void put_json_line(json_t *value)
{
  cli_text text = new_text();
  add_json(&text, value, 0);
  add_text(&text, "\n");
  print_bytes(text.bytes, text.size);
  free(text.bytes);
  json_decref(value);
}
