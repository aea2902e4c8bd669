/* SPDX-License-Identifier: Apache-2.0 */
/* Why a conversion cannot be, in a sentence with the numbers that do not fit. */
#include "text.h"

typedef struct attempt {
  spw_sentence *out;
  const spw_tensor *tensor; /* or null */
  const spw_conversion *wanted;
  const char *layout; /* of the result */
  const int64_t *size; /* or null */
  int64_t ndim;
  long long place, other, lhs, rhs;
} attempt;

static void say_size(const attempt *a)
{
  if (!a->size) return;
  spw_say(a->out, " (size ");
  spw_say_sizes(a->out, a->ndim, a->size);
  spw_say(a->out, ")");
}

static void say_dimensions(const attempt *a)
{
  if (a->rhs >= SPW_NDIM_MAX - 1) { /* dimensions of any kind */
    spw_say(a->out, "it has %lld dimensions, and as %s it can have %lld at most", a->lhs, a->layout, a->rhs);
    return;
  }
  if (a->lhs < 0 && a->wanted && a->wanted->batch_dims >= 0)
    spw_say(a->out, "it has %lld dimensions that are not dense, and %lld batch dimensions are asked for",
            a->lhs + (long long)a->wanted->batch_dims, (long long)a->wanted->batch_dims);
  else
    spw_say(a->out, "%lld dimensions would be sparse, and %s has %lld", a->lhs, a->layout, a->rhs);
  say_size(a);
}

/* Of the result, and so of the size that it has in common with the tensor. */
static int64_t result_batch_dims(const attempt *a)
{
  const spw_conversion *const wanted = a->wanted;
  if (spw_says_lines(a->tensor->layout)) return spw_said_batch_dims(a->tensor);
  if (wanted->batch_dims >= 0) return wanted->batch_dims;
  const int64_t dense = a->tensor->layout == SPW_COO ? spw_numbers_or_none(a->tensor).dense_dims
                        : wanted->dense_dims > 0 ? wanted->dense_dims : 0;
  return dense <= a->ndim ? a->ndim - dense - 2 : 0;
}

static void say_batch(const attempt *a, int64_t batch)
{
  const int64_t dims = a->size && a->wanted ? result_batch_dims(a) : 0;
  spw_say_batch(a->out, dims <= a->ndim ? dims : 0, a->size, batch);
}

static void say_batches(const attempt *a)
{
  const char *const cells = a->wanted && spw_says_blocks(a->wanted->layout) ? "blocks" : "elements";
  say_batch(a, a->place);
  spw_say(a->out, " has %lld specified %s and ", a->lhs, cells);
  say_batch(a, a->other);
  spw_say(a->out, " has %lld; %s needs the same number in each", a->rhs, a->layout);
}

/* The coordinates of an element of COO, or of a cell in its batch. */
static void say_position(const attempt *a, int64_t element)
{
  const spw_tensor *const t = a->tensor;
  if (t->layout == SPW_COO) {
    spw_say(a->out, "(");
    for (int64_t d = 0; d < t->plain.array.shape[0]; d++) {
      const spw_entries row = spw_entries_of_row(&t->plain, d);
      spw_say(a->out, d ? ", %lld" : "%lld", (long long)spw_entry(&row, element));
    }
    spw_say(a->out, ")");
    return;
  }
  const int64_t batch = a->place > 0 ? a->place : 0;
  const spw_entries entries = spw_entries_of_batch(&t->plain, batch);
  const long long plain = (long long)spw_entry(&entries, element), line = (long long)spw_line_of(t, batch, element);
  const bool by_rows = t->layout == SPW_CSR || t->layout == SPW_BSR;
  spw_say(a->out, "%s(%lld, %lld)", spw_says_blocks(t->layout) ? "block " : "", by_rows ? line : plain, by_rows ? plain : line);
}

/* Can the position of a duplicate be read? */
static bool has_element(const spw_tensor *t, int64_t place, int64_t element)
{
  const spw_array *const a = &t->plain.array;
  const int64_t batch = place > 0 ? place : 0;
  bool holds = false;
  if (t->layout != SPW_COO && !spw_says_lines(t->layout)) return false;
  if (spw_is_valid(t, SPW_SHAPE, &holds) != SPW_OK || !holds) return false;
  return batch < spw_numbers_or_none(t).batches && element >= 0 && element < a->shape[a->ndim - 1];
}

static void say_duplicate(const attempt *a)
{
  spw_say(a->out, "elements %lld and %lld ", a->lhs, a->rhs);
  if (a->tensor && spw_says_lines(a->tensor->layout) && spw_said_batch_dims(a->tensor)) {
    spw_say(a->out, "of ");
    say_batch(a, a->place);
    spw_say(a->out, " ");
  }
  spw_say(a->out, "lie at one position");
  if (!a->tensor || !has_element(a->tensor, a->place, a->lhs)) return;
  spw_say(a->out, ", ");
  say_position(a, a->lhs);
}

void spw_say_refused_conversion(spw_sentence *out, const spw_refused *what, const spw_refusal *r)
{
  int64_t inferred[SPW_INFERRED_DIMS];
  attempt a = {.out = out, .tensor = what->a, .wanted = what->conversion, .place = (long long)r->place,
               .other = (long long)r->other, .lhs = (long long)r->lhs, .rhs = (long long)r->rhs,
               .layout = what->conversion ? spw_layout_word(what->conversion->layout) : "the result"};
  if (what->a) a.size = spw_size_or_inferred(what->a, inferred, &a.ndim);
  switch (r->obstacle) {
  case SPW_OBSTACLE_DIMENSIONS: say_dimensions(&a); break;
  case SPW_OBSTACLE_BLOCKS:
    spw_say(out, "size[%lld] is %lld, which is no multiple of the block size %lld", a.place, a.lhs, a.rhs);
    say_size(&a);
    break;
  case SPW_OBSTACLE_INDEX:
    spw_say(out, "the result needs indices up to %lld, and its index type holds %lld at most", a.lhs, a.rhs);
    break;
  case SPW_OBSTACLE_SIZE:
    spw_say(out, "as %s it would have, or making it would take, more elements than any memory holds", a.layout);
    say_size(&a);
    break;
  case SPW_OBSTACLE_BATCHES: say_batches(&a); break;
  case SPW_OBSTACLE_DUPLICATE: say_duplicate(&a); break;
  default: spw_say_obstacle(out, what, r); break;
  }
}
