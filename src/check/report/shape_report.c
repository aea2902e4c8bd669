/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_report.h"

#define JUDGE(id) r.findings[SPW_RULE_##id] = spw_rule_##id(t);
#define SAID(id) requires finding_##id(t, r.findings[SPW_RULE_##id]);

/*@ ghost
  /@ // no rule stays open for ever: what it needs is judged before it
     requires layout: compressed_layout(t);
     SPW_COMPRESSED_SHAPE_RULES(SAID)
     terminates \true; exits \false; assigns \nothing;
     ensures each_unviolated(r) ==> compressed_shape(t); @/
  void lem_compressed_open(const spw_tensor *t, spw_report r) {
    /@ assert first: each_unviolated(r) ==> rule_1_3(t) && rule_3_2(t) && rule_3_3(t) && rule_3_12(t); @/
    /@ assert ranks: each_unviolated(r) ==> rule_3_4(t); @/
    /@ assert blocks: each_unviolated(r) ==> rule_3_13(t); @/
    /@ assert size: each_unviolated(r) ==> rule_3_1(t); @/
  }

  /@ requires layout: t->layout == SPW_COO;
     SPW_COO_SHAPE_RULES(SAID)
     terminates \true; exits \false; assigns \nothing;
     ensures each_unviolated(r) ==> coo_shape(t); @/
  void lem_coo_open(const spw_tensor *t, spw_report r) {
    /@ assert first: each_unviolated(r) ==> rule_1_3(t) && rule_3_12(t) && rule_6_1(t); @/
    /@ assert values: each_unviolated(r) ==> rule_6_2(t); @/
    /@ assert size: each_unviolated(r) ==> rule_6_3(t); @/
  }
*/

/* What rules 1.6 and 3.11 say of a missing size is known when it has been inferred. */
/*@ requires readable: tensor_readable(t);
    requires count: 0 <= f.count;
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == (t->has_size == 0 && f.state == SPW_HOLDS ? SPW_NOT_EVALUATED : f.state);
    ensures kept: \result.count == f.count && \result.first == f.first && \result.first.rule == f.first.rule;
    ensures fits: finding_1_6(t, f) ==> finding_1_6(t, \result);
    ensures product: finding_3_11(t, f) ==> finding_3_11(t, \result); */
/* level L2 */
static spw_finding unless_missing(const spw_tensor *t, spw_finding f)
{
  return t->has_size ? f : spw_and_unknown(f);
}

/* Rule 3.13 is not about layouts without blocks. */
/*@ requires readable: tensor_readable(t) && finding_3_13(t, f);
    terminates \true; exits \false; assigns \nothing;
    ensures blocked: blocked(t) ==> \result == f;
    ensures single: !blocked(t) ==> \result.state == SPW_NOT_APPLICABLE;
    ensures finding: finding_3_13(t, \result); */
/* level L2 */
static spw_finding unless_single(const spw_tensor *t, spw_finding f)
{
  return spw_blocked(t) ? f : spw_not_applicable();
}

/* level L2 */
spw_report spw_compressed_shape_report(const spw_tensor *t)
{
  spw_report r = spw_compressed_frame(t);
  SPW_COMPRESSED_SHAPE_RULES(JUDGE)
  r.findings[SPW_RULE_3_13] = unless_single(t, r.findings[SPW_RULE_3_13]);
  r.findings[SPW_RULE_1_6] = unless_missing(t, r.findings[SPW_RULE_1_6]);
  r.findings[SPW_RULE_3_11] = unless_missing(t, r.findings[SPW_RULE_3_11]);
  //@ ghost lem_compressed_open(t, r);
  return r;
}

/* level L2 */
spw_report spw_coo_shape_report(const spw_tensor *t)
{
  spw_report r = spw_coo_frame(t);
  SPW_COO_SHAPE_RULES(JUDGE)
  r.findings[SPW_RULE_1_6] = unless_missing(t, r.findings[SPW_RULE_1_6]);
  r.findings[SPW_RULE_3_11] = unless_missing(t, r.findings[SPW_RULE_3_11]);
  //@ ghost lem_coo_open(t, r);
  return r;
}

/* level L2 */
spw_report spw_unknown_layout_report(const spw_tensor *t)
{
  spw_report r = spw_blank_report(spw_and_unknown(spw_holds()));
  const spw_violation v =
      spw_at(SPW_RULE_2_4, SPW_MEMBER_LAYOUT, -1, t->layout, SPW_LAYOUT_COUNT - 1);
  r.findings[SPW_RULE_2_4] = spw_and_violation(spw_holds(), v);
  return r;
}
