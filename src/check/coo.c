/* SPDX-License-Identifier: Apache-2.0 */
#include "coo.h"
#include "members.h"
#include "range_of.h"

/* The finding of a rule over the entries of the indices, whose place is row-major: d * nse + k. */
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
static spw_finding column_finding(spw_column_hits hits)
{
  spw_finding f = spw_holds();
  if (hits.count == 0) return f;
  f = spw_and_violation(f, spw_at(SPW_RULE_6_7, SPW_MEMBER_PLAIN, hits.column, hits.lhs, hits.rhs));
  f.count = hits.count;
  return f;
}

#define SPW_TEMPLATE "../check/coo.inc"
#include "../core/each_index_type.h"

spw_status spw_judge_coo(const spw_tensor *t, spw_level level, spw_report *r)
{
  const spw_columns g = spw_columns_of(t);
  if (t->plain.array.dtype == SPW_INT32)
    judge_coo_i32(t, level, g, r);
  else
    judge_coo_i64(t, level, g, r);
  return SPW_OK;
}
