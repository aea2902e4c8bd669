/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_rules.h"

/* level L2 */
spw_finding spw_rule_3_8(const spw_tensor *t)
{
  const spw_number size = spw_compressed_size(t);
  if (!size.known) return spw_and_unknown(spw_holds());
  const int64_t last = spw_batch_dims(t), got = t->compressed.array.shape[last];
  const int64_t want = spw_add_saturated(size.value, 1);
  return spw_and(spw_holds(), got >= 1 && got - 1 == size.value,
                 spw_at(SPW_RULE_3_8, SPW_MEMBER_COMPRESSED, last, got, want));
}
