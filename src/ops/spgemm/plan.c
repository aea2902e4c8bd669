/* SPDX-License-Identifier: Apache-2.0 */
/* What a product of two sparse operands is about, and what stands in its way. */
#include "../../operand/fits.h"
#include "../multiply/product.h"
#include "spgemm.h"
#include "../../convert/indices.h"
#include "../../convert/plan.h"
#include "../../convert/share.h"
#include "../../convert/values.h"
#include "../../core/size.h"

#include <string.h>

static spw_status layouts_fit(const spw_tensor *a, const spw_tensor *b, spw_refusal *refusal)
{
  const bool columns = b->layout == SPW_CSC;
  if (a->layout != SPW_CSR && a->layout != SPW_CSC)
    return spw_refuse_operand(refusal, 0, SPW_OBSTACLE_LAYOUT, -1, (int64_t)a->layout, columns ? SPW_CSC : SPW_CSR);
  if (b->layout != a->layout)
    return spw_refuse_operand(refusal, 1, SPW_OBSTACLE_LAYOUT, -1, (int64_t)b->layout, (int64_t)a->layout);
  return SPW_OK;
}

static spw_status shapes_fit(const spw_tensor *a, const spw_tensor *b, spw_refusal *refusal)
{
  const int64_t n = a->ndim - 2;
  spw_status status = spw_dims_fit(b->ndim, a->ndim, 1, refusal);
  if (status == SPW_OK) status = spw_batches_fit(b->size, a->size, n, 1, refusal);
  return status == SPW_OK ? spw_size_fits(b->size[n], a->size[n + 1], n, 1, refusal) : status;
}

/* A product of sizes that fit may have a size that does not (3.11). */
static spw_status size_fits(const spw_spgemm_plan *plan, spw_refusal *refusal)
{
  const int64_t matrix[] = {plan->rows, plan->columns};
  bool empty = plan->rows == 0 || plan->columns == 0;
  for (int64_t d = 0; d < plan->batch_dims; d++) empty |= plan->left->size[d] == 0;
  const int64_t size[] = {plan->batches, spw_product(matrix, 2)};
  if (empty || (size[1] >= 0 && spw_product(size, 2) >= 0)) return SPW_OK;
  return spw_refuse_operand(refusal, 2, SPW_OBSTACLE_SIZE, -1, -1, -1);
}

static bool in_order(const spw_tensor *t, int64_t batch_dims, int64_t batches, int64_t nse)
{
  const spw_value_array *const v = &t->values;
  if (nse == 0 || batches == 0) return true;
  return spw_is_aligned(v->data, v->array.dtype) && (nse == 1 || v->array.strides[batch_dims] == 1);
}

/* Do the indices of all batches lie at one place? Where none is stored, those of columns lie nowhere. */
static bool repeats(const spw_tensor *t, int64_t batch_dims, int64_t nse)
{
  return spw_batches_stay(&t->compressed.array, batch_dims) && (nse == 0 || spw_batches_stay(&t->plain.array, batch_dims));
}

static void read_operands(const spw_operand *oa, const spw_operand *ob, spw_spgemm_plan *plan)
{
  const spw_tensor *const a = oa->t, *const b = ob->t;
  const spw_numbers *const na = &oa->numbers, *const nb = &ob->numbers;
  const bool turned = a->layout == SPW_CSC;
  const int64_t n = a->ndim - 2;
  plan->left = turned ? b : a;
  plan->right = turned ? a : b;
  plan->layout = a->layout;
  plan->dtype = a->values.array.dtype;
  plan->index_dtype = a->plain.array.dtype;
  plan->scalar = oa->scalar;
  plan->wide = plan->index_dtype == SPW_INT64;
  plan->batch_dims = n;
  plan->batches = na->batches;
  plan->rows = turned ? b->size[n + 1] : a->size[n];
  plan->inner = a->size[n + 1];
  plan->columns = turned ? a->size[n] : b->size[n + 1];
  plan->left_nse = turned ? nb->nse : na->nse;
  plan->right_nse = turned ? na->nse : nb->nse;
  plan->left_packed = !in_order(plan->left, n, plan->batches, plan->left_nse);
  plan->right_packed = !in_order(plan->right, n, plan->batches, plan->right_nse);
  plan->one_pattern = repeats(a, n, na->nse) && repeats(b, n, nb->nse);
}

spw_status spw_spgemm_plan_make(const spw_tensor *a, const spw_tensor *b, bool judged, int threads,
                                spw_spgemm_plan *plan, spw_refusal *refusal)
{
  if (!a || !b || a->layout == SPW_DENSE || b->layout == SPW_DENSE || threads < 1) return SPW_EINVAL;
  memset(plan, 0, sizeof *plan);
  spw_operand *const o = plan->taken;
  spw_status status = spw_operand_take(a, 0, judged, threads, &o[0], refusal);
  if (status == SPW_OK) status = spw_operand_take(b, 1, judged, threads, &o[1], refusal);
  if (status == SPW_OK) status = layouts_fit(a, b, refusal);
  if (status == SPW_OK) status = spw_matrices_fit(&o[0], 0, refusal);
  if (status == SPW_OK) status = spw_matrices_fit(&o[1], 1, refusal);
  if (status == SPW_OK) status = spw_type_fits(b->values.array.dtype, a->values.array.dtype, 1, refusal);
  if (status == SPW_OK) status = spw_type_fits(b->plain.array.dtype, a->plain.array.dtype, 1, refusal);
  if (status == SPW_OK) status = shapes_fit(a, b, refusal);
  if (status != SPW_OK) return status;
  read_operands(&o[0], &o[1], plan);
  plan->parts = 1;
  status = size_fits(plan, refusal);
  if (status == SPW_OK && threads > 1 && plan->batches > 0)
    plan->parts = spw_parts_of_work(spw_count_multiplications(plan) / plan->batches, threads);
  return status;
}

/* Where each begins, of a part whose memory begins at `base`; *bytes: how many they are. */
static spw_row_work lay_out_rows(const spw_spgemm_plan *plan, char *base, int64_t *bytes)
{
  spw_row_work w = {0};
  spw_arena arena = {base, 0};
  w.sums = spw_take(&arena, plan->columns, spw_sum_size(plan->dtype));
  w.list = spw_take(&arena, plan->columns, 8);
  w.where = spw_take(&arena, plan->columns, 8);
  w.met = (void *)w.where;
  w.columns = spw_take_distinct(&arena, plan->columns);
  *bytes = arena.used;
  return w;
}

spw_row_work spw_row_work_at(const spw_spgemm_plan *plan, const spw_spgemm_work *work, int64_t i)
{
  int64_t bytes = 0;
  return lay_out_rows(plan, work->rows ? work->rows + i * work->row_bytes : NULL, &bytes);
}

spw_spgemm_work spw_spgemm_lay_out(const spw_spgemm_plan *plan, char *base)
{
  spw_spgemm_work w = {0};
  spw_arena arena = {base, 0};
  if (plan->left_packed) w.left_values = spw_take(&arena, plan->left_nse, plan->scalar);
  if (plan->right_packed) w.right_values = spw_take(&arena, plan->right_nse, plan->scalar);
  w.first = spw_take(&arena, spw_add_saturated(plan->parts, 1), 8);
  w.done = spw_take(&arena, spw_add_saturated(plan->parts, 1), 8);
  w.last = spw_take(&arena, plan->parts, 4);
  lay_out_rows(plan, NULL, &w.row_bytes);
  w.rows = spw_take(&arena, plan->parts, w.row_bytes);
  w.bytes = arena.used;
  return w;
}
