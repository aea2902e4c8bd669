/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_rules.h"

/* level L2 */
spw_finding spw_rule_3_10(const spw_tensor *t)
{
  const int64_t batch_dims = spw_batch_dims(t), dense_dims = spw_dense_dims(t);
  if (dense_dims < 0) return spw_and_unknown(spw_holds());
  const int64_t *const shape = t->values.array.shape;
  const spw_hits batch_hits = spw_differences(shape, t->compressed.array.shape, batch_dims);
  //@ assert batch: batch_hits.count == 0 <==> equal(t->values.array.shape, t->compressed.array.shape, batch_dims(t));
  spw_finding f = spw_and_hits(spw_holds(), batch_hits, SPW_RULE_3_10, SPW_MEMBER_VALUES, 0);
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
  const spw_hits dense_hits = spw_differences(shape + dense, t->size + (batch_dims + 2), dense_dims);
  //@ assert dense: dense_hits.count == 0 <==> equal(t->values.array.shape + (batch_dims(t) + 1 + block_dims(t)), t->size + (batch_dims(t) + 2), dense_dims(t));
  return spw_and_hits(f, dense_hits, SPW_RULE_3_10, SPW_MEMBER_VALUES, dense);
}
