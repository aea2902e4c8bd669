/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_rules.h"

/* level L2 */
spw_finding spw_rule_3_13(const spw_tensor *t)
{
  if (!spw_blocked(t)) return spw_holds();
  if (spw_dense_dims(t) < 0) return spw_and_unknown(spw_holds());
  const int64_t first = spw_batch_dims(t) + 1, b0 = spw_block_size(t, 0), b1 = spw_block_size(t, 1);
  const spw_finding f = spw_and(spw_holds(), b0 >= 1, spw_at(SPW_RULE_3_13, SPW_MEMBER_VALUES, first, b0, 1));
  return spw_and(f, b1 >= 1, spw_at(SPW_RULE_3_13, SPW_MEMBER_VALUES, first + 1, b1, 1));
}
