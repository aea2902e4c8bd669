/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_rules.h"

#define AND_HOLDS(id) &&spw_rule_##id(t).state == SPW_HOLDS

/* level L2 */
int spw_shape_holds(const spw_tensor *t)
{
  if (t->layout == SPW_COO) return 1 SPW_COO_SHAPE_RULES(AND_HOLDS);
  if (t->layout != SPW_CSR && t->layout != SPW_CSC && t->layout != SPW_BSR && t->layout != SPW_BSC) return 0;
  return 1 SPW_COMPRESSED_SHAPE_RULES(AND_HOLDS);
}
