/* SPDX-License-Identifier: Apache-2.0 */
/* JUnit XML: one test case a tensor; a violation is a failure, an unreadable file an error. */
#include "cli.h"

#include <stdlib.h>

cli_junit junit_begin(void)
{
  return (cli_junit){0};
}

static void put_attribute(FILE *out, const char *name, const char *text)
{
  fprintf(out, " %s=\"", name);
  put_xml(out, text);
  fputc('"', out);
}

static const spw_finding *first_violated(const cli_judgement *j)
{
  for (int i = 0; i < SPW_RULE_COUNT; i++)
    if (j->report.findings[i].state == SPW_VIOLATED) return &j->report.findings[i];
  return NULL;
}

static void put_failure(FILE *out, const cli_judgement *j)
{
  const spw_finding *first = first_violated(j);
  char *message = violation_message(j, &first->first);
  fputs(">\n      <failure", out);
  put_attribute(out, "type", spw_rule_get(first->first.rule)->id);
  put_attribute(out, "message", message);
  fputc('>', out);
  free(message);
  for (int i = 0; i < SPW_RULE_COUNT; i++) {
    if (j->report.findings[i].state != SPW_VIOLATED) continue;
    message = violation_message(j, &j->report.findings[i].first);
    fprintf(out, "%s: ", spw_rule_get((spw_rule)i)->id);
    put_xml(out, message);
    fputc('\n', out);
    free(message);
  }
  fputs("</failure>\n    </testcase>\n", out);
}

static void put_error(FILE *out, const cli_problem *problem)
{
  fputs(">\n      <error", out);
  put_attribute(out, "type", problem->kind);
  put_attribute(out, "message", problem->error.message);
  fputc('>', out);
  put_xml(out, problem->error.where);
  fputs("</error>\n    </testcase>\n", out);
}

void junit_add(cli_junit *junit, const cli_judgement *j)
{
  if (!junit->cases) junit->cases = open_memstream(&junit->text, &junit->length);
  if (!junit->cases) return;
  char number[32];
  snprintf(number, sizeof number, "line %lld", (long long)j->input->line);
  fputs("    <testcase", junit->cases);
  put_attribute(junit->cases, "classname", j->input->file);
  put_attribute(junit->cases, "name", j->input->line ? number : "tensor");
  junit->tests++;
  junit->failures += j->verdict == VERDICT_INVALID;
  junit->errors += j->verdict == VERDICT_MALFORMED;
  if (j->verdict == VERDICT_VALID)
    fputs("/>\n", junit->cases);
  else if (j->verdict == VERDICT_INVALID)
    put_failure(junit->cases, j);
  else
    put_error(junit->cases, &j->problem);
}

bool junit_write(cli_junit *junit, const char *path)
{
  if (!junit->cases || fclose(junit->cases) != 0) return false;
  FILE *out = fopen(path, "w");
  bool ok = out != NULL;
  if (ok) {
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", out);
    fprintf(out, "  <testsuite name=\"spw check\" tests=\"%lld\"", (long long)junit->tests);
    fprintf(out, " failures=\"%lld\" errors=\"%lld\">\n",
            (long long)junit->failures, (long long)junit->errors);
    fwrite(junit->text, 1, junit->length, out);
    fputs("  </testsuite>\n</testsuites>\n", out);
    ok = !ferror(out);
    ok = fclose(out) == 0 && ok;
  }
  free(junit->text);
  return ok;
}
