/* SPDX-License-Identifier: Apache-2.0 */
/* One violation in words, with the numbers of the tensor at hand. */
#include "report.h"

#include <stdlib.h>

typedef struct subject {
  cli_text *out;
  const spw_tensor *tensor;
  const spw_violation *violation;
  const char *name; /* of the member */
  long long position, lhs, rhs;
} subject;

/* "compressed_indices[0, 2]": batch, then position. */
static void put_place(const subject *s)
{
  int64_t *batch;
  const int64_t ndim = violation_batch(s->tensor, s->violation, &batch);
  add_format(s->out, "%s[", s->name);
  for (int64_t i = 0; i < ndim; i++) add_format(s->out, "%lld, ", (long long)batch[i]);
  add_format(s->out, "%lld]", s->position);
  free(batch);
}

static const char *plain_dimension(spw_layout layout)
{
  static const char *const names[] = {"", "columns", "rows", "block columns", "block rows"};
  return names[layout];
}

static const char *slice_name(spw_layout layout)
{
  static const char *const names[] = {"", "row", "column", "block row", "block column"};
  return names[layout];
}

static void put_difference(const subject *s)
{
  put_place(s);
  add_format(s->out, ": %lld - %lld = %lld is ",
             (long long)batch_element(s->tensor, s->violation, s->position),
             (long long)batch_element(s->tensor, s->violation, s->position - 1), s->lhs);
  if (s->lhs < 0)
    add_text(s->out, "below 0");
  else
    add_format(s->out, "more than P = %lld %s", s->rhs, plain_dimension(s->tensor->layout));
}

static void put_order(const subject *s)
{
  put_place(s);
  add_format(s->out, ": %lld %s %lld in %s %lld", s->rhs,
             s->lhs == s->rhs ? "comes again after" : "comes after", s->lhs,
             slice_name(s->tensor->layout), (long long)slice_of(s->tensor, s->violation));
}

static void put_coo_place(const subject *s)
{
  const long long nse = (long long)s->tensor->plain.array.shape[1];
  add_format(s->out, "indices[%lld, %lld]", s->position / nse, s->position % nse);
}

static void put_coo_order(const subject *s)
{
  add_format(s->out, "column %lld of indices ", s->position);
  if (s->lhs == s->rhs)
    add_format(s->out, "repeats column %lld", s->position - 1);
  else
    add_format(s->out, "comes after column %lld, but %lld is below %lld", s->position - 1, s->rhs,
               s->lhs);
}

static void put_structure(const subject *s)
{
  switch (s->violation->rule) {
  case SPW_RULE_5_1:
    put_place(s);
    add_format(s->out, " is %lld, not 0", s->lhs);
    break;
  case SPW_RULE_5_2:
    put_place(s);
    add_format(s->out, ", the last one, is %lld, but nse is %lld", s->lhs, s->rhs);
    break;
  case SPW_RULE_5_3: put_difference(s); break;
  case SPW_RULE_5_4:
    put_place(s);
    add_format(s->out, ": %lld is below 0", s->lhs);
    break;
  case SPW_RULE_5_5:
    put_place(s);
    add_format(s->out, ": %lld is not below P = %lld %s", s->lhs, s->rhs,
               plain_dimension(s->tensor->layout));
    break;
  case SPW_RULE_5_6: put_order(s); break;
  case SPW_RULE_6_5:
    put_coo_place(s);
    add_format(s->out, ": %lld is below 0", s->lhs);
    break;
  case SPW_RULE_6_6:
    put_coo_place(s);
    add_format(s->out, ": %lld is not below size[%lld] = %lld", s->lhs,
               s->position / (long long)s->tensor->plain.array.shape[1], s->rhs);
    break;
  default: put_coo_order(s); break;
  }
}

/* Which number rule 1.6 is about. */
static void put_too_large(const subject *s)
{
  const spw_member member = s->violation->member;
  const bool is_inferred = member == SPW_MEMBER_PLAIN && s->position < 0 && !s->tensor->has_size;
  if (is_inferred)
    add_format(s->out, "%s go up to %lld, so %s would be %llu", s->name, s->lhs,
               s->tensor->layout == SPW_COO ? "a size" : "P", (unsigned long long)s->lhs + 1);
  else if (member == SPW_MEMBER_SIZE)
    add_format(s->out, "size[%lld] is %lld", s->position, s->lhs);
  else
    add_format(s->out, "%s is %lld",
               member == SPW_MEMBER_COMPRESSED ? "C" : s->position < 0 ? "P" : "nse", s->lhs);
  add_format(s->out, ", more than the largest number of the index type, %lld", s->rhs);
}

static void put_index_type(const subject *s)
{
  const spw_tensor *t = s->tensor;
  if (t->index_dtype)
    add_format(s->out, "%s are %s, but index_dtype is %s", s->name,
               spw_dtype_name(member_array(t, s->violation->member)->dtype),
               spw_dtype_name(t->index_dtype));
  else
    add_format(s->out, "plain_indices are %s, but compressed_indices are %s",
               spw_dtype_name(t->plain.array.dtype), spw_dtype_name(t->compressed.array.dtype));
}

static void put_size_rule(const subject *s)
{
  const long long batch = (long long)batch_dims(s->tensor);
  if (s->position < 0)
    add_format(s->out, "len(size) is %lld, but batch, rows, columns and dense make %lld", s->lhs,
               s->rhs);
  else if (s->position < batch)
    add_format(s->out, "size[%lld] is %lld, but the batch shape has %lld there", s->position,
               s->lhs, s->rhs);
  else
    add_format(s->out, "block size %lld does not divide size[%lld], which is %lld", s->rhs,
               s->position, s->lhs);
}

static void put_values_shape(const subject *s)
{
  const long long batch = (long long)batch_dims(s->tensor);
  if (s->position < 0) {
    add_format(s->out, "values.shape does not match: %lld, not %lld", s->lhs, s->rhs);
    return;
  }
  add_format(s->out, "values.shape[%lld] is %lld, but ", s->position, s->lhs);
  add_text(s->out, s->position < batch ? "the batch shape has"
                   : s->position == batch ? "nse is" : "size has");
  add_format(s->out, s->position == batch ? " %lld" : " %lld there", s->rhs);
}

static void put_storage(const subject *s)
{
  const spw_array *array = member_array(s->tensor, s->violation->member);
  if (s->position >= 0 && s->position < array->ndim && array->strides[s->position] < 0)
    add_format(s->out, "%s: stride %lld of dimension %lld is below 0", s->name,
               (long long)array->strides[s->position], s->position);
  else if (array->offset < 0)
    add_format(s->out, "%s: the offset %lld is below 0", s->name, (long long)array->offset);
  else if (s->lhs == INT64_MAX)
    add_format(s->out,
               "%s reach beyond storage position 2^63 - 2, but the storage has %lld elements",
               s->name, s->rhs);
  else
    add_format(s->out, "%s reach storage position %lld, but the storage has %lld elements", s->name,
               s->lhs, s->rhs);
}

static void put_number_of_dimensions(const subject *s)
{
  add_format(s->out, "dim(%s) is %lld, ", s->name,
             (long long)member_array(s->tensor, s->violation->member)->ndim);
}

static void put_coo_values(const subject *s)
{
  if (s->tensor->values.array.ndim == 0)
    add_format(s->out, "values have no dimension; one of length nse = %lld is needed",
               (long long)s->tensor->plain.array.shape[1]);
  else
    add_format(s->out, "values.shape[0] is %lld, but nse is %lld", s->lhs, s->rhs);
}

static void put_types(const subject *s)
{
  const spw_tensor *t = s->tensor;
  switch (s->violation->rule) {
  case SPW_RULE_1_1: case SPW_RULE_1_2: put_index_type(s); break;
  case SPW_RULE_1_3:
    add_format(s->out, "the index type is %s, neither int32 nor int64",
               spw_dtype_name((spw_dtype)s->lhs));
    break;
  case SPW_RULE_1_4:
    add_format(s->out, "values are %s, but dtype is %s", spw_dtype_name(t->values.array.dtype),
               spw_dtype_name(t->dtype));
    break;
  case SPW_RULE_1_5: add_text(s->out, "the element type of values is unknown"); break;
  default: put_too_large(s); break;
  }
}

static void put_shape(const subject *s)
{
  cli_text *out = s->out;
  switch (s->violation->rule) {
  case SPW_RULE_3_1: put_size_rule(s); break;
  case SPW_RULE_3_2:
    put_number_of_dimensions(s);
    add_text(out, "but at least 1 is needed");
    break;
  case SPW_RULE_3_3:
    put_number_of_dimensions(s);
    add_format(out, "but dim(compressed_indices) is %lld",
               (long long)s->tensor->compressed.array.ndim);
    break;
  case SPW_RULE_3_4:
    put_number_of_dimensions(s);
    add_format(out, "but at least %lld is needed",
               (long long)batch_dims(s->tensor) + (is_blocked(s->tensor->layout) ? 3 : 1));
    break;
  case SPW_RULE_3_5: case SPW_RULE_3_6:
    add_format(out, "the last stride of %s is %lld, not 1", s->name, s->lhs);
    break;
  case SPW_RULE_3_8:
    add_format(out, "compressed_indices have %lld entries a batch, but C + 1 is %lld", s->lhs,
               s->rhs);
    break;
  case SPW_RULE_3_9:
    add_format(out, "plain_indices.shape[%lld] is %lld, but the batch shape has %lld there",
               s->position, s->lhs, s->rhs);
    break;
  case SPW_RULE_3_10: put_values_shape(s); break;
  case SPW_RULE_3_11:
    if (s->position < 0)
      add_text(out, "the product of size is more than the largest int64, 2^63 - 1");
    else
      add_format(out, "size[%lld] is inferred from %lld blocks, but only %lld of them fit in int64",
                 s->position, s->lhs, s->rhs);
    break;
  case SPW_RULE_3_12:
    add_format(out, s->violation->member == SPW_MEMBER_SIZE ? "%s[%lld]" : "%s.shape[%lld]",
               s->name, s->position);
    add_format(out, " is %lld, below 0", s->lhs);
    break;
  case SPW_RULE_3_13:
    add_format(out, "values.shape[%lld], a block size, is %lld, below 1", s->position, s->lhs);
    break;
  case SPW_RULE_3_14: put_storage(s); break;
  case SPW_RULE_6_1:
    put_number_of_dimensions(s);
    add_text(out, "but 2 is needed: sparse_dim and nse");
    break;
  case SPW_RULE_6_2: put_coo_values(s); break;
  case SPW_RULE_6_3:
    add_format(out, "len(size) is %lld, but sparse_dim + dense_dim is %lld", s->lhs, s->rhs);
    break;
  case SPW_RULE_6_4:
    add_format(out, "values.shape[%lld] is %lld, but size has %lld there", s->position, s->lhs,
               s->rhs);
    break;
  default:
    add_format(out, "%lld and %lld do not fit together", s->lhs, s->rhs);
    break;
  }
}

char *violation_message(const cli_judgement *judgement, const spw_violation *violation)
{
  const spw_tensor *tensor = judgement->input->tensor;
  cli_text text = new_text();
  subject s = {.out = &text,
               .tensor = tensor,
               .violation = violation,
               .name = member_name(tensor->layout, violation->member),
               .position = (long long)violation->position,
               .lhs = (long long)violation->lhs,
               .rhs = (long long)violation->rhs};
  if (!s.name) s.name = "the tensor";
  if (spw_rule_get(violation->rule)->phase != SPW_SHAPE)
    put_structure(&s);
  else if (violation->rule <= SPW_RULE_1_6)
    put_types(&s);
  else
    put_shape(&s);
  return text.bytes;
}
