/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_rules.h"

/* one more condition: block size i divides the size, where it is a block size */
/*@ requires readable: tensor_readable(t) && compressed_layout(t) && aligned(t);
    requires index: 0 <= i <= 1;
    requires state: f.state == SPW_HOLDS || f.state == SPW_VIOLATED || f.state == SPW_NOT_EVALUATED;
    requires count: 0 <= f.count && (f.state == SPW_VIOLATED ==> f.first.rule == SPW_RULE_3_1 && 1 <= f.count);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> f.state == SPW_HOLDS && divides(t, i);
    ensures open: \result.state == SPW_NOT_EVALUATED && f.state != SPW_NOT_EVALUATED ==> block_size(t, i) < 1;
    ensures count: 0 <= \result.count && (\result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_3_1 && 1 <= \result.count);
    ensures first: f.state == SPW_VIOLATED ==> \result.state == SPW_VIOLATED && \result.first == f.first;
    ensures witness: f.state != SPW_VIOLATED ==>
      (\result.state == SPW_VIOLATED <==> 1 <= block_size(t, i) && !divides(t, i)) &&
      (\result.state == SPW_VIOLATED ==> place(\result.first, SPW_MEMBER_SIZE, batch_dims(t) + i, t->size[batch_dims(t) + i], block_size(t, i))); */
/* level L2 */
static spw_finding spw_and_divides(spw_finding f, const spw_tensor *t, int64_t i)
{
  const int64_t dim = spw_batch_dims(t) + i, block = spw_block_size(t, i);
  if (block < 1) return spw_and_unknown(f);
  return spw_and(f, t->size[dim] % block == 0, spw_at(SPW_RULE_3_1, SPW_MEMBER_SIZE, dim, t->size[dim], block));
}

/* level L2 */
spw_finding spw_rule_3_1(const spw_tensor *t)
{
  if (!t->has_size) return spw_holds();
  const int64_t batch_dims = spw_batch_dims(t), dense_dims = spw_dense_dims(t);
  if (dense_dims < 0) return spw_and_unknown(spw_holds());
  if (!spw_aligned(t))
    return spw_and_violation(spw_holds(), spw_at(SPW_RULE_3_1, SPW_MEMBER_SIZE, -1, t->ndim, batch_dims + 2 + dense_dims));
  spw_finding f = spw_and_hits(spw_holds(), spw_differences(t->size, t->compressed.array.shape, batch_dims),
                               SPW_RULE_3_1, SPW_MEMBER_SIZE, 0);
  //@ assert equal: f.state == SPW_VIOLATED <==> !equal(t->size, t->compressed.array.shape, batch_dims(t));
  //@ assert batch: f.state == SPW_VIOLATED ==> witness_3_1(t, f.first);
  f = spw_and_divides(f, t, 0);
  //@ assert rows: f.state == SPW_VIOLATED ==> witness_3_1(t, f.first);
  //@ assert no_rows: f.state != SPW_VIOLATED ==> equal(t->size, t->compressed.array.shape, batch_dims(t)) && !(1 <= block_size(t, 0) && !divides(t, 0));
  return spw_and_divides(f, t, 1);
}
