/* SPDX-License-Identifier: Apache-2.0 */
#include "coo_found.h"
#include "lemmas.h"

/* The finding of a rule over COO indices, whose first violation is at `position`. */
/*@ requires counts: 0 <= hits.count;
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == (hits.count == 0 ? SPW_HOLDS : SPW_VIOLATED) && \result.count == hits.count;
    ensures first: hits.count > 0 ==> \result.first.rule == rule &&
      place(\result.first, SPW_MEMBER_PLAIN, position, hits.lhs, hits.rhs); */
/* level L2 */
static spw_finding indices_finding(spw_rule rule, int64_t position, spw_column_hits hits)
{
  spw_finding f = spw_holds();
  if (hits.count == 0) return f;
  f = spw_and_violation(f, spw_at(rule, SPW_MEMBER_PLAIN, position, hits.lhs, hits.rhs));
  f.count = hits.count;
  return f;
}

/* The row-major place of an entry, d * nse + k. */
/*@ requires entry: hits.count > 0 ==> 0 <= hits.dim && 0 <= hits.column < g.nse;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: hits.count > 0 ==> \result == saturated(hits.dim * g.nse + hits.column); */
/* level L2 */
static int64_t entry_position(spw_columns g, spw_column_hits hits)
{
  if (hits.count <= 0) return -1;
  return spw_add_saturated(spw_mul_saturated(hits.dim, g.nse), hits.column);
}

/*@ ghost
  /@ // an order that is not judged says nothing
     requires f.state != SPW_HOLDS && f.state != SPW_VIOLATED;
     terminates \true; exits \false; assigns \nothing;
     ensures index_finding_6_7(t, f); @/
  void lem_no_order(const spw_tensor *t, spw_finding f) {
  }
*/

#define TRUE_OF_FOUND(id) ensures index_finding_##id(t, f.rule_##id);
#define SPW_TEMPLATE "../check/report/coo_found.inc"
#include "../../core/each_index_type.h"

#define TRUE_OF(id) ensures index_finding_##id(t, f);
/*@ ghost
  /@ requires \valid_read(t) && t->layout == SPW_COO && structure_valid(t) && f.state == SPW_HOLDS;
     terminates \true; exits \false; assigns \nothing;
     TRUE_OF(6_5) TRUE_OF(6_6)
     ensures missing_size(t, f, f); @/
  void lem_coo_structure(const spw_tensor *t, spw_finding f) {
    /@ assert type: rule_1_3(t); @/
    /@ assert narrow: t->plain.array.dtype == SPW_INT32 ==> columns_structure_i32(t, t->plain.i32); @/
    /@ assert wide: t->plain.array.dtype != SPW_INT32 ==> columns_structure_i64(t, t->plain.i64); @/
    if (t->plain.array.dtype == SPW_INT32)
      lem_true_columns_i32(t, f);
    else
      lem_true_columns_i64(t, f);
  }

  /@ requires t->layout == SPW_COO && f.state != SPW_VIOLATED;
     requires f.state == SPW_HOLDS ==> tensor_valid(t) && t->coalesced == SPW_CLAIM_YES;
     terminates \true; exits \false; assigns \nothing;
     TRUE_OF(6_7) @/
  void lem_coo_order(const spw_tensor *t, spw_finding f) {
    /@ assert narrow: f.state == SPW_HOLDS && t->plain.array.dtype == SPW_INT32 ==> columns_order_i32(t, t->plain.i32); @/
    /@ assert wide: f.state == SPW_HOLDS && t->plain.array.dtype != SPW_INT32 ==> columns_order_i64(t, t->plain.i64); @/
  }
*/

/* What is found in a tensor that is valid, without looking at an index. */
/*@ requires readable: tensor_readable(t);
    requires shape: t->layout == SPW_COO && coo_shape(t);
    requires level: level == SPW_STRUCTURE || level == SPW_CANONICAL;
    requires valid: valid_up_to(t, level);
    requires order: !judged(order);
    terminates \true; exits \false; assigns \nothing;
    SPW_COO_INDEX_RULES(SPW_COO_SAYS)
    ensures size: missing_size(t, \result.rule_1_6, \result.rule_3_11);
    ensures given: sized(t) ==> \result.rule_1_6.state != SPW_VIOLATED && \result.rule_3_11.state != SPW_VIOLATED;
    ensures judged: coo_judged(t, level, \result);
    ensures exact: coo_unviolated(\result); */
/* level L2 */
static spw_coo_found valid_coo(const spw_tensor *t, spw_level level, spw_finding order)
{
  const spw_finding holds = spw_holds();
  if (level == SPW_CANONICAL && t->coalesced == SPW_CLAIM_YES) order = holds;
  //@ ghost lem_coo_structure(t, holds);
  //@ ghost lem_coo_order(t, order);
  const spw_coo_found found = {1, holds, holds, holds, holds, order};
  return found;
}

/* level L2 */
spw_coo_found spw_look_at_coo(const spw_tensor *t, spw_level level, spw_verdict verdict, spw_finding order)
{
  //@ assert type: rule_1_3(t);
  if (verdict.valid == 1) return valid_coo(t, level, order);
  return t->plain.array.dtype == SPW_INT32 ? judge_coo_i32(t, level, order) : judge_coo_i64(t, level, order);
}
