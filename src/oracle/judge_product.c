/* SPDX-License-Identifier: Apache-2.0 */
/* Is a whole product right? Each element of the result is judged by the exact sum of its products. */
#include "judge_sparse.h"
#include "rows.h"
#include "../operand/overlap.h"

#include <string.h>

/* ---- With a dense x ------------------------------------------------------------------------------ */

/* The sum of a row of a times a column of x. */
static spw_status sum_products(const spw_judge_task *k, const spw_rows *a, int64_t row, const spw_spot *s, spw_total *total)
{
  spw_status status = SPW_OK;
  spw_total_start(k, total);
  if (!k->o->reads_product) return SPW_OK;
  for (int64_t i = a->starts[row], next = i; i < a->starts[row + 1] && status == SPW_OK; i = next) {
    const int64_t column = a->entries[i].column, x_place = spw_dense_place(k->o, k->claim->x, s->batch, column, s->column);
    while (next < a->starts[row + 1] && a->entries[next].column == column) next++;
    for (int64_t e = i; e < next && status == SPW_OK; e++) {
      if (next - i > 1) spw_total_see_twice(k, total, a->entries[e].place, x_place, next - i);
      status = spw_total_add(k, total, a->entries[e].place, x_place);
    }
  }
  return status;
}

static spw_status judge_dense(spw_judge_task *k, int64_t *room)
{
  const spw_operands *const o = k->o;
  const int64_t lines = o->m.size[o->m.batch_dims];
  spw_rows a = spw_gather_rows(k->claim->a, &o->m, false, room);
  int64_t twice;
  (void)spw_sort_rows(&a, &o->m, &twice); /* elements of one position lie side by side */
  spw_total total;
  spw_status status = SPW_OK;
  for (int64_t row = 0; row < o->m.rows && status == SPW_OK; row++)
    for (int64_t column = 0; column < o->columns && status == SPW_OK; column++) {
      const spw_spot s = spw_dense_spot(k, row / lines, row % lines, column);
      status = sum_products(k, &a, row, &s, &total);
      if (status == SPW_OK) status = spw_judge_number(k, &s, &total);
    }
  return status;
}

/* ---- The calls ----------------------------------------------------------------------------------- */

static void start(spw_judgement *j)
{
  memset(j, 0, sizeof *j);
  j->batch = j->row = j->column = j->place = -1;
  j->violation.rule = SPW_RULE_NONE;
}

spw_status spw_judge_work(const spw_product_claim *claim, size_t *bytes, spw_judgement *judgement)
{
  spw_operands o;
  if (!judgement) return SPW_EINVAL;
  start(judgement);
  if (!bytes) return SPW_EINVAL;
  const spw_status status = spw_operands_of(claim, &o, judgement);
  if (status == SPW_OK) *bytes = o.bytes;
  return status;
}

/* Does the workspace lie on something of the claim? An operand that is not read may be anything, and null. */
static bool lies_on_claim(const spw_product_claim *claim, const spw_operands *o, const void *work)
{
  const spw_tensor *const given[] = {claim->a, claim->x, claim->y, claim->c}, *operands[4];
  const int64_t count = o->reads_c ? 4 : 3;
  spw_tensor dense[4]; /* of which the size is neither judged nor read */
  for (int64_t k = 0; k < count; k++) {
    operands[k] = given[k];
    if (given[k]->layout != SPW_DENSE) continue;
    if (spw_work_on(given[k], sizeof *given[k], work, o->bytes)) return true;
    dense[k] = *given[k];
    dense[k].has_size = false;
    operands[k] = &dense[k];
  }
  return spw_work_on(claim, sizeof *claim, work, o->bytes) || spw_work_overlapping(operands, count, work, o->bytes) >= 0;
}

spw_status spw_judge_product(const spw_product_claim *claim, void *work, size_t bytes, spw_judgement *judgement)
{
  spw_operands o;
  if (!judgement) return SPW_EINVAL;
  start(judgement);
  spw_status status = spw_operands_of(claim, &o, judgement);
  if (status != SPW_OK || judgement->verdict == SPW_WRONG) return status;
  if (!work || (uintptr_t)work % 8 != 0 || bytes < o.bytes || lies_on_claim(claim, &o, work)) return SPW_EINVAL;
  spw_judge_task k = {claim, &o, claim->a->values.array.dtype, judgement};
  judgement->verdict = SPW_RIGHT_EXACT;
  status = o.x_sparse ? spw_judge_sparse(&k, work) : judge_dense(&k, work);
  if (status != SPW_OK) judgement->verdict = SPW_NOT_JUDGED;
  return status;
}
