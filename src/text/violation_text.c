/* SPDX-License-Identifier: Apache-2.0 */
/* One violation in words, with the numbers of the tensor at hand. */
#include "text.h"

const spw_array *spw_said_array(const spw_tensor *tensor, spw_member member)
{
  switch (member) {
  case SPW_MEMBER_COMPRESSED: return &tensor->compressed.array;
  case SPW_MEMBER_PLAIN: return &tensor->plain.array;
  case SPW_MEMBER_VALUES: return &tensor->values.array;
  default: return NULL;
  }
}

void spw_say_violation(spw_sentence *out, const spw_tensor *tensor, const spw_violation *violation)
{
  const spw_rule_info *const rule = spw_rule_get(violation->rule);
  const char *const name = spw_member_name(tensor->layout, violation->member);
  const spw_subject about = {.out = out,
                             .tensor = tensor,
                             .violation = violation,
                             .name = name ? name : "the tensor",
                             .position = (long long)violation->position,
                             .lhs = (long long)violation->lhs,
                             .rhs = (long long)violation->rhs};
  if (!rule)
    spw_say(out, "no rule is violated");
  else if (rule->phase != SPW_SHAPE)
    spw_say_structure_violation(&about);
  else if (violation->rule <= SPW_RULE_1_6)
    spw_say_type_violation(&about);
  else
    spw_say_shape_violation(&about);
}

size_t spw_violation_text(const spw_tensor *tensor, const spw_violation *violation, char *text, size_t length)
{
  spw_sentence out = spw_sentence_in(text, length);
  spw_say_violation(&out, tensor, violation);
  return out.needed;
}
