/* SPDX-License-Identifier: Apache-2.0 */
#include "plan.h"

#include <string.h>

/* Is there a conversion of this kind among the kernels? */
static spw_status kind_of(const spw_tensor *t, const spw_conversion *wanted, spw_convert_kind *kind)
{
  const spw_dtype own = t->plain.array.dtype;
  const bool plain = !wanted->prune && !wanted->bits && !wanted->canonicalize;
  if (!plain || !t->has_size || (wanted->index_dtype != SPW_DTYPE_NONE && wanted->index_dtype != own))
    return SPW_EUNSUPPORTED;
  const bool ordered = t->layout == SPW_COO && t->coalesced == SPW_CLAIM_YES;
  if (wanted->layout == SPW_DENSE && (ordered || t->layout == SPW_CSR || t->layout == SPW_CSC)) *kind = SPW_CONVERT_FILL;
  else if (t->layout == SPW_CSR && wanted->layout == SPW_COO) *kind = SPW_CONVERT_EXPAND;
  else if (ordered && wanted->layout == SPW_CSR && t->plain.array.shape[0] == 2) *kind = SPW_CONVERT_COMPRESS;
  else return SPW_EUNSUPPORTED;
  return SPW_OK;
}

/* ---- Values ---------------------------------------------------------------------------------- */

static bool add_dimension(spw_strided *s, int64_t entries, int64_t stride)
{
  if (entries == 1) return true;
  if (s->ndim > 0 && s->strides[s->ndim - 1] == stride * entries) { /* goes on where the last one would */
    s->shape[s->ndim - 1] *= entries;
    s->strides[s->ndim - 1] = stride;
    return true;
  }
  if (s->ndim == SPW_STRIDED_DIMS) return false;
  s->shape[s->ndim] = entries;
  s->strides[s->ndim++] = stride;
  return true;
}

/* Does `unit` divide address, strides and the bytes that lie together? */
static bool is_unit(const spw_gather *g, const spw_strided *inner, int64_t unit)
{
  const spw_strided *const both[] = {&g->cells, &g->within};
  if ((uintptr_t)g->in % (uintptr_t)unit != 0 || inner->shape[inner->ndim - 1] % unit != 0) return false;
  for (int i = 0; i < 2; i++)
    for (int d = 0; d < both[i]->ndim - (both[i] == inner); d++)
      if (both[i]->strides[d] % unit != 0) return false;
  return true;
}

/* Behind the others, the bytes of a scalar: they lie together. */
static bool add_bytes(spw_strided *s, int64_t scalar)
{
  if (!add_dimension(s, scalar, 1)) return false;
  if (s->ndim > 0 && s->strides[s->ndim - 1] == 1) return true;
  if (s->ndim == SPW_STRIDED_DIMS) return false;
  s->shape[s->ndim] = s->strides[s->ndim] = 1;
  s->ndim++;
  return true;
}

/* Each dimension of the values as it is: the first `leading` say which cell, and the others what lies within it. With
 * -1 cells are of no interest. How many bytes a unit has is known when the output is. */
static spw_status plan_values(const spw_value_array *v, int64_t leading, spw_gather *g)
{
  const spw_array *const a = &v->array;
  const int64_t scalar = (int64_t)spw_dtype_size(a->dtype);
  int64_t n = scalar;
  g->inner = 1;
  for (int64_t d = 0; d < a->ndim; d++)
    if (a->shape[d] == 0 || __builtin_mul_overflow(n, a->shape[d], &n)) n = 0;
  if (n == 0) return SPW_OK; /* nothing to copy; what would be too much the room has refused */
  for (int64_t d = 0; d < a->ndim; d++) {
    const bool within = leading >= 0 && d >= leading;
    if (!add_dimension(within ? &g->within : &g->cells, a->shape[d], a->strides[d] * scalar)) return SPW_EUNSUPPORTED;
    if (within) g->inner *= a->shape[d];
  }
  if (!add_bytes(leading < 0 ? &g->cells : &g->within, scalar)) return SPW_EUNSUPPORTED;
  if (leading >= 0) g->inner *= scalar;
  g->in = (const unsigned char *)v->data + a->offset * scalar;
  g->units = n;
  return SPW_OK;
}

int64_t spw_gather_in_units(spw_gather *g)
{
  const bool cells = g->within.ndim == 0; /* are of no interest */
  spw_strided *const inner = cells ? &g->cells : &g->within;
  const int last = inner->ndim - 1;
  int64_t unit = 16;
  if (g->units == 0) return 1;
  while (!is_unit(g, inner, unit) || (uintptr_t)g->out % (uintptr_t)unit != 0) unit /= 2;
  g->units /= unit;
  if (!cells) g->inner /= unit;
  inner->shape[last] /= unit;
  inner->strides[last] = unit;
  if (last > 0 && inner->shape[last] == 1) inner->ndim--;
  return unit;
}

/* ---- Indices --------------------------------------------------------------------------------- */

/* All batches, also those that share their arrays: each has cells of its own in the result. */
static bool every_batch(const spw_tensor *t, int64_t dims, spw_batches *batches)
{
  batches->count = 1;
  if (dims > SPW_CUDA_DIMS) return false;
  for (int64_t d = 0; d < dims; d++) {
    batches->shape[d] = t->compressed.array.shape[d];
    batches->c_strides[d] = t->compressed.array.strides[d];
    batches->p_strides[d] = t->plain.array.strides[d];
    batches->count *= batches->shape[d]; /* within int64: the numbers have been told */
  }
  batches->ndim = (int)dims;
  return true;
}

static spw_status plan_expand(spw_convert_plan *plan, const spw_numbers *n)
{
  const spw_index_array *const c = &plan->tensor.compressed, *const p = &plan->tensor.plain;
  spw_batches batches;
  memset(&batches, 0, sizeof batches);
  if (!every_batch(&plan->tensor, n->batch_dims, &batches)) return SPW_EUNSUPPORTED;
  if (__builtin_mul_overflow(batches.count, n->compressed_size + 1 + n->nse, &plan->items)) return SPW_EUNSUPPORTED;
#define FILL(type)                                                                                 \
  plan->lines.expand_##type = (spw_expanding_##type){                                              \
      .c = c->type + c->array.offset, .p = n->nse > 0 ? p->type + p->array.offset : p->type,       \
      .batches = batches, .C = n->compressed_size, .nse = n->nse}
  if (plan->check.int64) FILL(i64);
  else FILL(i32);
#undef FILL
  return SPW_OK;
}

static spw_status plan_compress(spw_convert_plan *plan)
{
  const spw_index_array *const x = &plan->tensor.plain;
  const int64_t nse = x->array.shape[1], C = plan->tensor.size[0];
  const int64_t dim_stride = nse > 0 ? x->array.strides[0] : 0, offset = nse > 0 ? x->array.offset : 0;
  if (__builtin_add_overflow(C + 1, nse, &plan->items)) return SPW_EUNSUPPORTED; /* C + 1 lines have a room */
#define FILL(type)                                                                                 \
  plan->lines.compress_##type = (spw_compressing_##type){                                          \
      .lines = nse > 0 ? x->type + offset : x->type,                                               \
      .plain = nse > 0 ? x->type + offset + dim_stride : x->type,                                  \
      .stride = x->array.strides[1], .C = C, .nse = nse}
  if (plan->check.int64) FILL(i64);
  else FILL(i32);
#undef FILL
  return SPW_OK;
}

/* The coordinates as they stand, or as they will be in the workspace; a weight for each. */
static spw_status plan_fill(spw_convert_plan *plan, const spw_numbers *n)
{
  const spw_tensor *const t = &plan->tensor;
  const spw_array *const a = &t->plain.array;
  const bool coo = t->layout == SPW_COO;
  const int64_t dims = coo ? n->sparse_dims : n->batch_dims + 2;
  int64_t weights[SPW_CUDA_DIMS + 2] = {0}, cell = 1, total = n->nse;
  if (dims > SPW_CUDA_DIMS + 2) return SPW_EUNSUPPORTED;
  for (int64_t d = dims - 1; d >= 0; d--) {
    weights[d] = cell;
    if (t->size[d] > 0 && __builtin_mul_overflow(cell, t->size[d], &cell)) cell = 0; /* the result has no element then */
  }
  if (t->layout == SPW_CSC) { /* lines are columns */
    const int64_t row = weights[dims - 2];
    weights[dims - 2] = weights[dims - 1];
    weights[dims - 1] = row;
  }
  if (!coo && __builtin_mul_overflow(n->batches, n->nse, &total)) return SPW_EUNSUPPORTED;
  if (__builtin_mul_overflow(plan->room.values, spw_dtype_size(plan->room.dtype), &plan->bytes)) return SPW_EUNSUPPORTED;
  const bool there = coo && n->nse > 0 && dims > 0;
#define FILL(type)                                                                                 \
  plan->fill.type = (spw_scattering_##type){.x = there ? t->plain.type + a->offset : NULL,         \
                                            .dim_stride = coo ? a->strides[0] : total,             \
                                            .stride = coo ? a->strides[1] : 1,                     \
                                            .dims = (int)dims};                                    \
  memcpy(plan->fill.type.weights, weights, sizeof weights)
  if (plan->check.int64) {
    FILL(i64);
  } else {
    FILL(i32);
  }
#undef FILL
  return SPW_OK;
}

/* The workspace, and the number of stages. */
static spw_status plan_work(spw_convert_plan *plan, const spw_numbers *n)
{
  const bool fills = plan->kind == SPW_CONVERT_FILL, expands = fills && plan->tensor.layout != SPW_COO;
  spw_carver work = {0, 0};
  int64_t coordinates = 0;
  spw_carve(&work, 1, offsetof(spw_convert_told, checked) + plan->check.bytes);
  if (expands && (__builtin_mul_overflow(n->batches, n->nse, &coordinates) ||
                  __builtin_mul_overflow(coordinates, n->batch_dims + 2, &coordinates)))
    return SPW_EUNSUPPORTED;
  plan->x_at = spw_carve(&work, coordinates, plan->check.int64 ? 8 : 4);
  plan->room.work = work.bytes;
  plan->last = expands ? 2 : 1;
  return work.too_large ? SPW_EUNSUPPORTED : SPW_OK;
}

/* ---- The plan -------------------------------------------------------------------------------- */

spw_status spw_convert_plan_make(const spw_tensor *tensor, const spw_conversion *wanted, spw_convert_plan *plan,
                                 spw_refusal *refusal)
{
  if (!tensor || !wanted) return SPW_EINVAL;
  memset(plan, 0, sizeof *plan);
  spw_status status = spw_check_plan_make(tensor, SPW_CANONICAL, &plan->check);
  if (status != SPW_OK) return status;
  if (plan->check.kind == SPW_CHECK_DECIDED && plan->check.word == SPW_WORD_SHAPE) {
    const spw_refusal broken = {SPW_OBSTACLE_RULE, plan->check.shape, -1, -1, -1, -1, 0};
    if (refusal) *refusal = broken;
    return SPW_EINVALID;
  }
  status = kind_of(tensor, wanted, &plan->kind);
  if (status != SPW_OK) return status;
  plan->tensor = *tensor;
  plan->layout = wanted->layout;
  plan->check.int64 = tensor->plain.array.dtype == SPW_INT64; /* also where it is decided */
  status = spw_convert_size_unchecked(tensor, wanted, &plan->room, refusal); /* shapes say all of it */
  if (status != SPW_OK) return status;
  spw_numbers numbers = {0};
  spw_numbers_of(tensor, &numbers);
  const bool fills = plan->kind == SPW_CONVERT_FILL;
  if (tensor->layout != SPW_COO) status = plan_expand(plan, &numbers);
  else if (!fills) status = plan_compress(plan);
  if (status == SPW_OK && fills) status = plan_fill(plan, &numbers);
  if (status == SPW_OK) status = plan_values(&tensor->values, fills ? numbers.batch_dims + 1 : -1, &plan->values);
  return status == SPW_OK ? plan_work(plan, &numbers) : status;
}

static bool lies_well(const void *at, int64_t needed, int64_t there, size_t multiple)
{
  return needed == 0 || (at && there >= needed && (uintptr_t)at % multiple == 0);
}

/* A type of values aligns as its parts do; what copies them looks at the address itself. */
spw_status spw_convert_plan_judge_buffers(const spw_convert_plan *plan, const spw_buffers *b)
{
  const spw_room *const need = &plan->room;
  const bool wide = plan->check.int64;
  const size_t index = wide ? sizeof(int64_t) : sizeof(int32_t);
  const void *const c = wide ? (const void *)b->compressed_i64 : b->compressed_i32,
             *const p = wide ? (const void *)b->plain_i64 : b->plain_i32;
  if (b->room.index_dtype != need->index_dtype || b->room.dtype != need->dtype) return SPW_EINVAL;
  if (!lies_well(b->dims, need->dims, b->room.dims, sizeof(int64_t))) return SPW_EINVAL;
  if (!lies_well(c, need->compressed, b->room.compressed, index)) return SPW_EINVAL;
  if (!lies_well(p, need->plain, b->room.plain, index)) return SPW_EINVAL;
  if (!lies_well(b->values, need->values, b->room.values, 1)) return SPW_EINVAL;
  if (!b->work || b->room.work < need->work || (uintptr_t)b->work % 16 != 0) return SPW_EINVAL;
  return SPW_OK;
}

/* ---- The result ------------------------------------------------------------------------------ */

/* A contiguous array whose `ndim` entries are written down already, its strides behind them. */
static spw_array array_of(spw_dtype dtype, int64_t *entries, int64_t ndim)
{
  int64_t *const strides = entries + ndim;
  int64_t length = 1, stride = 1;
  for (int64_t d = 0; d < ndim; d++)
    if (entries[d] == 0) length = 0;
  for (int64_t d = ndim - 1; d >= 0; d--) {
    strides[d] = stride;
    const int64_t factor = entries[d] > 1 ? entries[d] : 1;
    stride = stride > INT64_MAX / factor ? 0 : stride * factor; /* only where there is no element */
  }
  for (int64_t d = 0; length > 0 && d < ndim; d++) length *= entries[d];
  const spw_array array = {dtype, ndim, entries, strides, 0, length};
  return array;
}

static spw_index_array indices_of(const spw_convert_plan *plan, const int32_t *narrow, const int64_t *wide,
                                  int64_t *entries, int64_t ndim)
{
  const bool int64 = plan->check.int64;
  const spw_index_array array = {array_of(plan->room.index_dtype, entries, ndim), int64 ? NULL : narrow,
                                 int64 ? wide : NULL, NULL};
  return array;
}

/* Entries and strides of an array of `more` dimensions, which stand last in the values of the source. */
static int64_t *dense_entries(const spw_convert_plan *plan, int64_t *at, int64_t first, int64_t more)
{
  const spw_array *const v = &plan->tensor.values.array;
  at[0] = first;
  for (int64_t d = 0; d < more; d++) at[1 + d] = v->shape[v->ndim - more + d];
  return at;
}

static void view_result(const spw_convert_plan *plan, int64_t nse, const spw_buffers *b, spw_tensor *result)
{
  const spw_tensor *const t = &plan->tensor;
  const bool coo = plan->layout == SPW_COO;
  spw_numbers told = {0};
  spw_numbers_of(t, &told);
  const int64_t sparse = coo ? told.batch_dims + 2 : 2, dense = t->ndim - sparse;
  int64_t *dims = b->dims;
  memcpy(dims, t->size, (size_t)t->ndim * sizeof *dims);
  spw_tensor r = {.layout = plan->layout, .has_size = true, .ndim = t->ndim, .size = dims,
                  .index_dtype = plan->room.index_dtype, .dtype = plan->room.dtype,
                  .coalesced = coo ? SPW_CLAIM_YES : SPW_CLAIM_NONE};
  dims += t->ndim;
  if (plan->layout == SPW_DENSE) {
    memcpy(dims, t->size, (size_t)t->ndim * sizeof *dims);
    r.index_dtype = SPW_DTYPE_NONE;
    r.values = (spw_value_array){array_of(plan->room.dtype, dims, t->ndim), b->values};
    *result = r;
    return;
  }
  if (coo) {
    dims[0] = sparse, dims[1] = nse;
    r.plain = indices_of(plan, b->plain_i32, b->plain_i64, dims, 2);
    dims += 4;
  } else {
    dims[0] = t->size[0] + 1, dims[2] = nse;
    r.compressed = indices_of(plan, b->compressed_i32, b->compressed_i64, dims, 1);
    r.plain = indices_of(plan, b->plain_i32, b->plain_i64, dims + 2, 1);
    dims += 4;
  }
  r.values.array = array_of(plan->room.dtype, dense_entries(plan, dims, nse, dense), 1 + dense);
  r.values.data = b->values;
  *result = r;
}

spw_status spw_convert_plan_read(const spw_convert_plan *plan, const spw_convert_told *told, const spw_buffers *buffers,
                                 spw_tensor *result, spw_refusal *refusal)
{
  spw_violation first;
  spw_status status = spw_check_plan_read(&plan->check, told->checked.word, told->checked.lhs, told->checked.rhs, &first);
  if (status == SPW_OK && first.rule != SPW_RULE_NONE) {
    const spw_refusal broken = {SPW_OBSTACLE_RULE, first, -1, -1, -1, -1, 0};
    if (refusal) *refusal = broken;
    return SPW_EINVALID;
  }
  if (status == SPW_OK && told->stages.done != plan->last) status = SPW_EINVAL;
  if (status == SPW_OK) status = spw_convert_plan_judge_buffers(plan, buffers);
  if (status == SPW_OK) view_result(plan, plan->room.nse, buffers, result);
  return status;
}
