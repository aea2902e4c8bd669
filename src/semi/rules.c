/* SPDX-License-Identifier: Apache-2.0 */
/* The table of rules: spec/semi.def as data. */
#include "../sparsewright_semi.h"

#include <string.h>

/* The position of every entry in semi.def, to be compared with the public enum. */
enum {
#define SPW_SEMI_RULE(minor, phase, formula, prose, why, fix, torch) POSITION_7_##minor,
#include "../../spec/semi.def"
#undef SPW_SEMI_RULE
  POSITION_COUNT
};

#define SPW_SEMI_RULE(minor, phase, formula, prose, why, fix, torch)                               \
  _Static_assert((int)SPW_SEMI_RULE_7_##minor == (int)POSITION_7_##minor,                         \
                 "rule 7." #minor " is out of order in spec/semi.def");
#include "../../spec/semi.def"
#undef SPW_SEMI_RULE
_Static_assert((int)SPW_SEMI_RULE_COUNT == (int)POSITION_COUNT, "spec/semi.def lacks a rule");

static const spw_rule_info rules[SPW_SEMI_RULE_COUNT] = {
#define SPW_SEMI_RULE(minor, phase, formula, prose, why, fix, torch) {"7." #minor, phase, 0, formula, prose, why, fix, torch, ""},
#include "../../spec/semi.def"
#undef SPW_SEMI_RULE
};

const spw_rule_info *spw_semi_rule_get(spw_semi_rule rule)
{
  const int n = (int)rule; /* the enum's own type may be unsigned */
  return n < 0 || n >= (int)SPW_SEMI_RULE_COUNT ? NULL : &rules[n];
}

spw_semi_rule spw_semi_rule_from_id(const char *id)
{
  for (int n = 0; id && n < (int)SPW_SEMI_RULE_COUNT; n++)
    if (strcmp(rules[n].id, id) == 0) return (spw_semi_rule)n;
  return SPW_SEMI_RULE_NONE;
}
