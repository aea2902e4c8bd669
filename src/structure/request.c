/* SPDX-License-Identifier: Apache-2.0 */
#include "request.h"
#include "../operand/overlap.h"
#include "../convert/plan.h"
#include "../core/size.h"

static bool is_new(spw_structure_kind kind)
{
  return kind == SPW_STACK || kind == SPW_UNSQUEEZE;
}

static bool takes_many(spw_structure_kind kind)
{
  return kind == SPW_CAT || kind == SPW_STACK;
}

static bool sensible(int64_t count, const spw_structure *w)
{
  if (w->kind < SPW_SELECT || w->kind > SPW_RESIZE || w->duplicates < SPW_COMBINE_SUM || w->duplicates > SPW_COMBINE_REFUSE)
    return false;
  if (count < 1 || (count > 1 && !takes_many(w->kind))) return false;
  if (w->kind != SPW_INDEX_SELECT && w->kind != SPW_RESIZE) return true;
  return w->count >= 0 && (w->count == 0 || w->numbers);
}

/* ---- Dimensions ------------------------------------------------------------------------------- */

static spw_status refuse_dimension(const spw_request *r, spw_refusal *refusal)
{
  return spw_refuse(refusal, SPW_OBSTACLE_DIMENSION, r->wanted->dim, -1, r->wanted->dim, r->a.ndim + r->added);
}

/* A new dimension between others belongs to those before it where it can. */
static spw_status take_new_dimension(spw_request *r, spw_refusal *refusal)
{
  const spw_form *a = &r->a;
  const int64_t dim = r->wanted->dim;
  r->dim = dim;
  r->added = true;
  if (dim < 0 || dim > a->ndim) return refuse_dimension(r, refusal);
  if (a->layout == SPW_COO)
    r->along = dim <= a->leading ? SPW_ALONG_SPARSE : SPW_ALONG_DENSE;
  else if (dim <= a->batch_dims)
    r->along = SPW_ALONG_BATCH;
  else if (dim < a->leading) /* a third sparse one */
    return refuse_dimension(r, refusal);
  else
    r->along = SPW_ALONG_DENSE;
  return SPW_OK;
}

static spw_status take_dimension(spw_request *r, spw_refusal *refusal)
{
  const spw_form *a = &r->a;
  if (r->wanted->kind == SPW_RESIZE) return SPW_OK;
  if (is_new(r->wanted->kind)) return take_new_dimension(r, refusal);
  r->dim = r->wanted->dim;
  if (r->dim < 0 || r->dim >= a->ndim) return refuse_dimension(r, refusal);
  r->along = r->dim >= a->leading ? SPW_ALONG_DENSE : r->dim >= a->batch_dims ? SPW_ALONG_SPARSE : SPW_ALONG_BATCH;
  return SPW_OK;
}

/* ---- Operands --------------------------------------------------------------------------------- */

static spw_status unlike(spw_refusal *refusal, int64_t operand, int64_t dim, int64_t own, int64_t first)
{
  return spw_refuse(refusal, SPW_OBSTACLE_OPERAND, dim, operand, own, first);
}

static spw_status compare_operand(const spw_request *r, int64_t number, const spw_form *b, spw_refusal *refusal)
{
  const spw_form *a = &r->a;
  const int64_t numbers[][2] = {{b->layout, a->layout},
                                {b->t->values.array.dtype, a->t->values.array.dtype},
                                {b->t->plain.array.dtype, a->t->plain.array.dtype},
                                {b->ndim, a->ndim},
                                {b->leading, a->leading},
                                {b->block[0], a->block[0]},
                                {b->block[1], a->block[1]}};
  for (int i = 0; i < 7; i++)
    if (numbers[i][0] != numbers[i][1]) return unlike(refusal, number, -1, numbers[i][0], numbers[i][1]);
  for (int64_t d = 0; d < a->ndim; d++)
    if (b->size[d] != a->size[d] && (r->added || d != r->dim)) return unlike(refusal, number, d, b->size[d], a->size[d]);
  return SPW_OK;
}

/* ---- Sizes ------------------------------------------------------------------------------------ */

static spw_status out_of_range(const spw_request *r, int64_t which, int64_t number, spw_refusal *refusal)
{
  return spw_refuse(refusal, SPW_OBSTACLE_RANGE, r->dim, which, number, r->a.size[r->dim]);
}

/* A number that has to be one of whole blocks. */
static spw_status whole_blocks(const spw_request *r, int64_t number, spw_refusal *refusal)
{
  const int64_t block = spw_form_block(&r->a, r->dim);
  return number % block == 0 ? SPW_OK : spw_refuse(refusal, SPW_OBSTACLE_BLOCKS, r->dim, -1, number, block);
}

static spw_status judge_select(spw_request *r, spw_refusal *refusal)
{
  const int64_t i = r->wanted->start, size = r->a.size[r->dim];
  if (i >= size || i < -size) return out_of_range(r, -1, i, refusal);
  r->start = i < 0 ? i + size : i;
  r->taken = true;
  if (r->along != SPW_ALONG_SPARSE || r->a.layout == SPW_COO) return SPW_OK;
  if (r->a.batch_dims > 0) return spw_refuse(refusal, SPW_OBSTACLE_DIMENSIONS, -1, -1, r->a.leading, 2);
  r->layout = SPW_COO;
  r->exploded = spw_has_blocks(r->a.layout);
  return SPW_OK;
}

static spw_status judge_narrow(spw_request *r, spw_refusal *refusal)
{
  const spw_structure *w = r->wanted;
  const int64_t size = r->a.size[r->dim];
  if (w->start < 0 || w->start > size) return out_of_range(r, -1, w->start, refusal);
  if (w->length < 0) return out_of_range(r, -1, w->length, refusal);
  if (w->length > size - w->start) return out_of_range(r, -1, spw_add_saturated(w->start, w->length), refusal);
  r->start = w->start;
  r->size[r->dim] = w->length;
  const spw_status status = whole_blocks(r, w->start, refusal);
  return status == SPW_OK ? whole_blocks(r, w->length, refusal) : status;
}

/* Along blocks, the list has to name all of a block one behind the other. */
static spw_status judge_list(spw_request *r, spw_refusal *refusal)
{
  const int64_t *const numbers = r->wanted->numbers, count = r->wanted->count, block = spw_form_block(&r->a, r->dim);
  for (int64_t k = 0; k < count; k++) {
    if (numbers[k] < 0 || numbers[k] >= r->a.size[r->dim]) return out_of_range(r, k, numbers[k], refusal);
    if (numbers[k] % block != k % block || numbers[k] - k % block != numbers[k - k % block])
      return spw_refuse(refusal, SPW_OBSTACLE_BLOCKS, r->dim, k, numbers[k], block);
  }
  r->size[r->dim] = count;
  return whole_blocks(r, count, refusal);
}

static spw_status judge_operands(spw_request *r, spw_refusal *refusal)
{
  int64_t sum = r->added ? 1 : r->a.size[r->dim];
  for (int64_t i = 1; i < r->count; i++) {
    spw_form b;
    spw_status status = spw_form_read(r->operands[i], &b);
    if (status == SPW_OK) status = compare_operand(r, i, &b, refusal);
    if (status != SPW_OK) return status;
    const int64_t own = r->added ? 1 : b.size[r->dim];
    if (own > INT64_MAX - sum) return spw_refuse(refusal, SPW_OBSTACLE_SIZE, -1, -1, -1, -1);
    sum += own;
  }
  r->size[r->dim] = sum;
  return SPW_OK;
}

static spw_status judge_broadcast(spw_request *r, spw_refusal *refusal)
{
  if (r->wanted->length < 0) return out_of_range(r, -1, r->wanted->length, refusal);
  if (r->a.size[r->dim] != 1) return spw_refuse(refusal, SPW_OBSTACLE_OPERAND, r->dim, 0, r->a.size[r->dim], 1);
  r->size[r->dim] = r->wanted->length;
  return SPW_OK;
}

/* What is stored is looked at later. */
static spw_status judge_resize(spw_request *r, spw_refusal *refusal)
{
  const spw_structure *w = r->wanted;
  if (w->count != r->a.ndim) return SPW_EINVAL;
  for (int64_t d = 0; d < w->count; d++) {
    const int64_t block = spw_form_block(&r->a, d);
    if (w->numbers[d] < 0) return spw_refuse(refusal, SPW_OBSTACLE_RANGE, d, -1, w->numbers[d], r->a.size[d]);
    if (w->numbers[d] % block != 0) return spw_refuse(refusal, SPW_OBSTACLE_BLOCKS, d, -1, w->numbers[d], block);
    r->size[d] = w->numbers[d];
  }
  return SPW_OK;
}

static spw_status judge_kind(spw_request *r, spw_refusal *refusal)
{
  switch (r->wanted->kind) {
  case SPW_SELECT: return judge_select(r, refusal);
  case SPW_NARROW: return judge_narrow(r, refusal);
  case SPW_INDEX_SELECT: return judge_list(r, refusal);
  case SPW_CAT: case SPW_STACK: return judge_operands(r, refusal);
  case SPW_UNSQUEEZE: return SPW_OK;
  case SPW_BROADCAST: return judge_broadcast(r, refusal);
  case SPW_RESIZE: return judge_resize(r, refusal);
  case SPW_SPARSE_MASK: break; /* which is another's */
  }
  return SPW_EINVAL;
}

/* The operand's sizes with 1 at a new dimension. */
static void begin_result(spw_request *r)
{
  const spw_form *a = &r->a;
  r->layout = a->layout;
  for (int64_t d = 0, from = 0; d < a->ndim + r->added; d++) r->size[d] = r->added && d == r->dim ? 1 : a->size[from++];
}

/* How many dimensions of each kind there are, without the one that is taken. */
static void end_result(spw_request *r)
{
  const spw_form *a = &r->a;
  const int64_t more = (int64_t)r->added - (int64_t)r->taken;
  r->ndim = a->ndim + more;
  r->leading = a->leading + (r->along == SPW_ALONG_DENSE ? 0 : more);
  r->batch_dims = a->batch_dims + (r->along == SPW_ALONG_BATCH ? more : 0);
  for (int64_t d = r->dim; r->taken && d < r->ndim; d++) r->size[d] = r->size[d + 1];
  for (int i = 0; i < 2; i++) r->block[i] = r->exploded ? 1 : a->block[i];
}

spw_status spw_request_make(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted, spw_request *request,
                            spw_refusal *refusal)
{
  if (!sensible(count, wanted)) return SPW_EINVAL;
  const spw_request fresh = {.operands = operands, .count = count, .wanted = wanted};
  *request = fresh;
  spw_status status = spw_form_read(operands[0], &request->a);
  if (status == SPW_OK) status = take_dimension(request, refusal);
  if (status != SPW_OK) return status;
  if (request->a.ndim + request->added > SPW_STRUCTURE_DIMS) return SPW_EUNSUPPORTED;
  begin_result(request);
  status = judge_kind(request, refusal);
  if (status != SPW_OK) return status;
  end_result(request);
  const bool numbered = spw_product(request->size, request->ndim) >= 0; /* 3.11 */
  return numbered ? SPW_OK : spw_refuse(refusal, SPW_OBSTACLE_SIZE, -1, -1, -1, -1);
}

spw_status spw_request_apart(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted,
                             const spw_buffers *buffers, const spw_room *need, spw_refusal *refusal)
{
  const bool listed = wanted->kind == SPW_INDEX_SELECT || wanted->kind == SPW_RESIZE;
  spw_meeting m = spw_meeting_of(buffers, need);
  for (int64_t number = 0; number < count; number++) {
    spw_memory memory;
    spw_memory_of(operands[number], spw_dtype_size(operands[number]->values.array.dtype), &memory);
    spw_meeting_add(&m, &memory);
  }
  spw_status status = spw_meeting_end(&m, wanted, (int64_t)sizeof *wanted, refusal);
  if (status == SPW_OK) status = spw_meeting_end(&m, operands, count * (int64_t)sizeof *operands, refusal);
  if (status != SPW_OK || !listed) return status;
  return spw_meeting_end(&m, wanted->numbers, wanted->count * (int64_t)sizeof *wanted->numbers, refusal);
}
