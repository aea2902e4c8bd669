/* SPDX-License-Identifier: Apache-2.0 */
#include "plan.h"
#include "indices.h"
#include "values.h"
#include "../check/infer/inference.h"
#include "../core/size.h"
#include "../view/grid.h"

static const spw_violation no_violation = {SPW_RULE_NONE, SPW_MEMBER_NONE, 0, -1, 0, 0};

spw_status spw_refuse(spw_refusal *refusal, spw_obstacle obstacle, int64_t place, int64_t other, int64_t lhs, int64_t rhs)
{
  const spw_refusal r = {obstacle, no_violation, place, other, lhs, rhs, 0};
  if (refusal) *refusal = r;
  return SPW_ERANGE;
}

spw_status spw_refuse_operand(spw_refusal *refusal, int operand, spw_obstacle obstacle, int64_t place, int64_t lhs, int64_t rhs)
{
  const spw_status status = spw_refuse(refusal, obstacle, place, -1, lhs, rhs);
  if (refusal) refusal->operand = operand;
  return status;
}

spw_layout spw_transposed_layout(spw_layout layout)
{
  static const spw_layout transposed[SPW_LAYOUT_COUNT] = {
      [SPW_COO] = SPW_COO, [SPW_CSR] = SPW_CSC, [SPW_CSC] = SPW_CSR, [SPW_BSR] = SPW_BSC, [SPW_BSC] = SPW_BSR};
  return transposed[layout];
}

bool spw_is_block(const int64_t block[2])
{
  return block[0] != 1 || block[1] != 1;
}

int64_t spw_payloads_of_cell(const spw_plan *plan)
{
  return plan->opaque ? 1 : spw_mul_saturated(plan->out_block[0], plan->out_block[1]);
}

int64_t spw_source_elements(const spw_plan *plan)
{
  if (plan->opaque) return plan->nse;
  return spw_mul_saturated(plan->nse, spw_mul_saturated(plan->block[0], plan->block[1]));
}

size_t spw_payload_size(spw_payload payload)
{
  return payload == SPW_BITS32 ? 4 : 8;
}

/* One more than the largest index of a COO dimension, 0 without any. */
static int64_t extent_of(const spw_tensor *t, int64_t d, int64_t nse)
{
  const spw_array *a = &t->plain.array;
  const int64_t columns = a->strides[1] == 0 && nse > 1 ? 1 : nse; /* every column is this one */
  int64_t extent = 0;
  for (int64_t k = 0; k < columns; k++) {
    const int64_t index = spw_index_at(&t->plain, a->offset + d * a->strides[0] + k * a->strides[1]);
    if (index >= extent) extent = index + 1;
  }
  return extent;
}

bool spw_holds_nothing(const spw_plan *plan)
{
  if (plan->t->layout == SPW_DENSE) return plan->element_bytes == 0;
  return plan->nse == 0 || plan->batches == 0;
}

bool spw_may_repeat(const spw_plan *plan)
{
  return plan->to.canonicalize || (plan->t->layout == SPW_COO && !plan->ordered);
}

int64_t spw_size_entry(const spw_plan *plan, int64_t d)
{
  const spw_tensor *t = plan->t;
  if (plan->size) return plan->size[d];
  if (t->layout == SPW_DENSE) return t->values.array.shape[d];
  if (t->has_size) return t->size[d];
  if (d >= plan->sparse_dims) return t->values.array.shape[t->values.array.ndim - plan->ndim + d];
  if (t->layout == SPW_COO) return extent_of(t, d, plan->nse);
  if (d < plan->sparse_dims - 2) return t->compressed.array.shape[d];
  const int dim = d == plan->sparse_dims - 1;
  return (dim == spw_major_of(t->layout) ? plan->C : plan->P) * plan->block[dim];
}

/* ---- The source ------------------------------------------------------------------------------ */

/* COO of no element and no size is valid with any number of dimensions. The values of blocks have one more than the tensor, and
 * so have those of COO where all dimensions are dense. */
static spw_status take_dimensions(spw_plan *plan, int64_t sparse_dims, spw_refusal *refusal)
{
  const spw_layout layout = plan->to.layout;
  const bool one_more = spw_has_blocks(layout) || (layout == SPW_COO && sparse_dims == 0);
  const int64_t most = SPW_NDIM_MAX - one_more, ndim = spw_add_saturated(sparse_dims, plan->dense_dims);
  if (ndim > most) return spw_refuse(refusal, SPW_OBSTACLE_DIMENSIONS, -1, -1, ndim, most);
  plan->sparse_dims = sparse_dims;
  plan->ndim = ndim;
  return SPW_OK;
}

static spw_status read_dense(spw_plan *plan, spw_refusal *refusal)
{
  const spw_array *a = &plan->t->values.array;
  const int64_t dense_dims = plan->to.dense_dims < 0 ? 0 : plan->to.dense_dims;
  if (dense_dims > a->ndim) return SPW_EINVAL;
  plan->to.dense_dims = plan->dense_dims = dense_dims;
  plan->batches = plan->nse = 1;
  return take_dimensions(plan, a->ndim - dense_dims, refusal);
}

/* One more than the largest plain index, 0 without any, of lines that have no size. */
static int64_t plain_extent(const spw_tensor *t, int64_t batches)
{
  const spw_grid g = spw_grid_of(t, batches, 0);
  const bool wide = t->plain.array.dtype == SPW_INT64;
  return (wide ? spw_infer_plain_i64(t, t->plain.i64, g) : spw_infer_plain_i32(t, t->plain.i32, g)).P;
}

static spw_status read_sparse(spw_plan *plan, const spw_numbers *from, spw_refusal *refusal)
{
  const spw_tensor *t = plan->t;
  const spw_numbers n = *from;
  if (plan->to.dense_dims >= 0 && plan->to.dense_dims != n.dense_dims) return SPW_EINVAL;
  plan->to.dense_dims = plan->dense_dims = n.dense_dims;
  const spw_status status = take_dimensions(plan, spw_add_saturated(n.batch_dims, n.sparse_dims), refusal);
  if (status != SPW_OK) return status;
  plan->batches = n.batches;
  plan->C = n.compressed_size;
  plan->P = n.plain_size;
  plan->nse = n.nse;
  plan->block[0] = n.block_rows;
  plan->block[1] = n.block_columns;
  if (t->layout == SPW_COO) {
    plan->ordered = t->coalesced == SPW_CLAIM_YES || n.nse < 2;
  } else if (!t->has_size) {
    if (n.batches < 0) return SPW_EOVERFLOW;
    plan->P = plain_extent(t, n.batches);
  }
  return SPW_OK;
}

static spw_status read_source(spw_plan *plan, const spw_operand *source, spw_refusal *refusal)
{
  const spw_value_array *values = &plan->t->values;
  plan->dtype = values->array.dtype;
  plan->scalar = source->scalar;
  if (plan->scalar == 0) return SPW_EINVAL;
  plan->block[0] = plan->block[1] = 1;
  const spw_status status =
      plan->t->layout == SPW_DENSE ? read_dense(plan, refusal) : read_sparse(plan, &source->numbers, refusal);
  if (status != SPW_OK) return status;
  const int64_t first = values->array.ndim - plan->dense_dims;
  plan->width = plan->dense_dims == 0 ? 1 : spw_product(values->array.shape + first, plan->dense_dims);
  if (plan->width < 0) plan->width = INT64_MAX; /* only beside a zero: there are no values */
  plan->values = spw_count_values(&values->array);
  plan->packed = plan->values > 0 && !spw_elements_in_order(values);
  return SPW_OK;
}

/* ---- The result ------------------------------------------------------------------------------ */

static bool sensible(const spw_tensor *t, const spw_conversion *to)
{
  if (to->layout != SPW_COO && to->layout != SPW_DENSE && !spw_is_compressed(to->layout)) return false;
  if (to->index_dtype != SPW_DTYPE_NONE && to->index_dtype != SPW_INT32 && to->index_dtype != SPW_INT64) return false;
  if (to->duplicates < SPW_COMBINE_SUM || to->duplicates > SPW_COMBINE_REFUSE) return false;
  if (to->batch_dims < -1 || to->dense_dims < -1 || to->block_rows < 0 || to->block_columns < 0) return false;
  if ((to->block_rows == 0) != (to->block_columns == 0)) return false;
  if (to->block_rows > 0 && !spw_has_blocks(to->layout)) return false;
  return to->block_rows > 0 || !spw_has_blocks(to->layout) || spw_has_blocks(t->layout);
}

/* Which dimensions are batches in the result. */
static spw_status take_batch_dims(spw_plan *plan, spw_refusal *refusal)
{
  spw_conversion *to = &plan->to;
  const bool from_compressed = spw_is_compressed(plan->t->layout);
  if (!spw_is_compressed(to->layout)) {
    const int64_t own = from_compressed ? plan->sparse_dims - 2 : 0;
    if (to->batch_dims > 0 && (to->layout != SPW_DENSE || to->batch_dims != own)) return SPW_EINVAL;
    to->batch_dims = 0;
    return SPW_OK;
  }
  if (to->batch_dims < 0) to->batch_dims = plan->sparse_dims > 2 ? plan->sparse_dims - 2 : 0;
  if (plan->sparse_dims - to->batch_dims == 2) return SPW_OK;
  if (from_compressed) return SPW_EINVAL;
  return spw_refuse(refusal, SPW_OBSTACLE_DIMENSIONS, -1, -1, plan->sparse_dims - to->batch_dims, 2);
}

static spw_status take_blocks(spw_plan *plan, spw_refusal *refusal)
{
  const spw_conversion *to = &plan->to;
  plan->out_block[0] = plan->out_block[1] = 1;
  if (!spw_has_blocks(to->layout)) return SPW_OK;
  plan->out_block[0] = to->block_rows ? to->block_rows : plan->block[0];
  plan->out_block[1] = to->block_rows ? to->block_columns : plan->block[1];
  const int64_t sizes[2] = {plan->rows, plan->columns};
  for (int i = 0; i < 2; i++)
    if (sizes[i] % plan->out_block[i] != 0)
      return spw_refuse(refusal, SPW_OBSTACLE_BLOCKS, to->batch_dims + i, -1, sizes[i], plan->out_block[i]);
  return SPW_OK;
}

static void take_types(spw_plan *plan)
{
  if (plan->to.index_dtype == SPW_DTYPE_NONE)
    plan->to.index_dtype = plan->t->layout == SPW_DENSE ? SPW_INT64 : plan->t->plain.array.dtype;
  plan->opaque = spw_has_blocks(plan->t->layout) && spw_has_blocks(plan->to.layout) &&
                 plan->out_block[0] == plan->block[0] && plan->out_block[1] == plan->block[1];
  plan->moved = plan->width;
  if (plan->opaque) plan->moved = spw_mul_saturated(plan->width, spw_mul_saturated(plan->block[0], plan->block[1]));
  if (plan->values > 0) {
    plan->element_bytes = spw_mul_saturated(plan->width, plan->scalar);
    plan->moved_bytes = spw_mul_saturated(plan->moved, plan->scalar);
  }
  const bool scalars = plan->moved == 1 && plan->dtype != SPW_COMPLEX64;
  plan->payload = scalars && plan->scalar == 4 ? SPW_BITS32 : scalars && plan->scalar == 8 ? SPW_BITS64 : SPW_PLACES;
}

int64_t spw_size_product(const spw_plan *plan, int64_t dims)
{
  int64_t product = 1;
  for (int64_t d = 0; d < dims; d++) {
    const int64_t entry = spw_size_entry(plan, d);
    if (entry == 0) return 0;
    product = spw_mul_saturated(product, entry);
  }
  return product;
}

spw_status spw_fits_index(const spw_plan *plan, int64_t nse, spw_refusal *refusal)
{
  if (plan->to.layout == SPW_DENSE || plan->to.index_dtype == SPW_INT64) return SPW_OK;
  const int64_t max = INT32_MAX;
  if (nse > max) return spw_refuse(refusal, SPW_OBSTACLE_INDEX, -1, -1, nse, max);
  if (plan->to.layout == SPW_COO) {
    for (int64_t d = 0; d < plan->sparse_dims; d++) {
      const int64_t entry = spw_size_entry(plan, d);
      if (entry > max) return spw_refuse(refusal, SPW_OBSTACLE_INDEX, d, -1, entry, max);
    }
    return SPW_OK;
  }
  const int major = spw_major_of(plan->to.layout);
  const int64_t sizes[2] = {plan->out_C, plan->out_P}; /* in the order of 1.6 */
  for (int i = 0; i < 2; i++)
    if (sizes[i] > max)
      return spw_refuse(refusal, SPW_OBSTACLE_INDEX, plan->to.batch_dims + (i ^ major), -1, sizes[i], max);
  return SPW_OK;
}

spw_status spw_plan_make(const spw_operand *source, const spw_conversion *wanted, spw_plan *plan, spw_refusal *refusal)
{
  const spw_tensor *const tensor = source->t;
  if (!sensible(tensor, wanted)) return SPW_EINVAL;
  const spw_plan fresh = {.t = tensor, .to = *wanted, .cap = -1, .threads = 1};
  *plan = fresh;
  if (!spw_is_compressed(tensor->layout)) plan->to.canonicalize = false;
  if (tensor->layout == SPW_DENSE && wanted->prune) plan->to.bits = plan->to.prune = false; /* the cells that are left */
  spw_status status = read_source(plan, source, refusal);
  if (status == SPW_OK) status = take_batch_dims(plan, refusal);
  if (status != SPW_OK) return status;
  plan->rows = plan->sparse_dims >= 2 ? spw_size_entry(plan, plan->sparse_dims - 2) : 1;
  plan->columns = plan->sparse_dims >= 1 ? spw_size_entry(plan, plan->sparse_dims - 1) : 1;
  status = take_blocks(plan, refusal);
  if (status != SPW_OK) return status;
  take_types(plan);
  plan->out_batches = spw_size_product(plan, plan->to.batch_dims);
  if (spw_is_compressed(plan->to.layout)) {
    const int64_t sizes[2] = {plan->rows / plan->out_block[0], plan->columns / plan->out_block[1]};
    const int major = spw_major_of(plan->to.layout);
    plan->out_C = sizes[major];
    plan->out_P = sizes[1 - major];
  }
  if (plan->to.layout == SPW_DENSE) plan->elements = spw_size_product(plan, plan->ndim);
  return spw_fits_index(plan, 0, refusal);
}
