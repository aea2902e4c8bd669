/* SPDX-License-Identifier: Apache-2.0 */
/* Checks one input and gathers what the reports need. */
#include "cli.h"

const char *verdict_name(cli_verdict verdict)
{
  static const char *const names[] = {"valid", "invalid", "malformed"};
  return names[verdict];
}

/* As if nothing behind the first violated rule had been looked at. */
static void hide_after_first(spw_report *report)
{
  bool hidden = false;
  for (int i = 0; i < SPW_RULE_COUNT; i++) {
    spw_finding *finding = &report->findings[i];
    if (hidden && finding->state != SPW_NOT_APPLICABLE) finding->state = SPW_NOT_EVALUATED;
    hidden = hidden || finding->state == SPW_VIOLATED;
  }
}

static bool shape_holds(const spw_report *report)
{
  for (int i = 0; i < SPW_RULE_COUNT; i++)
    if (report->findings[i].state == SPW_VIOLATED
        && spw_rule_get((spw_rule)i)->phase == SPW_SHAPE)
      return false;
  return true;
}

/* To infer a size is to read the indices, which the level shape does not. */
static void find_size(cli_judgement *judgement)
{
  const spw_tensor *tensor = judgement->input->tensor;
  judgement->size = tensor->size;
  judgement->ndim = tensor->ndim;
  judgement->size_known = tensor->has_size;
  if (tensor->has_size || judgement->level == SPW_SHAPE) return;
  if (!shape_holds(&judgement->report)) return;
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
  if (level > SPW_SHAPE && is_too_much_work(tensor)) {
    set_problem(&judgement->problem, "limit",
                "checking it takes more than 2^33 steps: batches * (C + 1 + nse) is too large");
    return true;
  }
  const spw_status status = spw_check(tensor, level, &judgement->report);
  if (status == SPW_EOVERFLOW) {
    set_problem(&judgement->problem, "limit", "it has more batches than int64 can number");
    return true;
  }
  if (status != SPW_OK) {
    fprintf(stderr, "spw: internal error: the checker refused a tensor: %s\n",
            spw_status_string(status));
    return false;
  }
  if (first_only) hide_after_first(&judgement->report);
  judgement->verdict = judgement->report.valid ? VERDICT_VALID : VERDICT_INVALID;
  find_size(judgement);
  return true;
}
