/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_rules.h"

/* level L2 */
spw_finding spw_rule_1_3(const spw_tensor *t)
{
  const spw_dtype type = spw_index_type(t), declared = t->index_dtype;
  const spw_member member = t->layout == SPW_COO ? SPW_MEMBER_PLAIN : SPW_MEMBER_COMPRESSED;
  spw_finding f = spw_holds();
  if (t->layout == SPW_COO && declared != SPW_DTYPE_NONE && declared != type)
    f = spw_and(f, spw_is_index_type(declared), spw_at(SPW_RULE_1_3, member, -1, declared, SPW_INT64));
  return spw_and(f, spw_is_index_type(type), spw_at(SPW_RULE_1_3, member, -1, type, SPW_INT64));
}
