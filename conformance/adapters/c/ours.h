/* SPDX-License-Identifier: Apache-2.0 */
/* What the two halves of sparsewright's own adapter share: operands and results between unreadable pages. */
#ifndef SPW_CONFORMANCE_OURS_H
#define SPW_CONFORMANCE_OURS_H

#include "kit.h"

/* What is larger is not copied, nor made. */
enum { LARGEST_COPY = 1 << 24 };

/* The tensor again with guarded storages. One too large to copy stays where it is. */
spw_tensor ours_guarded(const spw_tensor *read);

/* The first operand: of a chain's later steps what the step before has left, where it lies. */
spw_tensor ours_operand(const kit_question *question);

/* The same storage as a question's array, which may have strides. */
spw_tensor ours_dense(const kit_dense *dense);

/* The tensor, put in order where it is compressed and nothing but its order is wrong. */
spw_tensor ours_in_order(const spw_tensor *tensor);

bool ours_has_blocks(spw_layout layout);

/* Arrays without an element to spare, which hold no zeros: what is left unwritten shows. */
void *ours_buffer(int64_t count, int64_t size);
spw_buffers ours_buffers(const spw_room *room);
bool ours_is_large(const spw_room *room);

void ours_refuse(const spw_refusal *refusal, kit_answer *answer);
/* The tensor as the result, or kept for the next step of a chain. */
void ours_answer_tensor(const spw_tensor *tensor, kit_answer *answer);
void ours_answer_conversion(const spw_tensor *tensor, const spw_conversion *wanted, kit_answer *answer);

/* Products, sums, reductions and structure operations, transposing too; false: the question asks for none of them. */
bool ours_operate(const kit_question *question, kit_answer *answer);

#endif
