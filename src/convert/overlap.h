/* SPDX-License-Identifier: Apache-2.0 */
/* Do arrays share memory? */
#ifndef SPW_CONVERT_OVERLAP_H
#define SPW_CONVERT_OVERLAP_H

#include "../sparsewright_ops.h"

/* Do no two elements of a strided array lie at one place? Strides are told apart one by one: where a stride is no larger
 * than what the dimensions of smaller strides reach over, the answer is no, though the elements might be apart. */
bool spw_told_apart(const spw_array *a);

/* What is an operand's: its arrays, and the numbers and the structs that describe them. Results have theirs in a buffer of the
 * caller's, who may come to use that again while it is an operand. */

/* 0 or 1: something of that operand lies, in part, between the first and the last element of the output; 2: what describes the
 * output does; -1: nothing. */
int spw_overlapping(const spw_tensor *a, const spw_tensor *b, const spw_output *c);

/* SPW_OK where none of the elements of the buffers that are needed lies on anything of an operand, on `request` of so many bytes
 * (null: nothing), which is read besides, on the struct that names the buffers, or on another buffer. Else SPW_ERANGE: of that
 * operand, or of the result, whose number comes after theirs and is at least 2. */
spw_status spw_keep_apart(const spw_tensor *const *operands, int64_t count, const void *request, int64_t request_bytes,
                          const spw_buffers *buffers, const spw_room *needed, spw_refusal *refusal);

/* The number of the first operand that lies, in part, on a workspace; -1: none does. */
int64_t spw_work_overlapping(const spw_tensor *const *operands, int64_t count, const void *work, size_t work_bytes);

/* Does a workspace lie, in part, on something else that is read as long as it is written to? */
bool spw_work_on(const void *object, size_t object_bytes, const void *work, size_t work_bytes);

#endif
