/* SPDX-License-Identifier: Apache-2.0 */
/* How many elements a product of two sparse operands has: no value is read. */
#include "spgemm.h"
#include "../../operand/fits.h"
#include "../multiply/pack.h"
#include "../../convert/indices.h"
#include "../../convert/share.h"
#include "../../core/size.h"

#include <string.h>

#define SPW_TEMPLATE "../ops/spgemm/count.inc"
#include "../../core/each_index_type.h"

static const void *compressed_of(const spw_tensor *t, int64_t dims, int64_t b)
{
  return spw_indices_at(&t->compressed, spw_batch_place(&t->compressed.array, dims, b));
}

static const void *plain_of(const spw_tensor *t, int64_t dims, int64_t b, int64_t nse)
{
  return spw_indices_at(&t->plain, nse == 0 ? 0 : spw_batch_place(&t->plain.array, dims, b));
}

void spw_point_at_rows(const spw_spgemm_plan *plan, int64_t b, spw_row_products *p)
{
  const int64_t n = plan->batch_dims;
  p->left_rows = compressed_of(plan->left, n, b);
  p->left_columns = plain_of(plan->left, n, b, plan->left_nse);
  p->right_rows = compressed_of(plan->right, n, b);
  p->right_columns = plain_of(plan->right, n, b, plan->right_nse);
}

static int64_t multiplications(const spw_row_products *p)
{
  return p->wide ? multiplications_i64(p) : multiplications_i32(p);
}

int64_t spw_count_multiplications(const spw_spgemm_plan *plan)
{
  const int64_t counted = plan->one_pattern && plan->batches > 0 ? 1 : plan->batches;
  spw_row_products p = {.wide = plan->wide, .rows = plan->rows, .left_nse = plan->left_nse};
  int64_t all = 0;
  for (int64_t b = 0; b < counted; b++) {
    spw_point_at_rows(plan, b, &p);
    all = spw_add_saturated(all, multiplications(&p));
  }
  return counted == plan->batches ? all : spw_mul_saturated(all, plan->batches);
}

static int64_t count_part(const spw_spgemm_plan *plan, const spw_spgemm_work *work, const spw_row_products *p, int64_t i)
{
  const spw_row_work own = spw_row_work_at(plan, work, i);
  const int64_t from = work->first[i], to = work->first[i + 1];
  uint32_t *const last = work->last + i;
  return p->wide ? count_rows_i64(p, own.met, last, from, to) : count_rows_i32(p, own.met, last, from, to);
}

void spw_clear_before_counting(const spw_spgemm_plan *plan, const spw_spgemm_work *work)
{
  for (int64_t i = 0; i < plan->parts; i++) work->last[i] = UINT32_MAX;
}

int64_t spw_count_batch(const spw_spgemm_plan *plan, const spw_spgemm_work *work, const spw_row_products *p)
{
  const int64_t parts = plan->parts;
  work->first[0] = work->done[0] = 0;
  work->first[1] = p->rows;
  if (parts > 1 && p->wide) divide_rows_i64(p, multiplications(p), parts, work->first);
  if (parts > 1 && !p->wide) divide_rows_i32(p, multiplications(p), parts, work->first);
  SPW_SHARE
  for (int64_t i = 0; i < parts; i++) work->done[i + 1] = count_part(plan, work, p, i);
  for (int64_t i = 0; i < parts; i++) work->done[i + 1] += work->done[i];
  return work->done[parts];
}

spw_status spw_count_products(const spw_spgemm_plan *plan, const spw_spgemm_work *work, int64_t *nse, spw_refusal *refusal)
{
  const int64_t counted = plan->one_pattern && plan->batches > 0 ? 1 : plan->batches;
  spw_row_products p = {.wide = plan->wide, .rows = plan->rows, .columns = plan->columns, .left_nse = plan->left_nse};
  int64_t first = 0;
  spw_clear_before_counting(plan, work);
  for (int64_t b = 0; b < counted; b++) {
    spw_point_at_rows(plan, b, &p);
    const int64_t n = spw_count_batch(plan, work, &p);
    if (b == 0) first = n;
    if (n != first) return spw_refuse_batches(refusal, b, 0, n, first);
  }
  *nse = first;
  return SPW_OK;
}
