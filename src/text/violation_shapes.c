/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about shapes in words, of compressed layouts and of COO. */
#include "text.h"

static void say_size_rule(const spw_subject *s)
{
  const long long batch = (long long)spw_said_batch_dims(s->tensor);
  if (s->position < 0)
    spw_say(s->out, "len(size) is %lld, but batch, rows, columns and dense make %lld", s->lhs, s->rhs);
  else if (s->position < batch)
    spw_say(s->out, "size[%lld] is %lld, but the batch shape has %lld there", s->position, s->lhs, s->rhs);
  else
    spw_say(s->out, "block size %lld does not divide size[%lld], which is %lld", s->rhs, s->position, s->lhs);
}

static void say_values_shape(const spw_subject *s)
{
  const long long batch = (long long)spw_said_batch_dims(s->tensor);
  if (s->position < 0) {
    spw_say(s->out, "values.shape does not match: %lld, not %lld", s->lhs, s->rhs);
    return;
  }
  spw_say(s->out, "values.shape[%lld] is %lld, but ", s->position, s->lhs);
  spw_say(s->out, s->position < batch ? "the batch shape has" : s->position == batch ? "nse is" : "size has");
  spw_say(s->out, s->position == batch ? " %lld" : " %lld there", s->rhs);
}

static void say_storage(const spw_subject *s)
{
  const spw_array *const array = spw_said_array(s->tensor, s->violation->member);
  if (array && s->position >= 0 && s->position < array->ndim && array->strides[s->position] < 0)
    spw_say(s->out, "%s: stride %lld of dimension %lld is below 0", s->name, (long long)array->strides[s->position], s->position);
  else if (array && array->offset < 0)
    spw_say(s->out, "%s: the offset %lld is below 0", s->name, (long long)array->offset);
  else if (s->lhs == INT64_MAX)
    spw_say(s->out, "%s reach beyond storage position 2^63 - 2, but the storage has %lld elements", s->name, s->rhs);
  else
    spw_say(s->out, "%s reach storage position %lld, but the storage has %lld elements", s->name, s->lhs, s->rhs);
}

static void say_dimensions(const spw_subject *s)
{
  const spw_array *const array = spw_said_array(s->tensor, s->violation->member);
  spw_say(s->out, "dim(%s) is %lld, ", s->name, array ? (long long)array->ndim : s->lhs);
}

static void say_coo_values(const spw_subject *s)
{
  const spw_array *const indices = &s->tensor->plain.array;
  if (s->tensor->values.array.ndim == 0 && indices->ndim == 2)
    spw_say(s->out, "values have no dimension; one of length nse = %lld is needed", (long long)indices->shape[1]);
  else
    spw_say(s->out, "values.shape[0] is %lld, but nse is %lld", s->lhs, s->rhs);
}

static void say_product_of_size(const spw_subject *s)
{
  if (s->position < 0)
    spw_say(s->out, "the product of size is more than the largest int64, 2^63 - 1");
  else
    spw_say(s->out, "size[%lld] is inferred from %lld blocks, but only %lld of them fit in int64", s->position, s->lhs, s->rhs);
}

static void say_unknown_layout(const spw_subject *s)
{
  if (s->tensor->layout == SPW_DENSE)
    spw_say(s->out, "the layout is dense, and the checker judges coo, csr, csc, bsr and bsc");
  else
    spw_say(s->out, "layout number %lld is none of coo, csr, csc, bsr and bsc", s->lhs);
}

/* Rules 6.1 to 6.4. The others that are left hold of every tensor that there can be. */
static void say_coo_shape(const spw_subject *s)
{
  switch (s->violation->rule) {
  case SPW_RULE_2_4: say_unknown_layout(s); break;
  case SPW_RULE_6_1:
    say_dimensions(s);
    spw_say(s->out, "but 2 is needed: sparse_dim and nse");
    break;
  case SPW_RULE_6_2: say_coo_values(s); break;
  case SPW_RULE_6_3: spw_say(s->out, "len(size) is %lld, but sparse_dim + dense_dim is %lld", s->lhs, s->rhs); break;
  case SPW_RULE_6_4: spw_say(s->out, "values.shape[%lld] is %lld, but size has %lld there", s->position, s->lhs, s->rhs); break;
  default: spw_say(s->out, "%lld and %lld do not fit together", s->lhs, s->rhs); break;
  }
}

/* How many dimensions arrays have. */
static void say_needed_dimensions(const spw_subject *s)
{
  const spw_tensor *const t = s->tensor;
  say_dimensions(s);
  if (s->violation->rule == SPW_RULE_3_2)
    spw_say(s->out, "but at least 1 is needed");
  else if (s->violation->rule == SPW_RULE_3_3)
    spw_say(s->out, "but dim(compressed_indices) is %lld", (long long)t->compressed.array.ndim);
  else
    spw_say(s->out, "but at least %lld is needed", (long long)spw_said_batch_dims(t) + (spw_says_blocks(t->layout) ? 3 : 1));
}

void spw_say_shape_violation(const spw_subject *s)
{
  spw_sentence *const out = s->out;
  switch (s->violation->rule) {
  case SPW_RULE_3_1: say_size_rule(s); break;
  case SPW_RULE_3_2: case SPW_RULE_3_3: case SPW_RULE_3_4: say_needed_dimensions(s); break;
  case SPW_RULE_3_5: case SPW_RULE_3_6: spw_say(out, "the last stride of %s is %lld, not 1", s->name, s->lhs); break;
  case SPW_RULE_3_8:
    spw_say(out, "compressed_indices have %lld entries a batch, but C + 1 is %lld", s->lhs, s->rhs);
    break;
  case SPW_RULE_3_9:
    spw_say(out, "plain_indices.shape[%lld] is %lld, but the batch shape has %lld there", s->position, s->lhs, s->rhs);
    break;
  case SPW_RULE_3_10: say_values_shape(s); break;
  case SPW_RULE_3_11: say_product_of_size(s); break;
  case SPW_RULE_3_12:
    spw_say(out, s->violation->member == SPW_MEMBER_SIZE ? "%s[%lld]" : "%s.shape[%lld]", s->name, s->position);
    spw_say(out, " is %lld, below 0", s->lhs);
    break;
  case SPW_RULE_3_13: spw_say(out, "values.shape[%lld], a block size, is %lld, below 1", s->position, s->lhs); break;
  case SPW_RULE_3_14: say_storage(s); break;
  default: say_coo_shape(s); break;
  }
}
