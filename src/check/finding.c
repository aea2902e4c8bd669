/* SPDX-License-Identifier: Apache-2.0 */
#include "finding.h"

/* level L2 */
spw_finding spw_holds(void)
{
  const spw_finding f = {SPW_HOLDS, 0, {SPW_RULE_NONE, SPW_MEMBER_NONE, 0, -1, 0, 0}};
  return f;
}

/* level L2 */
spw_finding spw_not_applicable(void)
{
  spw_finding f = spw_holds();
  f.state = SPW_NOT_APPLICABLE;
  return f;
}

/* level L2 */
spw_finding spw_and_unknown(spw_finding f)
{
  if (f.state == SPW_HOLDS) f.state = SPW_NOT_EVALUATED;
  return f;
}

/* level L2 */
spw_finding spw_and_violation(spw_finding f, spw_violation v)
{
  if (f.state != SPW_VIOLATED) {
    f.state = SPW_VIOLATED;
    f.count = 0;
    f.first = v;
  }
  if (f.count < INT64_MAX) f.count++;
  return f;
}

/* level L2 */
spw_violation spw_at(spw_rule rule, spw_member member, int64_t position, int64_t lhs, int64_t rhs)
{
  const spw_violation v = {rule, member, 0, position, lhs, rhs};
  return v;
}
