/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_rules.h"

/* level L2 */
spw_finding spw_rule_3_10(const spw_tensor *t)
{
  const int64_t batch_dims = spw_batch_dims(t), dense_dims = spw_dense_dims(t);
  if (dense_dims < 0) return spw_and_unknown(spw_holds());
  const int64_t *const shape = t->values.array.shape;
  spw_finding f = spw_and_hits(spw_holds(), spw_differences(shape, t->compressed.array.shape, batch_dims),
                               SPW_RULE_3_10, SPW_MEMBER_VALUES, 0);
  if (t->plain.array.ndim < 1) {
    f = spw_and_unknown(f);
  } else {
    const int64_t nse = t->plain.array.shape[t->plain.array.ndim - 1];
    f = spw_and(f, shape[batch_dims] == nse,
                spw_at(SPW_RULE_3_10, SPW_MEMBER_VALUES, batch_dims, shape[batch_dims], nse));
  }
  if (!t->has_size) return f;
  if (!spw_aligned(t)) return spw_and_unknown(f);
  const int64_t dense = batch_dims + 1 + (spw_blocked(t) ? 2 : 0);
  return spw_and_hits(f, spw_differences(shape + dense, t->size + (batch_dims + 2), dense_dims),
                      SPW_RULE_3_10, SPW_MEMBER_VALUES, dense);
}
