/* SPDX-License-Identifier: Apache-2.0 */
/* Says which row of the table a conversion takes, why, and what its steps do. */
#include "steps.h"

typedef struct listener {
  spw_explain_line *line;
  void *context;
} listener;

static void say(const listener *to, spw_explained what, const char *name, const char *words)
{
  to->line(to->context, what, name, words);
}

static void say_layouts(const listener *to, spw_explained what, unsigned layouts)
{
  for (int i = 0; i <= (int)SPW_DENSE; i++)
    if (layouts >> i & 1) say(to, what, spw_layout_name((spw_layout)i), "");
}

static unsigned facts_of_steps(const spw_route *r)
{
  unsigned facts = 0;
  for (int i = 0; i < SPW_STEPS_MOST && r->steps[i]; i++) facts |= r->steps[i]->when | r->steps[i]->unless;
  return facts;
}

static void say_facts(const listener *to, const spw_plan *plan, spw_explained what, unsigned asked)
{
  for (int i = 0; i < spw_fact_count; i++)
    if (asked & spw_facts[i].fact)
      say(to, what, spw_facts[i].name, spw_has(plan, spw_facts[i].fact) ? spw_facts[i].holds : spw_facts[i].fails);
}

static void say_plan(const listener *to, const spw_plan *plan)
{
  const spw_route *const r = plan->route;
  const unsigned of_row = r->facts | r->without;
  say_layouts(to, SPW_EXPLAINED_FROM, r->from);
  say_layouts(to, SPW_EXPLAINED_TO, r->to);
  say_facts(to, plan, SPW_EXPLAINED_ROW_FACT, of_row);
  say_facts(to, plan, SPW_EXPLAINED_STEP_FACT, facts_of_steps(r) & ~of_row);
  for (int i = 0; i < SPW_STEPS_MOST && r->steps[i]; i++) {
    const spw_step *const step = r->steps[i];
    say(to, spw_is_taken(plan, step) ? SPW_EXPLAINED_STEP : SPW_EXPLAINED_STEP_LEFT_OUT, step->name, step->says);
  }
}

spw_status spw_convert_explain(const spw_tensor *tensor, const spw_conversion *wanted, int threads, spw_explain_line *line,
                               void *context, spw_refusal *refusal)
{
  spw_operand source;
  spw_plan plan;
  if (!tensor || !wanted || !line || threads < 1) return SPW_EINVAL;
  spw_status status = spw_operand_convert(tensor, wanted->canonicalize, true, threads, &source, refusal);
  if (status == SPW_OK) status = spw_plan_make(&source, wanted, &plan, refusal);
  if (status != SPW_OK) return status;
  spw_plan_choose(&plan, threads);
  const listener to = {line, context};
  say_plan(&to, &plan);
  return SPW_OK;
}
