/* SPDX-License-Identifier: Apache-2.0 */
/* Parses JSON (RFC 8259) without recursion. */
#include "json_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 };

/* A list or an object that is not closed yet, and its last item. */
typedef struct level {
  spw_json *open, *last;
} level;

typedef struct parser {
  spw_owned *owned;
  const unsigned char *text;
  size_t size, at, depth;
  level levels[DEEPEST];
  const char *where;
  spw_error *error;
} parser;

static spw_status bad(const parser *p, const char *what)
{
  char where[sizeof p->error->where];
  snprintf(where, sizeof where, "%.60s%sbyte %zu", p->where, p->where[0] ? " " : "", p->at);
  return spw_fail(SPW_EFORMAT, p->error, where, "no JSON: %s", what);
}

static spw_status no_memory(const parser *p)
{
  return spw_fail(SPW_ENOMEM, p->error, p->where, "parsing it takes more than the memory limit");
}

static int peek(parser *p)
{
  while (p->at < p->size && p->text[p->at] && strchr(" \t\r\n", p->text[p->at])) p->at++;
  return p->at < p->size ? p->text[p->at] : 0;
}

static bool accept(parser *p, char wanted)
{
  if (peek(p) != wanted) return false;
  p->at++;
  return true;
}

static bool accept_word(parser *p, const char *word)
{
  const size_t length = strlen(word);
  if (p->size - p->at < length || memcmp(p->text + p->at, word, length) != 0) return false;
  p->at += length;
  return true;
}

/* ---- Texts ----------------------------------------------------------------------------------- */

/* Four hexadecimal digits; -1: there are none. */
static int32_t take_code(parser *p)
{
  int32_t code = 0;
  for (int i = 0; i < 4; i++, p->at++) {
    static const char digits[] = "0123456789abcdefABCDEF";
    const char *const digit = p->at < p->size && p->text[p->at] ? strchr(digits, p->text[p->at]) : NULL;
    if (!digit) return -1;
    const int32_t value = (int32_t)(digit - digits);
    code = 16 * code + (value < 16 ? value : value - 6);
  }
  return code;
}

static size_t put_utf8(int32_t code, char *to)
{
  const unsigned u = (unsigned)code;
  if (u < 0x80) return to[0] = (char)u, 1;
  if (u < 0x800) return to[0] = (char)(0xc0 | u >> 6), to[1] = (char)(0x80 | (u & 0x3f)), 2;
  if (u < 0x10000)
    return to[0] = (char)(0xe0 | u >> 12), to[1] = (char)(0x80 | (u >> 6 & 0x3f)), to[2] = (char)(0x80 | (u & 0x3f)), 3;
  to[0] = (char)(0xf0 | u >> 18);
  to[1] = (char)(0x80 | (u >> 12 & 0x3f));
  to[2] = (char)(0x80 | (u >> 6 & 0x3f));
  to[3] = (char)(0x80 | (u & 0x3f));
  return 4;
}

/* Behind \u; a pair of surrogates is one character. */
static bool take_character(parser *p, int32_t *code)
{
  *code = take_code(p);
  if (*code >= 0xd800 && *code < 0xdc00) {
    const int32_t low = accept_word(p, "\\u") ? take_code(p) : -1;
    if (low < 0xdc00 || low > 0xdfff) return false;
    *code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
    return true;
  }
  return *code > 0 && (*code < 0xdc00 || *code > 0xdfff);
}

static bool take_escape(parser *p, char *to, size_t *length)
{
  static const char escaped[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  const char *const found = p->at < p->size && p->text[p->at] ? strchr(escaped, p->text[p->at]) : NULL;
  if (found) {
    p->at++;
    to[(*length)++] = meant[found - escaped];
    return true;
  }
  int32_t code;
  if (!accept_word(p, "u") || !take_character(p, &code)) return false;
  *length += put_utf8(code, to + *length);
  return true;
}

/* Bytes of the UTF-8 character at the place; 0: it is none. */
static size_t character(const parser *p)
{
  const unsigned char *const c = p->text + p->at;
  const size_t left = p->size - p->at, length = c[0] < 0x80 ? 1 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
  if (c[0] < ' ' || (c[0] >= 0x80 && c[0] < 0xc2) || c[0] > 0xf4 || left < length) return 0;
  for (size_t i = 1; i < length; i++)
    if ((c[i] & 0xc0) != 0x80) return 0;
  const bool overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
  const bool beyond = (c[0] == 0xed && c[1] >= 0xa0) || (c[0] == 0xf4 && c[1] >= 0x90);
  return overlong || beyond ? 0 : length;
}

/* No escape is shorter than what it stands for. */
static spw_status take_text(parser *p, const char **text)
{
  const unsigned char *quote = p->text + ++p->at;
  const unsigned char *const end = p->text + p->size;
  while (quote < end && *quote != '"') quote += *quote == '\\' && quote + 1 < end ? 2 : 1;
  if (quote >= end) return bad(p, "a text that does not end");
  const size_t most = (size_t)(quote - (p->text + p->at));
  char *const to = spw_owned_alloc(p->owned, most + 1, 1);
  if (!to) return no_memory(p);
  for (size_t length = 0; p->text + p->at < quote;) {
    if (p->text[p->at] == '\\') {
      p->at++;
      if (!take_escape(p, to, &length)) return bad(p, "an escape that is none, or of a zero byte");
      continue;
    }
    const size_t bytes = character(p);
    if (bytes == 0) return bad(p, "a byte in a text that is not UTF-8, or a control character");
    memcpy(to + length, p->text + p->at, bytes);
    length += bytes;
    p->at += bytes;
  }
  p->at++;
  *text = to;
  return SPW_OK;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static size_t take_digits(parser *p)
{
  const size_t before = p->at;
  while (p->at < p->size && p->text[p->at] >= '0' && p->text[p->at] <= '9') p->at++;
  return p->at - before;
}

static bool take_real(parser *p)
{
  bool real = false;
  if (accept_word(p, ".")) {
    real = true;
    if (take_digits(p) == 0) return false;
  }
  if (p->at < p->size && (p->text[p->at] == 'e' || p->text[p->at] == 'E')) {
    p->at++;
    if (p->at < p->size && (p->text[p->at] == '+' || p->text[p->at] == '-')) p->at++;
    return take_digits(p) > 0;
  }
  return real;
}

static spw_status take_number(parser *p, spw_json *value)
{
  const bool negative = accept_word(p, "-");
  const size_t begin = p->at, digits = take_digits(p);
  if (digits == 0) return bad(p, "a value is expected");
  if (digits > 1 && p->text[begin] == '0') return bad(p, "a number that begins with 0");
  bool large = false;
  for (size_t i = begin; i < p->at; i++)
    large = large || __builtin_mul_overflow(value->integer, 10, &value->integer) ||
            __builtin_add_overflow(value->integer, negative ? '0' - p->text[i] : p->text[i] - '0', &value->integer);
  const bool more = p->at < p->size && p->text[p->at] && strchr(".eE", p->text[p->at]);
  if (more && !take_real(p)) return bad(p, "a number without digits");
  value->kind = more || large ? SPW_JSON_NUMBER : SPW_JSON_INTEGER;
  return SPW_OK;
}

/* ---- Values ---------------------------------------------------------------------------------- */

static int compare_names(const void *first, const void *second)
{
  const spw_json *const *const a = first, *const *const b = second;
  return strcmp((*a)->name, (*b)->name);
}

/* Sorts the items of an object. */
static spw_status close_object(const parser *p, spw_json *object)
{
  object->by_name = spw_owned_alloc(p->owned, object->count, sizeof *object->by_name);
  if (!object->by_name) return no_memory(p);
  size_t i = 0;
  for (spw_json *item = object->first; item; item = item->next) object->by_name[i++] = item;
  if (object->count > 0) qsort(object->by_name, object->count, sizeof *object->by_name, compare_names);
  for (i = 1; i < object->count; i++)
    if (compare_names(&object->by_name[i - 1], &object->by_name[i]) == 0) return bad(p, "a name stands twice in an object");
  return SPW_OK;
}

static spw_status open(parser *p, spw_json *value)
{
  value->kind = p->text[p->at++] == '{' ? SPW_JSON_OBJECT : SPW_JSON_LIST;
  if (p->depth == DEEPEST) return bad(p, "more than 64 levels");
  p->levels[p->depth++] = (level){value, NULL};
  return SPW_OK;
}

static spw_status take_value(parser *p, spw_json *value)
{
  switch (peek(p)) {
  case '{':
  case '[': return open(p, value);
  case '"': value->kind = SPW_JSON_TEXT; return take_text(p, &value->text);
  case 't': value->kind = SPW_JSON_TRUE; return accept_word(p, "true") ? SPW_OK : bad(p, "a word that is none");
  case 'f': value->kind = SPW_JSON_FALSE; return accept_word(p, "false") ? SPW_OK : bad(p, "a word that is none");
  case 'n': value->kind = SPW_JSON_NULL; return accept_word(p, "null") ? SPW_OK : bad(p, "a word that is none");
  default: return take_number(p, value);
  }
}

/* The next item of what is open last, with its name. */
static spw_status take_item(parser *p)
{
  level *const l = &p->levels[p->depth - 1];
  spw_json *const item = spw_owned_alloc(p->owned, 1, sizeof *item);
  if (!item) return no_memory(p);
  if (l->open->kind == SPW_JSON_OBJECT) {
    if (peek(p) != '"') return bad(p, "a name is expected");
    const spw_status status = take_text(p, &item->name);
    if (status) return status;
    if (!accept(p, ':')) return bad(p, "a colon is expected");
  }
  *(l->last ? &l->last->next : &l->open->first) = item;
  l->last = item;
  l->open->count++;
  return take_value(p, item);
}

static spw_status step(parser *p)
{
  level *const l = &p->levels[p->depth - 1];
  const bool object = l->open->kind == SPW_JSON_OBJECT;
  if (accept(p, object ? '}' : ']')) {
    p->depth--;
    return object ? close_object(p, l->open) : SPW_OK;
  }
  if (l->last && !accept(p, ',')) return bad(p, "a comma or a closing bracket is expected");
  return take_item(p);
}

spw_status spw_json_parse(spw_owned *owned, const char *text, size_t size, const char *where, const spw_json **tree,
                          spw_error *error)
{
  parser p = {.owned = owned, .text = (const unsigned char *)text, .size = size, .where = where, .error = error};
  spw_json *const value = spw_owned_alloc(owned, 1, sizeof *value);
  if (!value) return no_memory(&p);
  spw_status status = take_value(&p, value);
  while (!status && p.depth > 0) status = step(&p);
  if (!status && (peek(&p) || p.at < p.size)) status = bad(&p, "something follows the value");
  *tree = value;
  return status;
}

/* ---- Asking ---------------------------------------------------------------------------------- */

bool spw_json_is(const spw_json *value, spw_json_kind kind)
{
  return value && value->kind == kind;
}

const spw_json *spw_json_member(const spw_json *object, const char *name)
{
  spw_json wanted = {.name = name};
  const spw_json *const key = &wanted;
  if (!spw_json_is(object, SPW_JSON_OBJECT) || object->count == 0) return NULL;
  spw_json *const *const found = bsearch(&key, object->by_name, object->count, sizeof *object->by_name, compare_names);
  return found ? *found : NULL;
}

const spw_json *spw_json_item(const spw_json *list, size_t i)
{
  const spw_json *item = spw_json_is(list, SPW_JSON_LIST) ? list->first : NULL;
  while (item && i-- > 0) item = item->next;
  return item;
}

const char *spw_json_text(const spw_json *value)
{
  return spw_json_is(value, SPW_JSON_TEXT) ? value->text : NULL;
}
