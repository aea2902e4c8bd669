/* SPDX-License-Identifier: Apache-2.0 */
/* Text as contents of XML. */
#include "text.h"

#include <stdlib.h>

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
