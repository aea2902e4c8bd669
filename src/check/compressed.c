/* SPDX-License-Identifier: Apache-2.0 */
#include "compressed.h"
#include "index_rules.h"
#include "members.h"
#include "range_of.h"

#define SPW_TEMPLATE "../check/compressed.inc"
#include "../core/each_index_type.h"

/* What follows from the largest plain index about rules 1.6 and 3.11, which an inferred size meets
 * only now. Gives P, or -1 when there is none. */
static int64_t infer_plain_size(const spw_tensor *t, spw_grid g, spw_range range, spw_report *r)
{
  if (range.low > range.high) return 0;
  if (range.low < 0) {
    r->findings[SPW_RULE_1_6] = r->findings[SPW_RULE_3_11] = spw_and_unknown(spw_holds());
    return -1;
  }
  const int64_t max = spw_index_max(t->compressed.array.dtype);
  if (range.high >= max) {
    r->findings[SPW_RULE_1_6] =
        spw_and_violation(spw_holds(), spw_at(SPW_RULE_1_6, SPW_MEMBER_PLAIN, -1, range.high, max));
    r->findings[SPW_RULE_3_11] = spw_and_unknown(spw_holds());
    return -1;
  }
  (void)g;
  return range.high + 1;
}

/* Rule 3.11 of the inferred size: the batches, C * b0, P * b1 and the dense part. */
static void judge_inferred_product(const spw_tensor *t, spw_grid g, spw_report *r)
{
  const int64_t batch_dims = spw_batch_dims(t), first_dense = batch_dims + 1 + (spw_blocked(t) ? 2 : 0);
  const int64_t compressed = spw_compressed_dim(t);
  const int64_t factors[6] = {g.batches, g.C, g.P, spw_block_size(t, compressed), spw_block_size(t, 1 - compressed),
                              spw_product(t->values.array.shape + first_dense, spw_dense_dims(t))};
  const int fits = factors[5] >= 0 ? spw_product(factors, 6) >= 0 : g.batches == 0 || g.C == 0 || g.P == 0;
  r->findings[SPW_RULE_3_11] =
      spw_and(spw_holds(), fits, spw_at(SPW_RULE_3_11, SPW_MEMBER_SIZE, -1, INT64_MAX, INT64_MAX));
}

/* Without a plain size, 5.5 and the upper bound of 5.3 cannot be judged. */
static void forget_upper_bounds(spw_report *r)
{
  spw_finding *const f = &r->findings[SPW_RULE_5_3];
  if (f->state == SPW_HOLDS) *f = spw_and_unknown(*f);
  r->findings[SPW_RULE_5_5] = spw_and_unknown(spw_holds());
}

spw_status spw_judge_compressed(const spw_tensor *t, spw_level level, spw_report *r)
{
  r->batches = spw_product(t->compressed.array.shape, spw_batch_dims(t));
  if (r->batches < 0) return SPW_EOVERFLOW;
  int64_t P = t->has_size ? spw_blocks(t, 1 - spw_compressed_dim(t)).value : INT64_MAX;
  spw_grid g = spw_grid_of(t, r->batches, P);
  const int is32 = t->compressed.array.dtype == SPW_INT32;
  if (!t->has_size) {
    const spw_range range = is32 ? plain_range_i32(t, g) : plain_range_i64(t, g);
    P = infer_plain_size(t, g, range, r);
    if (P >= 0) {
      g.P = P;
      r->size_inferred = true;
      judge_inferred_product(t, g, r);
    }
    if (r->findings[SPW_RULE_1_6].state == SPW_VIOLATED || r->findings[SPW_RULE_3_11].state == SPW_VIOLATED)
      return SPW_OK;
  }
  if (P >= 0) r->plain_size = P;
  if (level < SPW_STRUCTURE) return SPW_OK;
  if (is32)
    judge_structure_i32(t, g, r);
  else
    judge_structure_i64(t, g, r);
  if (P < 0) forget_upper_bounds(r);
  for (int i = SPW_RULE_5_1; i <= SPW_RULE_5_5; i++)
    if (r->findings[i].state != SPW_HOLDS) return SPW_OK;
  if (level < SPW_CANONICAL) return SPW_OK;
  if (is32)
    judge_canonical_i32(t, g, r);
  else
    judge_canonical_i64(t, g, r);
  return SPW_OK;
}
