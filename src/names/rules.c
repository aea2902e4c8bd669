/* SPDX-License-Identifier: Apache-2.0 */
/* The table of rules: spec/rules.def as data. */
#include "../sparsewright.h"

#include <string.h>

#define SPW_ON_COO (1u << SPW_COO)
#define SPW_ON_BLOCKED (1u << SPW_BSR | 1u << SPW_BSC)
#define SPW_ON_COMPRESSED (1u << SPW_CSR | 1u << SPW_CSC | SPW_ON_BLOCKED)
#define SPW_ON_ALL (SPW_ON_COO | SPW_ON_COMPRESSED)

/* The position of every entry in rules.def, to be compared with the public enum. */
enum {
#define SPW_RULE(major, minor, phase, layouts, formula, prose, why, fix, torch, scipy)             \
  POSITION_##major##_##minor,
#include "../../spec/rules.def"
#undef SPW_RULE
  POSITION_COUNT
};

#define SPW_RULE(major, minor, phase, layouts, formula, prose, why, fix, torch, scipy)             \
  _Static_assert((int)SPW_RULE_##major##_##minor == (int)POSITION_##major##_##minor,              \
                 "rule " #major "." #minor " is out of order in spec/rules.def");
#include "../../spec/rules.def"
#undef SPW_RULE
_Static_assert((int)SPW_RULE_COUNT == (int)POSITION_COUNT, "spec/rules.def lacks a rule");

static const spw_rule_info rules[SPW_RULE_COUNT] = {
#define SPW_RULE(major, minor, phase, layouts, formula, prose, why, fix, torch, scipy)             \
  {#major "." #minor, phase, layouts, formula, prose, why, fix, torch, scipy},
#include "../../spec/rules.def"
#undef SPW_RULE
};

const spw_rule_info *spw_rule_get(spw_rule rule)
{
  const int n = (int)rule; /* the enum's own type may be unsigned */
  if (n < 0 || n >= (int)SPW_RULE_COUNT) return NULL;
  return &rules[n];
}

spw_rule spw_rule_from_id(const char *id)
{
  if (!id) return SPW_RULE_NONE;
  for (int n = 0; n < (int)SPW_RULE_COUNT; n++)
    if (strcmp(rules[n].id, id) == 0) return (spw_rule)n;
  return SPW_RULE_NONE;
}
