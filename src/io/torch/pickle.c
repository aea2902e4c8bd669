/* SPDX-License-Identifier: Apache-2.0 */
/* The opcodes of pickles that torch.save writes, protocols 2 to 5. Every other one is refused. */
#include "pickle.h"

#include <stdio.h>
#include <string.h>

enum {
  LONGEST_NAME = 255, /* of a module, or in it */
  FIRST_PROTOCOL = 2,
  LAST_PROTOCOL = 5
};

typedef enum opcode {
  MARK = '(',
  STOP = '.',
  BINFLOAT = 'G',
  BININT = 'J',
  BININT1 = 'K',
  BININT2 = 'M',
  NONE = 'N',
  BINPERSID = 'Q',
  REDUCE = 'R',
  BINUNICODE = 'X',
  APPEND = 'a',
  BUILD = 'b',
  GLOBAL = 'c',
  APPENDS = 'e',
  BINGET = 'h',
  LONG_BINGET = 'j',
  BINPUT = 'q',
  LONG_BINPUT = 'r',
  SETITEM = 's',
  TUPLE = 't',
  SETITEMS = 'u',
  EMPTY_DICT = '}',
  EMPTY_LIST = ']',
  EMPTY_TUPLE = ')',
  PROTO = 0x80,
  TUPLE1 = 0x85,
  TUPLE2,
  TUPLE3,
  NEWTRUE,
  NEWFALSE,
  LONG1,
  SHORT_BINUNICODE = 0x8c,
  STACK_GLOBAL = 0x93,
  MEMOIZE = 0x94,
  FRAME = 0x95
} opcode;

/* Values one behind the other; its memory at most doubles what the last doubling left behind. */
typedef spw_pickle_node stack;

typedef struct machine {
  const spw_pickle_host *host;
  const unsigned char *bytes;
  size_t size, at, start;    /* start: of the opcode that is being read */
  stack values, memo, marks; /* marks: how many values there were */
} machine;

static spw_status fail(const machine *m, spw_status status, const char *message)
{
  return spw_fail(status, m->host->error, "", "%s", message);
}

static spw_status malformed(const machine *m, const char *message)
{
  return fail(m, SPW_EFORMAT, message);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static spw_status reserve(const machine *m, stack *s, size_t more)
{
  if (more <= s->capacity - s->count) return SPW_OK;
  const size_t needed = s->count + more, doubled = 2 * s->capacity, capacity = needed > doubled ? needed : doubled;
  spw_pickle_value *items = spw_owned_alloc(m->host->owned, capacity, sizeof *items);
  if (!items) return fail(m, SPW_ENOMEM, "the pickle needs more than the memory limit");
  if (s->count > 0) memcpy(items, s->items, s->count * sizeof *items);
  s->items = items;
  s->capacity = capacity;
  return SPW_OK;
}

static spw_status push(const machine *m, stack *s, spw_pickle_value value)
{
  const spw_status status = reserve(m, s, 1);
  if (status == SPW_OK) s->items[s->count++] = value;
  return status;
}

static spw_status push_number(machine *m, spw_pickle_kind kind, int64_t number)
{
  return push(m, &m->values, (spw_pickle_value){.kind = kind, .number = number});
}

spw_pickle_node *spw_pickle_new_node(spw_owned *owned)
{
  return spw_owned_alloc(owned, 1, sizeof(spw_pickle_node));
}

/* ---- The stack ------------------------------------------------------------------------------- */

/* How many values lie below the last mark. */
static size_t below_mark(const machine *m)
{
  return m->marks.count > 0 ? (size_t)m->marks.items[m->marks.count - 1].number : 0;
}

static spw_status need(const machine *m, size_t count)
{
  return m->values.count - below_mark(m) >= count ? SPW_OK : malformed(m, "the stack has fewer values than the opcode takes");
}

static spw_pickle_value *top(const machine *m)
{
  return &m->values.items[m->values.count - 1];
}

/* Where the values above the last mark begin; the mark is taken away. */
static spw_status open_mark(machine *m, size_t *from)
{
  if (m->marks.count == 0) return malformed(m, "there is no mark on the stack");
  *from = (size_t)m->marks.items[--m->marks.count].number;
  return SPW_OK;
}

/* ---- Reading bytes --------------------------------------------------------------------------- */

static spw_status take(machine *m, size_t count, const unsigned char **bytes)
{
  if (count > m->size - m->at) return malformed(m, "the pickle ends early");
  *bytes = m->bytes + m->at;
  m->at += count;
  return SPW_OK;
}

/* A little-endian number of at most 8 bytes. */
static spw_status take_number(machine *m, size_t width, uint64_t *number)
{
  const unsigned char *bytes = NULL;
  const spw_status status = take(m, width, &bytes);
  *number = 0;
  for (size_t i = 0; status == SPW_OK && i < width; i++) *number |= (uint64_t)bytes[i] << 8 * i;
  return status;
}

static spw_status push_unsigned(machine *m, size_t width)
{
  uint64_t number;
  const spw_status status = take_number(m, width, &number);
  return status == SPW_OK ? push_number(m, SPW_PICKLE_INTEGER, (int64_t)number) : status;
}

static spw_status push_int32(machine *m)
{
  uint64_t number;
  const spw_status status = take_number(m, 4, &number);
  return status == SPW_OK ? push_number(m, SPW_PICKLE_INTEGER, (int32_t)(uint32_t)number) : status;
}

/* Two's complement of any width; without a byte it is 0. */
static spw_status push_long(machine *m)
{
  uint64_t width = 0, number = 0;
  const unsigned char *bytes = NULL;
  spw_status status = take_number(m, 1, &width);
  if (status == SPW_OK) status = take(m, (size_t)width, &bytes);
  if (status != SPW_OK) return status;
  const bool negative = width > 0 && bytes[width - 1] & 0x80;
  const unsigned char sign = negative ? 0xff : 0;
  for (size_t i = 0; i < 8; i++) number |= (uint64_t)(i < width ? bytes[i] : sign) << 8 * i;
  bool fits = width <= 8 || number >> 63 == negative;
  for (size_t i = 8; i < width; i++) fits = fits && bytes[i] == sign;
  return push_number(m, fits ? SPW_PICKLE_INTEGER : SPW_PICKLE_LARGE, fits ? (int64_t)number : 0);
}

static spw_status push_real(machine *m)
{
  const unsigned char *bytes = NULL;
  const spw_status status = take(m, 8, &bytes);
  if (status != SPW_OK) return status;
  uint64_t bits = 0;
  for (int i = 0; i < 8; i++) bits = bits << 8 | bytes[i];
  spw_pickle_value value = {.kind = SPW_PICKLE_REAL};
  memcpy(&value.real, &bits, sizeof value.real);
  return push(m, &m->values, value);
}

/* How many bytes a character of UTF-8 has, of the `left` ones that it may have; 0 for none. Halves of pairs count as
 * characters, as they do for Python's unpickler. */
static size_t character(const unsigned char *at, size_t left)
{
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const size_t length = at[0] < 0x80 ? 1 : at[0] >> 5 == 6 ? 2 : at[0] >> 4 == 14 ? 3 : at[0] >> 3 == 30 ? 4 : 0;
  if (length < 2 || length > left) return length < 2 ? length : 0;
  uint32_t code = at[0] & (0x7fu >> length);
  for (size_t i = 1; i < length; i++) {
    if (at[i] >> 6 != 2) return 0;
    code = code << 6 | (at[i] & 0x3fu);
  }
  return code >= least[length] && code <= 0x10ffff ? length : 0;
}

static bool is_utf8(const unsigned char *bytes, size_t length)
{
  for (size_t at = 0, step; at < length; at += step) {
    step = character(bytes + at, length - at);
    if (step == 0) return false;
  }
  return true;
}

/* `width` bytes that say how long it is, then so many. */
static spw_status push_text(machine *m, size_t width)
{
  uint64_t length = 0;
  const unsigned char *bytes = NULL;
  spw_status status = take_number(m, width, &length);
  if (status == SPW_OK) status = take(m, (size_t)length, &bytes);
  if (status != SPW_OK) return status;
  if (!is_utf8(bytes, (size_t)length)) return malformed(m, "a text is not UTF-8");
  return push(m, &m->values,
              (spw_pickle_value){.kind = SPW_PICKLE_TEXT, .length = (uint32_t)length, .text = (const char *)bytes});
}

/* ---- Names ----------------------------------------------------------------------------------- */

static bool is_printable(const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (text[i] <= ' ' || text[i] > '~') return false;
  return true;
}

static spw_status push_name(machine *m, const char *module, size_t module_length, const char *name, size_t name_length)
{
  char joined[2 * LONGEST_NAME + 2];
  spw_pickle_value value = {.kind = SPW_PICKLE_NAME};
  if (module_length > LONGEST_NAME || name_length > LONGEST_NAME) return malformed(m, "a name is longer than 255 bytes");
  if (!is_printable(module, module_length) || !is_printable(name, name_length))
    return malformed(m, "a name is not of printable ASCII characters");
  snprintf(joined, sizeof joined, "%.*s.%.*s", (int)module_length, module, (int)name_length, name);
  const spw_status status = m->host->name(m->host->context, joined, &value);
  return status == SPW_OK ? push(m, &m->values, value) : status;
}

/* Up to the end of a line, which is no part of it. */
static spw_status take_line(machine *m, const char **text, size_t *length)
{
  const size_t left = m->size - m->at, most = left < LONGEST_NAME + 1 ? left : LONGEST_NAME + 1;
  const unsigned char *const from = m->bytes + m->at, *const end = memchr(from, '\n', most);
  if (!end) return malformed(m, most < left ? "a name is longer than 255 bytes" : "the pickle ends early");
  *text = (const char *)from;
  *length = (size_t)(end - from);
  m->at += *length + 1;
  return SPW_OK;
}

static spw_status global(machine *m)
{
  const char *module = NULL, *name = NULL;
  size_t module_length = 0, name_length = 0;
  spw_status status = take_line(m, &module, &module_length);
  if (status == SPW_OK) status = take_line(m, &name, &name_length);
  return status == SPW_OK ? push_name(m, module, module_length, name, name_length) : status;
}

static spw_status stack_global(machine *m)
{
  const spw_status status = need(m, 2);
  if (status != SPW_OK) return status;
  const spw_pickle_value name = *top(m), module = *(top(m) - 1);
  if (name.kind != SPW_PICKLE_TEXT || module.kind != SPW_PICKLE_TEXT) return malformed(m, "a name that is no text");
  m->values.count -= 2;
  return push_name(m, module.text, module.length, name.text, name.length);
}

/* ---- Containers ------------------------------------------------------------------------------ */

static spw_status push_container(machine *m, spw_pickle_kind kind)
{
  spw_pickle_node *node = spw_pickle_new_node(m->host->owned);
  if (!node) return fail(m, SPW_ENOMEM, "the pickle needs more than the memory limit");
  return push(m, &m->values, (spw_pickle_value){.kind = kind, .node = node});
}

/* Puts the values from number `from` on into a container. */
static spw_status move_values(machine *m, size_t from, spw_pickle_node *node)
{
  const size_t count = m->values.count - from;
  const spw_status status = reserve(m, node, count);
  if (status != SPW_OK) return status;
  if (count > 0) memcpy(node->items + node->count, m->values.items + from, count * sizeof *node->items);
  node->count += count;
  m->values.count = from;
  return SPW_OK;
}

static spw_status make_tuple(machine *m, size_t from)
{
  spw_pickle_node *node = spw_pickle_new_node(m->host->owned);
  if (!node) return fail(m, SPW_ENOMEM, "the pickle needs more than the memory limit");
  const spw_status status = move_values(m, from, node);
  return status == SPW_OK ? push(m, &m->values, (spw_pickle_value){.kind = SPW_PICKLE_TUPLE, .node = node}) : status;
}

static spw_status tuple_of_last(machine *m, size_t count)
{
  const spw_status status = need(m, count);
  return status == SPW_OK ? make_tuple(m, m->values.count - count) : status;
}

static spw_status tuple_from_mark(machine *m)
{
  size_t from = 0;
  const spw_status status = open_mark(m, &from);
  return status == SPW_OK ? make_tuple(m, from) : status;
}

static bool is_key(const spw_pickle_value *value)
{
  return value->kind <= SPW_PICKLE_TEXT && value->kind != SPW_PICKLE_LARGE;
}

/* The values from number `from` on go into the container of this kind below them. */
static spw_status extend(machine *m, size_t from, spw_pickle_kind kind)
{
  if (from <= below_mark(m)) return malformed(m, "there is no container below the mark");
  const spw_pickle_value *const to = &m->values.items[from - 1];
  if (to->kind != kind)
    return malformed(m, kind == SPW_PICKLE_LIST ? "items are appended to what is no list" : "items are set in what is no dict");
  if (to->node->frozen) return fail(m, SPW_EUNSUPPORTED, "a container is filled after a call that was given it");
  if (kind == SPW_PICKLE_DICT) {
    if ((m->values.count - from) % 2 != 0) return malformed(m, "a key without a value");
    for (size_t i = from; i < m->values.count; i += 2)
      if (!is_key(&m->values.items[i])) return fail(m, SPW_EUNSUPPORTED, "a key of a dict that is neither a text nor a number");
  }
  return move_values(m, from, to->node);
}

static spw_status extend_from_mark(machine *m, spw_pickle_kind kind)
{
  size_t from = 0;
  const spw_status status = open_mark(m, &from);
  return status == SPW_OK ? extend(m, from, kind) : status;
}

static spw_status extend_by(machine *m, size_t count, spw_pickle_kind kind)
{
  const spw_status status = need(m, count + 1);
  return status == SPW_OK ? extend(m, m->values.count - count, kind) : status;
}

/* The attributes of an OrderedDict become one more item of it, so that nothing in them is passed over. */
static spw_status build(machine *m)
{
  static const char attributes[] = "__dict__";
  const spw_status status = need(m, 2);
  if (status != SPW_OK) return status;
  const spw_pickle_value state = *top(m), *const to = top(m) - 1;
  if (to->kind != SPW_PICKLE_DICT || !to->node->ordered)
    return fail(m, SPW_EUNSUPPORTED, "a state for an object that is no OrderedDict");
  *top(m) = (spw_pickle_value){.kind = SPW_PICKLE_TEXT, .length = sizeof attributes - 1, .text = attributes};
  const spw_status pushed = push(m, &m->values, state);
  return pushed == SPW_OK ? extend_by(m, 2, SPW_PICKLE_DICT) : pushed;
}

/* ---- Memo ------------------------------------------------------------------------------------ */

/* Entries are numbered in the order in which they are made, as every pickler does. */
static spw_status put(machine *m, uint64_t number)
{
  const spw_status status = need(m, 1);
  if (status != SPW_OK) return status;
  if (number != m->memo.count) return malformed(m, "entries of the memo are not numbered in order");
  return push(m, &m->memo, *top(m));
}

static spw_status put_numbered(machine *m, size_t width)
{
  uint64_t number;
  const spw_status status = take_number(m, width, &number);
  return status == SPW_OK ? put(m, number) : status;
}

static spw_status get(machine *m, size_t width)
{
  uint64_t number;
  const spw_status status = take_number(m, width, &number);
  if (status != SPW_OK) return status;
  if (number >= m->memo.count) return malformed(m, "the memo has no such entry");
  return push(m, &m->values, m->memo.items[number]);
}

/* ---- What the host does ---------------------------------------------------------------------- */

static spw_status reduce(machine *m)
{
  spw_status status = need(m, 2);
  if (status != SPW_OK) return status;
  const spw_pickle_value arguments = *top(m), callable = *(top(m) - 1);
  if (callable.kind != SPW_PICKLE_NAME) return malformed(m, "a call of what is no name");
  if (arguments.kind != SPW_PICKLE_TUPLE) return malformed(m, "a call whose arguments are no tuple");
  spw_pickle_value value = {.kind = SPW_PICKLE_NONE};
  status = m->host->call(m->host->context, &callable, &arguments, &value);
  m->values.count -= 2;
  return status == SPW_OK ? push(m, &m->values, value) : status;
}

static spw_status persistent(machine *m)
{
  spw_status status = need(m, 1);
  if (status != SPW_OK) return status;
  const spw_pickle_value id = *top(m);
  spw_pickle_value value = {.kind = SPW_PICKLE_NONE};
  status = m->host->persistent(m->host->context, &id, &value);
  m->values.count--;
  return status == SPW_OK ? push(m, &m->values, value) : status;
}

/* ---- Opcodes --------------------------------------------------------------------------------- */

static spw_status protocol(machine *m)
{
  uint64_t number;
  const spw_status status = take_number(m, 1, &number);
  if (status != SPW_OK || (number >= FIRST_PROTOCOL && number <= LAST_PROTOCOL)) return status;
  return fail(m, SPW_EUNSUPPORTED, "a protocol that is not one of 2 to 5");
}

static spw_status unknown(const machine *m, int op)
{
  return spw_fail(SPW_EUNSUPPORTED, m->host->error, "", "opcode 0x%02x, which torch.save does not write for tensors",
                  (unsigned)op);
}

static spw_status step(machine *m, int op)
{
  const unsigned char *skipped;
  switch (op) {
  case PROTO:
    return protocol(m);
  case FRAME:
    return take(m, 8, &skipped);
  case MARK:
    return push(m, &m->marks, (spw_pickle_value){.kind = SPW_PICKLE_INTEGER, .number = (int64_t)m->values.count});
  case GLOBAL:
    return global(m);
  case STACK_GLOBAL:
    return stack_global(m);
  case BINPUT:
    return put_numbered(m, 1);
  case LONG_BINPUT:
    return put_numbered(m, 4);
  case MEMOIZE:
    return put(m, m->memo.count);
  case BINGET:
    return get(m, 1);
  case LONG_BINGET:
    return get(m, 4);
  case BINUNICODE:
    return push_text(m, 4);
  case SHORT_BINUNICODE:
    return push_text(m, 1);
  case BININT:
    return push_int32(m);
  case BININT1:
    return push_unsigned(m, 1);
  case BININT2:
    return push_unsigned(m, 2);
  case LONG1:
    return push_long(m);
  case BINFLOAT:
    return push_real(m);
  case NONE:
    return push_number(m, SPW_PICKLE_NONE, 0);
  case NEWTRUE:
    return push_number(m, SPW_PICKLE_TRUTH, 1);
  case NEWFALSE:
    return push_number(m, SPW_PICKLE_TRUTH, 0);
  case EMPTY_TUPLE:
    return push_container(m, SPW_PICKLE_TUPLE);
  case EMPTY_LIST:
    return push_container(m, SPW_PICKLE_LIST);
  case EMPTY_DICT:
    return push_container(m, SPW_PICKLE_DICT);
  case TUPLE1:
    return tuple_of_last(m, 1);
  case TUPLE2:
    return tuple_of_last(m, 2);
  case TUPLE3:
    return tuple_of_last(m, 3);
  case TUPLE:
    return tuple_from_mark(m);
  case APPEND:
    return extend_by(m, 1, SPW_PICKLE_LIST);
  case APPENDS:
    return extend_from_mark(m, SPW_PICKLE_LIST);
  case SETITEM:
    return extend_by(m, 2, SPW_PICKLE_DICT);
  case SETITEMS:
    return extend_from_mark(m, SPW_PICKLE_DICT);
  case BINPERSID:
    return persistent(m);
  case REDUCE:
    return reduce(m);
  case BUILD:
    return build(m);
  default:
    return unknown(m, op);
  }
}

static spw_status run(machine *m, spw_pickle_value *value)
{
  for (;;) {
    const unsigned char *op = NULL;
    m->start = m->at;
    spw_status status = take(m, 1, &op);
    if (status == SPW_OK && *op == STOP) break;
    if (status == SPW_OK) status = step(m, *op);
    if (status != SPW_OK) return status;
  }
  if (m->values.count != 1 || m->marks.count != 0)
    return malformed(m, "the pickle ends with another number of values than one");
  *value = m->values.items[0];
  return SPW_OK;
}

spw_status spw_pickle_read(const spw_pickle_host *host, const unsigned char *bytes, size_t size, spw_pickle_value *value,
                           size_t *used)
{
  machine m = {.host = host, .bytes = bytes, .size = size};
  const spw_status status = run(&m, value);
  if (status != SPW_OK && host->error && !host->error->where[0])
    snprintf(host->error->where, sizeof host->error->where, "%s, byte %zu", host->file, m.start);
  *used = m.at;
  return status;
}

bool spw_pickle_is_text(const spw_pickle_value *value, const char *text)
{
  return value->kind == SPW_PICKLE_TEXT && value->length == strlen(text) && memcmp(value->text, text, value->length) == 0;
}
