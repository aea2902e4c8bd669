/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#define JUDGE(id) r.findings[SPW_RULE_##id] = spw_rule_##id(t);
#define UNKNOWN(id) r.findings[SPW_RULE_##id] = spw_and_unknown(spw_holds());

/* Every rule in the same state, no quantity known. */
/*@ terminates \true; exits \false; assigns \nothing; */
/* level L0 */
static spw_report blank(spw_finding finding)
{
  spw_report r;
  /*@ loop invariant range: 0 <= i <= SPW_RULE_COUNT;
      loop assigns i, r.findings[0 .. SPW_RULE_COUNT - 1];
      loop variant SPW_RULE_COUNT - i; */
  for (int i = 0; i < SPW_RULE_COUNT; i++) r.findings[i] = finding;
  r.valid = r.size_inferred = false;
  r.batches = r.compressed_size = r.plain_size = r.nse = -1;
  return r;
}

/* The rules that strided arrays on the host satisfy by construction. */
/*@ terminates \true; exits \false; assigns \nothing; */
/* level L0 */
static spw_report hold_by_construction(spw_report r)
{
  r.findings[SPW_RULE_2_1] = r.findings[SPW_RULE_2_2] = r.findings[SPW_RULE_2_3] = spw_holds();
  r.findings[SPW_RULE_2_4] = spw_holds();
  r.findings[SPW_RULE_4_1] = r.findings[SPW_RULE_4_2] = spw_holds();
  r.findings[SPW_RULE_4_3] = r.findings[SPW_RULE_4_4] = spw_holds();
  return r;
}

/* What rules 1.6 and 3.11 say of a missing size is known when it has been inferred. */
/*@ requires count: 0 <= r.findings[SPW_RULE_1_6].count && 0 <= r.findings[SPW_RULE_3_11].count;
    terminates \true; exits \false; assigns \nothing; */
/* level L0 */
static spw_report size_not_inferred(spw_report r)
{
  r.findings[SPW_RULE_1_6] = spw_and_unknown(r.findings[SPW_RULE_1_6]);
  r.findings[SPW_RULE_3_11] = spw_and_unknown(r.findings[SPW_RULE_3_11]);
  return r;
}

/*@ requires readable: tensor_readable(t) && compressed_layout(t);
    terminates \true; exits \false; assigns \nothing; */
/* level L0 */
static spw_report compressed_shape_report(const spw_tensor *t)
{
  spw_report r = hold_by_construction(blank(spw_not_applicable()));
  SPW_COMPRESSED_SHAPE_RULES(JUDGE)
  if (!spw_blocked(t)) r.findings[SPW_RULE_3_13] = spw_not_applicable();
  r.findings[SPW_RULE_3_7] = spw_holds();
  UNKNOWN(5_1) UNKNOWN(5_2) UNKNOWN(5_3) UNKNOWN(5_4) UNKNOWN(5_5) UNKNOWN(5_6)
  if (!t->has_size) r = size_not_inferred(r);
  const spw_number C = spw_compressed_size(t);
  if (C.known) r.compressed_size = C.value;
  const int64_t last = t->plain.array.ndim - 1;
  if (last >= 0 && t->plain.array.shape[last] >= 0) r.nse = t->plain.array.shape[last];
  return r;
}

/*@ requires readable: tensor_readable(t) && t->layout == SPW_COO;
    terminates \true; exits \false; assigns \nothing; */
/* level L0 */
static spw_report coo_shape_report(const spw_tensor *t)
{
  spw_report r = hold_by_construction(blank(spw_not_applicable()));
  SPW_COO_SHAPE_RULES(JUDGE)
  if (!t->has_size) r = size_not_inferred(r);
  UNKNOWN(6_5) UNKNOWN(6_6)
  if (t->coalesced == SPW_CLAIM_YES) UNKNOWN(6_7)
  r.batches = 1;
  if (t->plain.array.ndim == 2 && t->plain.array.shape[1] >= 0) r.nse = t->plain.array.shape[1];
  return r;
}

/* The layout is none of the five: nothing else can be said. */
/*@ requires readable: \valid_read(t);
    terminates \true; exits \false; assigns \nothing; */
/* level L0 */
static spw_report unknown_layout_report(const spw_tensor *t)
{
  spw_report r = blank(spw_and_unknown(spw_holds()));
  r.findings[SPW_RULE_2_4] =
      spw_and_violation(spw_holds(), spw_at(SPW_RULE_2_4, SPW_MEMBER_LAYOUT, -1, (int)t->layout, SPW_LAYOUT_COUNT - 1));
  return r;
}

/* The finding of a rule over the entries of COO indices, whose place is row-major: d * nse + k. */
/*@ requires counts: 0 <= hits.count && (hits.count > 0 ==> 0 <= hits.dim && 0 <= g.nse);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == (hits.count == 0 ? SPW_HOLDS : SPW_VIOLATED);
    ensures rule: hits.count > 0 ==> \result.first.rule == rule; */
/* level L1 */
static spw_finding entry_finding(spw_rule rule, spw_columns g, spw_column_hits hits)
{
  spw_finding f = spw_holds();
  if (hits.count == 0) return f;
  const int64_t position = spw_add_saturated(spw_mul_saturated(hits.dim, g.nse), hits.column);
  f = spw_and_violation(f, spw_at(rule, SPW_MEMBER_PLAIN, position, hits.lhs, hits.rhs));
  f.count = hits.count;
  return f;
}

/* The finding of rule 6.7, whose place is a column. */
/*@ requires counts: 0 <= hits.count;
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == (hits.count == 0 ? SPW_HOLDS : SPW_VIOLATED);
    ensures rule: hits.count > 0 ==> \result.first.rule == SPW_RULE_6_7; */
/* level L1 */
static spw_finding column_finding(spw_column_hits hits)
{
  spw_finding f = spw_holds();
  if (hits.count == 0) return f;
  f = spw_and_violation(f, spw_at(SPW_RULE_6_7, SPW_MEMBER_PLAIN, hits.column, hits.lhs, hits.rhs));
  f.count = hits.count;
  return f;
}

#define SPW_TEMPLATE "../check/report.inc"
#include "../core/each_index_type.h"

/*@ requires readable: tensor_readable(t) && readable_indices(&t->compressed) && readable_indices(&t->plain);
    requires layout: compressed_layout(t);
    requires level: level == SPW_SHAPE || level == SPW_STRUCTURE || level == SPW_CANONICAL;
    terminates \true; exits \false; assigns \nothing; */
/* level L0 */
static spw_report compressed_report(const spw_tensor *t, spw_level level)
{
  const spw_report r = compressed_shape_report(t);
  if (!spw_shape_holds(t)) return r;
  return t->compressed.array.dtype == SPW_INT32 ? compressed_phases_i32(t, level, r) : compressed_phases_i64(t, level, r);
}

/*@ requires readable: tensor_readable(t) && readable_indices(&t->plain);
    requires layout: t->layout == SPW_COO;
    requires level: level == SPW_SHAPE || level == SPW_STRUCTURE || level == SPW_CANONICAL;
    terminates \true; exits \false; assigns \nothing; */
/* level L0 */
static spw_report coo_report(const spw_tensor *t, spw_level level)
{
  const spw_report r = coo_shape_report(t);
  if (level == SPW_SHAPE || !spw_shape_holds(t)) return r;
  return t->plain.array.dtype == SPW_INT32 ? coo_phases_i32(t, level, r) : coo_phases_i64(t, level, r);
}

/* level L0 */
spw_report spw_report_of(const spw_tensor *t, spw_level level)
{
  if (t->layout == SPW_COO) return coo_report(t, level);
  if (t->layout == SPW_CSR || t->layout == SPW_CSC || t->layout == SPW_BSR || t->layout == SPW_BSC)
    return compressed_report(t, level);
  return unknown_layout_report(t);
}
