/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_rules.h"

/* level L2 */
spw_finding spw_rule_3_2(const spw_tensor *t)
{
  return spw_and(spw_holds(), t->compressed.array.ndim >= 1,
                 spw_at(SPW_RULE_3_2, SPW_MEMBER_COMPRESSED, -1, t->compressed.array.ndim, 1));
}
