/* SPDX-License-Identifier: Apache-2.0 */
/* sparsewright's products, sums, reductions and structure operations: operands, results and workspaces end where an
 * unreadable page begins. */
#include "ours_call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A sparse one, or a dense array. */
void ours_add_operand(ours_call *c, spw_tensor operand)
{
  c->operands[c->count] = ours_in_order(&operand);
  c->pointers[c->count] = &c->operands[c->count];
  c->count++;
}

/* A number of a question as a value of a type. */
const void *ours_value_of(spw_dtype dtype, double number)
{
  char text[160];
  spw_owned *owned = NULL;
  spw_error error;
  const bool pair = dtype == SPW_COMPLEX64 || dtype == SPW_COMPLEX128;
  const int length = snprintf(text, sizeof text, "{\"spw\":1,\"layout\":\"dense\",\"values\":{\"dtype\":\"%s\",\"shape\":[],"
                              "\"data\":[%s%.17g%s]}}", spw_dtype_name(dtype), pair ? "[" : "", number, pair ? ",0]" : "");
  if (spw_read_json(text, (size_t)length, 0, &owned, &error) != SPW_OK) exit(2);
  const void *value = kit_guarded_copy(spw_owned_tensor(owned)->values.data, (size_t)spw_dtype_size(dtype));
  spw_owned_free(owned);
  return value;
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* A dense result without the dimension that a sum is over, or with 1 there. */
static void answer_dense(const ours_call *c, const spw_tensor *result, kit_answer *answer)
{
  const spw_array *const values = &result->values.array;
  const kit_question *const q = c->q;
  int64_t shape[SPW_STRUCTURE_DIMS + 1], ndim = 0;
  for (int64_t d = 0; d <= values->ndim; d++) {
    if (q->operation == KIT_SUM_DIM && q->keepdim && d == q->dim) shape[ndim++] = 1;
    if (d < values->ndim) shape[ndim++] = values->shape[d];
  }
  kit_dense_result(answer, values->dtype, ndim, shape, result->values.data);
}

void ours_answer_result(const ours_call *c, spw_status status, const spw_tensor *result, const spw_refusal *refusal,
                          kit_answer *answer)
{
  if (status == SPW_ERANGE && refusal->obstacle == SPW_OBSTACLE_BLOCKS) {
    kit_unsupported(answer, "blocks are cut and renumbered whole");
  } else if (status == SPW_EINVALID || status == SPW_ERANGE) {
    ours_refuse(refusal, answer);
  } else if (status != SPW_OK) {
    kit_unsupported(answer, spw_status_string(status));
  } else if (result->layout == SPW_DENSE) {
    answer_dense(c, result, answer);
  } else {
    ours_answer_tensor(result, answer);
    if (result->layout != SPW_COO || result->coalesced == SPW_CLAIM_YES)
      kit_claims(answer, "{\"sorted\": true, \"canonical\": true}");
  }
}

static void free_owned(void *owned)
{
  spw_owned_free(owned);
}

void ours_answer_owned(const ours_call *c, spw_status status, spw_owned *owned, const spw_refusal *refusal, kit_answer *answer)
{
  if (owned) kit_release_later(answer, owned, free_owned);
  ours_answer_result(c, status, owned ? spw_owned_tensor(owned) : NULL, refusal, answer);
}

void ours_make(const ours_call *c, ours_measure *size, ours_fill *into, kit_answer *answer)
{
  spw_room room;
  spw_tensor result;
  spw_refusal refusal;
  spw_status status = size(c, &room, &refusal);
  if (status == SPW_OK && ours_is_large(&room)) status = SPW_ENOMEM;
  if (status == SPW_OK) {
    const spw_buffers buffers = ours_buffers(&room);
    status = into(c, &buffers, &result, &refusal);
  }
  ours_answer_result(c, status, &result, &refusal, answer);
}

/* ---- Structure ------------------------------------------------------------------------------- */

static spw_status measure_structure(const ours_call *c, spw_room *room, spw_refusal *refusal)
{
  return spw_restructure_size(c->pointers, c->count, &c->structure, room, refusal);
}

static spw_status fill_structure(const ours_call *c, const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  return spw_restructure(c->pointers, c->count, &c->structure, buffers, result, refusal);
}

static spw_structure_kind structure_kind(kit_operation operation)
{
  switch (operation) {
  case KIT_SELECT: return SPW_SELECT;
  case KIT_NARROW: return SPW_NARROW;
  case KIT_INDEX_SELECT: return SPW_INDEX_SELECT;
  case KIT_CAT: return SPW_CAT;
  case KIT_STACK: return SPW_STACK;
  default: return SPW_SPARSE_MASK;
  }
}

static void restructure(ours_call *c, kit_answer *answer)
{
  const kit_question *const q = c->q;
  const int64_t start = q->operation == KIT_SELECT ? q->index : q->start;
  c->structure = (spw_structure){.kind = structure_kind(q->operation), .dim = q->dim, .start = start, .length = q->length,
                                 .numbers = q->indices, .count = q->indices_count};
  for (int64_t i = 0; i < q->others_count; i++) ours_add_operand(c, ours_guarded(q->others[i]));
  ours_make(c, measure_structure, fill_structure, answer);
}

/* ---- Another order of dimensions --------------------------------------------------------------- */

static spw_status measure_permutation(const ours_call *c, spw_room *room, spw_refusal *refusal)
{
  return spw_permute_size(c->pointers[0], c->structure.numbers, room, refusal);
}

static spw_status fill_permutation(const ours_call *c, const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  return spw_permute(c->pointers[0], c->structure.numbers, buffers, result, refusal);
}

/* The view of a compressed tensor; false when it is not valid. */
static bool transpose_view(const spw_tensor *tensor, spw_tensor *view)
{
  const int64_t capacity = (tensor->has_size ? tensor->ndim : 0) + 2 * tensor->values.array.ndim;
  bool valid = false;
  if (spw_is_valid(tensor, SPW_STRUCTURE, &valid) != SPW_OK || !valid) return false;
  return spw_transpose(tensor, ours_buffer(capacity, 8), capacity, view) == SPW_OK;
}

/* Judged, turned and put in order. What is wrong, the conversion says. */
static void transpose(ours_call *c, kit_answer *answer)
{
  const spw_tensor *const tensor = c->pointers[0];
  spw_conversion wanted = {.layout = tensor->layout, .batch_dims = -1, .dense_dims = -1};
  spw_tensor view = *tensor;
  if (tensor->layout != SPW_COO) {
    if (transpose_view(tensor, &view)) wanted.layout = view.layout;
    ours_answer_conversion(&view, &wanted, answer);
    return;
  }
  spw_numbers n;
  if (spw_numbers_of(tensor, &n) != SPW_OK || n.sparse_dims < 2) {
    kit_unsupported(answer, "fewer than two sparse dimensions");
    return;
  }
  const int64_t ndim = n.sparse_dims + n.dense_dims;
  int64_t *const order = ours_buffer(ndim, 8);
  const int64_t last = n.sparse_dims - 1;
  for (int64_t d = 0; d < ndim; d++) order[d] = d == last ? d - 1 : d == last - 1 ? d + 1 : d;
  spw_room room;
  if (spw_permute_size(tensor, order, &room, NULL) == SPW_OK && !ours_is_large(&room)) {
    const spw_buffers buffers = ours_buffers(&room);
    if (spw_permute(tensor, order, &buffers, &view, NULL) != SPW_OK) view = *tensor;
  }
  ours_answer_conversion(&view, &wanted, answer);
}

static void permute(ours_call *c, kit_answer *answer)
{
  const kit_question *const q = c->q;
  const bool swaps = q->dims_count == 2 && q->dims[0] == 1 && q->dims[1] == 0;
  c->structure.numbers = q->dims;
  if (swaps && c->pointers[0]->layout != SPW_COO)
    transpose(c, answer);
  else
    ours_make(c, measure_permutation, fill_permutation, answer);
}

/* ---- Elementwise, and reductions ---------------------------------------------------------------- */

static spw_status measure_elementwise(const ours_call *c, spw_room *room, spw_refusal *refusal)
{
  return spw_elementwise_size(c->pointers[0], c->count > 1 ? c->pointers[1] : NULL, &c->elementwise, room, refusal);
}

static spw_status fill_elementwise(const ours_call *c, const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  return spw_elementwise(c->pointers[0], c->count > 1 ? c->pointers[1] : NULL, &c->elementwise, buffers, result, refusal);
}

static spw_elementwise_kind elementwise_kind(kit_operation operation)
{
  switch (operation) {
  case KIT_ADD: return SPW_PLUS;
  case KIT_SUB: return SPW_MINUS;
  case KIT_MUL: return SPW_TIMES;
  case KIT_SCALE: return SPW_SCALE;
  default: return SPW_DIVIDE;
  }
}

static void combine(ours_call *c, kit_answer *answer)
{
  const kit_question *const q = c->q;
  const bool scalar = q->operation == KIT_SCALE || q->operation == KIT_DIVIDE;
  c->elementwise.kind = elementwise_kind(q->operation);
  if (scalar) c->elementwise.scalar = ours_value_of(c->pointers[0]->values.array.dtype, q->alpha);
  if (q->other) ours_add_operand(c, ours_guarded(q->other));
  if (!scalar && !q->other) c->pointers[c->count++] = c->pointers[0]; /* the same object */
  ours_make(c, measure_elementwise, fill_elementwise, answer);
}

static spw_status measure_reduction(const ours_call *c, spw_room *room, spw_refusal *refusal)
{
  return spw_reduce_size(c->pointers[0], NULL, &c->reduction, room, refusal);
}

static spw_status fill_reduction(const ours_call *c, const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  return spw_reduce(c->pointers[0], NULL, &c->reduction, buffers, result, refusal);
}

static void sum(ours_call *c, kit_answer *answer)
{
  const kit_question *const q = c->q;
  c->reduction.span = q->operation == KIT_SUM ? SPW_EACH_MATRIX : q->dim == 0 ? SPW_EACH_COLUMN : SPW_EACH_ROW;
  if (c->pointers[0]->has_size && c->pointers[0]->ndim != 2)
    kit_unsupported(answer, "sums of all of a matrix, of its rows or its columns");
  else
    ours_make(c, measure_reduction, fill_reduction, answer);
}

/* ---- Products -------------------------------------------------------------------------------- */

/* C, as the question has it, or all of it unwritten. */
static spw_status output_of(const ours_call *c, const spw_tensor *x, spw_output *out, spw_refusal *refusal)
{
  const spw_array *const b = &x->values.array;
  int64_t dimension = 0, entry = 0, *const dims = ours_buffer(2 * b->ndim, 8), length = 1;
  const spw_status status = spw_multiply_shape(c->pointers[0], x, &dimension, &entry, refusal);
  if (status != SPW_OK) return status;
  for (int64_t d = b->ndim; d-- > 0;) {
    dims[d] = d == dimension ? entry : b->shape[d];
    dims[b->ndim + d] = length;
    length *= dims[d];
  }
  out->array = (spw_array){b->dtype, b->ndim, dims, dims + b->ndim, 0, length};
  const int64_t size = spw_dtype_size(b->dtype);
  out->data = c->q->dense.stored ? kit_guarded_copy(c->q->dense.data, (size_t)(length * size)) : ours_buffer(length, size);
  return c->q->dense.stored && c->q->dense.length != length ? SPW_EUNSUPPORTED : SPW_OK;
}

static void multiply(ours_call *c, kit_answer *answer)
{
  const spw_tensor x = ours_dense(&c->q->x);
  spw_output out = {.data = NULL};
  spw_refusal refusal;
  size_t work = 0;
  spw_status status = output_of(c, &x, &out, &refusal);
  if (status == SPW_OK) status = spw_multiply_size(c->pointers[0], &x, &c->factors, &out, &work, &refusal);
  if (status == SPW_OK && work > LARGEST_COPY) status = SPW_ENOMEM;
  if (status == SPW_OK)
    status = spw_multiply(c->pointers[0], &x, &c->factors, &out, ours_buffer((int64_t)(work + 15) / 16, 16), work, &refusal);
  const spw_tensor result = {.layout = SPW_DENSE, .values = {out.array, out.data}};
  ours_answer_result(c, status, &result, &refusal, answer);
}

static spw_status measure_sampled(const ours_call *c, spw_room *room, spw_refusal *refusal)
{
  return spw_sampled_multiply_size(c->pointers[0], c->pointers[1], c->pointers[2], &c->factors, room, refusal);
}

static spw_status fill_sampled(const ours_call *c, const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  return spw_sampled_multiply(c->pointers[0], c->pointers[1], c->pointers[2], &c->factors, buffers, result, refusal);
}

/* Of any two layouts: in memory of the library's own. */
static void multiply_sparse(ours_call *c, kit_answer *answer)
{
  spw_owned *owned = NULL;
  spw_refusal refusal;
  if (c->q->other)
    ours_add_operand(c, ours_guarded(c->q->other));
  else
    c->pointers[c->count++] = c->pointers[0]; /* the same object */
  const spw_status status = spw_multiply_sparse_new(c->pointers[0], c->pointers[1], LARGEST_COPY, 0, &owned, &refusal);
  ours_answer_owned(c, status, owned, &refusal, answer);
}

static void add_factors(ours_call *c)
{
  const spw_dtype dtype = c->pointers[0]->values.array.dtype;
  c->factors.alpha = ours_value_of(dtype, c->q->alpha);
  c->factors.beta = ours_value_of(dtype, c->q->beta);
}

/* ---- Operations ------------------------------------------------------------------------------ */

bool ours_operate(const kit_question *q, kit_answer *answer)
{
  ours_call c = {.q = q};
  if (!q->tensor && !q->live) return false;
  if (q->operation == KIT_SPARSE_MASK) ours_add_operand(&c, ours_dense(&q->dense));
  ours_add_operand(&c, ours_operand(q));
  switch (q->operation) {
  case KIT_SELECT: case KIT_NARROW: case KIT_INDEX_SELECT: case KIT_CAT: case KIT_STACK: case KIT_SPARSE_MASK:
    return restructure(&c, answer), true;
  case KIT_TRANSPOSE: return transpose(&c, answer), true;
  case KIT_PERMUTE: return permute(&c, answer), true;
  case KIT_ADD: case KIT_SUB: case KIT_MUL: case KIT_SCALE: case KIT_DIVIDE: return combine(&c, answer), true;
  case KIT_SUM: case KIT_SUM_DIM: return sum(&c, answer), true;
  case KIT_ADDMM: case KIT_ADDMV: add_factors(&c); return multiply(&c, answer), true;
  case KIT_MATVEC: case KIT_MATMAT: case KIT_BMM: return multiply(&c, answer), true;
  case KIT_MATMUL_SPARSE: return multiply_sparse(&c, answer), true;
  case KIT_VJP: return ours_differentiate(&c, answer), true;
  case KIT_SAMPLED_ADDMM:
    add_factors(&c);
    ours_add_operand(&c, ours_dense(&q->x));
    ours_add_operand(&c, ours_dense(&q->y));
    return ours_make(&c, measure_sampled, fill_sampled, answer), true;
  default: return ours_map(&c, answer);
  }
}
