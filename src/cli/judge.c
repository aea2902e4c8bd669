/* SPDX-License-Identifier: Apache-2.0 */
/* Checks one input and gathers what the reports need. */
#include "cli.h"

const char *verdict_name(cli_verdict verdict)
{
  static const char *const names[] = {"valid", "invalid", "malformed"};
  return names[verdict];
}

/* Everything behind the first violated rule has not been looked at. */
static void hide_after(spw_report *report, spw_rule first)
{
  for (int i = first + 1; i < SPW_RULE_COUNT; i++)
    if (report->findings[i].state != SPW_NOT_APPLICABLE)
      report->findings[i].state = SPW_NOT_EVALUATED;
}

/* A valid tensor costs one pass; the count of the violations of an invalid one needs a second. */
static spw_status check_first(const spw_tensor *tensor, spw_level level, spw_report *report)
{
  spw_violation first;
  spw_status status = spw_first_violation(tensor, level, &first);
  if (status != SPW_OK) return status;
  const bool valid = first.rule == SPW_RULE_NONE;
  status = spw_check(tensor, valid ? SPW_SHAPE : spw_rule_get(first.rule)->phase, report);
  if (status != SPW_OK) return status;
  if (!valid && report->findings[first.rule].state != SPW_VIOLATED) return SPW_EINVAL;
  if (!valid) hide_after(report, first.rule);
  for (int i = 0; valid && i < SPW_RULE_COUNT; i++)
    if (report->findings[i].state == SPW_NOT_EVALUATED && spw_rule_get((spw_rule)i)->phase <= level)
      report->findings[i].state = SPW_HOLDS;
  return SPW_OK;
}

static bool shape_holds(const spw_report *report)
{
  for (int i = 0; i < SPW_RULE_COUNT; i++)
    if (report->findings[i].state == SPW_VIOLATED
        && spw_rule_get((spw_rule)i)->phase == SPW_SHAPE)
      return false;
  return true;
}

static void find_size(cli_judgement *judgement)
{
  const spw_tensor *tensor = judgement->input->tensor;
  judgement->size = tensor->size;
  judgement->ndim = tensor->ndim;
  judgement->size_known = tensor->has_size;
  if (tensor->has_size || !shape_holds(&judgement->report)) return;
  judgement->size = judgement->inferred;
  judgement->size_known =
      spw_infer_size(tensor, judgement->inferred, MAX_INFERRED_DIMS, &judgement->ndim) == SPW_OK;
}

bool judge(const cli_input *input, spw_level level, bool first_only, cli_judgement *judgement)
{
  const spw_tensor *tensor = input->tensor;
  judgement->input = input;
  judgement->level = level;
  judgement->verdict = VERDICT_MALFORMED;
  judgement->problem = input->problem;
  if (!tensor) return true;
  if ((level > SPW_SHAPE || !tensor->has_size) && is_too_much_work(tensor)) {
    set_problem(&judgement->problem, "limit",
                "checking it takes more than 2^36 steps: batches * (C + 1 + nse) is too large");
    return true;
  }
  const spw_status status = first_only ? check_first(tensor, level, &judgement->report)
                                       : spw_check(tensor, level, &judgement->report);
  if (status != SPW_OK) {
    fprintf(stderr, "spw: internal error: the checker refused a tensor: %s\n",
            spw_status_string(status));
    return false;
  }
  judgement->verdict = judgement->report.valid ? VERDICT_VALID : VERDICT_INVALID;
  find_size(judgement);
  return true;
}
