/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_rules.h"

/* level L2 */
spw_finding spw_rule_3_4(const spw_tensor *t)
{
  const int64_t batch_dims = spw_batch_dims(t);
  if (batch_dims < 0) return spw_and_unknown(spw_holds());
  const int64_t least = batch_dims + 1 + (spw_blocked(t) ? 2 : 0);
  return spw_and(spw_holds(), t->values.array.ndim >= least,
                 spw_at(SPW_RULE_3_4, SPW_MEMBER_VALUES, -1, t->values.array.ndim, least));
}
