/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_rules.h"

/* level L2 */
spw_finding spw_rule_1_5(const spw_tensor *t)
{
  const spw_dtype got = t->values.array.dtype;
  return spw_and(spw_holds(), got >= SPW_BOOL && got <= SPW_COMPLEX128,
                 spw_at(SPW_RULE_1_5, SPW_MEMBER_VALUES, -1, got, SPW_COMPLEX128));
}
