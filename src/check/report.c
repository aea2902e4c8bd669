/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"
#include "report_frame.h"

#define JUDGE(id) r.findings[SPW_RULE_##id] = spw_rule_##id(t);

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
  spw_report r = spw_compressed_frame(t);
  SPW_COMPRESSED_SHAPE_RULES(JUDGE)
  if (!spw_blocked(t)) r.findings[SPW_RULE_3_13] = spw_not_applicable();
  return t->has_size ? r : size_not_inferred(r);
}

/*@ requires readable: tensor_readable(t) && t->layout == SPW_COO;
    terminates \true; exits \false; assigns \nothing; */
/* level L0 */
static spw_report coo_shape_report(const spw_tensor *t)
{
  spw_report r = spw_coo_frame(t);
  SPW_COO_SHAPE_RULES(JUDGE)
  return t->has_size ? r : size_not_inferred(r);
}

/* The layout is none of the five: nothing else can be said. */
/*@ requires readable: \valid_read(t);
    terminates \true; exits \false; assigns \nothing; */
/* level L0 */
static spw_report unknown_layout_report(const spw_tensor *t)
{
  spw_report r = spw_blank_report(spw_and_unknown(spw_holds()));
  const spw_violation v =
      spw_at(SPW_RULE_2_4, SPW_MEMBER_LAYOUT, -1, (int)t->layout, SPW_LAYOUT_COUNT - 1);
  r.findings[SPW_RULE_2_4] = spw_and_violation(spw_holds(), v);
  return r;
}

/* The finding of a rule over COO indices, whose first violation is at `position`. */
/*@ requires counts: 0 <= hits.count;
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == (hits.count == 0 ? SPW_HOLDS : SPW_VIOLATED);
    ensures rule: hits.count > 0 ==> \result.first.rule == rule; */
/* level L1 */
static spw_finding indices_finding(spw_rule rule, int64_t position, spw_column_hits hits)
{
  spw_finding f = spw_holds();
  if (hits.count == 0) return f;
  f = spw_and_violation(f, spw_at(rule, SPW_MEMBER_PLAIN, position, hits.lhs, hits.rhs));
  f.count = hits.count;
  return f;
}

/* The row-major place of an entry, d * nse + k. */
/*@ requires entry: hits.count > 0 ==> 0 <= hits.dim && 0 <= g.nse;
    terminates \true; exits \false; assigns \nothing; */
/* level L0 */
static int64_t entry_position(spw_columns g, spw_column_hits hits)
{
  if (hits.count <= 0) return -1;
  return spw_add_saturated(spw_mul_saturated(hits.dim, g.nse), hits.column);
}

#define SPW_TEMPLATE "../check/report.inc"
#include "../core/each_index_type.h"

/*@ requires readable: tensor_readable(t);
    requires storage: readable_indices(&t->compressed) && readable_indices(&t->plain);
    requires layout: compressed_layout(t);
    requires level: level == SPW_SHAPE || level == SPW_STRUCTURE || level == SPW_CANONICAL;
    terminates \true; exits \false; assigns \nothing; */
/* level L0 */
static spw_report compressed_report(const spw_tensor *t, spw_level level)
{
  const spw_report r = compressed_shape_report(t);
  if (level == SPW_SHAPE || !spw_shape_holds(t)) return r;
  return t->compressed.array.dtype == SPW_INT32 ? compressed_phases_i32(t, level, r)
                                                : compressed_phases_i64(t, level, r);
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
  return t->plain.array.dtype == SPW_INT32 ? coo_phases_i32(t, level, r)
                                           : coo_phases_i64(t, level, r);
}

/* level L0 */
spw_report spw_report_of(const spw_tensor *t, spw_level level)
{
  if (t->layout == SPW_COO) return coo_report(t, level);
  if (t->layout == SPW_CSR || t->layout == SPW_CSC || t->layout == SPW_BSR || t->layout == SPW_BSC)
    return compressed_report(t, level);
  return unknown_layout_report(t);
}
