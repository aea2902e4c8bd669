/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_rules.h"

/* level L2 */
spw_finding spw_rule_6_3(const spw_tensor *t)
{
  if (t->plain.array.ndim != 2 || t->values.array.ndim < 1) return spw_and_unknown(spw_holds());
  if (!t->has_size || spw_coo_aligned(t)) return spw_holds();
  const int64_t want = spw_add_saturated(t->plain.array.shape[0], t->values.array.ndim - 1);
  return spw_and_violation(spw_holds(), spw_at(SPW_RULE_6_3, SPW_MEMBER_SIZE, -1, t->ndim, want));
}
