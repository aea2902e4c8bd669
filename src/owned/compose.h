/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that are made of others: each step takes its memory from one budget, and none runs after one that has failed. */
#ifndef SPW_IO_COMPOSE_H
#define SPW_IO_COMPOSE_H

#include "owned.h"

typedef struct spw_composition {
  size_t left; /* bytes; not 0 */
  spw_status status;
  spw_refusal *refusal;
  int64_t made_count, memory_count, made_room, memory_room;
  spw_owned **made; /* tensors in between */
  void **memory;
} spw_composition;

spw_composition spw_compose_begin(size_t limit, spw_refusal *refusal);

/* Frees everything, but takes `result`, one of what was made, for the caller, where no step has failed. */
spw_status spw_compose_end(spw_composition *c, const spw_tensor *result, spw_owned **out);

/* The tensor of a step that took its memory from c->left; null where that, or an earlier one, has failed. */
const spw_tensor *spw_compose_keep(spw_composition *c, spw_status status, spw_owned *const *owned);

/* For the owner of a tensor that a step has made. */
spw_owned *spw_compose_owner(const spw_composition *c, const spw_tensor *made);

/* `count` elements, zeroed; null after a failure. */
void *spw_compose_memory(spw_composition *c, int64_t count, size_t size);

/* Fails with SPW_ERANGE. */
void spw_compose_refuse(spw_composition *c, int operand, spw_obstacle obstacle, int64_t place, int64_t lhs, int64_t rhs);

/* Judges operand `number`; false after a failure. */
bool spw_compose_judge(spw_composition *c, const spw_tensor *t, int number);

/* ---- Steps ------------------------------------------------------------------------------------- */

/* Null where t is null, or a step fails. A refusal names operand `number`. */
const spw_tensor *spw_compose_convert(spw_composition *c, const spw_tensor *t, const spw_conversion *wanted, int number);
const spw_tensor *spw_compose_layout(spw_composition *c, const spw_tensor *t, spw_layout layout, int number);
const spw_tensor *spw_compose_restructure(spw_composition *c, const spw_tensor *t, const spw_structure *wanted, int number);
const spw_tensor *spw_compose_elementwise(spw_composition *c, const spw_tensor *a, const spw_tensor *b,
                                          const spw_elementwise_request *wanted);

/* The values in float32, if they are float16 or bfloat16; else t. */
const spw_tensor *spw_compose_widened(spw_composition *c, const spw_tensor *t);

/* And back to a type of 16 bits, each rounded once; else t. */
const spw_tensor *spw_compose_narrowed(spw_composition *c, const spw_tensor *t, spw_dtype dtype);

/* ---- Numbers ----------------------------------------------------------------------------------- */

bool spw_is_half(spw_dtype dtype);

/* Does one value compare == 0? */
bool spw_compares_zero(spw_dtype dtype, const void *value);

/* A copy of a tensor struct whose arrays have dimensions of their own, to be changed: size, and shape and strides of each
 * array, with room for more dimensions. */
enum { SPW_VIEW_DIMS = SPW_STRUCTURE_DIMS + 6 };
typedef struct spw_dims_view {
  spw_tensor t;
  int64_t size[SPW_VIEW_DIMS], shape[3][SPW_VIEW_DIMS], strides[3][SPW_VIEW_DIMS]; /* compressed, plain, values */
} spw_dims_view;

/* False where there are more dimensions than SPW_STRUCTURE_DIMS: SPW_EUNSUPPORTED. The view points into itself. */
spw_dims_view *spw_compose_view(spw_composition *c, const spw_tensor *t);

/* Row-major strides of array number `which` of a view, whose shape is written, and its length. */
void spw_view_in_order(spw_dims_view *v, int which);

/* The last two dimensions exchanged: a view, of COO with its rows of indices exchanged. */
const spw_tensor *spw_compose_transposed(spw_composition *c, const spw_tensor *t);

/* A dense array with all but its last dimension as rows, whose elements lie in order; null for null. */
const spw_tensor *spw_compose_rows(spw_composition *c, const spw_tensor *t);

#endif
