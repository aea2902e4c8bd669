/* SPDX-License-Identifier: Apache-2.0 */
/* What the gradients of all operations have in common: patterns, upstream gradients at positions, and results. */
#ifndef SPW_GRAD_GRAD_H
#define SPW_GRAD_GRAD_H

#include "../owned/compose.h"

/* ---- Patterns ---------------------------------------------------------------------------------- */

/* An operand with respect to which there is a gradient. `pattern` has each position once. */
typedef struct spw_variable {
  const spw_tensor *t, *pattern;
  bool combined; /* pattern is another tensor */
} spw_variable;

/* Judges operand `number`, sparse and with a size, and combines its duplicates. */
spw_variable spw_grad_variable(spw_composition *c, const spw_tensor *t, int number);

/* Judges `g`: a size, and values of that type. */
bool spw_grad_judge_upstream(spw_composition *c, const spw_tensor *g, spw_dtype dtype, int number);

/* Has a sparse or dense tensor these dimensions? Refused otherwise. */
void spw_grad_judge_size(spw_composition *c, const spw_tensor *t, int number, int64_t ndim, const int64_t *size);

/* The index arrays of a tensor with zeros of that type, to be written over; null after a failure. */
const spw_tensor *spw_grad_zeros(spw_composition *c, const spw_tensor *pattern, spw_dtype dtype);

/* What a step has made, for who changes its values. */
void *spw_grad_values(const spw_tensor *made);

/* How many values a tensor has. */
int64_t spw_grad_count(const spw_tensor *t);

/* `g` at the stored positions of a sparse tensor, with its index arrays: bits, +0 where g is unspecified. */
const spw_tensor *spw_grad_at(spw_composition *c, const spw_tensor *g, const spw_tensor *pattern, int number);

/* The gradient of a variable, stored where its pattern is, as it is asked for. */
spw_status spw_grad_end(spw_composition *c, const spw_variable *v, const spw_vjp_request *how, const spw_tensor *gradient,
                        spw_owned **out);

/* ---- Dense arrays ------------------------------------------------------------------------------ */

/* A dense array as COO without a sparse dimension, whose one cell it is; and back, of what a step has made. */
const spw_tensor *spw_grad_as_cell(spw_composition *c, const spw_tensor *dense);
const spw_tensor *spw_grad_as_dense(spw_composition *c, const spw_tensor *cell);

/* Of a sparse or a dense tensor: the conjugate, t itself unless it is complex; a product with one value. */
const spw_tensor *spw_grad_conjugate(spw_composition *c, const spw_tensor *t);
const spw_tensor *spw_grad_scaled(spw_composition *c, const spw_tensor *t, const void *scalar, spw_elementwise_kind kind);

/* The conjugate of one value in room[16]; null for null. */
const void *spw_grad_conjugate_of(spw_dtype dtype, const void *scalar, unsigned char room[16]);

/* ---- Positions --------------------------------------------------------------------------------- */

/* Is told the position of each stored value of a tensor with a size, in order of storage. */
typedef void spw_grad_visit(void *context, const int64_t *position, int64_t number);
void spw_grad_visit_positions(const spw_tensor *t, spw_grad_visit *visit, void *context);

/* Values by their positions: of a dense array, or of coalesced COO. */
const spw_tensor *spw_grad_ordered(spw_composition *c, const spw_tensor *g, int number);

/* The value at a position, null where there is none. */
const char *spw_grad_find(const spw_tensor *ordered, const int64_t *position);

#endif
