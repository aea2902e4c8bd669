/* SPDX-License-Identifier: Apache-2.0 */
/* The public entry points of the checker. */
#include "report.h"

static int is_level(spw_level level)
{
  return level == SPW_SHAPE || level == SPW_STRUCTURE || level == SPW_CANONICAL;
}

spw_status spw_is_valid(const spw_tensor *tensor, spw_level level, bool *valid)
{
  if (!valid || !is_level(level) || !spw_usable(tensor)) return SPW_EINVAL;
  const spw_verdict verdict = spw_verdict_of(tensor, level);
  if (verdict.status == SPW_OK) *valid = verdict.valid == 1;
  return verdict.status;
}

spw_status spw_check(const spw_tensor *tensor, spw_level level, spw_report *report)
{
  if (!report || !is_level(level) || !spw_usable(tensor)) return SPW_EINVAL;
  const spw_verdict verdict = spw_verdict_of(tensor, level);
  if (verdict.status != SPW_OK) return verdict.status;
  spw_report r = spw_report_of(tensor, level);
  r.valid = verdict.valid == 1;
  *report = r;
  return SPW_OK;
}

/* The phases of the rules in their order: shape rules stand before structure rules, these before
 * canonical ones, except that the canonical 5.6 comes before 6.1; it is about other layouts. */
static spw_violation first_of(const spw_report *r)
{
  for (int i = 0; i < SPW_RULE_COUNT; i++)
    if (r->findings[i].state == SPW_VIOLATED) return r->findings[i].first;
  return spw_holds().first;
}

spw_status spw_first_violation(const spw_tensor *tensor, spw_level level, spw_violation *first)
{
  if (!first) return SPW_EINVAL;
  spw_report r;
  const spw_status status = spw_check(tensor, level, &r);
  if (status == SPW_OK) *first = first_of(&r);
  return status;
}
