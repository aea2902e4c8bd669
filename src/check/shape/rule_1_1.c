/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_rules.h"

/* level L2 */
spw_finding spw_rule_1_1(const spw_tensor *t)
{
  const spw_dtype got = t->compressed.array.dtype;
  return spw_and(spw_holds(), t->index_dtype == SPW_DTYPE_NONE || got == t->index_dtype,
                 spw_at(SPW_RULE_1_1, SPW_MEMBER_COMPRESSED, -1, got, t->index_dtype));
}
