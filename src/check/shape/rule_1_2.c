/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_rules.h"

/* level L2 */
spw_finding spw_rule_1_2(const spw_tensor *t)
{
  const spw_dtype got = t->plain.array.dtype;
  const spw_dtype want = t->index_dtype == SPW_DTYPE_NONE ? t->compressed.array.dtype : t->index_dtype;
  return spw_and(spw_holds(), got == want, spw_at(SPW_RULE_1_2, SPW_MEMBER_PLAIN, -1, got, want));
}
