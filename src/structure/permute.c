/* SPDX-License-Identifier: Apache-2.0 */
/* Dimensions in another order: strides say it, but of COO's sparse dimensions, which are rows of indices. */
#include "../convert/buffers.h"
#include "../convert/indices.h"
#include "../operand/overlap.h"
#include "../convert/plan.h"
#include "../core/size.h"
#include "../view/usable.h"

typedef struct permutation {
  spw_operand source;
  const spw_tensor *t;
  const int64_t *order;
  int64_t ndim, batch_dims, leading;
  bool rows; /* sparse dimensions of COO change places */
  spw_room room;
} permutation;

/* 0: batches, 1: sparse, 2: dense */
static int kind_of(const permutation *p, int64_t d)
{
  return d < p->batch_dims ? 0 : d < p->leading ? 1 : 2;
}

/* Every dimension once, and among those of its kind; the two of a compressed layout stay. */
static spw_status judge_order(permutation *p, spw_refusal *refusal)
{
  bool seen[SPW_STRUCTURE_DIMS] = {false};
  for (int64_t d = 0; d < p->ndim; d++) {
    const int64_t from = p->order[d];
    const bool there = from >= 0 && from < p->ndim && !seen[from] && kind_of(p, from) == kind_of(p, d);
    const bool stays = p->t->layout == SPW_COO || kind_of(p, d) != 1 || from == d;
    if (!there || !stays) return spw_refuse(refusal, SPW_OBSTACLE_DIMENSION, d, -1, from, p->ndim);
    seen[from] = true;
    p->rows = p->rows || (kind_of(p, d) == 1 && from != d);
  }
  return SPW_OK;
}

static spw_status plan(const spw_tensor *t, const int64_t *order, permutation *p, spw_refusal *refusal)
{
  bool valid = false;
  if (!t) return SPW_EINVAL;
  if (t->layout == SPW_DENSE) return SPW_EUNSUPPORTED;
  spw_status status = spw_is_valid(t, SPW_SHAPE, &valid);
  if (status != SPW_OK) return status;
  if (!valid) {
    const spw_refusal broken = {.obstacle = SPW_OBSTACLE_RULE, .place = -1, .other = -1, .lhs = -1, .rhs = -1};
    spw_violation first;
    status = spw_first_violation(t, SPW_SHAPE, &first);
    if (status != SPW_OK) return status;
    if (refusal) *refusal = broken, refusal->violation = first;
    return SPW_EINVALID;
  }
  status = spw_operand_read(t, &p->source);
  if (status != SPW_OK) return status;
  const spw_numbers n = p->source.numbers;
  p->t = t;
  p->order = order;
  p->batch_dims = n.batch_dims;
  p->leading = n.batch_dims + n.sparse_dims;
  p->ndim = spw_add_saturated(p->leading, n.dense_dims);
  if (p->ndim > SPW_STRUCTURE_DIMS) return SPW_EUNSUPPORTED;
  if (p->ndim > 0 && !order) return SPW_EINVAL;
  status = judge_order(p, refusal);
  if (status != SPW_OK) return status;
  const bool compressed = t->layout != SPW_COO;
  p->room.index_dtype = t->plain.array.dtype;
  p->room.dtype = t->values.array.dtype;
  p->room.nse = n.nse;
  p->room.dims = p->ndim + 2 * (t->values.array.ndim + t->plain.array.ndim + (compressed ? t->compressed.array.ndim : 0));
  p->room.plain = p->rows ? spw_mul_saturated(n.sparse_dims, n.nse) : 0;
  return p->room.plain == INT64_MAX ? spw_refuse(refusal, SPW_OBSTACLE_SIZE, -1, -1, -1, -1) : SPW_OK;
}

spw_status spw_permute_size(const spw_tensor *tensor, const int64_t *order, spw_room *room, spw_refusal *refusal)
{
  permutation p = {0};
  if (!room) return SPW_EINVAL;
  const spw_status status = plan(tensor, order, &p, refusal);
  if (status == SPW_OK) *room = p.room;
  return status;
}

/* The array with its batch dimensions in another order, and of the others those from `first` on, which are `dim`, dim + 1,
 * ... of the tensor. */
static spw_array permuted(const permutation *p, const spw_array *a, int64_t first, int64_t dim, int64_t **dims)
{
  int64_t *const shape = *dims, *const strides = *dims + a->ndim;
  if (a->ndim > 0) *dims += 2 * a->ndim;
  for (int64_t i = 0; i < a->ndim; i++) {
    int64_t from = i;
    if (i < p->batch_dims) from = p->order[i];
    if (i >= first) from = p->order[dim + i - first] - dim + first;
    shape[i] = a->shape[from];
    strides[i] = a->strides[from];
  }
  spw_array view = *a;
  view.shape = shape;
  view.strides = strides;
  return view;
}

/* The rows of the indices of COO in another order, without gaps. */
static void copy_rows(const permutation *p, const spw_buffers *b, spw_tensor *result)
{
  const spw_index_array *const x = &p->t->plain;
  const int64_t nse = x->array.shape[1];
  const spw_indices to = {b->plain_i32, b->plain_i64, x->array.dtype == SPW_INT64};
  int64_t *const strides = (int64_t *)result->plain.array.strides;
  for (int64_t d = 0; d < p->leading; d++)
    for (int64_t k = 0; k < nse; k++)
      spw_put_index(to, d * nse + k,
                    spw_index_at(x, x->array.offset + p->order[d] * x->array.strides[0] + k * x->array.strides[1]));
  strides[0] = nse;
  strides[1] = 1;
  result->plain.array.offset = 0;
  result->plain.array.length = p->room.plain;
  result->plain.i32 = to.i32;
  result->plain.i64 = to.i64;
  result->plain.raw = NULL;
  if (nse > 1 && p->t->coalesced == SPW_CLAIM_YES) result->coalesced = SPW_CLAIM_NO;
}

spw_status spw_permute(const spw_tensor *tensor, const int64_t *order, const spw_buffers *buffers, spw_tensor *result,
                       spw_refusal *refusal)
{
  permutation p = {0};
  if (!buffers || !result) return SPW_EINVAL;
  spw_status status = plan(tensor, order, &p, refusal);
  if (status != SPW_OK) return status;
  if (!spw_buffers_hold(buffers, &p.room)) return SPW_EINVAL;
  status = spw_keep_apart(&p.source, 1, order, p.ndim * (int64_t)sizeof *order, buffers, &p.room, refusal);
  if (status != SPW_OK) return status;
  int64_t *dims = buffers->dims;
  spw_tensor r = *tensor;
  if (tensor->has_size) {
    for (int64_t d = 0; d < p.ndim; d++) dims[d] = tensor->size[order[d]];
    r.size = dims;
    if (p.ndim > 0) dims += p.ndim;
  }
  const spw_array *const v = &tensor->values.array, *const x = &tensor->plain.array;
  r.values.array = permuted(&p, v, v->ndim - (p.ndim - p.leading), p.leading, &dims);
  r.plain.array = permuted(&p, x, x->ndim, 0, &dims);
  const spw_array *const c = &tensor->compressed.array;
  if (tensor->layout != SPW_COO) r.compressed.array = permuted(&p, c, c->ndim, 0, &dims);
  if (p.rows) copy_rows(&p, buffers, &r);
  *result = r;
  return SPW_OK;
}
