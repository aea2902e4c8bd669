/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_rules.h"

/* level L2 */
spw_finding spw_rule_6_4(const spw_tensor *t)
{
  if (!t->has_size) return spw_holds();
  if (!spw_coo_aligned(t)) return spw_and_unknown(spw_holds());
  const int64_t dense_dims = t->values.array.ndim - 1;
  if (dense_dims == 0) return spw_holds(); /* the size may be null, to which nothing can be added */
  const spw_hits hits = spw_differences(t->values.array.shape + 1, t->size + t->plain.array.shape[0], dense_dims);
  //@ assert dense: hits.count == 0 <==> equal(t->values.array.shape + 1, t->size + sparse_dim(t), t->values.array.ndim - 1);
  return spw_and_hits(spw_holds(), hits, SPW_RULE_6_4, SPW_MEMBER_VALUES, 1);
}
