/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"
#include "compressed_found.h"
#include "coo_found.h"
#include "lemmas.h"
#include "shape_report.h"

#define FOUND(id) r.findings[SPW_RULE_##id] = found.rule_##id;
/* Rules over the size, of an inferred one: a size that is there was judged with the shape. */
#define FOUND_OF_SIZE(id) r.findings[SPW_RULE_##id] = t->has_size ? r.findings[SPW_RULE_##id] : found.rule_##id;
#define UNVIOLATED(id) && r.findings[SPW_RULE_##id].state != SPW_VIOLATED
#define COPIED(id) && r.findings[SPW_RULE_##id] == found.rule_##id
#define NAMES(id) && names_rule(r.findings[SPW_RULE_##id], SPW_RULE_##id)

/*@ predicate each_named(spw_report r) = \true SPW_EVERY_RULE(NAMES); */

/*@ ghost
  /@ // the list of rules is complete
     terminates \true; exits \false; assigns \nothing;
     ensures none: each_unviolated(r) ==> none_violated(r);
     ensures each: none_violated(r) ==> each_unviolated(r);
     ensures names: each_named(r) ==> names_itself(r); @/
  void lem_every_rule(spw_report r) {
    /@ assert low: each_unviolated(r) ==> \forall integer i; 0 <= i < SPW_RULE_3_9 ==> r.findings[i].state != SPW_VIOLATED; @/
    /@ assert high: each_unviolated(r) ==>
         \forall integer i; SPW_RULE_3_9 <= i < SPW_RULE_COUNT ==> r.findings[i].state != SPW_VIOLATED; @/
    /@ assert low_names: each_named(r) ==> \forall integer i; 0 <= i < SPW_RULE_3_9 ==> names_rule(r.findings[i], i); @/
    /@ assert high_names: each_named(r) ==>
         \forall integer i; SPW_RULE_3_9 <= i < SPW_RULE_COUNT ==> names_rule(r.findings[i], i); @/
  }
*/

/*@ ghost
  /@ // a report is as complete as what is copied to it
     requires judged: found_judged(t, level, found);
     requires copied: \true SPW_COMPRESSED_INDEX_RULES(COPIED);
     requires sizes: !sized(t) ==> r.findings[SPW_RULE_1_6] == found.rule_1_6 && r.findings[SPW_RULE_3_11] == found.rule_3_11;
     terminates \true; exits \false; assigns \nothing;
     ensures complete: compressed_complete(t, r, level); @/
  void lem_copied_compressed(const spw_tensor *t, spw_level level, spw_report r, spw_compressed_found found) {
  }
*/

/*@ requires readable: tensor_readable(t);
    requires storage: readable_indices(&t->compressed) && readable_indices(&t->plain);
    requires layout: compressed_layout(t);
    requires level: level == SPW_SHAPE || level == SPW_STRUCTURE || level == SPW_CANONICAL;
    requires verdict: verdict.valid == 1 <==> valid_up_to(t, level);
    requires shape: verdict.shape == 1 <==> shape_valid(t);
    requires batches: level != SPW_SHAPE ==> !batches_overflow(t);
    terminates \true; exits \false; assigns \nothing;
    ensures valid: \result.valid == 1 <==> verdict.valid == 1;
    ensures shape: compressed_findings(t, \result);
    SPW_COMPRESSED_INDEX_RULES(SPW_SAYS_OF_INDICES)
    ensures size: missing_size(t, \result.findings[SPW_RULE_1_6], \result.findings[SPW_RULE_3_11]);
    ensures names: each_named(\result);
    ensures complete: verdict.shape == 1 ==> compressed_complete(t, \result, level);
    ensures exact: each_unviolated(\result) <==> verdict.valid == 1; */
/* level L2 */
static spw_report compressed_report(const spw_tensor *t, spw_level level, spw_verdict verdict)
{
  spw_report r = spw_compressed_shape_report(t);
  r.valid = verdict.valid == 1;
  //@ assert shape: verdict.shape == 1 <==> compressed_shape(t);
  //@ assert open: verdict.shape != 1 ==> verdict.valid != 1 && !each_unviolated(r);
  //@ assert names_of_shape: \true SPW_COMPRESSED_SHAPE_RULES(NAMES);
  //@ assert names_of_rest: \true SPW_CONSTRUCTED_RULES(NAMES) NAMES(3_7) SPW_COMPRESSED_INDEX_RULES(NAMES) SPW_NOT_OF_COMPRESSED(NAMES);
  if (verdict.shape != 1) return r;
  //@ assert holds: \true SPW_COMPRESSED_SHAPE_RULES(UNVIOLATED);
  const spw_compressed_found found = spw_look_at_compressed(t, level, verdict);
  r.batches = found.batches;
  r.plain_size = found.plain_size;
  r.size_inferred = !t->has_size && found.plain_size >= 0;
  FOUND_OF_SIZE(1_6)
  FOUND_OF_SIZE(3_11)
  SPW_COMPRESSED_INDEX_RULES(FOUND)
  //@ ghost lem_copied_compressed(t, level, r, found);
  //@ assert found: each_unviolated(r) <==> compressed_unviolated(found);
  //@ assert names_of_shape: \true SPW_COMPRESSED_SHAPE_RULES(NAMES);
  //@ assert names_of_rest: \true SPW_CONSTRUCTED_RULES(NAMES) NAMES(3_7) SPW_COMPRESSED_INDEX_RULES(NAMES) SPW_NOT_OF_COMPRESSED(NAMES);
  return r;
}

/*@ requires readable: tensor_readable(t) && readable_indices(&t->plain);
    requires layout: t->layout == SPW_COO;
    requires level: level == SPW_SHAPE || level == SPW_STRUCTURE || level == SPW_CANONICAL;
    requires verdict: verdict.valid == 1 <==> valid_up_to(t, level);
    requires shape: verdict.shape == 1 <==> shape_valid(t);
    terminates \true; exits \false; assigns \nothing;
    ensures valid: \result.valid == 1 <==> verdict.valid == 1;
    ensures shape: coo_findings(t, \result);
    SPW_COO_INDEX_RULES(SPW_SAYS_OF_INDICES)
    ensures size: missing_size(t, \result.findings[SPW_RULE_1_6], \result.findings[SPW_RULE_3_11]);
    ensures names: each_named(\result);
    ensures complete: verdict.shape == 1 ==> columns_complete(t, \result, level);
    ensures exact: each_unviolated(\result) <==> verdict.valid == 1; */
/* level L2 */
static spw_report coo_report(const spw_tensor *t, spw_level level, spw_verdict verdict)
{
  spw_report r = spw_coo_shape_report(t);
  r.valid = verdict.valid == 1;
  //@ assert shape: verdict.shape == 1 <==> coo_shape(t);
  //@ assert open: verdict.shape != 1 ==> verdict.valid != 1 && !each_unviolated(r);
  //@ assert names_of_shape: \true SPW_COO_SHAPE_RULES(NAMES);
  //@ assert names_of_rest: \true SPW_CONSTRUCTED_RULES(NAMES) SPW_COO_INDEX_RULES(NAMES) SPW_NOT_OF_COO(NAMES);
  //@ assert holds: verdict.shape == 1 ==> (\true SPW_COO_SHAPE_RULES(UNVIOLATED));
  /*@ ghost
    if (t->has_size == 0 && verdict.shape == 1) {
      lem_says_nothing(t, r.findings[SPW_RULE_1_6]);
      lem_says_nothing(t, r.findings[SPW_RULE_3_11]);
    }
  */
  if (level == SPW_SHAPE || verdict.shape != 1) return r;
  const spw_coo_found found = spw_look_at_coo(t, level, verdict, r.findings[SPW_RULE_6_7]);
  r.size_inferred = !t->has_size && found.bounded;
  FOUND_OF_SIZE(1_6)
  FOUND_OF_SIZE(3_11)
  SPW_COO_INDEX_RULES(FOUND)
  //@ assert found: each_unviolated(r) <==> coo_unviolated(found);
  //@ assert names_of_shape: \true SPW_COO_SHAPE_RULES(NAMES);
  //@ assert names_of_rest: \true SPW_CONSTRUCTED_RULES(NAMES) SPW_COO_INDEX_RULES(NAMES) SPW_NOT_OF_COO(NAMES);
  return r;
}

/* level L2 */
spw_report spw_report_of(const spw_tensor *t, spw_level level, spw_verdict verdict)
{
  spw_report r;
  if (t->layout == SPW_COO)
    r = coo_report(t, level, verdict);
  else if (t->layout == SPW_CSR || t->layout == SPW_CSC || t->layout == SPW_BSR || t->layout == SPW_BSC)
    r = compressed_report(t, level, verdict);
  else
    r = spw_unknown_layout_report(t);
  //@ ghost lem_every_rule(r);
  return r;
}
