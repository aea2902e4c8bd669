/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_rules.h"

/* level L2 */
spw_finding spw_rule_6_1(const spw_tensor *t)
{
  return spw_and(spw_holds(), t->plain.array.ndim == 2,
                 spw_at(SPW_RULE_6_1, SPW_MEMBER_PLAIN, -1, t->plain.array.ndim, 2));
}
