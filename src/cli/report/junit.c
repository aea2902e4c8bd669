/* SPDX-License-Identifier: Apache-2.0 */
/* JUnit XML: one test case a tensor; a violation is a failure, an unreadable file an error. */
#include "report.h"

#include <stdlib.h>

cli_junit junit_begin(void)
{
  return (cli_junit){.cases = new_text()};
}

static void add_attribute(cli_text *text, const char *name, const char *value)
{
  add_format(text, " %s=\"", name);
  add_xml(text, value);
  add_text(text, "\"");
}

/* The first violation is the failure, and its text has all. */
static void add_failure(cli_text *text, const cli_judgement *j)
{
  told_violation told;
  bool first = true;
  add_text(text, ">\n      <failure");
  for (int i = 0; i < ANY_RULE_COUNT; i++) {
    if (!tell_violation(j, i, &told)) continue;
    if (first) {
      add_attribute(text, "type", told.rule->id);
      add_attribute(text, "message", told.message);
      add_text(text, ">");
    }
    first = false;
    add_format(text, "%s: ", told.rule->id);
    add_xml(text, told.message);
    add_text(text, "\n");
    free(told.message);
  }
  add_text(text, "</failure>\n    </testcase>\n");
}

static void add_error(cli_text *text, const cli_problem *problem)
{
  add_text(text, ">\n      <error");
  add_attribute(text, "type", problem->kind);
  add_attribute(text, "message", problem->error.message);
  add_text(text, ">");
  add_xml(text, problem->error.where);
  add_text(text, "</error>\n    </testcase>\n");
}

static bool has_room(cli_junit *junit, cli_verdict verdict)
{
  if (verdict == VERDICT_VALID || junit->failures + junit->errors < MOST_RESULTS) return true;
  junit->left_out++;
  return false;
}

void junit_add(cli_junit *junit, const cli_judgement *j)
{
  if (!has_room(junit, j->verdict)) return;
  char number[32];
  snprintf(number, sizeof number, "line %lld", (long long)j->input->line);
  add_text(&junit->cases, "    <testcase");
  add_attribute(&junit->cases, "classname", j->input->file);
  add_attribute(&junit->cases, "name", j->input->place ? j->input->place : j->input->line ? number : "tensor");
  junit->tests++;
  junit->failures += j->verdict == VERDICT_INVALID;
  junit->errors += j->verdict == VERDICT_MALFORMED;
  if (j->verdict == VERDICT_VALID)
    add_text(&junit->cases, "/>\n");
  else if (j->verdict == VERDICT_INVALID)
    add_failure(&junit->cases, j);
  else
    add_error(&junit->cases, &j->problem);
}

static void tell_what_is_left_out(cli_junit *junit)
{
  if (!junit->left_out) return;
  add_text(&junit->cases, "    <testcase classname=\"spw check\" name=\"more\">\n");
  add_format(&junit->cases, "      <error type=\"limit\" message=\"%lld more tensors that are not "
             "valid are left out\"></error>\n    </testcase>\n", (long long)junit->left_out);
  junit->tests++;
  junit->errors++;
}

cli_text junit_end(cli_junit *junit)
{
  tell_what_is_left_out(junit);
  cli_text text = new_text();
  add_text(&text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
  add_format(&text, "  <testsuite name=\"spw check\" tests=\"%lld\"", (long long)junit->tests);
  add_format(&text, " failures=\"%lld\" errors=\"%lld\">\n", (long long)junit->failures,
             (long long)junit->errors);
  add_bytes(&text, junit->cases.bytes, junit->cases.size);
  add_text(&text, "  </testsuite>\n</testsuites>\n");
  free(junit->cases.bytes);
  return text;
}
