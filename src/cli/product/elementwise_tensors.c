/* SPDX-License-Identifier: Apache-2.0 */
#include "product.h"
#include "../verdict/verdict.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"the first", "the second", "the result"};

/* ---- The scalar -------------------------------------------------------------------------------- */

/* One element in the words of a JSON file; null where it is none of the type. */
static spw_owned *read_element(spw_dtype dtype, const char *before, const char *text, const char *after)
{
  spw_owned *owned = NULL;
  cli_text json = new_text();
  add_format(&json, "{\"spw\":1,\"layout\":\"dense\",\"values\":{\"dtype\":\"%s\",\"shape\":[1],\"data\":[%s%s%s]}}",
             spw_dtype_name(dtype), before, text, after);
  const spw_status status = spw_read_json(json.bytes, strlen(json.bytes), 0, &owned, NULL);
  free(json.bytes);
  if (status != SPW_OK) return NULL;
  if (spw_owned_tensor(owned)->values.array.length == 1) return owned;
  spw_owned_free(owned);
  return NULL;
}

/* 2 and [2,0], nan and 0x1p-3, and both of a complex type without an imaginary part. */
spw_owned *read_scalar(spw_dtype dtype, const char *text)
{
  static const char *const around[][2] = {{"", ""}, {"\"", "\""}, {"[", ",0]"}, {"[\"", "\",0]"}};
  if (!text[0] || strpbrk(text, "{}\"\\")) return NULL;
  spw_owned *owned = NULL;
  for (int i = 0; i < 4 && !owned; i++) owned = read_element(dtype, around[i][0], text, around[i][1]);
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
