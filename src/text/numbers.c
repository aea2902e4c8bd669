/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes and batches of a tensor, known as far as its shapes tell them, and in words. */
#include "text.h"

spw_numbers spw_numbers_or_none(const spw_tensor *tensor)
{
  spw_numbers numbers = {0};
  (void)spw_numbers_of(tensor, &numbers);
  return numbers;
}

int64_t spw_said_batch_dims(const spw_tensor *tensor)
{
  const int64_t dims = spw_numbers_or_none(tensor).batch_dims;
  return dims > 0 ? dims : 0;
}

const int64_t *spw_size_or_inferred(const spw_tensor *tensor, int64_t room[SPW_INFERRED_DIMS], int64_t *ndim)
{
  const bool dense = tensor->layout == SPW_DENSE;
  *ndim = dense ? tensor->values.array.ndim : tensor->ndim;
  if (dense) return tensor->values.array.shape;
  if (tensor->has_size) return tensor->size;
  return spw_infer_size(tensor, room, SPW_INFERRED_DIMS, ndim) == SPW_OK ? room : NULL;
}

static void say_joined(spw_sentence *out, int64_t ndim, const int64_t *sizes, const char *sign)
{
  for (int64_t d = 0; d < ndim; d++) spw_say(out, "%s%lld", d ? sign : "", (long long)sizes[d]);
}

void spw_say_sizes(spw_sentence *out, int64_t ndim, const int64_t *sizes)
{
  enum { LONGEST_WORD = 40 };
  spw_sentence counted = spw_sentence_in(NULL, 0);
  if (ndim == 0) spw_say(out, "scalar");
  say_joined(&counted, ndim, sizes, "x");
  say_joined(out, ndim, sizes, counted.needed <= LONGEST_WORD ? "x" : " x ");
}

void spw_say_batch_index(spw_sentence *out, int64_t ndim, const int64_t *shape, int64_t batch)
{
  int64_t behind = 1; /* batches in one step along a dimension */
  for (int64_t d = 0; d < ndim; d++) behind *= shape[d];
  for (int64_t d = 0; d < ndim; d++) {
    behind /= shape[d];
    spw_say(out, d ? ", %lld" : "%lld", (long long)(batch / behind));
    batch %= behind;
  }
}

/* Is there such a batch? The product of the shape fits in int64 then. */
static bool has_batch(int64_t ndim, const int64_t *shape, int64_t batch)
{
  int64_t count = 1;
  for (int64_t d = 0; d < ndim; d++)
    if (shape[d] <= 0 || __builtin_mul_overflow(count, shape[d], &count)) return false;
  return batch >= 0 && batch < count;
}

void spw_say_batch(spw_sentence *out, int64_t ndim, const int64_t *shape, int64_t batch)
{
  if (ndim <= 1 || !has_batch(ndim, shape, batch)) {
    spw_say(out, "batch %lld", (long long)batch);
    return;
  }
  spw_say(out, "batch [");
  spw_say_batch_index(out, ndim, shape, batch);
  spw_say(out, "]");
}
