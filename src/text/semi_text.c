/* SPDX-License-Identifier: Apache-2.0 */
/* Violations of rules 7.1 to 7.6, and refused calls about 2:4 matrices, in words. */
#include "text.h"

const char *spw_semi_member_name(spw_semi_member member)
{
  static const char *const names[] = {NULL, "size", "packed", "metadata"};
  const int n = (int)member;
  return n >= 0 && n <= (int)SPW_SEMI_MEMBER_METADATA ? names[n] : NULL;
}

static const char *type_word(int64_t dtype)
{
  const char *const name = spw_semi_dtype_name((spw_dtype)dtype);
  return name ? name : "no type";
}

static const char *dimension_word(int64_t dimension)
{
  return dimension == 0 ? "rows" : "columns";
}

/* ---- Violations --------------------------------------------------------------------------------- */

static void say_size(spw_sentence *out, const spw_semi_violation *v)
{
  const long long lhs = (long long)v->lhs, rhs = (long long)v->rhs;
  if (v->row < 0)
    spw_say(out, "%lld rows of %lld elements are more than int64 can number", lhs, rhs);
  else if (v->rhs == 0)
    spw_say(out, "%s are %lld, below 0", dimension_word(v->row), lhs);
  else
    spw_say(out, "%s are %lld, no multiple of %lld", dimension_word(v->row), lhs, rhs);
}

static void say_type(spw_sentence *out, const spw_semi_violation *v)
{
  spw_say(out, "%s has type %s", spw_semi_member_name(v->member), type_word(v->lhs));
  if (v->rhs != SPW_DTYPE_NONE)
    spw_say(out, ", not %s", type_word(v->rhs));
  else
    spw_say(out, ", which no 2:4 matrix has there");
}

static void say_shape(spw_sentence *out, const spw_semi_violation *v)
{
  const char *const name = spw_semi_member_name(v->member);
  if (v->row < 0)
    spw_say(out, "%s has %lld dimensions, not 2", name, (long long)v->lhs);
  else
    spw_say(out, "%s.shape[%lld] is %lld, not %lld", name, (long long)v->row, (long long)v->lhs, (long long)v->rhs);
}

static void say_storage(spw_sentence *out, const spw_semi_violation *v)
{
  const char *const name = spw_semi_member_name(v->member);
  if (v->row < 0)
    spw_say(out, "%s reaches beyond its storage of %lld elements, from offset %lld on", name, (long long)v->rhs,
            (long long)v->lhs);
  else if (v->rhs == 0)
    spw_say(out, "%s.strides[%lld] is %lld, below 0", name, (long long)v->row, (long long)v->lhs);
  else
    spw_say(out, "%s.strides[%lld] is %lld, not %lld", name, (long long)v->row, (long long)v->lhs, (long long)v->rhs);
}

static void say_code(spw_sentence *out, const spw_semi *semi, const spw_semi_violation *v)
{
  const int digits = semi->metadata.array.dtype == SPW_INT32 ? 8 : 4;
  spw_say(out, "metadata[%lld, %lld]: code %lld of 0x%0*llx is %lld", (long long)v->row, (long long)v->column,
          (long long)v->group,
          digits, (unsigned long long)v->rhs, (long long)v->lhs);
  if (v->at_row >= 0)
    spw_say(out, ", which is illegal; it is about row %lld from column %lld on", (long long)v->at_row, (long long)v->at_column);
  else
    spw_say(out, ", and the row has no group for it");
}

size_t spw_semi_violation_text(const spw_semi *semi, const spw_semi_violation *violation, char *text, size_t length)
{
  spw_sentence out = spw_sentence_in(text, length);
  switch (violation->rule) {
  case SPW_SEMI_RULE_7_1: say_size(&out, violation); break;
  case SPW_SEMI_RULE_7_2: say_shape(&out, violation); break;
  case SPW_SEMI_RULE_7_3: say_type(&out, violation); break;
  case SPW_SEMI_RULE_7_5: say_storage(&out, violation); break;
  case SPW_SEMI_RULE_7_4:
  case SPW_SEMI_RULE_7_6: say_code(&out, semi, violation); break;
  default: spw_say(&out, "no rule is violated");
  }
  return out.needed;
}

/* ---- Refusals ----------------------------------------------------------------------------------- */

static void say_pattern(spw_sentence *out, const spw_semi_refusal *r)
{
  spw_say(out, "group %lld of row %lld has too many elements that are not zero", (long long)r->group, (long long)r->row);
  const char *separator = ": elements ";
  for (int i = 0; i < 4 && r->lhs > 0; i++)
    if (r->lhs >> i & 1) {
      spw_say(out, "%s%d", separator, i);
      separator = ", ";
    }
}

static void say_rule(spw_sentence *out, const spw_semi_refusal *r)
{
  static const spw_semi nothing;
  char text[256];
  spw_semi_violation_text(&nothing, &r->violation, text, sizeof text);
  const spw_rule_info *const rule = spw_semi_rule_get(r->violation.rule);
  spw_say(out, "rule %s: %s", rule ? rule->id : "7.x", text);
}

static void say_dense(spw_sentence *out, const spw_semi_refusal *r)
{
  const spw_rule_info *const rule = spw_rule_get(r->dense.rule);
  spw_say(out, "the array breaks rule %s", rule ? rule->id : "?");
}

static void say_mask(spw_sentence *out, const spw_semi_refusal *r)
{
  if (r->group < 0)
    spw_say(out, "the bitmask of row %lld has bits behind the last column", (long long)r->row);
  else
    spw_say(out, "group %lld of row %lld of the bitmask has %d bits set, not half of them", (long long)r->group,
            (long long)r->row, __builtin_popcountll((unsigned long long)r->lhs));
}

static void say_product(spw_sentence *out, spw_status status, const spw_semi_refusal *r)
{
  char text[512];
  const spw_refused what = {.operation = SPW_MULTIPLYING};
  spw_refusal_text(&what, status, &r->product, text, sizeof text);
  spw_say(out, "%s", text);
}

size_t spw_semi_refusal_text(spw_status status, const spw_semi_refusal *r, char *text, size_t length)
{
  spw_sentence out = spw_sentence_in(text, length);
  switch (r && (status == SPW_EINVALID || status == SPW_ERANGE) ? r->obstacle : SPW_SEMI_OBSTACLE_NONE) {
  case SPW_SEMI_OBSTACLE_DENSE: say_dense(&out, r); break;
  case SPW_SEMI_OBSTACLE_RULE: say_rule(&out, r); break;
  case SPW_SEMI_OBSTACLE_DIMENSIONS: spw_say(&out, "it has %lld dimensions; a 2:4 matrix has 2", (long long)r->lhs); break;
  case SPW_SEMI_OBSTACLE_LAYOUT: spw_say(&out, "%s cannot become a dense matrix", spw_layout_word(r->lhs)); break;
  case SPW_SEMI_OBSTACLE_TYPE:
    if (r->rhs == SPW_DTYPE_NONE)
      spw_say(&out, "there are no products of elements of type %s", type_word(r->lhs));
    else if (r->rhs == r->lhs)
      spw_say(&out, "no 2:4 matrix has elements of type %s", type_word(r->lhs));
    else if (r->rhs == INT32_MAX)
      spw_say(&out, "int32 cannot represent %lld", (long long)r->lhs);
    else
      spw_say(&out, "elements of type %s are no %s", type_word(r->lhs), type_word(r->rhs));
    break;
  case SPW_SEMI_OBSTACLE_PATTERN: say_pattern(&out, r); break;
  case SPW_SEMI_OBSTACLE_SHAPE: spw_say(&out, "size[%lld] is %lld, no multiple of %lld", (long long)r->row, (long long)r->lhs,
                                        (long long)r->rhs); break;
  case SPW_SEMI_OBSTACLE_MASK: say_mask(&out, r); break;
  case SPW_SEMI_OBSTACLE_PRODUCT: say_product(&out, status, r); break;
  case SPW_SEMI_OBSTACLE_OVERLAP: spw_say(&out, "what is written shares memory with something else"); break;
  default: spw_say(&out, "%s", spw_status_string(status));
  }
  return out.needed;
}
