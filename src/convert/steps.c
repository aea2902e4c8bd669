/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

bool spw_takes(const spw_plan *plan, const spw_step *step)
{
  for (int i = 0; i < SPW_STEPS_MOST && plan->route->steps[i]; i++)
    if (plan->route->steps[i] == step) return spw_is_taken(plan, step);
  return false;
}

/* The next step from `at` on that is not left out; SPW_STEPS_MOST: none. */
static int next_taken(const spw_plan *plan, int at)
{
  const spw_step *const *const steps = plan->route->steps;
  while (at < SPW_STEPS_MOST && steps[at] && !spw_is_taken(plan, steps[at])) at++;
  return at < SPW_STEPS_MOST && steps[at] ? at : SPW_STEPS_MOST;
}

static bool is_of_group(const spw_plan *plan, int at)
{
  return at < SPW_STEPS_MOST && plan->route->steps[at]->turn == SPW_STEP_GROUPED;
}

/* The steps of a group from `at` on, for all groups of batches. *at: the step behind them. */
static spw_status take_groups(const spw_plan *plan, const spw_workspace *w, spw_target *out, int *at, spw_refusal *refusal)
{
  const int first = *at;
  const int64_t batches = plan->t->layout == SPW_DENSE ? plan->out_batches : plan->batches;
  spw_status status = SPW_OK;
  for (int64_t b = 0; status == SPW_OK && b < batches; b += out->group.batches) {
    const int64_t left = batches - b;
    out->group.from = b;
    out->group.batches = left < plan->at_once ? left : plan->at_once;
    for (int i = first; status == SPW_OK && is_of_group(plan, i); i = *at) {
      *at = next_taken(plan, i + 1);
      out->group.last = !is_of_group(plan, *at);
      status = plan->route->steps[i]->run(plan, w, out, refusal);
    }
  }
  return status;
}

spw_status spw_take_steps(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  spw_status status = SPW_OK;
  for (int i = next_taken(plan, 0); status == SPW_OK && i < SPW_STEPS_MOST;) {
    const spw_step *const step = plan->route->steps[i];
    if (step->turn == SPW_STEP_GROUPED) {
      status = take_groups(plan, w, out, &i, refusal);
      continue;
    }
    if (step->turn == SPW_STEP_ALWAYS || !out->done) status = step->run(plan, w, out, refusal);
    i = next_taken(plan, i + 1);
  }
  return status;
}
