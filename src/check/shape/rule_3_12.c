/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_rules.h"

/* level L2 */
spw_finding spw_rule_3_12(const spw_tensor *t)
{
  spw_finding f = spw_holds();
  if (t->has_size)
    f = spw_and_hits(f, spw_negatives(t->size, t->ndim), SPW_RULE_3_12, SPW_MEMBER_SIZE, 0);
  if (t->layout != SPW_COO)
    f = spw_and_hits(f, spw_negatives(t->compressed.array.shape, t->compressed.array.ndim),
                     SPW_RULE_3_12, SPW_MEMBER_COMPRESSED, 0);
  f = spw_and_hits(f, spw_negatives(t->plain.array.shape, t->plain.array.ndim), SPW_RULE_3_12, SPW_MEMBER_PLAIN, 0);
  return spw_and_hits(f, spw_negatives(t->values.array.shape, t->values.array.ndim), SPW_RULE_3_12, SPW_MEMBER_VALUES, 0);
}
