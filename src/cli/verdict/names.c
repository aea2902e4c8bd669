/* SPDX-License-Identifier: Apache-2.0 */
/* What verdicts and levels are called. */
#include "verdict.h"

#include <string.h>

const char *verdict_name(cli_verdict verdict)
{
  static const char *const names[] = {"valid", "invalid", "malformed"};
  return names[verdict];
}

static const char *const levels[] = {
    [SPW_SHAPE] = "shape", [SPW_STRUCTURE] = "structure", [SPW_CANONICAL] = "canonical"};

const char *level_name(spw_level level)
{
  return levels[level];
}

bool parse_level(const char *name, spw_level *level)
{
  for (int i = SPW_SHAPE; i <= SPW_CANONICAL; i++) {
    if (strcmp(name, levels[i]) != 0) continue;
    *level = (spw_level)i;
    return true;
  }
  return false;
}

const spw_rule_info *any_rule(int number)
{
  return number < SPW_RULE_COUNT ? spw_rule_get((spw_rule)number) : spw_semi_rule_get((spw_semi_rule)(number - SPW_RULE_COUNT));
}

spw_state state_of_rule(const cli_judgement *judgement, int number)
{
  const bool semi = number >= SPW_RULE_COUNT;
  if (semi != (judgement->semi != NULL)) return SPW_NOT_APPLICABLE;
  return semi ? judgement->semi_report.findings[number - SPW_RULE_COUNT].state : judgement->report.findings[number].state;
}
