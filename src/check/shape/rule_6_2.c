/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_rules.h"

/* level L2 */
spw_finding spw_rule_6_2(const spw_tensor *t)
{
  if (t->values.array.ndim < 1)
    return spw_and_violation(spw_holds(), spw_at(SPW_RULE_6_2, SPW_MEMBER_VALUES, -1, t->values.array.ndim, 1));
  if (t->plain.array.ndim != 2) return spw_and_unknown(spw_holds());
  const int64_t got = t->values.array.shape[0], nse = t->plain.array.shape[1];
  return spw_and(spw_holds(), got == nse, spw_at(SPW_RULE_6_2, SPW_MEMBER_VALUES, 0, got, nse));
}
