/* SPDX-License-Identifier: Apache-2.0 */
#include "overlap.h"
#include "plan.h"
#include "values.h"
#include "../core/size.h"

/* Bytes from first on, up to but without last; both 0 where there are none. */
typedef struct bytes {
  uintptr_t first, last;
} bytes;

static bytes bytes_of(const spw_array *a, const void *data, int64_t size)
{
  const bytes none = {0, 0};
  int64_t last = a->offset;
  if (!data || spw_count_values(a) == 0) return none;
  for (int64_t d = 0; d < a->ndim; d++) last += (a->shape[d] - 1) * a->strides[d];
  const uintptr_t start = (uintptr_t)data;
  const bytes all = {start + (uintptr_t)a->offset * (uintptr_t)size, start + ((uintptr_t)last + 1) * (uintptr_t)size};
  return all;
}

static bool meet(bytes a, bytes b)
{
  return a.first < b.last && b.first < a.last;
}

static bytes of_buffer(const void *data, int64_t count, int64_t size)
{
  const int64_t stride = 1;
  const spw_array a = {SPW_DTYPE_NONE, 1, &count, &stride, 0, count};
  return bytes_of(&a, data, size);
}

static bool meets_numbers(const int64_t *numbers, int64_t count, bytes out)
{
  return meet(of_buffer(numbers, count, (int64_t)sizeof *numbers), out);
}

/* What an array is known by is read as long as its elements are. */
static bool meets_description(const spw_array *a, bytes out)
{
  return meets_numbers(a->shape, a->ndim, out) || meets_numbers(a->strides, a->ndim, out);
}

static bool meets_array(const spw_array *a, const void *data, int64_t size, bytes out)
{
  return meets_description(a, out) || meet(bytes_of(a, data, size), out);
}

static bool meets_indices(const spw_index_array *i, bytes out)
{
  const bool wide = i->array.dtype == SPW_INT64;
  return meets_array(&i->array, wide ? (const void *)i->i64 : i->i32, wide ? 8 : 4, out);
}

static bool meets(const spw_tensor *t, bytes out)
{
  const spw_value_array *const v = &t->values;
  if (meet(of_buffer(t, 1, (int64_t)sizeof *t), out)) return true;
  if (meets_array(&v->array, v->data, spw_dtype_size(v->array.dtype), out)) return true;
  if (t->has_size && meets_numbers(t->size, t->ndim, out)) return true;
  if (t->layout == SPW_DENSE) return false;
  return meets_indices(&t->plain, out) || (t->layout != SPW_COO && meets_indices(&t->compressed, out));
}

int spw_overlapping(const spw_tensor *a, const spw_tensor *b, const spw_output *c)
{
  const spw_array *const array = &c->array;
  const bytes out = bytes_of(array, c->data, spw_dtype_size(array->dtype));
  if (meets(a, out)) return 0;
  if (meets(b, out)) return 1;
  return meets_description(array, out) || meet(of_buffer(c, 1, (int64_t)sizeof *c), out) ? 2 : -1;
}

/* The number of an operand that lies on one of the buffers; `count` where something else does; -1: all lie apart. */
static int64_t first_meeting(const spw_tensor *const *operands, int64_t count, bytes request, const spw_buffers *b,
                             const spw_room *n)
{
  const bool wide = n->index_dtype == SPW_INT64;
  const bytes all[] = {of_buffer(b->dims, n->dims, 8), of_buffer(b->work, (int64_t)n->work, 1),
                       of_buffer(wide ? (const void *)b->compressed_i64 : b->compressed_i32, n->compressed, wide ? 8 : 4),
                       of_buffer(wide ? (const void *)b->plain_i64 : b->plain_i32, n->plain, wide ? 8 : 4),
                       of_buffer(b->values, n->values, spw_dtype_size(n->dtype))};
  for (int i = 0; i < 5; i++) {
    for (int64_t k = 0; k < count; k++)
      if (meets(operands[k], all[i])) return k;
    if (meet(request, all[i]) || meet(of_buffer(b, 1, (int64_t)sizeof *b), all[i])) return count;
    for (int j = 0; j < i; j++)
      if (meet(all[i], all[j])) return count;
  }
  return -1;
}

spw_status spw_keep_apart(const spw_tensor *const *operands, int64_t count, const void *request, int64_t request_bytes,
                          const spw_buffers *buffers, const spw_room *needed, spw_refusal *refusal)
{
  const int64_t found = first_meeting(operands, count, of_buffer(request, request_bytes, 1), buffers, needed);
  if (found < 0) return SPW_OK;
  return spw_refuse_operand(refusal, found == count && count < 2 ? 2 : (int)found, SPW_OBSTACLE_OVERLAP, -1, -1, -1);
}

int64_t spw_work_overlapping(const spw_tensor *const *operands, int64_t count, const void *work, size_t work_bytes)
{
  const bytes all = of_buffer(work, (int64_t)work_bytes, 1);
  for (int64_t k = 0; k < count; k++)
    if (meets(operands[k], all)) return k;
  return -1;
}

bool spw_work_on(const void *object, size_t object_bytes, const void *work, size_t work_bytes)
{
  return meet(of_buffer(object, (int64_t)object_bytes, 1), of_buffer(work, (int64_t)work_bytes, 1));
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
