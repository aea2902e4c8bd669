/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_rules.h"

/* level L2 */
spw_finding spw_rule_3_9(const spw_tensor *t)
{
  const int64_t batch_dims = spw_batch_dims(t);
  if (batch_dims < 0 || t->plain.array.ndim != t->compressed.array.ndim) return spw_and_unknown(spw_holds());
  return spw_and_hits(spw_holds(), spw_differences(t->plain.array.shape, t->compressed.array.shape, batch_dims),
                      SPW_RULE_3_9, SPW_MEMBER_PLAIN, 0);
}
