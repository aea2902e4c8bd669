/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_rules.h"

/* level L2 */
spw_finding spw_rule_1_4(const spw_tensor *t)
{
  const spw_dtype got = t->values.array.dtype;
  return spw_and(spw_holds(), t->dtype == SPW_DTYPE_NONE || got == t->dtype,
                 spw_at(SPW_RULE_1_4, SPW_MEMBER_VALUES, -1, got, t->dtype));
}
