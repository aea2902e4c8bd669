/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on one tensor as a line of JSON: spec/check-output.schema.json. */
#include "report.h"

#include <stdlib.h>

json_t *json_line_number(int64_t line)
{
  return line ? json_integer(line) : json_null();
}

json_t *json_problem(const cli_problem *problem)
{
  if (!problem->kind) return json_null();
  json_t *value = json_object();
  json_object_set_new(value, "kind", json_text(problem->kind));
  json_object_set_new(value, "where", json_text(problem->error.where));
  json_object_set_new(value, "message", json_text(problem->error.message));
  return value;
}

static json_t *violation_json(const cli_judgement *j, const spw_finding *finding)
{
  const spw_violation *v = &finding->first;
  const spw_tensor *tensor = j->input->tensor;
  const char *name = spw_member_name(tensor->layout, v->member);
  int64_t *batch;
  const int64_t ndim = violation_batch(tensor, v, &batch);
  char *message = violation_message(j, v);
  json_t *value = json_object();
  json_object_set_new(value, "rule", json_text(spw_rule_get(v->rule)->id));
  json_object_set_new(value, "array", name ? json_text(name) : json_null());
  json_object_set_new(value, "batch", json_numbers(ndim, batch));
  json_object_set_new(value, "position", v->position < 0 ? json_null() : json_integer(v->position));
  json_object_set_new(value, "lhs", json_integer(v->lhs));
  json_object_set_new(value, "rhs", json_integer(v->rhs));
  json_object_set_new(value, "count", json_integer(finding->count));
  json_object_set_new(value, "message", json_text(message));
  free(batch);
  free(message);
  return value;
}

static json_t *semi_violation_json(const told_violation *told)
{
  json_t *value = json_object();
  json_object_set_new(value, "rule", json_text(told->rule->id));
  json_object_set_new(value, "array", told->member ? json_text(told->member) : json_null());
  json_object_set_new(value, "batch", json_array());
  json_object_set_new(value, "position", told->position < 0 ? json_null() : json_integer(told->position));
  json_object_set_new(value, "lhs", json_integer(told->lhs));
  json_object_set_new(value, "rhs", json_integer(told->rhs));
  json_object_set_new(value, "count", json_integer(told->count));
  json_object_set_new(value, "message", json_text(told->message));
  return value;
}

/* What is said of a 2:4 matrix. */
static void add_semi_findings(json_t *line, const cli_judgement *j)
{
  const int64_t size[2] = {j->semi->rows, j->semi->columns};
  json_t *violations = json_array(), *not_evaluated = json_array();
  told_violation told;
  for (int i = SPW_RULE_COUNT; i < ANY_RULE_COUNT; i++) {
    if (tell_violation(j, i, &told)) {
      json_array_append_new(violations, semi_violation_json(&told));
      free(told.message);
    } else if (state_of_rule(j, i) == SPW_NOT_EVALUATED) {
      json_array_append_new(not_evaluated, json_text(any_rule(i)->id));
    }
  }
  json_object_set_new(line, "layout", json_text("semi"));
  json_object_set_new(line, "size", json_numbers(2, size));
  json_object_set_new(line, "size_inferred", json_false());
  json_object_set_new(line, "nse", json_null());
  json_object_set_new(line, "violations", violations);
  json_object_set_new(line, "not_evaluated", not_evaluated);
}

static void add_findings(json_t *line, const cli_judgement *j)
{
  json_t *violations = json_array(), *not_evaluated = json_array();
  for (int i = 0; i < SPW_RULE_COUNT && j->verdict != VERDICT_MALFORMED; i++) {
    const spw_finding *finding = &j->report.findings[i];
    if (finding->state == SPW_VIOLATED)
      json_array_append_new(violations, violation_json(j, finding));
    if (finding->state == SPW_NOT_EVALUATED)
      json_array_append_new(not_evaluated, json_text(spw_rule_get((spw_rule)i)->id));
  }
  json_object_set_new(line, "violations", violations);
  json_object_set_new(line, "not_evaluated", not_evaluated);
}

void put_json(const cli_judgement *j)
{
  const bool checked = j->verdict != VERDICT_MALFORMED;
  const spw_tensor *tensor = j->input->tensor;
  const bool sized = checked && j->size_known;
  json_t *line = json_object();
  json_object_set_new(line, "file", json_text(j->input->file));
  json_object_set_new(line, "line", json_line_number(j->input->line));
  if (j->input->place) json_object_set_new(line, "path", json_text(j->input->place));
  json_object_set_new(line, "verdict", json_text(verdict_name(j->verdict)));
  if (j->semi) {
    add_semi_findings(line, j);
    json_object_set_new(line, "error", json_null());
    put_json_line(line);
    return;
  }
  json_object_set_new(line, "layout",
                      tensor ? json_text(spw_layout_name(tensor->layout)) : json_null());
  json_object_set_new(line, "size", sized ? json_numbers(j->ndim, j->size) : json_null());
  json_object_set_new(line, "size_inferred", json_boolean(sized && !tensor->has_size));
  json_object_set_new(line, "nse", checked && j->report.nse >= 0 ? json_integer(j->report.nse)
                                                                 : json_null());
  add_findings(line, j);
  json_object_set_new(line, "error", json_problem(&j->problem));
  put_json_line(line);
}
