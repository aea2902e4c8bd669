/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about indices in words, with the entries that break them. */
#include "text.h"

/* "compressed_indices[0, 2]": batch, then position. */
static void say_place(const spw_subject *s)
{
  const spw_array *const a = &s->tensor->compressed.array;
  const int64_t batch_dims = a->ndim - 1;
  spw_say(s->out, "%s[", s->name);
  spw_say_batch_index(s->out, batch_dims, a->shape, s->violation->batch);
  spw_say(s->out, batch_dims ? ", %lld]" : "%lld]", s->position);
}

/* The same of a plain index, with its line: " in row 1 of batch 0". */
static void say_plain_place(const spw_subject *s)
{
  const spw_array *const a = &s->tensor->compressed.array;
  const int64_t line = spw_line_of(s->tensor, s->violation->batch, s->position);
  say_place(s);
  if (line < 0) return;
  spw_say(s->out, " in %s %lld", spw_line_name(s->tensor->layout), (long long)line);
  if (a->ndim == 1) return;
  spw_say(s->out, " of ");
  spw_say_batch(s->out, a->ndim - 1, a->shape, s->violation->batch);
}

/* The last entry of the shape of plain. */
static int64_t elements_of_batch(const spw_tensor *tensor)
{
  const spw_array *const plain = &tensor->plain.array;
  return plain->ndim > 0 ? plain->shape[plain->ndim - 1] : 0;
}

/* A row longer than P repeats an index, unless its offsets are no numbers of elements at all. */
static void say_difference(const spw_subject *s)
{
  const spw_entries starts = spw_entries_of_batch(&s->tensor->compressed, s->violation->batch);
  say_place(s);
  spw_say(s->out, ": %lld - %lld = %lld is ", (long long)spw_entry(&starts, s->position),
          (long long)spw_entry(&starts, s->position - 1), s->lhs);
  if (s->lhs < 0)
    spw_say(s->out, "below 0");
  else
    spw_say(s->out, "more than P = %lld %s%s", s->rhs, spw_plain_name(s->tensor->layout),
            s->lhs <= elements_of_batch(s->tensor) ? ", so an index stands twice there" : "");
}

static void say_order(const spw_subject *s)
{
  say_place(s);
  spw_say(s->out, ": %lld %s %lld in %s %lld", s->rhs, s->lhs == s->rhs ? "comes again after" : "comes after", s->lhs,
          spw_line_name(s->tensor->layout), (long long)spw_line_of(s->tensor, s->violation->batch, s->position));
}

static void say_compressed(const spw_subject *s)
{
  switch (s->violation->rule) {
  case SPW_RULE_5_1:
    say_place(s);
    spw_say(s->out, " is %lld, not 0", s->lhs);
    break;
  case SPW_RULE_5_2:
    say_place(s);
    spw_say(s->out, ", the last one, is %lld, but nse is %lld", s->lhs, s->rhs);
    break;
  case SPW_RULE_5_3: say_difference(s); break;
  case SPW_RULE_5_4:
    say_plain_place(s);
    spw_say(s->out, ": %lld is below 0", s->lhs);
    break;
  case SPW_RULE_5_5:
    say_plain_place(s);
    spw_say(s->out, ": %lld is not below P = %lld %s", s->lhs, s->rhs, spw_plain_name(s->tensor->layout));
    break;
  default: say_order(s); break;
  }
}

static void say_coo_order(const spw_subject *s)
{
  spw_say(s->out, "column %lld of indices ", s->position);
  if (s->lhs == s->rhs)
    spw_say(s->out, "repeats column %lld", s->position - 1);
  else
    spw_say(s->out, "comes after column %lld, but %lld is below %lld", s->position - 1, s->rhs, s->lhs);
}

static void say_coo(const spw_subject *s)
{
  const long long nse = (long long)s->tensor->plain.array.shape[1];
  if (s->violation->rule == SPW_RULE_6_7) {
    say_coo_order(s);
    return;
  }
  spw_say(s->out, "indices[%lld, %lld]", s->position / nse, s->position % nse);
  if (s->violation->rule == SPW_RULE_6_5)
    spw_say(s->out, ": %lld is below 0", s->lhs);
  else
    spw_say(s->out, ": %lld is not below size[%lld] = %lld", s->lhs, s->position / nse, s->rhs);
}

/* How many positions a violation of the rule can have in one batch, and which is the first. */
static int64_t count_positions(const spw_subject *s, int64_t *first)
{
  const spw_array *const plain = &s->tensor->plain.array, *const starts = &s->tensor->compressed.array;
  const spw_rule rule = s->violation->rule;
  *first = rule == SPW_RULE_5_3 || rule == SPW_RULE_5_6 || rule == SPW_RULE_6_7;
  if (s->tensor->layout != SPW_COO) return rule <= SPW_RULE_5_3 ? starts->shape[starts->ndim - 1] : plain->shape[plain->ndim - 1];
  int64_t entries;
  if (__builtin_mul_overflow(plain->shape[0], plain->shape[1], &entries)) entries = INT64_MAX;
  return rule == SPW_RULE_6_7 ? plain->shape[1] : entries;
}

/* Can the checker have said that of this tensor? Then the entries there can be read. */
static bool is_there(const spw_subject *s)
{
  const bool of_coo = s->violation->rule > SPW_RULE_5_6;
  const spw_layout layout = s->tensor->layout;
  bool holds = false;
  int64_t first;
  if (of_coo ? layout != SPW_COO : !spw_says_lines(layout)) return false;
  if (spw_is_valid(s->tensor, SPW_SHAPE, &holds) != SPW_OK || !holds) return false;
  const int64_t positions = count_positions(s, &first), batches = spw_numbers_or_none(s->tensor).batches;
  return s->violation->batch >= 0 && s->violation->batch < batches && s->position >= first && s->position < positions;
}

void spw_say_structure_violation(const spw_subject *s)
{
  if (!is_there(s))
    spw_say(s->out, "%s, position %lld: %lld against %lld", s->name, s->position, s->lhs, s->rhs);
  else if (s->tensor->layout == SPW_COO)
    say_coo(s);
  else
    say_compressed(s);
}
