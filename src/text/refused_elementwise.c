/* SPDX-License-Identifier: Apache-2.0 */
/* Why tensors cannot be combined element by element. */
#include "text.h"

static const char *word_of(const spw_refused *what)
{
  static const char *const words[] = {"add", "subtract", "multiply", "scale", "divide"};
  const spw_elementwise_request *const wanted = what->elementwise;
  return wanted && (unsigned)wanted->kind < 5 ? words[wanted->kind] : "the operation";
}

static const char *index_type(const spw_tensor *t)
{
  return t ? spw_type_word(t->plain.array.dtype) : "its index type";
}

/* Layouts, or types of indices. */
static void say_unlike(spw_sentence *out, const spw_tensor *a, const spw_tensor *b)
{
  if (!a || !b)
    spw_say(out, "the second has another layout, or another index type, than the first");
  else if (a->layout != b->layout)
    spw_say(out, "the first is %s and the second %s", spw_layout_word(a->layout), spw_layout_word(b->layout));
  else
    spw_say(out, "the first has %s indices and the second %s", index_type(a), index_type(b));
}

static void say_types(spw_sentence *out, const spw_refused *what, const spw_refusal *r)
{
  if (r->rhs < 0)
    spw_say(out, "%s does not exist for %s", word_of(what), spw_type_word(r->lhs));
  else
    spw_say(out, "the second is of type %s, and the first %s", spw_type_word(r->lhs), spw_type_word(r->rhs));
}

void spw_say_refused_elementwise(spw_sentence *out, const spw_refused *what, const spw_refusal *r)
{
  const long long place = (long long)r->place, lhs = (long long)r->lhs, rhs = (long long)r->rhs;
  switch (r->obstacle) {
  case SPW_OBSTACLE_DIMENSIONS: spw_say(out, "the second has %lld dimensions, and the first %lld", lhs, rhs); break;
  case SPW_OBSTACLE_SHAPES:
    spw_say(out, "dimension %lld of the second is %lld, and of the first %lld", place, lhs, rhs);
    break;
  case SPW_OBSTACLE_TYPES: say_types(out, what, r); break;
  case SPW_OBSTACLE_HYBRID: spw_say(out, "the second has %lld dense dimensions, and the first %lld", lhs, rhs); break;
  case SPW_OBSTACLE_BLOCKS:
    spw_say(out, "blocks of the second have size %lld along dimension %lld, and of the first %lld", lhs, place, rhs);
    break;
  case SPW_OBSTACLE_OPERAND: say_unlike(out, what->a, what->b); break;
  case SPW_OBSTACLE_BATCHES:
    spw_say(out, "batch %lld of the result would have %lld cells and batch %lld %lld; %s needs the same number in each", place,
            lhs, (long long)r->other, rhs, what->a ? spw_layout_word(what->a->layout) : "its layout");
    break;
  case SPW_OBSTACLE_INDEX:
    spw_say(out, "the result needs indices up to %lld, and %s holds %lld at most", lhs, index_type(what->a), rhs);
    break;
  default: spw_say_obstacle(out, what, r); break;
  }
}
