/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#define JUDGE(id) r.findings[SPW_RULE_##id] = spw_rule_##id(t);
#define FOUND(id) r.findings[SPW_RULE_##id] = found.rule_##id;
/* Rules over the size, of an inferred one: a size that is there was judged with the shape. */
#define FOUND_OF_SIZE(id) r.findings[SPW_RULE_##id] = t->has_size ? r.findings[SPW_RULE_##id] : found.rule_##id;
#define FOUND_SAYS(id) ensures index_##id: index_finding_##id(t, \result.rule_##id);
#define TRUE_OF(id) ensures index_finding_##id(t, f);

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

/*@ requires readable: tensor_readable(t) && compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures valid: \result.valid == 0;
    SPW_COMPRESSED_SHAPE_RULES(SPW_SAYS)
    SPW_CONSTRUCTED_RULES(SPW_FRAME_HOLDS) SPW_FRAME_HOLDS(3_7)
    SPW_COMPRESSED_INDEX_RULES(SPW_FRAME_UNKNOWN) SPW_NOT_OF_COMPRESSED(SPW_FRAME_NOTHING) */
/* level L1 */
static spw_report compressed_shape_report(const spw_tensor *t)
{
  spw_report r = spw_compressed_frame(t);
  SPW_COMPRESSED_SHAPE_RULES(JUDGE)
  r.findings[SPW_RULE_3_13] = unless_single(t, r.findings[SPW_RULE_3_13]);
  r.findings[SPW_RULE_1_6] = unless_missing(t, r.findings[SPW_RULE_1_6]);
  r.findings[SPW_RULE_3_11] = unless_missing(t, r.findings[SPW_RULE_3_11]);
  return r;
}

/*@ requires readable: tensor_readable(t) && t->layout == SPW_COO;
    terminates \true; exits \false; assigns \nothing;
    ensures valid: \result.valid == 0;
    SPW_COO_SHAPE_RULES(SPW_SAYS)
    SPW_CONSTRUCTED_RULES(SPW_FRAME_HOLDS) SPW_FRAME_UNKNOWN(6_5) SPW_FRAME_UNKNOWN(6_6)
    SPW_NOT_OF_COO(SPW_FRAME_NOTHING)
    ensures rule_6_7: \result.findings[SPW_RULE_6_7].state ==
      (t->coalesced == SPW_CLAIM_YES ? SPW_NOT_EVALUATED : SPW_NOT_APPLICABLE);
    ensures index_6_7: index_finding_6_7(t, \result.findings[SPW_RULE_6_7]); */
/* level L1 */
static spw_report coo_shape_report(const spw_tensor *t)
{
  spw_report r = spw_coo_frame(t);
  SPW_COO_SHAPE_RULES(JUDGE)
  r.findings[SPW_RULE_1_6] = unless_missing(t, r.findings[SPW_RULE_1_6]);
  r.findings[SPW_RULE_3_11] = unless_missing(t, r.findings[SPW_RULE_3_11]);
  return r;
}

/* The layout is none of the five: nothing else can be said. */
/*@ requires readable: \valid_read(t);
    terminates \true; exits \false; assigns \nothing;
    ensures valid: \result.valid == 0;
    ensures layout: unknown_layout(t, \result); */
/* level L2 */
static spw_report unknown_layout_report(const spw_tensor *t)
{
  spw_report r = spw_blank_report(spw_and_unknown(spw_holds()));
  const spw_violation v =
      spw_at(SPW_RULE_2_4, SPW_MEMBER_LAYOUT, -1, (int)t->layout, SPW_LAYOUT_COUNT - 1);
  r.findings[SPW_RULE_2_4] = spw_and_violation(spw_holds(), v);
  return r;
}

/*@ predicate judged(spw_finding f) = f.state == SPW_HOLDS || f.state == SPW_VIOLATED; */

/* What is found in the indices of a compressed tensor. */
typedef struct compressed_found {
  int64_t batches;    /* -1: more than int64 can number, nothing is looked at */
  int64_t plain_size; /* -1: unknown */
  spw_finding rule_1_6, rule_3_11; /* of the size, when it is inferred */
  spw_finding rule_5_1, rule_5_2, rule_5_3, rule_5_4, rule_5_5, rule_5_6;
} compressed_found;

/* What is found in those of a COO tensor. */
typedef struct coo_found {
  int bounded; /* the size is known, or has been inferred */
  spw_finding rule_1_6, rule_3_11;
  spw_finding rule_6_5, rule_6_6, rule_6_7;
} coo_found;

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

#define SPW_TEMPLATE "../check/report/report.inc"
#include "../../core/each_index_type.h"

/*@ ghost
  /@ requires compressed_layout(t) && (f.state == SPW_HOLDS && sized(t) ==> structure_valid(t));
     requires f.state != SPW_VIOLATED && 0 <= f.count;
     terminates \true; exits \false; assigns \nothing;
     TRUE_OF(5_1) TRUE_OF(5_2) TRUE_OF(5_3) TRUE_OF(5_4) TRUE_OF(5_5) @/
  void lem_compressed_structure(const spw_tensor *t, spw_finding f) {
    /@ assert given: f.state == SPW_HOLDS && sized(t) ==> structure_valid(t); @/
    /@ assert narrow: f.state == SPW_HOLDS && sized(t) && t->compressed.array.dtype == SPW_INT32 ==>
         \forall spw_grid g; sized_grid(t, g) ==> compressed_structure_i32(t->compressed.i32, t->plain.i32, g); @/
    /@ assert wide: f.state == SPW_HOLDS && sized(t) && t->compressed.array.dtype != SPW_INT32 ==>
         \forall spw_grid g; sized_grid(t, g) ==> compressed_structure_i64(t->compressed.i64, t->plain.i64, g); @/
  }

  /@ requires t->layout == SPW_COO && (f.state == SPW_HOLDS && sized(t) ==> structure_valid(t));
     requires f.state != SPW_VIOLATED && 0 <= f.count;
     terminates \true; exits \false; assigns \nothing;
     TRUE_OF(6_5) TRUE_OF(6_6) @/
  void lem_coo_structure(const spw_tensor *t, spw_finding f) {
  }

  /@ requires f.state == SPW_HOLDS && sized(t) ==> tensor_valid(t);
     requires f.state != SPW_VIOLATED;
     terminates \true; exits \false; assigns \nothing;
     ensures compressed_layout(t) && 0 <= f.count ==> index_finding_5_6(t, f);
     ensures t->layout == SPW_COO && (f.state == SPW_HOLDS ==> t->coalesced == SPW_CLAIM_YES) ==> index_finding_6_7(t, f); @/
  void lem_canonical(const spw_tensor *t, spw_finding f) {
  }
*/

/* What is found in a tensor that is valid, without looking at an index; P is what the verdict told. */
/*@ requires readable: tensor_readable(t);
    requires shape: compressed_layout(t) && compressed_shape(t);
    requires structure: sized(t) && level != SPW_SHAPE ==> structure_valid(t);
    requires canonical: sized(t) && level == SPW_CANONICAL ==> tensor_valid(t);
    terminates \true; exits \false; assigns \nothing;
    SPW_COMPRESSED_INDEX_RULES(FOUND_SAYS) */
/* level L1 */
static compressed_found valid_compressed(const spw_tensor *t, spw_level level, int64_t P)
{
  //@ assert rules: rule_3_2(t) && rule_3_12(t);
  //@ assert signs: non_negative(t->compressed.array.shape, t->compressed.array.ndim);
  const int64_t batches = spw_product(t->compressed.array.shape, spw_batch_dims(t));
  const spw_finding holds = spw_holds(), unknown = spw_and_unknown(holds);
  const spw_finding structure = level == SPW_SHAPE ? unknown : holds, order = level == SPW_CANONICAL ? holds : unknown;
  //@ ghost lem_compressed_structure(t, structure);
  //@ ghost lem_canonical(t, order);
  const compressed_found found = {batches,   batches >= 0 ? P : -1, structure, structure, structure, structure,
                                  structure, structure,             structure, order};
  return found;
}

/* The same of COO; `order` is what is known of rule 6.7. */
/*@ requires readable: tensor_readable(t);
    requires shape: t->layout == SPW_COO && coo_shape(t);
    requires structure: sized(t) ==> structure_valid(t);
    requires canonical: sized(t) && level == SPW_CANONICAL ==> tensor_valid(t);
    requires order: !judged(order);
    terminates \true; exits \false; assigns \nothing;
    SPW_COO_INDEX_RULES(FOUND_SAYS) */
/* level L1 */
static coo_found valid_coo(const spw_tensor *t, spw_level level, spw_finding order)
{
  const spw_finding holds = spw_holds();
  if (level == SPW_CANONICAL && t->coalesced == SPW_CLAIM_YES) order = holds;
  //@ ghost lem_coo_structure(t, holds);
  //@ ghost lem_canonical(t, order);
  const coo_found found = {1, holds, holds, holds, holds, order};
  return found;
}

/*@ requires readable: tensor_readable(t);
    requires storage: readable_indices(&t->compressed) && readable_indices(&t->plain);
    requires shape: compressed_layout(t) && compressed_shape(t);
    requires verdict: verdict_on(t, level, verdict.valid);
    requires level: level == SPW_SHAPE || level == SPW_STRUCTURE || level == SPW_CANONICAL;
    terminates \true; exits \false; assigns \nothing;
    SPW_COMPRESSED_INDEX_RULES(FOUND_SAYS) */
/* level L1 */
static compressed_found look_at_compressed(const spw_tensor *t, spw_level level, spw_verdict verdict)
{
  //@ assert type: rule_1_1(t) && rule_1_3(t);
  if (verdict.valid == 1) return valid_compressed(t, level, verdict.P);
  return t->compressed.array.dtype == SPW_INT32 ? judge_compressed_i32(t, level) : judge_compressed_i64(t, level);
}

/*@ requires readable: tensor_readable(t) && readable_indices(&t->plain);
    requires shape: t->layout == SPW_COO && coo_shape(t);
    requires verdict: verdict_on(t, level, verdict.valid);
    requires level: level == SPW_STRUCTURE || level == SPW_CANONICAL;
    requires order: !judged(order);
    terminates \true; exits \false; assigns \nothing;
    SPW_COO_INDEX_RULES(FOUND_SAYS) */
/* level L1 */
static coo_found look_at_coo(const spw_tensor *t, spw_level level, spw_verdict verdict, spw_finding order)
{
  //@ assert type: rule_1_3(t);
  if (verdict.valid == 1) return valid_coo(t, level, order);
  return t->plain.array.dtype == SPW_INT32 ? judge_coo_i32(t, level, order) : judge_coo_i64(t, level, order);
}

/*@ requires readable: tensor_readable(t);
    requires storage: readable_indices(&t->compressed) && readable_indices(&t->plain);
    requires layout: compressed_layout(t);
    requires verdict: verdict_on(t, level, verdict.valid);
    requires level: level == SPW_SHAPE || level == SPW_STRUCTURE || level == SPW_CANONICAL;
    terminates \true; exits \false; assigns \nothing;
    ensures valid: \result.valid == 1 <==> verdict.valid == 1;
    ensures shape: compressed_findings(t, \result);
    SPW_COMPRESSED_INDEX_RULES(SPW_SAYS_OF_INDICES) */
/* level L1 */
static spw_report compressed_report(const spw_tensor *t, spw_level level, spw_verdict verdict)
{
  spw_report r = compressed_shape_report(t);
  r.valid = verdict.valid == 1;
  if (!spw_shape_holds(t)) return r;
  const compressed_found found = look_at_compressed(t, level, verdict);
  r.batches = found.batches;
  r.plain_size = found.plain_size;
  r.size_inferred = !t->has_size && found.plain_size >= 0;
  FOUND_OF_SIZE(1_6)
  FOUND_OF_SIZE(3_11)
  SPW_COMPRESSED_INDEX_RULES(FOUND)
  return r;
}

/*@ requires readable: tensor_readable(t) && readable_indices(&t->plain);
    requires layout: t->layout == SPW_COO;
    requires verdict: verdict_on(t, level, verdict.valid);
    requires level: level == SPW_SHAPE || level == SPW_STRUCTURE || level == SPW_CANONICAL;
    terminates \true; exits \false; assigns \nothing;
    ensures valid: \result.valid == 1 <==> verdict.valid == 1;
    ensures shape: coo_findings(t, \result);
    SPW_COO_INDEX_RULES(SPW_SAYS_OF_INDICES) */
/* level L1 */
static spw_report coo_report(const spw_tensor *t, spw_level level, spw_verdict verdict)
{
  spw_report r = coo_shape_report(t);
  r.valid = verdict.valid == 1;
  if (level == SPW_SHAPE || !spw_shape_holds(t)) return r;
  const coo_found found = look_at_coo(t, level, verdict, r.findings[SPW_RULE_6_7]);
  r.size_inferred = !t->has_size && found.bounded;
  FOUND_OF_SIZE(1_6)
  FOUND_OF_SIZE(3_11)
  SPW_COO_INDEX_RULES(FOUND)
  return r;
}

/* level L1 */
spw_report spw_report_of(const spw_tensor *t, spw_level level, spw_verdict verdict)
{
  if (t->layout == SPW_COO) return coo_report(t, level, verdict);
  if (t->layout == SPW_CSR || t->layout == SPW_CSC || t->layout == SPW_BSR || t->layout == SPW_BSC)
    return compressed_report(t, level, verdict);
  return unknown_layout_report(t);
}
