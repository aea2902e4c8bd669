/* SPDX-License-Identifier: Apache-2.0 */
/* The header of NumPy's .npy format: a strict parser for the one dict literal that NumPy writes. */
#include "npy.h"
#include "../../owned/owned.h"

#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(size_t) >= sizeof(uint64_t), "lengths of 64 bits are lengths of memory");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "native elements are written as '<'");

static const char MAGIC[] = "\x93NUMPY";

enum { MAGIC_SIZE = sizeof MAGIC - 1, ALIGNMENT = 64 };

static const struct {
  const char *descr;
  spw_dtype dtype;
} TYPES[] = {
    {"|b1", SPW_BOOL},    {"|u1", SPW_UINT8},   {"|i1", SPW_INT8},      {"<i2", SPW_INT16},
    {"<i4", SPW_INT32},   {"<i8", SPW_INT64},   {"<f2", SPW_FLOAT16},   {"<f4", SPW_FLOAT32},
    {"<f8", SPW_FLOAT64}, {"<c8", SPW_COMPLEX64}, {"<c16", SPW_COMPLEX128},
};

enum { TYPE_COUNT = sizeof TYPES / sizeof TYPES[0] };

/* ---- Preamble ------------------------------------------------------------------------------ */

spw_status spw_npy_extent(const unsigned char *bytes, const char *name, size_t *start, size_t *end,
                          spw_error *error)
{
  if (memcmp(bytes, MAGIC, MAGIC_SIZE) != 0)
    return spw_fail(SPW_EFORMAT, error, name, "not a .npy file: it does not start with \\x93NUMPY");
  const unsigned major = bytes[6], minor = bytes[7];
  if (major < 1 || major > 3 || minor != 0)
    return spw_fail(SPW_EUNSUPPORTED, error, name, ".npy version %u.%u; known are 1.0, 2.0, 3.0",
                    major, minor);
  size_t length = (size_t)bytes[8] | (size_t)bytes[9] << 8;
  if (major > 1) length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
  *start = major == 1 ? 10 : 12;
  *end = *start + length;
  if (*end < SPW_NPY_PREAMBLE || length > SPW_NPY_HEADER - SPW_NPY_PREAMBLE)
    return spw_fail(SPW_EFORMAT, error, name, "header of %zu bytes; 2 to 10000 are allowed",
                    length);
  return SPW_OK;
}

/* ---- Header -------------------------------------------------------------------------------- */

typedef struct parser {
  const unsigned char *bytes;
  size_t at;
  size_t end;
  const char *name;
  spw_error *error;
} parser;

static spw_status fail_here(const parser *p, spw_status status, const char *message)
{
  char where[sizeof p->error->where];
  snprintf(where, sizeof where, "%.64s%sbyte %zu", p->name, p->name[0] ? " " : "", p->at);
  return spw_fail(status, p->error, where, "%s", message);
}

/* The next byte that is no white space, or 0 at the end. A byte 0 in the header is taken for its
 * end, and then found to be trailing garbage. */
static int peek(parser *p)
{
  while (p->at < p->end && p->bytes[p->at] && strchr(" \t\r\n", p->bytes[p->at])) p->at++;
  return p->at < p->end ? p->bytes[p->at] : 0;
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
  peek(p);
  if (p->end - p->at < length || memcmp(p->bytes + p->at, word, length) != 0) return false;
  p->at += length;
  return true;
}

/* A quoted string of printable ASCII without escapes: NumPy's keys and descriptors need no more. */
static spw_status parse_string(parser *p, char *to, size_t room)
{
  const int quote = peek(p);
  if (quote != '\'' && quote != '"') return fail_here(p, SPW_EFORMAT, "expected a string");
  p->at++;
  for (size_t i = 0; p->at < p->end; p->at++) {
    const int c = p->bytes[p->at];
    if (c == quote) {
      p->at++;
      to[i] = '\0';
      return SPW_OK;
    }
    if (c < ' ' || c > '~' || c == '\\' || c == '\'' || c == '"')
      return fail_here(p, SPW_EFORMAT, "this character is not allowed in a string");
    if (i + 1 == room) return fail_here(p, SPW_EFORMAT, "the string is too long");
    to[i++] = (char)c;
  }
  return fail_here(p, SPW_EFORMAT, "the string does not end");
}

static spw_status parse_descr(parser *p, spw_npy *npy)
{
  const int c = peek(p);
  if (c == '[' || c == '(')
    return fail_here(p, SPW_EUNSUPPORTED, "a structured dtype; only plain numbers are supported");
  return parse_string(p, npy->descr, sizeof npy->descr);
}

static spw_status parse_order(parser *p, spw_npy *npy)
{
  npy->fortran_order = accept_word(p, "True");
  if (npy->fortran_order || accept_word(p, "False")) return SPW_OK;
  return fail_here(p, SPW_EFORMAT, "fortran_order must be True or False");
}

static bool is_digit(int c)
{
  return c >= '0' && c <= '9';
}

static spw_status parse_extent(parser *p, int64_t *extent)
{
  const int first = peek(p);
  if (first == '-') return fail_here(p, SPW_EFORMAT, "negative shape");
  if (!is_digit(first)) return fail_here(p, SPW_EFORMAT, "expected an integer");
  *extent = 0;
  for (size_t digits = 0; p->at < p->end && is_digit(p->bytes[p->at]); p->at++, digits++) {
    if (digits > 0 && *extent == 0) return fail_here(p, SPW_EFORMAT, "integer with a leading zero");
    if (__builtin_mul_overflow(*extent, 10, extent) ||
        __builtin_add_overflow(*extent, p->bytes[p->at] - '0', extent))
      return fail_here(p, SPW_EFORMAT, "shape beyond 64 bits");
  }
  return SPW_OK;
}

/* A Python tuple: () or (1,) or (1, 2) or (1, 2,). */
static spw_status parse_shape(parser *p, spw_npy *npy)
{
  if (!accept(p, '(')) return fail_here(p, SPW_EFORMAT, "shape must be a tuple");
  npy->ndim = 0;
  if (accept(p, ')')) return SPW_OK;
  for (bool comma = false;;) {
    if (npy->ndim == SPW_NPY_DIMS) return fail_here(p, SPW_EFORMAT, "more than 64 dimensions");
    const spw_status status = parse_extent(p, &npy->shape[npy->ndim]);
    if (status) return status;
    npy->ndim++;
    comma = accept(p, ',');
    if (accept(p, ')')) {
      if (npy->ndim > 1 || comma) return SPW_OK;
      return fail_here(p, SPW_EFORMAT, "shape must be a tuple: (n,) and not (n)");
    }
    if (!comma) return fail_here(p, SPW_EFORMAT, "expected ',' or ')' in the shape");
  }
}

typedef struct key {
  const char *name;
  spw_status (*parse)(parser *, spw_npy *);
} key;

static const key KEYS[] = {
    {"descr", parse_descr}, {"fortran_order", parse_order}, {"shape", parse_shape}};

enum { KEY_COUNT = 3 };

/* One "'key': value" of the dict; `seen` has a bit for each key so far. */
static spw_status parse_item(parser *p, spw_npy *npy, unsigned *seen)
{
  char name[16];
  const spw_status status = parse_string(p, name, sizeof name);
  if (status) return status;
  for (unsigned i = 0; i < KEY_COUNT; i++) {
    if (strcmp(name, KEYS[i].name) != 0) continue;
    if (*seen & 1u << i) return fail_here(p, SPW_EFORMAT, "duplicate key");
    *seen |= 1u << i;
    if (!accept(p, ':')) return fail_here(p, SPW_EFORMAT, "expected ':'");
    return KEYS[i].parse(p, npy);
  }
  return fail_here(p, SPW_EFORMAT, "unknown key; descr, fortran_order and shape are known");
}

spw_status spw_npy_parse(const unsigned char *bytes, size_t start, size_t end, const char *name,
                         spw_npy *npy, spw_error *error)
{
  parser p = {bytes, start, end, name, error};
  unsigned seen = 0;
  if (start == end || bytes[start] != '{')
    return fail_here(&p, SPW_EFORMAT, "a header is a dict: expected '{'");
  p.at++;
  while (!accept(&p, '}')) {
    const spw_status status = parse_item(&p, npy, &seen);
    if (status) return status;
    if (!accept(&p, ',') && peek(&p) != '}')
      return fail_here(&p, SPW_EFORMAT, "expected ',' or '}'");
  }
  for (unsigned i = 0; i < KEY_COUNT; i++)
    if (!(seen & 1u << i))
      return spw_fail(SPW_EFORMAT, error, name, "the header lacks the key '%s'", KEYS[i].name);
  peek(&p);
  if (p.at < p.end) return fail_here(&p, SPW_EFORMAT, "trailing garbage after the header's dict");
  return SPW_OK;
}

/* ---- What the header says ------------------------------------------------------------------ */

static const char *kind_name(char kind)
{
  switch (kind) {
  case 'O': return "Python objects, a pickle";
  case 'S': case 'a': return "byte strings";
  case 'U': return "strings";
  case 'V': return "raw bytes, as which bfloat16 is saved too";
  case 'M': case 'm': return "dates or time spans";
  case 'u': return "unsigned integers of more than 8 bits, which rule 1.5 does not know";
  case 'b': case 'i': case 'f': case 'c': return "numbers of this width";
  default: return "an unknown kind";
  }
}

/* A one-byte type has no byte order, whatever its mark says; any other one must have one. */
spw_status spw_npy_dtype(const spw_npy *npy, const char *name, spw_dtype *dtype, bool *swapped,
                         spw_error *error)
{
  const char order = npy->descr[0];
  for (size_t i = 0; order && i < TYPE_COUNT; i++) {
    if (strcmp(npy->descr + 1, TYPES[i].descr + 1) != 0) continue;
    const bool bytes = TYPES[i].descr[0] == '|';
    if (order != '<' && order != '>' && !(bytes && order == '|')) break;
    *dtype = TYPES[i].dtype;
    *swapped = !bytes && order == '>';
    return SPW_OK;
  }
  const char kind = order ? npy->descr[1] : '\0';
  return spw_fail(SPW_EUNSUPPORTED, error, name, "dtype '%s' (%s) is not supported", npy->descr,
                  order && strchr("<>|", order) ? kind_name(kind) : "no byte order");
}

/* Extents of 0 count as 1 in the strides, so that those stay distinct. */
spw_status spw_npy_strides(const spw_npy *npy, int64_t width, const char *name, int64_t *strides,
                           int64_t *count, spw_error *error)
{
  int64_t step = 1, bytes;
  bool empty = false;
  for (int64_t i = 0; i < npy->ndim; i++) {
    const int64_t d = npy->fortran_order ? i : npy->ndim - 1 - i;
    const int64_t extent = npy->shape[d];
    strides[d] = step;
    empty = empty || extent == 0;
    if (extent > 0 && __builtin_mul_overflow(step, extent, &step))
      return spw_fail(SPW_EFORMAT, error, name, "the product of the shape is beyond 64 bits");
  }
  if (__builtin_mul_overflow(step, width, &bytes))
    return spw_fail(SPW_EFORMAT, error, name, "more than 2^63 bytes by its shape, or but for a 0");
  *count = empty ? 0 : step;
  return SPW_OK;
}

/* ---- Writing ------------------------------------------------------------------------------- */

const char *spw_npy_descr(spw_dtype dtype)
{
  for (size_t i = 0; i < TYPE_COUNT; i++)
    if (TYPES[i].dtype == dtype) return TYPES[i].descr;
  return NULL;
}

static size_t format_shape(char *to, size_t room, int64_t ndim, const int64_t *shape)
{
  size_t length = 0;
  for (int64_t d = 0; d < ndim; d++)
    length += (size_t)snprintf(to + length, room - length, d == 0 ? "%lld" : ", %lld",
                               (long long)shape[d]);
  if (ndim == 1) length += (size_t)snprintf(to + length, room - length, ",");
  return length;
}

size_t spw_npy_format(char *to, const char *descr, int64_t ndim, const int64_t *shape)
{
  enum { PREAMBLE = 10 };
  char tuple[SPW_NPY_WRITTEN - 128] = "";
  format_shape(tuple, sizeof tuple, ndim, shape);
  memset(to, ' ', SPW_NPY_WRITTEN);
  const size_t text = (size_t)snprintf(to + PREAMBLE, SPW_NPY_WRITTEN - PREAMBLE,
                                       "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
                                       descr, tuple);
  to[PREAMBLE + text] = ' ';
  const size_t total = (PREAMBLE + text + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  to[total - 1] = '\n';
  memcpy(to, MAGIC, MAGIC_SIZE);
  to[6] = 1;
  to[7] = 0;
  to[8] = (char)((total - PREAMBLE) & 0xff);
  to[9] = (char)((total - PREAMBLE) >> 8);
  return total;
}
