/* SPDX-License-Identifier: Apache-2.0 */
/* The public calls of structure operations. The cells of the result are listed as those of a COO tensor, which is
 * converted: blocks are dense dimensions to it. */
#include "cells.h"
#include "mask.h"
#include "../convert/arena.h"
#include "../convert/buffers.h"
#include "../convert/plan.h"
#include "../core/size.h"

#include <string.h>

/* The list in the workspace, and the tensor that it is. */
typedef struct job {
  spw_request request;
  spw_list list;
  int64_t list_bytes; /* of the workspace */
  spw_tensor listed;
  int64_t ndim, size[SPW_ENTRIES], strides[SPW_ENTRIES];
  int64_t plain_shape[2], plain_strides[2], shape[SPW_ENTRIES];
  spw_conversion to;
} job;

/* ---- The listed tensor ------------------------------------------------------------------------- */

static bool has_blocks(const job *j)
{
  return spw_has_blocks(j->request.layout);
}

/* Of cells: blocks are counted, and are dimensions of their own. */
static void take_size(job *j)
{
  const spw_request *r = &j->request;
  for (int64_t d = 0; d < r->leading; d++) {
    const int64_t sparse = d - r->batch_dims;
    const bool divided = has_blocks(j) && (sparse == 0 || sparse == 1);
    j->size[d] = divided ? r->size[d] / r->block[sparse] : r->size[d];
  }
  j->ndim = r->leading + spw_cell_shape(r, j->size + r->leading);
}

static void view_list(job *j)
{
  const spw_request *r = &j->request;
  const int64_t n = j->list.length, leading = r->leading;
  const spw_dtype dtype = r->a.t->values.array.dtype;
  int64_t step = 1;
  take_size(j);
  j->shape[0] = n;
  for (int64_t d = leading; d < j->ndim; d++) j->shape[d - leading + 1] = j->size[d];
  for (int64_t d = j->ndim - leading; d >= 0; d--) {
    j->strides[d] = step;
    step = spw_mul_saturated(step, j->shape[d]); /* beyond only where there is no scalar */
  }
  const int64_t scalars = spw_product(j->shape, j->ndim - leading + 1);
  /* Before there is memory, only the shapes are looked at. */
  const spw_array plain = {SPW_INT64, 2, j->plain_shape, j->plain_strides, 0, j->list.at ? leading * n : 0};
  const spw_array values = {dtype, j->ndim - leading + 1, j->shape, j->strides, 0, j->list.values ? scalars : 0};
  j->plain_shape[0] = leading;
  j->plain_shape[1] = j->plain_strides[0] = n;
  j->plain_strides[1] = 1;
  const spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = j->ndim, .size = j->size, .coalesced = SPW_CLAIM_NO,
                        .plain = {plain, NULL, j->list.at, NULL}, .values = {values, j->list.values}};
  j->listed = t;
}

static void take_conversion(job *j)
{
  static const spw_layout of_cells[] = {SPW_COO, SPW_CSR, SPW_CSC, SPW_CSR, SPW_CSC};
  const spw_request *r = &j->request;
  const spw_conversion to = {.layout = of_cells[r->layout],
                             .batch_dims = r->layout == SPW_COO ? -1 : r->batch_dims,
                             .dense_dims = -1,
                             .index_dtype = r->a.t->plain.array.dtype,
                             .duplicates = r->wanted->duplicates};
  j->to = to;
}

/* ---- The workspace ----------------------------------------------------------------------------- */

static void lay_out(job *j, char *base)
{
  const spw_request *r = &j->request;
  const int64_t n = j->list.length;
  const bool listed = r->wanted->kind == SPW_INDEX_SELECT && r->along == SPW_ALONG_SPARSE;
  int64_t shape[SPW_ENTRIES];
  const int64_t ndim = spw_cell_shape(r, shape), cell = n == 0 ? 0 : spw_product(shape, ndim);
  spw_arena arena = {base, 0};
  j->list.at = spw_take(&arena, spw_mul_saturated(r->leading, n), sizeof(int64_t));
  j->list.values = spw_take(&arena, spw_mul_saturated(cell < 0 ? INT64_MAX : cell, n),
                            spw_dtype_size(r->a.t->values.array.dtype));
  if (listed) j->list.found = spw_take(&arena, spw_mul_saturated(2, r->wanted->count), sizeof(spw_cell));
  j->list_bytes = arena.used;
}

/* ---- The calls --------------------------------------------------------------------------------- */

static spw_status make_job(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted, job *j,
                           spw_refusal *refusal)
{
  spw_status status = spw_request_make(operands, count, wanted, &j->request, refusal);
  if (status != SPW_OK) return status;
  memset(&j->list, 0, sizeof j->list);
  return spw_count_cells(&j->request, &j->list.length, refusal);
}

/* Before there is memory: what list and conversion take; of buffers, where there are some. */
static spw_status find_room(job *j, const spw_buffers *buffers, spw_room *room, spw_refusal *refusal)
{
  lay_out(j, NULL);
  if (j->list.length > INT64_MAX / 16 || j->list_bytes == INT64_MAX)
    return spw_refuse(refusal, SPW_OBSTACLE_SIZE, -1, -1, -1, -1);
  view_list(j);
  take_conversion(j);
  const spw_status status = buffers ? spw_convert_within(&j->listed, &j->to, buffers, room, refusal)
                                    : spw_convert_size_unchecked(&j->listed, &j->to, room, refusal);
  if (status != SPW_OK) return status;
  if (room->work > (size_t)(INT64_MAX - j->list_bytes)) return spw_refuse(refusal, SPW_OBSTACLE_SIZE, -1, -1, -1, -1);
  room->work += (size_t)j->list_bytes;
  return SPW_OK;
}

static bool given(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted)
{
  if (!operands || !wanted || count < 1) return false;
  for (int64_t i = 0; i < count; i++)
    if (!operands[i]) return false;
  return true;
}

/* No operand may be a dense array, but what is masked. */
static bool supported(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted)
{
  for (int64_t i = wanted->kind == SPW_SPARSE_MASK ? 1 : 0; i < count; i++)
    if (operands[i]->layout == SPW_DENSE) return false;
  return true;
}

spw_status spw_restructure_size_unchecked(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted,
                                          spw_room *room, spw_refusal *refusal)
{
  job j;
  if (!given(operands, count, wanted) || !room) return SPW_EINVAL;
  if (!supported(operands, count, wanted)) return SPW_EUNSUPPORTED;
  if (wanted->kind == SPW_SPARSE_MASK) return spw_mask_size(operands, count, wanted, room, refusal);
  spw_status status = make_job(operands, count, wanted, &j, refusal);
  if (status != SPW_OK) return status;
  spw_room r;
  status = find_room(&j, NULL, &r, refusal);
  if (status == SPW_OK) *room = r;
  return status;
}

spw_status spw_restructure_size(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted, spw_room *room,
                                spw_refusal *refusal)
{
  if (!given(operands, count, wanted) || !room) return SPW_EINVAL;
  if (!supported(operands, count, wanted)) return SPW_EUNSUPPORTED;
  const spw_status status = spw_convert_judge_all(operands, count, refusal);
  return status == SPW_OK ? spw_restructure_size_unchecked(operands, count, wanted, room, refusal) : status;
}

/* Blocks are no dimensions of the result, but in its values. */
static void join_blocks(const job *j, int64_t *dims, spw_tensor *result)
{
  const spw_request *r = &j->request;
  if (!has_blocks(j)) return;
  for (int64_t d = 0; d < r->ndim; d++) dims[d] = r->size[d];
  result->layout = r->layout;
  result->ndim = r->ndim;
}

/* The conversion numbers what is listed, and its caller what the operands have. */
static void name_elements(job *j, char *base, spw_refusal *refusal)
{
  int64_t *const numbers[] = {&refusal->lhs, &refusal->rhs};
  for (int i = 0; i < 2; i++) {
    spw_origin origin = {*numbers[i], -1, -1};
    lay_out(j, base); /* a list that was sorted is sorted again, from its beginning */
    j->list.origin = &origin;
    spw_list_cells(&j->request, &j->list);
    *numbers[i] = origin.element;
    refusal->other = origin.operand;
  }
}

spw_status spw_restructure_unchecked(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted,
                                     const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  job j;
  if (!given(operands, count, wanted) || !buffers || !result) return SPW_EINVAL;
  if (!supported(operands, count, wanted)) return SPW_EUNSUPPORTED;
  if (wanted->kind == SPW_SPARSE_MASK) return spw_mask(operands, count, wanted, buffers, result, refusal);
  spw_status status = make_job(operands, count, wanted, &j, refusal);
  if (status != SPW_OK) return status;
  spw_room need;
  status = find_room(&j, buffers, &need, refusal);
  if (status != SPW_OK) return status;
  if (!spw_buffers_hold(buffers, &need)) return SPW_EINVAL;
  status = spw_request_apart(operands, count, wanted, buffers, &need, refusal);
  if (status != SPW_OK) return status;
  lay_out(&j, buffers->work);
  view_list(&j);
  spw_list_cells(&j.request, &j.list);
  spw_buffers rest = *buffers;
  rest.room.work -= (size_t)j.list_bytes;
  rest.work = j.list_bytes > 0 ? (char *)buffers->work + j.list_bytes : buffers->work;
  spw_tensor made;
  spw_refusal why;
  status = spw_convert_unchecked(&j.listed, &j.to, &rest, &made, &why);
  if (status == SPW_ERANGE && why.obstacle == SPW_OBSTACLE_DUPLICATE) name_elements(&j, buffers->work, &why);
  if (status == SPW_ERANGE && refusal) *refusal = why;
  if (status != SPW_OK) return status;
  join_blocks(&j, buffers->dims, &made);
  *result = made;
  return SPW_OK;
}

spw_status spw_restructure(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted,
                           const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  if (!given(operands, count, wanted) || !buffers || !result) return SPW_EINVAL;
  if (!supported(operands, count, wanted)) return SPW_EUNSUPPORTED;
  const spw_status status = spw_convert_judge_all(operands, count, refusal);
  return status == SPW_OK ? spw_restructure_unchecked(operands, count, wanted, buffers, result, refusal) : status;
}
