/* SPDX-License-Identifier: Apache-2.0 */
/* A question to sparsewright as a call: its operands, the request, and how its result is made and answered. */
#ifndef SPW_CONFORMANCE_OURS_CALL_H
#define SPW_CONFORMANCE_OURS_CALL_H

#include "ours.h"

/* What is asked of the library, and its operands. Of the requests, the operation fills one. */
typedef struct ours_call {
  const kit_question *q;
  spw_tensor operands[KIT_MOST + 1];
  const spw_tensor *pointers[KIT_MOST + 1];
  int64_t count;
  spw_structure structure;
  spw_elementwise_request elementwise;
  spw_reduction reduction;
  spw_factors factors;
  spw_unary_request unary;
  spw_dims_reduction dims;
  spw_softmax_request softmax;
  spw_triangle triangle;
  spw_making making;
} ours_call;

typedef spw_status ours_measure(const ours_call *c, spw_room *room, spw_refusal *refusal);
typedef spw_status ours_fill(const ours_call *c, const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal);

/* A sparse operand, or a dense array. */
void ours_add_operand(ours_call *c, spw_tensor operand);

/* A number of a question as a value of a type. */
const void *ours_value_of(spw_dtype dtype, double number);

/* In buffers of the adapter, and in memory of the library's own. */
void ours_make(const ours_call *c, ours_measure *size, ours_fill *into, kit_answer *answer);
void ours_answer_owned(const ours_call *c, spw_status status, spw_owned *owned, const spw_refusal *refusal, kit_answer *answer);
void ours_answer_result(const ours_call *c, spw_status status, const spw_tensor *result, const spw_refusal *refusal,
                        kit_answer *answer);

/* Functions of values, casts, reductions over dimensions, softmax, positions, triangles, Kronecker products, linear layers,
 * sums with dense arrays and triangular systems; false: the question asks for none of them. */
bool ours_map(ours_call *c, kit_answer *answer);

/* The gradient of the operation `of`. */
void ours_differentiate(ours_call *c, kit_answer *answer);

#endif
