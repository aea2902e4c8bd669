/* SPDX-License-Identifier: Apache-2.0 */
/* How many cells each batch of a result has: known, bounded, or counted without any memory. */
#include "count.h"
#include "count_stripes.h"
#include "dense.h"
#include "indices.h"
#include "plan.h"
#include "values.h"
#include "../core/size.h"
#include "../view/grid.h"
#include "../view/members.h"

/* ---- Blocks of a compressed tensor ----------------------------------------------------------- */

static int64_t count_batch_blocks(const spw_plan *plan, spw_grid g, int64_t b)
{
  const int major = spw_major_of(plan->t->layout);
  const spw_stripes s = {
      .c = &plan->t->compressed,
      .p = &plan->t->plain,
      .c_start = spw_compressed_start(g, b),
      .p_start = g.nse > 0 ? spw_plain_start(g, b) : 0,
      .lines = major ? plan->columns : plan->rows,
      .from_major = plan->block[major],
      .from_minor = plan->block[1 - major],
      .to_major = plan->out_block[major],
      .to_minor = plan->out_block[1 - major],
  };
  return g.nse == 0 ? 0 : spw_count_stripes(&s);
}

static spw_index_array array_of(spw_indices from)
{
  const spw_index_array array = {{.dtype = from.wide ? SPW_INT64 : SPW_INT32}, from.i32, from.i64, NULL};
  return array;
}

int64_t spw_count_line_blocks(const spw_plan *plan, spw_indices ptr, spw_indices index, int64_t lines)
{
  const int major = spw_major_of(plan->to.layout);
  const spw_index_array c = array_of(ptr), p = array_of(index);
  const spw_stripes s = {
      .c = &c,
      .p = &p,
      .lines = lines,
      .from_major = 1,
      .from_minor = 1,
      .to_major = plan->out_block[major],
      .to_minor = plan->out_block[1 - major],
  };
  return spw_count_stripes(&s);
}

/* ---- All batches ----------------------------------------------------------------------------- */

static int64_t count_batch(const spw_plan *plan, int64_t b)
{
  if (plan->t->layout == SPW_DENSE) return spw_count_dense(plan, b);
  return count_batch_blocks(plan, spw_grid_of(plan->t, plan->batches, plan->P), b);
}

/* Batches that share their arrays are counted once, however many there are. */
static int64_t different_batches(const spw_plan *plan)
{
  if (spw_holds_nothing(plan)) return 0;
  if (plan->t->layout == SPW_DENSE) return spw_different_batches(plan);
  return spw_batches_shared(spw_grid_of(plan->t, plan->batches, plan->P)) ? 1 : plan->out_batches;
}

/* *first: of the first batch, as all have to have them. */
static spw_status count_batches(const spw_plan *plan, int64_t *first, spw_refusal *refusal)
{
  const int64_t batches = different_batches(plan);
  *first = 0;
  for (int64_t i = 0; i < batches; i++) {
    const int64_t b = plan->t->layout == SPW_DENSE ? spw_different_batch(plan, i) : i;
    const int64_t count = count_batch(plan, b);
    if (i == 0) *first = count;
    if (count != *first) return spw_refuse(refusal, SPW_OBSTACLE_BATCHES, 0, b, *first, count);
  }
  return SPW_OK;
}

/* Cells of each batch if all had as many: where zeros are left out, only then do they have to. */
static int64_t mean_count(const spw_plan *plan)
{
  const int64_t batches = different_batches(plan);
  int64_t sum = 0;
  for (int64_t b = 0; b < batches; b++) sum = spw_add_saturated(sum, count_batch(plan, b));
  return batches == 0 ? 0 : sum / batches + (sum % batches != 0);
}

spw_status spw_refuse_unequal(const spw_plan *plan, spw_refusal *refusal)
{
  int64_t first;
  const spw_status status = count_batches(plan, &first, refusal);
  return status == SPW_OK ? SPW_EINVAL : status;
}

spw_status spw_refuse_more(const spw_plan *plan, const spw_target *out, int64_t b, spw_refusal *refusal)
{
  const int64_t count = count_batch(plan, b);
  return count > out->nse ? spw_refuse(refusal, SPW_OBSTACLE_BATCHES, 0, b, out->nse, count) : SPW_EINVAL;
}

static spw_status count_known(spw_plan *plan, spw_refusal *refusal)
{
  const bool coo = plan->t->layout == SPW_COO;
  const bool made = plan->to.canonicalize;
  int64_t n = coo ? plan->nse : spw_source_elements(plan);
  if (coo && plan->to.prune && plan->out_batches > 0) n = spw_add_saturated(n, plan->out_batches - 1);
  if (coo) n = plan->out_batches == 0 ? 0 : n / plan->out_batches;
  if (!coo && plan->to.layout == SPW_COO) n = plan->batches == 0 ? 0 : spw_mul_saturated(n, plan->batches);
  if ((coo || made) && spw_has_blocks(plan->to.layout)) {
    const int64_t blocks = spw_mul_saturated(plan->out_C, plan->out_P);
    if (blocks < n) n = blocks;
  }
  plan->cap = n;
  return n == INT64_MAX ? spw_refuse(refusal, SPW_OBSTACLE_SIZE, -1, -1, -1, -1) : SPW_OK;
}

spw_status spw_plan_count(spw_plan *plan, spw_refusal *refusal)
{
  plan->cap = 0;
  if (plan->to.layout == SPW_DENSE) return SPW_OK;
  const bool blocks = spw_is_compressed(plan->t->layout) && !plan->to.canonicalize && spw_payloads_of_cell(plan) > 1;
  const bool counted = plan->t->layout == SPW_DENSE || blocks;
  if (counted && plan->to.prune) {
    plan->cap = mean_count(plan);
    return SPW_OK;
  }
  const spw_status status = counted ? count_batches(plan, &plan->cap, refusal) : count_known(plan, refusal);
  if (status != SPW_OK) return status;
  const bool exact = counted || spw_is_compressed(plan->t->layout) || plan->ordered;
  return exact && !plan->to.prune && !plan->to.canonicalize ? spw_fits_index(plan, plan->cap, refusal) : SPW_OK;
}
