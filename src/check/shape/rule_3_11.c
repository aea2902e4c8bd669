/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_rules.h"

/* level L2 */
spw_finding spw_rule_3_11(const spw_tensor *t)
{
  if (!t->has_size) return spw_holds();
  if (spw_negatives(t->size, t->ndim).count > 0) return spw_and_unknown(spw_holds());
  return spw_and(spw_holds(), spw_product(t->size, t->ndim) >= 0,
                 spw_at(SPW_RULE_3_11, SPW_MEMBER_SIZE, -1, INT64_MAX, INT64_MAX));
}
