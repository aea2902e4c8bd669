/* SPDX-License-Identifier: Apache-2.0 */
/* SARIF 2.1.0: violations as results, unreadable and malformed files as notifications. */
#include "report.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

cli_sarif sarif_begin(void)
{
  return (cli_sarif){json_array(), json_array(), 0};
}

static json_t *message_object(const char *text)
{
  json_t *message = json_object();
  json_object_set_new(message, "text", json_text(text));
  return message;
}

/* A file name as a relative reference, or a file: URI when it is absolute. */
static json_t *uri(const char *file)
{
  char *text = allocate(3 * strlen(file) + 8, 1);
  char *to = text + sprintf(text, "%s", file[0] == '/' ? "file://" : "");
  for (; *file; file++) {
    const unsigned char byte = (unsigned char)*file;
    if (isalnum(byte) || strchr("-._~/", byte))
      *to++ = *file;
    else
      to += sprintf(to, "%%%02X", byte);
  }
  json_t *value = json_text(text);
  free(text);
  return value;
}

/* line: 0 where there is none. */
static json_t *locations(const cli_input *input, long long line)
{
  json_t *artifact = json_object(), *physical = json_object(), *location = json_object();
  json_object_set_new(artifact, "uri", uri(input->file));
  json_object_set_new(physical, "artifactLocation", artifact);
  if (line) {
    json_t *region = json_object();
    json_object_set_new(region, "startLine", json_integer(line));
    json_object_set_new(physical, "region", region);
  }
  json_object_set_new(location, "physicalLocation", physical);
  json_t *list = json_array();
  json_array_append_new(list, location);
  return list;
}

static uint64_t hash(uint64_t state, const char *text)
{
  const uint64_t prime = UINT64_C(1099511628211);
  for (; *text; text++) state = (state ^ (unsigned char)*text) * prime;
  return state * prime;
}

/* The same for the same rule about the same array of the same tensor, wherever inside it. */
static json_t *fingerprints(const cli_judgement *j, const char *rule, const char *member)
{
  char line[32], text[32];
  snprintf(line, sizeof line, "%lld", (long long)j->input->line);
  uint64_t state = hash(UINT64_C(14695981039346656037), j->input->file);
  state = hash(hash(hash(state, j->input->place ? j->input->place : line), rule), member ? member : "");
  snprintf(text, sizeof text, "%016llx", (unsigned long long)state);
  json_t *value = json_object();
  json_object_set_new(value, "spwTensorRuleArray/v1", json_text(text));
  return value;
}

static json_t *rule_id(const spw_rule_info *rule)
{
  char id[32];
  snprintf(id, sizeof id, "SPW-%s", rule->id);
  return json_text(id);
}

static void add_result(cli_sarif *sarif, const cli_judgement *j, int number, const told_violation *told)
{
  json_t *result = json_object();
  json_object_set_new(result, "ruleId", rule_id(told->rule));
  json_object_set_new(result, "ruleIndex", json_integer(number));
  json_object_set_new(result, "level", json_text("error"));
  json_object_set_new(result, "message", message_object(told->message));
  /* A file that is one tensor begins in its first line: without a region, viewers show no place. */
  json_object_set_new(result, "locations", locations(j->input, j->input->line ? j->input->line : 1));
  json_object_set_new(result, "partialFingerprints", fingerprints(j, told->rule->id, told->member));
  json_array_append_new(sarif->results, result);
}

static json_t *add_notification(cli_sarif *sarif, const char *text)
{
  json_t *notification = json_object();
  json_object_set_new(notification, "level", json_text("error"));
  json_object_set_new(notification, "message", message_object(text));
  json_array_append_new(sarif->notifications, notification);
  return notification;
}

static void add_problem(cli_sarif *sarif, const cli_judgement *j)
{
  const cli_problem *problem = &j->problem;
  char text[512];
  snprintf(text, sizeof text, "%s: %s%s%s", problem->kind, problem->error.where,
           problem->error.where[0] ? ": " : "", problem->error.message);
  json_object_set_new(add_notification(sarif, text), "locations", locations(j->input, j->input->line));
}

static bool has_room(cli_sarif *sarif)
{
  const size_t kept = json_array_size(sarif->results) + json_array_size(sarif->notifications);
  sarif->left_out += kept >= MOST_RESULTS;
  return kept < MOST_RESULTS;
}

void sarif_add(cli_sarif *sarif, const cli_judgement *j)
{
  if (j->verdict == VERDICT_MALFORMED && has_room(sarif)) add_problem(sarif, j);
  told_violation told;
  for (int i = 0; i < ANY_RULE_COUNT; i++)
    if (tell_violation(j, i, &told)) {
      if (has_room(sarif)) add_result(sarif, j, i, &told);
      free(told.message);
    }
}

static void tell_what_is_left_out(cli_sarif *sarif)
{
  if (!sarif->left_out) return;
  char text[64];
  snprintf(text, sizeof text, "%lld more results are left out", (long long)sarif->left_out);
  add_notification(sarif, text);
}

static json_t *rule_descriptions(void)
{
  json_t *rules = json_array();
  for (int i = 0; i < ANY_RULE_COUNT; i++) {
    const spw_rule_info *info = any_rule(i);
    char help[4096];
    snprintf(help, sizeof help, "%s\n\nFix: %s", info->why, info->fix);
    json_t *rule = json_object();
    json_object_set_new(rule, "id", rule_id(info));
    json_object_set_new(rule, "shortDescription", message_object(info->formula));
    json_object_set_new(rule, "fullDescription", message_object(info->prose));
    json_object_set_new(rule, "help", message_object(help));
    json_array_append_new(rules, rule);
  }
  return rules;
}

static json_t *tool(void)
{
  json_t *driver = json_object(), *value = json_object();
  json_object_set_new(driver, "name", json_text("spw"));
  json_object_set_new(driver, "version", json_text(SPW_VERSION));
  json_object_set_new(driver, "rules", rule_descriptions());
  json_object_set_new(value, "driver", driver);
  return value;
}

/* The log: one run, of which one invocation. */
static json_t *sarif_log(cli_sarif *sarif)
{
  json_t *invocation = json_object(), *run = json_object(), *log = json_object();
  json_object_set_new(invocation, "executionSuccessful",
                      json_boolean(json_array_size(sarif->notifications) == 0));
  json_object_set_new(invocation, "toolExecutionNotifications", sarif->notifications);
  json_t *invocations = json_array(), *runs = json_array();
  json_array_append_new(invocations, invocation);
  json_object_set_new(run, "tool", tool());
  json_object_set_new(run, "invocations", invocations);
  json_object_set_new(run, "results", sarif->results);
  json_array_append_new(runs, run);
  json_object_set_new(log, "$schema", json_text("https://json.schemastore.org/sarif-2.1.0.json"));
  json_object_set_new(log, "version", json_text("2.1.0"));
  json_object_set_new(log, "runs", runs);
  return log;
}

cli_text sarif_end(cli_sarif *sarif)
{
  tell_what_is_left_out(sarif);
  json_t *log = sarif_log(sarif);
  cli_text text = new_text();
  add_json(&text, log, JSON_INDENT(2));
  add_text(&text, "\n");
  json_decref(log);
  return text;
}
