/* SPDX-License-Identifier: Apache-2.0 */
#include "compressed_found.h"
#include "lemmas.h"

#define SPW_TEMPLATE "../check/infer/one_grid.inc"
#include "../../core/each_index_type.h"

#define SPW_TEMPLATE "../check/report/compressed_found.inc"
#include "../../core/each_index_type.h"

#define TRUE_OF(id) ensures index_finding_##id(t, f);
/*@ ghost
  /@ requires \valid_read(t) && compressed_layout(t) && (f.state == SPW_HOLDS ==> structure_valid(t));
     requires f.state != SPW_VIOLATED && 0 <= f.count;
     requires f.state == SPW_HOLDS || f.state == SPW_NOT_EVALUATED;
     terminates \true; exits \false; assigns \nothing;
     TRUE_OF(5_1) TRUE_OF(5_2) TRUE_OF(5_3) TRUE_OF(5_4) TRUE_OF(5_5)
     ensures missing_size(t, f, f); @/
  void lem_compressed_structure(const spw_tensor *t, spw_finding f) {
    /@ assert type: f.state == SPW_HOLDS ==> rule_1_1(t) && rule_1_3(t); @/
    if (f.state != SPW_HOLDS)
      lem_says_nothing(t, f);
    else if (t->compressed.array.dtype == SPW_INT32)
      lem_true_structure_i32(t, f);
    else
      lem_true_structure_i64(t, f);
  }

  /@ requires \valid_read(t) && compressed_layout(t) && (f.state == SPW_HOLDS ==> tensor_valid(t));
     requires f.state == SPW_HOLDS || f.state == SPW_NOT_EVALUATED;
     requires 0 <= f.count;
     terminates \true; exits \false; assigns \nothing;
     TRUE_OF(5_6) @/
  void lem_compressed_order(const spw_tensor *t, spw_finding f) {
    /@ assert type: f.state == SPW_HOLDS ==> rule_1_1(t) && rule_1_3(t); @/
    if (f.state != SPW_HOLDS)
      lem_says_nothing(t, f);
    else if (t->compressed.array.dtype == SPW_INT32)
      lem_true_order_i32(t, f);
    else
      lem_true_order_i64(t, f);
  }
*/

/* What is found in a tensor that is valid, without looking at an index; P is what the verdict told. */
/*@ requires readable: tensor_readable(t);
    requires shape: compressed_layout(t) && compressed_shape(t);
    requires level: level == SPW_SHAPE || level == SPW_STRUCTURE || level == SPW_CANONICAL;
    requires valid: valid_up_to(t, level);
    terminates \true; exits \false; assigns \nothing;
    SPW_COMPRESSED_INDEX_RULES(SPW_FOUND_SAYS)
    ensures size: missing_size(t, \result.rule_1_6, \result.rule_3_11);
    ensures given: sized(t) ==> \result.rule_1_6.state != SPW_VIOLATED && \result.rule_3_11.state != SPW_VIOLATED;
    ensures judged: found_judged(t, level, \result);
    ensures exact: compressed_unviolated(\result); */
/* level L2 */
static spw_compressed_found valid_compressed(const spw_tensor *t, spw_level level, int64_t P)
{
  //@ assert rules: rule_3_2(t) && rule_3_12(t);
  //@ assert signs: non_negative(t->compressed.array.shape, t->compressed.array.ndim);
  const int64_t batches = spw_product(t->compressed.array.shape, spw_batch_dims(t));
  const spw_finding holds = spw_holds(), unknown = spw_and_unknown(holds);
  const spw_finding structure = level == SPW_SHAPE ? unknown : holds, order = level == SPW_CANONICAL ? holds : unknown;
  //@ ghost lem_compressed_structure(t, structure);
  //@ ghost lem_compressed_order(t, order);
  const spw_compressed_found found = {batches,   batches >= 0 ? P : -1, structure, structure, structure, structure,
                                      structure, structure,             structure, order};
  return found;
}

/* level L2 */
spw_compressed_found spw_look_at_compressed(const spw_tensor *t, spw_level level, spw_verdict verdict)
{
  if (verdict.valid == 1) return valid_compressed(t, level, verdict.P);
  //@ assert type: rule_1_1(t) && rule_1_3(t);
  return t->compressed.array.dtype == SPW_INT32 ? judge_compressed_i32(t, level) : judge_compressed_i64(t, level);
}
