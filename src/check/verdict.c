/* SPDX-License-Identifier: Apache-2.0 */
#include "verdict.h"

/*@ terminates \true; exits \false; assigns \nothing;
    ensures \result.status == SPW_OK && \result.valid == valid; */
/* level L2 */
static spw_verdict answer(int valid)
{
  const spw_verdict v = {SPW_OK, valid};
  return v;
}

/*@ terminates \true; exits \false; assigns \nothing;
    ensures \result.status == SPW_EOVERFLOW && \result.valid == 0; */
/* level L2 */
static spw_verdict too_many_batches(void)
{
  const spw_verdict v = {SPW_EOVERFLOW, 0};
  return v;
}

#define SPW_TEMPLATE "../check/verdict.inc"
#include "../core/each_index_type.h"

/* level L2 */
spw_verdict spw_verdict_of(const spw_tensor *t, spw_level level, int threads)
{
  if (!spw_shape_holds(t)) return answer(0);
  if (level == SPW_SHAPE) return answer(1);
  if (t->layout == SPW_COO)
    return t->plain.array.dtype == SPW_INT32 ? coo_verdict_i32(t, level) : coo_verdict_i64(t, level);
  return t->compressed.array.dtype == SPW_INT32 ? compressed_verdict_i32(t, level, threads)
                                                : compressed_verdict_i64(t, level, threads);
}
