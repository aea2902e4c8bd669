/* SPDX-License-Identifier: Apache-2.0 */
/* Rules 1.1 to 1.6 in words: types, and what they can number. */
#include "text.h"

static void say_index_type(const spw_subject *s)
{
  const spw_tensor *t = s->tensor;
  const spw_array *array = spw_said_array(t, s->violation->member);
  if (t->index_dtype && array)
    spw_say(s->out, "%s are %s, but index_dtype is %s", s->name, spw_type_word(array->dtype), spw_type_word(t->index_dtype));
  else
    spw_say(s->out, "plain_indices are %s, but compressed_indices are %s", spw_type_word(t->plain.array.dtype),
            spw_type_word(t->compressed.array.dtype));
}

/* Which number rule 1.6 is about. */
static void say_too_large(const spw_subject *s)
{
  const spw_member member = s->violation->member;
  const bool is_inferred = member == SPW_MEMBER_PLAIN && s->position < 0 && !s->tensor->has_size;
  if (is_inferred)
    spw_say(s->out, "%s go up to %lld, so %s would be %llu", s->name, s->lhs, s->tensor->layout == SPW_COO ? "a size" : "P",
            (unsigned long long)s->lhs + 1);
  else if (member == SPW_MEMBER_SIZE)
    spw_say(s->out, "size[%lld] is %lld", s->position, s->lhs);
  else
    spw_say(s->out, "%s is %lld", member == SPW_MEMBER_COMPRESSED ? "C" : s->position < 0 ? "P" : "nse", s->lhs);
  spw_say(s->out, ", more than the largest number of the index type, %lld", s->rhs);
}

void spw_say_type_violation(const spw_subject *s)
{
  const spw_tensor *t = s->tensor;
  switch (s->violation->rule) {
  case SPW_RULE_1_1: case SPW_RULE_1_2: say_index_type(s); break;
  case SPW_RULE_1_3: spw_say(s->out, "the index type is %s, neither int32 nor int64", spw_type_word(s->lhs)); break;
  case SPW_RULE_1_4:
    spw_say(s->out, "values are %s, but dtype is %s", spw_type_word(t->values.array.dtype), spw_type_word(t->dtype));
    break;
  case SPW_RULE_1_5: spw_say(s->out, "the element type of values is unknown"); break;
  default: say_too_large(s); break;
  }
}
