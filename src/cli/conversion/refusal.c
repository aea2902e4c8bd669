/* SPDX-License-Identifier: Apache-2.0 */
/* Why a conversion cannot be, in a sentence with the numbers that do not fit. */
#include "conversion.h"

#include <stdlib.h>

typedef struct subject {
  cli_text *out;
  const cli_judgement *judgement;
  const spw_tensor *tensor;
  const spw_conversion *wanted;
  const spw_refusal *refusal;
  long long place, other, lhs, rhs;
} subject;

static void put_size(const subject *s)
{
  if (!s->judgement->size_known) return;
  add_text(s->out, " (size ");
  add_sizes(s->out, s->judgement->ndim, s->judgement->size);
  add_text(s->out, ")");
}

static void put_dimensions(const subject *s)
{
  if (s->rhs >= SPW_NDIM_MAX - 1) { /* dimensions of any kind */
    add_format(s->out, "it has %lld dimensions, and as %s it can have %lld at most", s->lhs,
               spw_layout_name(s->wanted->layout), s->rhs);
    return;
  }
  if (s->lhs < 0) {
    const long long asked = (long long)s->wanted->batch_dims;
    add_format(s->out, "it has %lld dimensions that are not dense, and --batch-dims=%lld asks for more", s->lhs + asked, asked);
    put_size(s);
    return;
  }
  add_format(s->out, "%lld dimensions would be sparse, and %s has %lld", s->lhs,
             spw_layout_name(s->wanted->layout), s->rhs);
  put_size(s);
  if (s->lhs <= s->rhs) return;
  add_text(s->out, s->tensor->layout == SPW_DENSE
                       ? "; --batch-dims and --dense-dims say how many are not" : "; --batch-dims says how many are not");
}

static void put_blocks(const subject *s)
{
  add_format(s->out, "size[%lld] is %lld, which is no multiple of the block size %lld", s->place, s->lhs,
             s->rhs);
  put_size(s);
}

static void put_index(const subject *s)
{
  add_format(s->out, "the result needs indices up to %lld, and its index type holds %lld at most; --index=int64 "
             "holds more", s->lhs, s->rhs);
}

static void put_too_many(const subject *s)
{
  add_format(s->out, "as %s it would have, or making it would take, more elements than any memory holds",
             spw_layout_name(s->wanted->layout));
  put_size(s);
}

/* Of the result, and so of the size that it has in common with the tensor. */
static int64_t result_batch_dims(const subject *s)
{
  const spw_conversion *wanted = s->wanted;
  if (is_compressed(s->tensor->layout)) return batch_dims(s->tensor);
  if (wanted->batch_dims >= 0) return wanted->batch_dims;
  const int64_t dense = s->tensor->layout == SPW_COO ? numbers_of(s->tensor).dense_dims
                        : wanted->dense_dims > 0 ? wanted->dense_dims : 0;
  return s->judgement->ndim - dense - 2;
}

/* "batch 3", "batch [1, 0]" */
static void put_batch(const subject *s, int64_t batch)
{
  const int64_t ndim = s->judgement->size_known ? result_batch_dims(s) : 0;
  int64_t *index = allocate((size_t)ndim, sizeof *index);
  if (ndim > 1 && spw_unravel(batch, ndim, s->judgement->size, index) == SPW_OK) {
    for (int64_t i = 0; i < ndim; i++)
      add_format(s->out, i ? ", %lld" : "batch [%lld", (long long)index[i]);
    add_text(s->out, "]");
  } else {
    add_format(s->out, "batch %lld", (long long)batch);
  }
  free(index);
}

static void put_batches(const subject *s)
{
  const char *cells = is_blocked(s->wanted->layout) ? "blocks" : "elements";
  put_batch(s, s->place);
  add_format(s->out, " has %lld specified %s and ", s->lhs, cells);
  put_batch(s, s->other);
  add_format(s->out, " has %lld; %s needs the same number in each", s->rhs, spw_layout_name(s->wanted->layout));
}

/* The coordinates of an element of COO, or of a cell in its batch. */
static void put_position(const subject *s, int64_t element)
{
  const spw_tensor *t = s->tensor;
  if (t->layout == SPW_COO) {
    add_text(s->out, "(");
    for (int64_t d = 0; d < t->plain.array.shape[0]; d++)
      add_format(s->out, d ? ", %lld" : "%lld", (long long)coo_element(t, d, element));
    add_text(s->out, ")");
    return;
  }
  const spw_violation at = {.rule = SPW_RULE_5_6, .member = SPW_MEMBER_PLAIN, .position = element,
                            .batch = s->place > 0 ? s->place : 0};
  const long long plain = (long long)batch_element(t, &at, element), slice = (long long)slice_of(t, &at);
  const bool by_rows = t->layout == SPW_CSR || t->layout == SPW_BSR;
  add_format(s->out, "%s(%lld, %lld)", is_blocked(t->layout) ? "block " : "", by_rows ? slice : plain,
             by_rows ? plain : slice);
}

static void put_duplicate(const subject *s)
{
  add_format(s->out, "elements %lld and %lld ", s->lhs, s->rhs);
  if (is_compressed(s->tensor->layout) && batch_dims(s->tensor)) {
    add_text(s->out, "of ");
    put_batch(s, s->place);
    add_text(s->out, " ");
  }
  add_text(s->out, "lie at one position, ");
  put_position(s, s->lhs);
  add_text(s->out, "; --duplicates=sum, first or last combines them");
}

void add_refusal(cli_text *text, const cli_judgement *judgement, const spw_conversion *wanted,
                 const spw_refusal *refusal)
{
  const subject s = {.out = text,
                     .judgement = judgement,
                     .tensor = judgement->input->tensor,
                     .wanted = wanted,
                     .refusal = refusal,
                     .place = (long long)refusal->place,
                     .other = (long long)refusal->other,
                     .lhs = (long long)refusal->lhs,
                     .rhs = (long long)refusal->rhs};
  switch (refusal->obstacle) {
  case SPW_OBSTACLE_DIMENSIONS: put_dimensions(&s); break;
  case SPW_OBSTACLE_BLOCKS: put_blocks(&s); break;
  case SPW_OBSTACLE_INDEX: put_index(&s); break;
  case SPW_OBSTACLE_SIZE: put_too_many(&s); break;
  case SPW_OBSTACLE_BATCHES: put_batches(&s); break;
  case SPW_OBSTACLE_DUPLICATE: put_duplicate(&s); break;
  default: add_text(text, "it cannot be converted"); break;
  }
}
