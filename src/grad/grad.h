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

/* The same, to be read only, without gaps: `g` itself if it is that. */
const spw_tensor *spw_grad_read_at(spw_composition *c, const spw_tensor *g, const spw_tensor *pattern, int number);

/* The gradient of a variable, stored where its pattern is, as it is asked for. */
spw_status spw_grad_end(spw_composition *c, const spw_variable *v, const spw_vjp_request *how, const spw_tensor *gradient,
                        spw_owned **out);

/* ---- Dense arrays ------------------------------------------------------------------------------ */

/* A dense array of the size and type of a sparse tensor: one zero, by strides of 0. */
const spw_tensor *spw_grad_dense_like(spw_composition *c, const spw_tensor *t);

/* A dense array as COO without a sparse dimension, whose one cell it is; and back, of what a step has made. */
const spw_tensor *spw_grad_as_cell(spw_composition *c, const spw_tensor *dense);
const spw_tensor *spw_grad_as_dense(spw_composition *c, const spw_tensor *cell);

/* Of a sparse or a dense tensor: the conjugate, t itself unless it is complex; a product with one value. */
const spw_tensor *spw_grad_conjugate(spw_composition *c, const spw_tensor *t);
const spw_tensor *spw_grad_scaled(spw_composition *c, const spw_tensor *t, const void *scalar, spw_elementwise_kind kind);

/* The conjugate of one value in room[16]; null for null. */
const void *spw_grad_conjugate_of(spw_dtype dtype, const void *scalar, unsigned char room[16]);

/* ---- Reductions ------------------------------------------------------------------------------- */

/* The index arrays of a pattern; at each position the value of `from`, +0 where it has none, at its projection. */
const spw_tensor *spw_grad_spread(spw_composition *c, const spw_tensor *from, const spw_tensor *pattern,
                                  const spw_dims_reduction *wanted, int number);

/* The same reduction of another kind; of ones; and how many positions it makes one of. */
const spw_tensor *spw_grad_reduced(spw_composition *c, const spw_tensor *t, const spw_dims_reduction *wanted, spw_dims_kind kind);
const spw_tensor *spw_grad_counts(spw_composition *c, const spw_tensor *pattern, const spw_dims_reduction *wanted);
int64_t spw_grad_reduced_positions(const spw_tensor *a, const spw_dims_reduction *wanted);

/* Has `g` the size of the result? Refused otherwise. */
void spw_grad_judge_like(spw_composition *c, const spw_tensor *g, int number, const spw_tensor *result);

/* Of extremes and norms. */
const spw_tensor *spw_grad_of_extreme(spw_composition *c, const spw_variable *v, const spw_dims_reduction *wanted,
                                      const spw_tensor *g);

/* ---- Products ---------------------------------------------------------------------------------- */

/* A view of a dense array: a vector as a column. */
const spw_tensor *spw_grad_as_column(spw_composition *c, const spw_tensor *t);

/* Has `g`, operand `number`, the type and size of the product of a sparse and a dense operand? Refused otherwise. */
void spw_grad_judge_product(spw_composition *c, const spw_tensor *a, const spw_tensor *b, const spw_tensor *g, int number);

/* Zeros of the shape of t, or with its index arrays. */
const spw_tensor *spw_grad_zeros_like(spw_composition *c, const spw_tensor *t);

/* alpha (A B), one of them sparse, in an array of the shape of `like`: as it is (a vector is a column), transposed, or
 * as rows. */
typedef enum spw_grad_form { SPW_GRAD_AS_IS, SPW_GRAD_TURNED, SPW_GRAD_ROWS } spw_grad_form;
const spw_tensor *spw_grad_product_like(spw_composition *c, const spw_tensor *a, const spw_tensor *b, const void *alpha,
                                        const spw_tensor *like, spw_grad_form form);

/* alpha (A B) of two dense ones at the stored positions of a pattern. */
const spw_tensor *spw_grad_sampled(spw_composition *c, const spw_tensor *pattern, const spw_tensor *a, const spw_tensor *b,
                                   const void *alpha);

/* Zeros of beta that is null; else its conjugate times t. */
const spw_tensor *spw_grad_times_beta(spw_composition *c, const spw_tensor *t, const spw_factors *factors);

/* ---- Values of any type ------------------------------------------------------------------------ */

/* to[numbers[i] - 1] += from[i], in that order, where the number is not 0. */
void spw_grad_fold(spw_dtype dtype, void *to, const void *from, const int64_t *numbers, int64_t n);

/* Values `from` to before `to` of a made array of float or double, each divided by a number of their type. */
void spw_grad_divide(const spw_tensor *made, int64_t from, int64_t to, double divisor);

/* *sum += *a * *b, each operation rounded once. Not of float16 and bfloat16. */
typedef void spw_grad_product(void *sum, const void *a, const void *b);
spw_grad_product *spw_grad_product_of(spw_dtype dtype);

/* Zeros of either sign are equal, and NaN attains NaN. Not of complex types. */
bool spw_grad_attains(spw_dtype dtype, const char *value, const char *extreme);

/* The values of a pattern are its numbers, from 1. */
const spw_tensor *spw_grad_numbered(spw_composition *c, const spw_tensor *pattern);

/* ---- Positions --------------------------------------------------------------------------------- */

/* Is told the position of each stored value of a tensor with a size, in order of storage. */
typedef void spw_grad_visit(void *context, const int64_t *position, int64_t number);
void spw_grad_visit_positions(const spw_tensor *t, spw_grad_visit *visit, void *context);

/* Values by their positions: of a dense array, or of coalesced COO. */
const spw_tensor *spw_grad_ordered(spw_composition *c, const spw_tensor *g, int number);

/* The value at a position, null where there is none. */
const char *spw_grad_find(const spw_tensor *ordered, const int64_t *position);

#endif
