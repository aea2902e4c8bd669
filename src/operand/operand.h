/* SPDX-License-Identifier: Apache-2.0 */
/* An operand of a call: judged once, at the public entry, and known from then on by its numbers and its memory. */
#ifndef SPW_OPERAND_OPERAND_H
#define SPW_OPERAND_OPERAND_H

#include "../sparsewright_ops.h"

/* Bytes from first on, up to but without last; both 0 where there are none. */
typedef struct spw_byte_range {
  uint64_t first, last; /* addresses */
} spw_byte_range;

/* What is read of a tensor: its arrays, and the numbers and the structs that describe them. */
enum { SPW_RANGES_OF_DENSE = 5, SPW_RANGES_OF_COO = 8, SPW_RANGES = 11 };
typedef struct spw_memory {
  int count;
  spw_byte_range ranges[SPW_RANGES];
} spw_memory;

/* The numbers are those of spw_numbers_of; those of a dense array are not written. What lies below a public entry reads them
 * here, and asks no shape again. */
typedef struct spw_operand {
  const spw_tensor *t;
  spw_numbers numbers;
  int64_t scalar; /* bytes of a value */
  spw_memory memory;
} spw_operand;

/* Makes *o of operand number `number`. A dense array is judged, a sparse one where `judged`, with at most so many threads
 * (below 1: one); else its caller promises that it is valid. SPW_EINVAL, SPW_EOVERFLOW, or SPW_EINVALID with the violation. */
spw_status spw_operand_take(const spw_tensor *t, int number, bool judged, int threads, spw_operand *o, spw_refusal *refusal);

/* Makes *o of operand 0 of a call, whose caller promises that it is valid. SPW_EINVAL: a pointer is missing. */
spw_status spw_operand_read(const spw_tensor *t, spw_operand *o);

/* The same of an operand of a conversion: where `judged`, of a compressed tensor that is made canonical no order is asked, and a
 * dense array is judged only there, too. */
spw_status spw_operand_convert(const spw_tensor *t, bool canonicalize, bool judged, int threads, spw_operand *o,
                               spw_refusal *refusal);

/* Judges the tensor, with at most so many threads; of a compressed one that is made canonical, no order is asked. SPW_OK,
 * SPW_EINVAL, SPW_EOVERFLOW, or SPW_EINVALID with the violation. */
spw_status spw_convert_judge(const spw_tensor *tensor, bool canonicalize, int threads, spw_refusal *refusal);

/* The first of several that is not to be taken; where it is invalid, refusal->other is its number. */
spw_status spw_convert_judge_all(const spw_tensor *const *operands, int64_t count, spw_refusal *refusal);

/* Has a dense array every pointer that it needs? */
bool spw_dense_given(const spw_array *a, const void *data);

/* Does a dense array break a rule? *first: the first of 1.5, 3.12, 3.11 and 3.14, in the order in which they guard each other;
 * not written where it breaks none. */
bool spw_dense_breaks(const spw_array *a, spw_violation *first);

/* SPW_EINVALID with the violation, of operand number `number`. */
spw_status spw_refuse_invalid(spw_refusal *refusal, int number, spw_violation violation);

#endif
