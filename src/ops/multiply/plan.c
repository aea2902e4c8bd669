/* SPDX-License-Identifier: Apache-2.0 */
/* What a product is about, and what stands in its way. */
#include "product.h"
#include "../../operand/fits.h"
#include "../../operand/overlap.h"
#include "pack.h"
#include "../../convert/plan.h"
#include "../../convert/values.h"
#include "../../core/size.h"

#include <string.h>

/* ---- Operands -------------------------------------------------------------------------------- */

/* The output is judged as a dense operand is. */
static spw_status judge_output(const spw_output *c, spw_refusal *refusal)
{
  if (!spw_dense_given(&c->array, c->data)) return SPW_EINVAL;
  spw_violation first;
  if (spw_dense_breaks(&c->array, &first)) return spw_refuse_invalid(refusal, 2, first);
  return spw_told_apart(&c->array) ? SPW_OK : spw_refuse_operand(refusal, 2, SPW_OBSTACLE_OVERLAP, -1, -1, -1);
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

/* Which dimension of the dense operand is summed over; the output has the rows there. */
static int64_t bound_dimension(const spw_product_plan *plan)
{
  if (plan->vector) return 0;
  return plan->transposed ? plan->batch_dims + 1 : plan->batch_dims;
}

static int64_t free_dimension(const spw_product_plan *plan)
{
  return plan->transposed ? plan->batch_dims : plan->batch_dims + 1;
}

/* rows, inner and width. */
static spw_status operands_fit(spw_product_plan *plan, spw_refusal *refusal)
{
  const spw_array *const dense = &plan->dense->values.array;
  const int64_t *const size = plan->sparse->size, n = plan->batch_dims;
  const int other = plan->transposed ? 0 : 1;
  plan->vector = n == 0 && dense->ndim == 1;
  plan->rows = size[plan->transposed ? n + 1 : n];
  plan->inner = size[plan->transposed ? n : n + 1];
  const int64_t bound = bound_dimension(plan);
  spw_status status = spw_dims_fit(dense->ndim, plan->vector ? 1 : n + 2, other, refusal);
  if (status == SPW_OK) status = spw_batches_fit(dense->shape, size, n, other, refusal);
  if (status == SPW_OK) status = spw_size_fits(dense->shape[bound], plan->inner, bound, other, refusal);
  if (status == SPW_OK) plan->width = plan->vector ? 1 : dense->shape[free_dimension(plan)];
  return status;
}

static spw_status output_fits(const spw_product_plan *plan, spw_refusal *refusal)
{
  const spw_array *const out = &plan->out->array;
  const int64_t rows_at = bound_dimension(plan), width_at = free_dimension(plan);
  spw_status status = spw_dims_fit(out->ndim, plan->dense->values.array.ndim, 2, refusal);
  if (status == SPW_OK) status = spw_batches_fit(out->shape, plan->sparse->size, plan->batch_dims, 2, refusal);
  if (status == SPW_OK) status = spw_size_fits(out->shape[rows_at], plan->rows, rows_at, 2, refusal);
  if (status == SPW_OK && !plan->vector) status = spw_size_fits(out->shape[width_at], plan->width, width_at, 2, refusal);
  return status;
}

/* ---- The sparse operand ---------------------------------------------------------------------- */

static spw_status read_sparse(spw_product_plan *plan, spw_refusal *refusal)
{
  const int number = plan->transposed ? 1 : 0;
  const spw_operand *const o = &plan->operands[number];
  const spw_tensor *const s = o->t;
  const spw_numbers *const n = &o->numbers;
  const spw_status status = spw_matrices_fit(o, number, refusal);
  if (status != SPW_OK) return status;
  plan->layout = plan->transposed ? spw_transposed_layout(s->layout) : s->layout;
  plan->dtype = s->values.array.dtype;
  plan->scalar = o->scalar;
  plan->batch_dims = s->ndim - 2;
  plan->batches = s->layout == SPW_COO ? spw_product(s->size, plan->batch_dims) : n->batches;
  if (plan->batches < 0) plan->batches = INT64_MAX; /* of nothing: the whole size is not beyond int64 */
  plan->height = plan->transposed ? n->block_columns : n->block_rows;
  plan->length = plan->transposed ? n->block_rows : n->block_columns;
  plan->cell = spw_has_blocks(s->layout) ? spw_mul_saturated(plan->height, plan->length) : 1;
  plan->C = n->compressed_size;
  plan->nse = n->nse;
  if (plan->nse == 0 && plan->cell == INT64_MAX) { /* no block is there, and none has a place that int64 would not hold */
    plan->length = 1;
    plan->cell = plan->height;
  }
  plan->wide = s->plain.array.dtype == SPW_INT64;
  return plan->scalar == 0 ? SPW_EOVERFLOW : SPW_OK;
}

/* ---- What lies where ---------------------------------------------------------------------------- */

/* The number of an operand that lies on these bytes; 2: what describes the output does; -1: nothing. */
static int first_meeting(const spw_product_plan *plan, spw_byte_range bytes)
{
  for (int i = 0; i < 2; i++)
    if (spw_meets(&plan->operands[i].memory, bytes)) return i;
  return spw_output_meets(plan->out, bytes) ? 2 : -1;
}

static spw_status output_apart(const spw_product_plan *plan, spw_refusal *refusal)
{
  const int operand = first_meeting(plan, plan->out_bytes);
  return operand < 0 ? SPW_OK : spw_refuse_operand(refusal, operand, SPW_OBSTACLE_OVERLAP, -1, -1, -1);
}

/* ---- How it is done -------------------------------------------------------------------------- */

bool spw_factor_is_zero(const void *factor, spw_dtype dtype)
{
  return factor && !spw_any_nonzero(factor, 1, dtype, false);
}

int spw_read_factors(const spw_factors *how, spw_dtype dtype, char alpha[16], char beta[16])
{
  const bool keeps = how->beta && !spw_factor_is_zero(how->beta, dtype);
  const size_t size = (size_t)spw_dtype_size(dtype);
  if (how->alpha) memcpy(alpha, how->alpha, size);
  if (how->beta) memcpy(beta, how->beta, size);
  return keeps ? 2 : how->alpha ? 1 : 0;
}

static void read_factors(spw_product_plan *plan)
{
  const bool given = plan->how.alpha || plan->how.beta;
  plan->mode = given ? spw_read_factors(&plan->how, plan->dtype, plan->alpha, plan->beta) : 0;
  plan->reads_nothing = spw_factor_is_zero(plan->how.alpha, plan->dtype);
}

/* The last two dimensions of a dense array as lines: of a vector, lines of one element. */
static spw_dense_lines lines_of(const spw_product_plan *plan, const spw_array *a, int64_t lines)
{
  const spw_dense_lines vector = {lines, 1, a->strides[0], 1};
  if (plan->vector) return vector;
  const spw_dense_lines matrix = {lines, plan->width, a->strides[bound_dimension(plan)], a->strides[free_dimension(plan)]};
  return matrix;
}

/* To a power of two. */
static bool is_aligned(const void *data, uintptr_t alignment)
{
  return ((uintptr_t)data & (alignment - 1)) == 0;
}

/* Do the values of a batch of the sparse operand lie in order, as the kernels read them? */
static bool values_in_order(const spw_product_plan *plan, uintptr_t alignment)
{
  const spw_value_array *const v = &plan->sparse->values;
  const int64_t at = plan->sparse->layout == SPW_COO ? 0 : plan->batch_dims, cell = plan->cell;
  if (!is_aligned(v->data, alignment)) return false;
  if (plan->nse > 1 && v->array.strides[at] != cell) return false;
  if (cell == 1 || plan->nse == 0) return true;
  const int64_t down = plan->transposed ? at + 2 : at + 1, across = plan->transposed ? at + 1 : at + 2;
  return (plan->height <= 1 || v->array.strides[down] == plan->length) && (plan->length <= 1 || v->array.strides[across] == 1);
}

static void read_places(spw_product_plan *plan)
{
  const spw_tensor *const s = plan->sparse;
  const spw_value_array *const d = &plan->dense->values;
  const bool flat = s->layout == SPW_COO && plan->batch_dims > 0;
  const uintptr_t alignment = spw_alignment_of(plan->dtype, plan->scalar);
  plan->in_lines = lines_of(plan, &d->array, plan->inner);
  plan->out_lines = lines_of(plan, &plan->out->array, plan->rows);
  plan->values_packed = !values_in_order(plan, alignment);
  plan->indices_packed = s->layout == SPW_COO && (flat || (plan->nse > 1 && s->plain.array.strides[1] != 1));
  if (plan->indices_packed) plan->wide = true;
  plan->dense_packed = flat || !spw_lines_in_place(&plan->in_lines) || !is_aligned(d->data, alignment);
  plan->out_packed = flat || !spw_lines_in_place(&plan->out_lines) || !is_aligned(plan->out->data, alignment);
}

/* ---- Plans ----------------------------------------------------------------------------------- */

spw_status spw_product_plan_operands(const spw_tensor *a, const spw_tensor *b, bool judged, int threads,
                                     spw_product_plan *plan, spw_refusal *refusal)
{
  if (!a || !b || (a->layout == SPW_DENSE) == (b->layout == SPW_DENSE)) return SPW_EINVAL;
  plan->transposed = a->layout == SPW_DENSE;
  plan->sparse = plan->transposed ? b : a;
  plan->dense = plan->transposed ? a : b;
  spw_status status = spw_operand_take(a, 0, judged, threads, &plan->operands[0], refusal);
  if (status == SPW_OK) status = spw_operand_take(b, 1, judged, threads, &plan->operands[1], refusal);
  if (status == SPW_OK) status = read_sparse(plan, refusal);
  if (status == SPW_OK) status = spw_type_fits(plan->dense->values.array.dtype, plan->dtype, plan->transposed ? 0 : 1, refusal);
  return status == SPW_OK ? operands_fit(plan, refusal) : status;
}

spw_status spw_product_plan_make(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, const spw_output *c,
                                 bool judged, spw_product_plan *plan, spw_refusal *refusal)
{
  if (!how || !c || how->threads < 0) return SPW_EINVAL;
  spw_status status = spw_product_plan_operands(a, b, judged, how->threads, plan, refusal);
  if (status != SPW_OK) return status;
  plan->out = c;
  plan->how = *how;
  status = judge_output(c, refusal);
  if (status == SPW_OK) status = spw_type_fits(c->array.dtype, plan->dtype, 2, refusal);
  if (status == SPW_OK) status = output_fits(plan, refusal);
  if (status != SPW_OK) return status;
  plan->out_bytes = spw_byte_range_of_array(&c->array, c->data, plan->scalar);
  plan->writes_nothing = plan->batches == 0 || plan->rows == 0 || plan->width == 0;
  status = output_apart(plan, refusal);
  if (status != SPW_OK) return status;
  read_factors(plan);
  read_places(plan);
  return SPW_OK;
}

spw_status spw_multiply_shape(const spw_tensor *a, const spw_tensor *b, int64_t *dimension, int64_t *entry,
                              spw_refusal *refusal)
{
  spw_product_plan plan;
  if (!dimension || !entry) return SPW_EINVAL;
  const spw_status status = spw_product_plan_operands(a, b, true, 1, &plan, refusal);
  if (status != SPW_OK) return status;
  *dimension = bound_dimension(&plan);
  *entry = plan.rows;
  return SPW_OK;
}

spw_status spw_work_apart(const spw_product_plan *plan, const void *work, size_t bytes, spw_refusal *refusal)
{
  const spw_byte_range all = spw_byte_range_of(work, (int64_t)bytes, 1);
  const int operand = first_meeting(plan, all);
  if (operand < 0 && !spw_meet(plan->out_bytes, all)) return SPW_OK;
  return spw_refuse_operand(refusal, operand < 0 ? 2 : operand, SPW_OBSTACLE_OVERLAP, -1, -1, -1);
}
