/* SPDX-License-Identifier: Apache-2.0 */
/* The report: what became of every rule, phase by phase. */
#include "compressed.h"
#include "coo.h"
#include "shape_rules.h"
#include "usable.h"

/* Rules that strided arrays on the host satisfy by construction. */
static void hold_by_construction(spw_report *r)
{
  static const spw_rule rules[] = {SPW_RULE_2_1, SPW_RULE_2_2, SPW_RULE_2_3, SPW_RULE_2_4, SPW_RULE_3_7,
                                   SPW_RULE_4_1, SPW_RULE_4_2, SPW_RULE_4_3, SPW_RULE_4_4};
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) r->findings[rules[i]] = spw_holds();
}

#define JUDGE(id) r->findings[SPW_RULE_##id] = spw_rule_##id(t);
#define UNKNOWN(id) r->findings[SPW_RULE_##id] = spw_and_unknown(spw_holds());

static void judge_compressed_shape(const spw_tensor *t, spw_report *r)
{
  SPW_COMPRESSED_SHAPE_RULES(JUDGE)
  if (!spw_blocked(t)) r->findings[SPW_RULE_3_13] = spw_not_applicable();
  UNKNOWN(5_1) UNKNOWN(5_2) UNKNOWN(5_3) UNKNOWN(5_4) UNKNOWN(5_5) UNKNOWN(5_6)
}

static void judge_coo_shape(const spw_tensor *t, spw_report *r)
{
  SPW_COO_SHAPE_RULES(JUDGE)
  r->findings[SPW_RULE_3_7] = spw_not_applicable();
  UNKNOWN(6_5) UNKNOWN(6_6)
  if (t->coalesced == SPW_CLAIM_YES) UNKNOWN(6_7)
}

/* Does every rule that was looked at hold, up to a phase? */
static bool all_hold(const spw_report *r, int first, int last)
{
  for (int i = first; i <= last; i++)
    if (r->findings[i].state != SPW_HOLDS && r->findings[i].state != SPW_NOT_APPLICABLE) return false;
  return true;
}

static bool shape_holds(const spw_report *r)
{
  return all_hold(r, 0, SPW_RULE_4_4) && all_hold(r, SPW_RULE_6_1, SPW_RULE_6_4);
}

static spw_status judge(const spw_tensor *t, spw_level level, spw_report *r)
{
  for (int i = 0; i < SPW_RULE_COUNT; i++) r->findings[i] = spw_not_applicable();
  r->valid = false;
  r->size_inferred = false;
  r->batches = r->compressed_size = r->plain_size = r->nse = -1;
  hold_by_construction(r);
  if ((int)t->layout < 0 || (int)t->layout >= SPW_LAYOUT_COUNT) {
    for (int i = 0; i < SPW_RULE_COUNT; i++) r->findings[i] = spw_and_unknown(spw_holds());
    r->findings[SPW_RULE_2_4] =
        spw_and_violation(spw_holds(), spw_at(SPW_RULE_2_4, SPW_MEMBER_LAYOUT, -1, (int)t->layout, SPW_LAYOUT_COUNT - 1));
    return SPW_OK;
  }
  spw_status status = SPW_OK;
  if (t->layout == SPW_COO) {
    judge_coo_shape(t, r);
    if (t->plain.array.ndim == 2) r->nse = t->plain.array.shape[1] < 0 ? -1 : t->plain.array.shape[1];
    r->batches = 1;
    if (shape_holds(r)) status = spw_judge_coo(t, level, r);
  } else {
    judge_compressed_shape(t, r);
    const spw_number C = spw_compressed_size(t);
    if (C.known) r->compressed_size = C.value;
    if (t->plain.array.ndim >= 1 && t->plain.array.shape[t->plain.array.ndim - 1] >= 0)
      r->nse = t->plain.array.shape[t->plain.array.ndim - 1];
    if (shape_holds(r)) status = spw_judge_compressed(t, level, r);
  }
  if (status < 0) return status;
  const bool shape = shape_holds(r);
  const bool structure = all_hold(r, SPW_RULE_5_1, SPW_RULE_5_5) && all_hold(r, SPW_RULE_6_5, SPW_RULE_6_6);
  const bool canonical =
      all_hold(r, SPW_RULE_5_6, SPW_RULE_5_6) && all_hold(r, SPW_RULE_6_7, SPW_RULE_6_7);
  r->valid = shape && (level < SPW_STRUCTURE || structure) && (level < SPW_CANONICAL || canonical);
  return SPW_OK;
}

static bool is_level(spw_level level)
{
  return level == SPW_SHAPE || level == SPW_STRUCTURE || level == SPW_CANONICAL;
}

spw_status spw_check(const spw_tensor *tensor, spw_level level, spw_report *report)
{
  if (!report || !is_level(level) || !spw_usable(tensor)) return SPW_EINVAL;
  spw_report r;
  const spw_status status = judge(tensor, level, &r);
  if (status == SPW_OK) *report = r;
  return status;
}

spw_status spw_is_valid(const spw_tensor *tensor, spw_level level, bool *valid)
{
  if (!valid) return SPW_EINVAL;
  spw_report r;
  const spw_status status = spw_check(tensor, level, &r);
  if (status == SPW_OK) *valid = r.valid;
  return status;
}

spw_status spw_first_violation(const spw_tensor *tensor, spw_level level, spw_violation *first)
{
  if (!first) return SPW_EINVAL;
  spw_report r;
  const spw_status status = spw_check(tensor, level, &r);
  if (status != SPW_OK) return status;
  spw_violation v = spw_holds().first;
  for (int phase = SPW_SHAPE; phase <= (int)level && v.rule == SPW_RULE_NONE; phase++)
    for (int i = 0; i < SPW_RULE_COUNT && v.rule == SPW_RULE_NONE; i++)
      if (r.findings[i].state == SPW_VIOLATED && (int)spw_rule_get((spw_rule)i)->phase == phase)
        v = r.findings[i].first;
  *first = v;
  return SPW_OK;
}
