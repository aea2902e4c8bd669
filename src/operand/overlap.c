/* SPDX-License-Identifier: Apache-2.0 */
#include "overlap.h"
#include "../convert/plan.h"
#include "../convert/values.h"

static spw_byte_range of_numbers(const int64_t *numbers, int64_t count)
{
  return spw_byte_range_of(numbers, count, (int64_t)sizeof *numbers);
}

/* What an array is known by is read as long as its elements are. */
static inline void describe_array(const spw_array *a, const void *data, int64_t size, spw_byte_range ranges[3])
{
  ranges[0] = of_numbers(a->shape, a->ndim);
  ranges[1] = of_numbers(a->strides, a->ndim);
  ranges[2] = spw_byte_range_of_array(a, data, size);
}

static inline void describe_indices(const spw_index_array *i, spw_byte_range ranges[3])
{
  const bool wide = i->array.dtype == SPW_INT64;
  describe_array(&i->array, wide ? (const void *)i->i64 : i->i32, wide ? 8 : 4, ranges);
}

void spw_memory_of(const spw_tensor *t, int64_t scalar, spw_memory *m)
{
  m->count = t->layout == SPW_DENSE ? SPW_RANGES_OF_DENSE : t->layout == SPW_COO ? SPW_RANGES_OF_COO : SPW_RANGES;
  m->ranges[0] = spw_byte_range_of(t, 1, (int64_t)sizeof *t);
  m->ranges[1] = of_numbers(t->has_size ? t->size : NULL, t->ndim);
  describe_array(&t->values.array, t->values.data, scalar, m->ranges + 2);
  if (m->count > SPW_RANGES_OF_DENSE) describe_indices(&t->plain, m->ranges + SPW_RANGES_OF_DENSE);
  if (m->count > SPW_RANGES_OF_COO) describe_indices(&t->compressed, m->ranges + SPW_RANGES_OF_COO);
}

bool spw_output_meets(const spw_output *c, spw_byte_range bytes)
{
  const spw_array *const a = &c->array;
  return spw_meet(spw_byte_range_of(c, 1, (int64_t)sizeof *c), bytes) || spw_meet(of_numbers(a->shape, a->ndim), bytes) ||
         spw_meet(of_numbers(a->strides, a->ndim), bytes);
}

spw_meeting spw_meeting_of(const spw_buffers *b, const spw_room *n)
{
  const bool wide = n->index_dtype == SPW_INT64;
  const spw_meeting m = {
      .all = {spw_byte_range_of(b->dims, n->dims, 8), spw_byte_range_of(b->work, (int64_t)n->work, 1),
              spw_byte_range_of(wide ? (const void *)b->compressed_i64 : b->compressed_i32, n->compressed, wide ? 8 : 4),
              spw_byte_range_of(wide ? (const void *)b->plain_i64 : b->plain_i32, n->plain, wide ? 8 : 4),
              spw_byte_range_of(b->values, n->values, spw_dtype_size(n->dtype))},
      .own = spw_byte_range_of(b, 1, (int64_t)sizeof *b),
      .buffer = SPW_BUFFERS,
      .with = -1};
  return m;
}

void spw_meeting_add(spw_meeting *m, const spw_memory *operand)
{
  for (int i = 0; i < m->buffer; i++)
    if (spw_meets(operand, m->all[i])) {
      m->buffer = i;
      m->with = m->count;
    }
  m->count++;
}

static bool meets_other(const spw_meeting *m, int i, spw_byte_range request)
{
  if (spw_meet(request, m->all[i]) || spw_meet(m->own, m->all[i])) return true;
  for (int j = 0; j < i; j++)
    if (spw_meet(m->all[i], m->all[j])) return true;
  return false;
}

/* The number of an operand that lies on one of the buffers; `count` where something else does; -1: all lie apart. */
static int64_t first_meeting(const spw_meeting *m, spw_byte_range request)
{
  for (int i = 0; i < m->buffer; i++)
    if (meets_other(m, i, request)) return m->count;
  return m->with;
}

spw_status spw_meeting_end(const spw_meeting *m, const void *request, int64_t request_bytes, spw_refusal *refusal)
{
  const int64_t found = first_meeting(m, spw_byte_range_of(request, request_bytes, 1));
  if (found < 0) return SPW_OK;
  return spw_refuse_operand(refusal, found == m->count && found < 2 ? 2 : (int)found, SPW_OBSTACLE_OVERLAP, -1, -1, -1);
}

spw_status spw_keep_apart(const spw_operand *operands, int64_t count, const void *request, int64_t request_bytes,
                          const spw_buffers *buffers, const spw_room *needed, spw_refusal *refusal)
{
  spw_meeting m = spw_meeting_of(buffers, needed);
  for (int64_t k = 0; k < count; k++) spw_meeting_add(&m, &operands[k].memory);
  return spw_meeting_end(&m, request, request_bytes, refusal);
}

int64_t spw_work_overlapping(const spw_tensor *const *operands, int64_t count, const void *work, size_t work_bytes)
{
  const spw_byte_range all = spw_byte_range_of(work, (int64_t)work_bytes, 1);
  for (int64_t k = 0; k < count; k++) {
    spw_memory m;
    spw_memory_of(operands[k], spw_dtype_size(operands[k]->values.array.dtype), &m);
    if (spw_meets(&m, all)) return k;
  }
  return -1;
}

bool spw_work_on(const void *object, size_t object_bytes, const void *work, size_t work_bytes)
{
  return spw_meet(spw_byte_range_of(object, (int64_t)object_bytes, 1), spw_byte_range_of(work, (int64_t)work_bytes, 1));
}

/* The dimension with the smallest stride from `least` on, the first of them after `after` where strides are equal; -1. */
static int64_t next_dimension(const spw_array *a, int64_t least, int64_t after)
{
  int64_t found = -1;
  for (int64_t d = 0; d < a->ndim; d++) {
    const bool later = a->strides[d] > least || (a->strides[d] == least && d > after);
    if (a->shape[d] > 1 && later && (found < 0 || a->strides[d] < a->strides[found])) found = d;
  }
  return found;
}

bool spw_told_apart(const spw_array *a)
{
  int64_t reach = 0, least = -1, after = -1;
  if (a->ndim == 1) return a->shape[0] <= 1 || a->strides[0] > 0;
  if (spw_count_values(a) <= 1) return true;
  for (;;) {
    const int64_t d = next_dimension(a, least, after);
    if (d < 0) return true;
    if (a->strides[d] <= reach) return false;
    reach += (a->shape[d] - 1) * a->strides[d];
    least = a->strides[d];
    after = d;
  }
}
