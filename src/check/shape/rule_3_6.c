/* SPDX-License-Identifier: Apache-2.0 */
#include "last_stride.h"
#include "shape_rules.h"

/* level L2 */
spw_finding spw_rule_3_6(const spw_tensor *t)
{
  return spw_last_stride(&t->plain.array, SPW_RULE_3_6, SPW_MEMBER_PLAIN);
}
