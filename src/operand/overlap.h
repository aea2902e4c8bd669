/* SPDX-License-Identifier: Apache-2.0 */
/* Do arrays share memory? */
#ifndef SPW_OPERAND_OVERLAP_H
#define SPW_OPERAND_OVERLAP_H

#include "operand.h"

/* Do no two elements of a strided array lie at one place? Strides are told apart one by one: where a stride is no larger
 * than what the dimensions of smaller strides reach over, the answer is no, though the elements might be apart. */
bool spw_told_apart(const spw_array *a);

/* What is an operand's: its arrays, and the numbers and the structs that describe them. Results have theirs in a buffer of the
 * caller's, who may come to use that again while it is an operand. */

/* Of `count` elements of so many bytes each; of the elements of a strided array, from the first to the last. */
static inline spw_byte_range spw_byte_range_of(const void *data, int64_t count, int64_t size)
{
  const bool none = !data || count == 0;
  const spw_byte_range all = {none ? 0 : (uintptr_t)data, none ? 0 : (uintptr_t)data + (uint64_t)count * (uint64_t)size};
  return all;
}

static inline spw_byte_range spw_byte_range_of_array(const spw_array *a, const void *data, int64_t size)
{
  const spw_byte_range none = {0, 0};
  const uint64_t start = (uintptr_t)data, bytes = (uint64_t)size;
  uint64_t last = (uint64_t)a->offset;
  if (!data) return none;
  for (int64_t d = 0; d < a->ndim; d++) {
    if (a->shape[d] == 0) return none; /* its other strides may be any numbers */
    last += (uint64_t)(a->shape[d] - 1) * (uint64_t)a->strides[d];
  }
  const spw_byte_range all = {start + (uint64_t)a->offset * bytes, start + (last + 1) * bytes};
  return all;
}

/* What is read of a tensor whose values take `scalar` bytes each. */
void spw_memory_of(const spw_tensor *t, int64_t scalar, spw_memory *memory);

static inline bool spw_meet(spw_byte_range a, spw_byte_range b)
{
  return a.first < b.last && b.first < a.last;
}

/* Does any of it lie on these bytes? */
static inline bool spw_meets(const spw_memory *memory, spw_byte_range bytes)
{
  for (int i = 0; i < memory->count; i++)
    if (spw_meet(memory->ranges[i], bytes)) return true;
  return false;
}

/* Does what describes an output? */
bool spw_output_meets(const spw_output *c, spw_byte_range bytes);

/* SPW_OK where none of the elements of the buffers that are needed lies on anything of an operand, on `request` of so many bytes
 * (null: nothing), which is read besides, on the struct that names the buffers, or on another buffer. Else SPW_ERANGE: of that
 * operand, or of the result, whose number comes after theirs and is at least 2. */
spw_status spw_keep_apart(const spw_operand *operands, int64_t count, const void *request, int64_t request_bytes,
                          const spw_buffers *buffers, const spw_room *needed, spw_refusal *refusal);

/* The same step by step, of any number of operands, which are named in turn; spw_meeting_end may be asked of several requests. */
enum { SPW_BUFFERS = 5 };
typedef struct spw_meeting {
  spw_byte_range all[SPW_BUFFERS], own; /* what is needed of the buffers, and the struct that names them */
  int buffer;                           /* the first that an operand lies on, and which operand; else SPW_BUFFERS and -1 */
  int64_t with, count;                  /* operands so far */
} spw_meeting;

spw_meeting spw_meeting_of(const spw_buffers *buffers, const spw_room *needed);
void spw_meeting_add(spw_meeting *m, const spw_memory *operand);
spw_status spw_meeting_end(const spw_meeting *m, const void *request, int64_t request_bytes, spw_refusal *refusal);

/* The number of the first operand that lies, in part, on a workspace; -1: none does. */
int64_t spw_work_overlapping(const spw_tensor *const *operands, int64_t count, const void *work, size_t work_bytes);

/* Does a workspace lie, in part, on something else that is read as long as it is written to? */
bool spw_work_on(const void *object, size_t object_bytes, const void *work, size_t work_bytes);

#endif
