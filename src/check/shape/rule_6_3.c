/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_rules.h"

/* level L2 */
spw_finding spw_rule_6_3(const spw_tensor *t)
{
  if (!t->has_size) return spw_holds();
  if (t->plain.array.ndim != 2 || t->values.array.ndim < 1) return spw_and_unknown(spw_holds());
  const int64_t sparse_dim = t->plain.array.shape[0], dense_dim = t->values.array.ndim - 1;
  return spw_and(spw_holds(), t->ndim - dense_dim == sparse_dim,
                 spw_at(SPW_RULE_6_3, SPW_MEMBER_SIZE, -1, t->ndim, spw_add_saturated(sparse_dim, dense_dim)));
}
