/* SPDX-License-Identifier: Apache-2.0 */
/* Why an operation was refused, in words. */
#include "text.h"

const char *spw_operand_name(const spw_refused *what, int number)
{
  static const char *const names[] = {"the first", "the second", "the result"};
  static const char *const added[] = {"the first", "the second", "what is added"};
  static const char *const sampled[] = {"the sparse operand", "the first", "the second", "the result"};
  const bool at = what->operation == SPW_SAMPLING;
  const char *const *const own = at ? sampled : what->c ? added : names;
  if (number < 0 || number > (at ? 3 : 2)) return "what is written";
  return what->names ? what->names[number] : own[number];
}

/* The tensor that breaks a rule, where it was told. */
static const spw_tensor *invalid_operand(const spw_refused *what, const spw_refusal *refusal)
{
  const spw_tensor *const tensors[] = {what->a, what->b, what->c};
  const bool listed = what->operation == SPW_RESTRUCTURING;
  if (listed) return what->a;
  return refusal->operand >= 0 && refusal->operand < 3 ? tensors[refusal->operand] : NULL;
}

static void say_rule(spw_sentence *out, const spw_refused *what, const spw_refusal *refusal)
{
  const spw_rule_info *const rule = spw_rule_get(refusal->violation.rule);
  const spw_tensor *const tensor = invalid_operand(what, refusal);
  const spw_violation *const v = &refusal->violation;
  const bool alone = what->operation <= SPW_PERMUTING && refusal->operand <= 0;
  spw_say(out, "%s breaks rule %s: ", alone ? "it" : spw_operand_name(what, refusal->operand), rule ? rule->id : "?");
  if (tensor)
    spw_say_violation(out, tensor, v);
  else
    spw_say(out, "at position %lld, %lld against %lld", (long long)v->position, (long long)v->lhs, (long long)v->rhs);
}

static void say_why(spw_sentence *out, const spw_refused *what, const spw_refusal *refusal)
{
  if (refusal->obstacle == SPW_OBSTACLE_RULE) {
    say_rule(out, what, refusal);
    return;
  }
  switch (what->operation) {
  case SPW_CONVERTING: spw_say_refused_conversion(out, what, refusal); break;
  case SPW_RESTRUCTURING: case SPW_PERMUTING: spw_say_refused_structure(out, what, refusal); break;
  case SPW_MULTIPLYING: case SPW_SAMPLING: spw_say_refused_product(out, what, refusal); break;
  case SPW_COMBINING: spw_say_refused_elementwise(out, what, refusal); break;
  case SPW_REDUCING: spw_say_refused_reduction(out, what, refusal); break;
  case SPW_MAPPING: spw_say_refused_unary(out, what, refusal); break;
  default: spw_say_obstacle(out, what, refusal); break;
  }
}

size_t spw_refusal_text(const spw_refused *what, spw_status status, const spw_refusal *refusal, char *text, size_t length)
{
  static const spw_refused unknown = {.operation = SPW_ANY_OPERATION};
  spw_sentence out = spw_sentence_in(text, length);
  const bool told = status == SPW_ERANGE || status == SPW_EINVALID;
  if (told && refusal && refusal->obstacle != SPW_OBSTACLE_NONE)
    say_why(&out, what ? what : &unknown, refusal);
  else
    spw_say(&out, "%s", spw_status_string(status));
  return out.needed;
}

size_t spw_status_text(spw_status status, const spw_error *error, char *text, size_t length)
{
  spw_sentence out = spw_sentence_in(text, length);
  if (status == SPW_OK || !error || !error->message[0])
    spw_say(&out, "%s", spw_status_string(status));
  else
    spw_say(&out, "%s%s%s", error->where, error->where[0] ? ": " : "", error->message);
  return out.needed;
}
