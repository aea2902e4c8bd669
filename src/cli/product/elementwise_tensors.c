/* SPDX-License-Identifier: Apache-2.0 */
#include "product.h"
#include "../verdict/verdict.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"the first", "the second", "the result"};

/* ---- The scalar -------------------------------------------------------------------------------- */

static const char *behind_blanks(const char *at)
{
  return at + strspn(at, " \t\r\n");
}

/* Adds the number that begins at `at` as JSON has it: nan, 0x1p-3 and other strings may stand without their quotes. Gives what
 * is behind it; null where there is none. */
static const char *add_number(cli_text *json, const char *at)
{
  const char *const start = behind_blanks(at);
  const bool quoted = *start == '"';
  const char *const word = start + quoted, *const end = word + strcspn(word, "\"\\,[]{} \t\r\n");
  const size_t length = (size_t)(end - word);
  const bool is_json = strspn(word, "+-.0123456789eE") == length || strncmp(word, "true", length) == 0 ||
                       strncmp(word, "false", length) == 0;
  const char *const quote = quoted || !is_json ? "\"" : "";
  if (length == 0 || (quoted && *end != '"')) return NULL;
  add_format(json, "%s%.*s%s", quote, (int)length, word, quote);
  return behind_blanks(end + quoted);
}

/* The same of [re, im]. */
static const char *add_pair(cli_text *json, const char *at)
{
  add_text(json, "[");
  at = add_number(json, at + 1);
  if (!at || *at != ',') return NULL;
  add_text(json, ",");
  at = add_number(json, at + 1);
  if (!at || *at != ']') return NULL;
  add_text(json, "]");
  return behind_blanks(at + 1);
}

/* One element in the words of a JSON file; null where it is none of the type. */
static spw_owned *read_element(spw_dtype dtype, const char *element)
{
  spw_owned *owned = NULL;
  cli_text json = new_text();
  add_format(&json, "{\"spw\":1,\"layout\":\"dense\",\"values\":{\"dtype\":\"%s\",\"shape\":[1],\"data\":[%s]}}",
             spw_dtype_name(dtype), element);
  const spw_status status = spw_read_json(json.bytes, strlen(json.bytes), 0, &owned, NULL);
  free(json.bytes);
  return status == SPW_OK ? owned : NULL;
}

/* A number alone is a complex one without an imaginary part, too. */
spw_owned *read_scalar(spw_dtype dtype, const char *text)
{
  const char *const start = behind_blanks(text);
  const bool is_pair = *start == '[', is_complex = dtype == SPW_COMPLEX64 || dtype == SPW_COMPLEX128;
  cli_text json = new_text();
  if (is_complex && !is_pair) add_text(&json, "[");
  const char *const end = is_pair ? add_pair(&json, start) : add_number(&json, start);
  if (is_complex && !is_pair) add_text(&json, ",0]");
  spw_owned *const owned = end && !*end ? read_element(dtype, json.bytes) : NULL;
  free(json.bytes);
  return owned;
}

/* ---- Refusals ---------------------------------------------------------------------------------- */

static const char *index_type(const spw_tensor *t)
{
  return spw_dtype_name(t->plain.array.dtype);
}

/* Layouts, or types of indices. */
static void add_unlike(cli_text *text, const spw_tensor *a, const spw_tensor *b)
{
  if (a->layout != b->layout)
    add_format(text, "the first is %s and the second %s; `spw convert` makes them alike", spw_layout_name(a->layout),
               spw_layout_name(b->layout));
  else
    add_format(text, "the first has %s indices and the second %s; `spw convert --index` makes them alike", index_type(a),
               index_type(b));
}

static void add_types(cli_text *text, const char *word, const spw_refusal *r)
{
  const char *const own = spw_dtype_name((spw_dtype)r->lhs);
  if (r->rhs < 0)
    add_format(text, "%s does not exist for %s", word, own);
  else
    add_format(text, "the second is of type %s, and the first %s", own, spw_dtype_name((spw_dtype)r->rhs));
}

static void add_reason(cli_text *text, const char *word, const spw_tensor *a, const spw_tensor *b, const spw_refusal *r)
{
  const long long place = (long long)r->place, other = (long long)r->other, lhs = (long long)r->lhs, rhs = (long long)r->rhs;
  switch (r->obstacle) {
  case SPW_OBSTACLE_DIMENSIONS: add_format(text, "the second has %lld dimensions, and the first %lld", lhs, rhs); break;
  case SPW_OBSTACLE_SHAPES:
    add_format(text, "dimension %lld of the second is %lld, and of the first %lld", place, lhs, rhs);
    break;
  case SPW_OBSTACLE_TYPES: add_types(text, word, r); break;
  case SPW_OBSTACLE_HYBRID: add_format(text, "the second has %lld dense dimensions, and the first %lld", lhs, rhs); break;
  case SPW_OBSTACLE_BLOCKS:
    add_format(text, "blocks of the second have size %lld along dimension %lld, and of the first %lld", lhs, place, rhs);
    break;
  case SPW_OBSTACLE_OPERAND: add_unlike(text, a, b); break;
  case SPW_OBSTACLE_BATCHES:
    add_format(text, "batch %lld of the result would have %lld cells and batch %lld %lld; %s needs the same number in each",
               place, lhs, other, rhs, spw_layout_name(a->layout));
    break;
  case SPW_OBSTACLE_INDEX:
    add_format(text, "the result needs indices up to %lld, and %s holds %lld at most", lhs, index_type(a), rhs);
    break;
  default: add_format(text, "%s has more elements than any memory holds", names[2]); break;
  }
}

spw_owned *combine_elements(const char *word, const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted,
                            size_t memory, int *operand, cli_problem *problem)
{
  spw_owned *result = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  const spw_status status = spw_elementwise_new(a, b, wanted, memory, &result, &refusal);
  if (status == SPW_OK) return result;
  static const char *const operation = "an elementwise operation on valid tensors";
  if (!refused_for_reason(status, &refusal, "result", operation, memory, operand, problem)) return NULL;
  cli_text text = new_text();
  add_reason(&text, word, a, b, &refusal);
  set_reason(problem, &text);
  return NULL;
}
