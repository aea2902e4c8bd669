/* SPDX-License-Identifier: Apache-2.0 */
#include "product.h"
#include "../verdict/verdict.h"

#include <stdlib.h>
#include <string.h>

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

/* What may help. */
static const char *hint_of(const spw_tensor *a, const spw_tensor *b, const spw_refusal *r)
{
  if (r->obstacle != SPW_OBSTACLE_OPERAND) return "";
  return a->layout != b->layout ? "; `spw convert` makes them alike" : "; `spw convert --index` makes them alike";
}

/* Why operands of which one is dense have no sum. */
static spw_owned *say_combined(spw_status status, const spw_refusal *refusal, size_t memory, int *operand, cli_problem *problem)
{
  if (!refused_for_reason(status, refusal, "result", "an elementwise operation on valid tensors", memory, operand, problem))
    return NULL;
  cli_text text = new_text();
  add_refusal(&text, &(spw_refused){.operation = SPW_ANY_OPERATION}, refusal);
  set_reason(problem, &text);
  return NULL;
}

spw_owned *combine_elements(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted,
                            size_t memory, int *operand, cli_problem *problem)
{
  spw_owned *result = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  const spw_status status = spw_elementwise_new(a, b, wanted, memory, &result, &refusal);
  if (status == SPW_OK) return result;
  const bool unlike = refusal.obstacle == SPW_OBSTACLE_OPERAND || refusal.obstacle == SPW_OBSTACLE_DIMENSIONS ||
                      refusal.obstacle == SPW_OBSTACLE_SHAPES || refusal.obstacle == SPW_OBSTACLE_LAYOUT ||
                      refusal.obstacle == SPW_OBSTACLE_BLOCKS || refusal.obstacle == SPW_OBSTACLE_TYPES;
  if (b && (status == SPW_EINVAL || (status == SPW_ERANGE && unlike))) {
    spw_refusal why = {.obstacle = SPW_OBSTACLE_NONE};
    const spw_status again = spw_combine_new(a, b, wanted, memory, &result, &why);
    if (again == SPW_OK) return result;
    if (status == SPW_EINVAL) return say_combined(again, &why, memory, operand, problem);
  }
  static const char *const operation = "an elementwise operation on valid tensors";
  if (!refused_for_reason(status, &refusal, "result", operation, memory, operand, problem)) return NULL;
  cli_text text = new_text();
  add_refusal(&text, &(spw_refused){.operation = SPW_COMBINING, .a = a, .b = b, .elementwise = wanted}, &refusal);
  add_text(&text, hint_of(a, b, &refusal));
  set_reason(problem, &text);
  return NULL;
}
