/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_rules.h"

/*@ ghost
  /@ requires tensor_readable(t) && compressed_layout(t);
     terminates \true; exits \false; assigns \nothing;
     ensures needs_1_6(t) ==> has_nse(t) && has_C(t) && (sized(t) ==> has_blocks(t, plain_dim(t))); @/
  void lem_needs_1_6(const spw_tensor *t) {
    /@ assert sizes: needs_1_6(t) && sized(t) ==> aligned(t) && divides(t, 0) && divides(t, 1) &&
         0 <= t->size[batch_dims(t)] && 0 <= t->size[batch_dims(t) + 1]; @/
    /@ assert blocks: needs_1_6(t) && sized(t) ==> has_blocks(t, 0) && has_blocks(t, 1); @/
  }
*/

/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t) && is_index_type(index_type(t)) && max == index_max(index_type(t));
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_1_6_compressed(t);
    ensures open: \result.state == SPW_NOT_EVALUATED ==> !(has_nse(t) && has_C(t) && (sized(t) ==> has_blocks(t, plain_dim(t))));
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_1_6 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_1_6(t, \result.first); */
/* level L2 */
static spw_finding compressed_fits(const spw_tensor *t, int64_t max)
{
  spw_finding f = spw_holds();
  const spw_number C = spw_compressed_size(t);
  f = C.known ? spw_and(f, C.value <= max, spw_at(SPW_RULE_1_6, SPW_MEMBER_COMPRESSED, -1, C.value, max)) : spw_and_unknown(f);
  if (t->has_size) {
    const spw_number P = spw_blocks(t, 1 - spw_compressed_dim(t));
    f = P.known ? spw_and(f, P.value <= max, spw_at(SPW_RULE_1_6, SPW_MEMBER_PLAIN, -1, P.value, max)) : spw_and_unknown(f);
  }
  if (t->plain.array.ndim < 1) return spw_and_unknown(f);
  const int64_t last = t->plain.array.ndim - 1, nse = t->plain.array.shape[last];
  return spw_and(f, nse <= max, spw_at(SPW_RULE_1_6, SPW_MEMBER_PLAIN, last, nse, max));
}

/*@ requires readable: tensor_readable(t);
    requires layout: t->layout == SPW_COO && is_index_type(index_type(t)) && max == index_max(index_type(t));
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_1_6_coo(t);
    ensures open: \result.state == SPW_NOT_EVALUATED ==> !needs_1_6(t);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_1_6 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_1_6(t, \result.first); */
/* level L2 */
static spw_finding coo_fits(const spw_tensor *t, int64_t max)
{
  if (t->plain.array.ndim != 2) return spw_and_unknown(spw_holds());
  const int64_t nse = t->plain.array.shape[1];
  spw_finding f = spw_and(spw_holds(), nse <= max, spw_at(SPW_RULE_1_6, SPW_MEMBER_PLAIN, 1, nse, max));
  if (!t->has_size) return f;
  if (!spw_coo_aligned(t)) return spw_and_unknown(f);
  return spw_and_hits(f, spw_outside(t->size, t->plain.array.shape[0], INT64_MIN, max), SPW_RULE_1_6, SPW_MEMBER_SIZE, 0);
}

/* level L2 */
spw_finding spw_rule_1_6(const spw_tensor *t)
{
  const spw_dtype type = spw_index_type(t);
  if (!spw_is_index_type(type)) return spw_and_unknown(spw_holds());
  //@ ghost if (t->layout != SPW_COO) lem_needs_1_6(t);
  return t->layout == SPW_COO ? coo_fits(t, spw_index_max(type)) : compressed_fits(t, spw_index_max(type));
}
