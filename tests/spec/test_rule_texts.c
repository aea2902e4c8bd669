/* SPDX-License-Identifier: Apache-2.0 */
/* The table of rules: complete, well-formed, found by id, and each rule about the right layouts. */
#include <criterion/criterion.h>
#include <string.h>

#include "../../src/sparsewright.h"

static bool is_printable_ascii(const char *text)
{
  for (; *text; text++)
    if (*text < ' ' || *text > '~') return false;
  return true;
}

static void check_text(const char *id, const char *text, bool may_be_empty)
{
  cr_expect(text && is_printable_ascii(text), "%s: \"%s\"", id, text);
  cr_expect(may_be_empty || *text, "%s lacks a text", id);
}

Test(rule_texts, are_complete_lines_of_ascii)
{
  for (int n = 0; n < (int)SPW_RULE_COUNT; n++) {
    const spw_rule_info *rule = spw_rule_get((spw_rule)n);
    cr_assert(rule && rule->id);
    check_text(rule->id, rule->formula, false);
    check_text(rule->id, rule->prose, false);
    check_text(rule->id, rule->why, false);
    check_text(rule->id, rule->fix, false);
    check_text(rule->id, rule->torch, true);
    check_text(rule->id, rule->scipy, true);
    cr_expect(strlen(rule->fix) <= 90, "%s: the fix is longer than a line", rule->id);
  }
}

Test(rule_texts, are_found_by_their_exact_id_only)
{
  for (int n = 0; n < (int)SPW_RULE_COUNT; n++)
    cr_expect((int)spw_rule_from_id(spw_rule_get((spw_rule)n)->id) == n);
  cr_expect(spw_rule_from_id("5.3") == SPW_RULE_5_3 && spw_rule_from_id("3.14") == SPW_RULE_3_14);
  const char *const others[] = {"",     "5",    "5.",   "5.30", "05.3",
                                "5.3 ", " 5.3", "3.99", "7.1",  "5,3"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    cr_expect(spw_rule_from_id(others[i]) == SPW_RULE_NONE, "\"%s\"", others[i]);
  cr_expect(spw_rule_from_id(NULL) == SPW_RULE_NONE);
  cr_expect(spw_rule_get(SPW_RULE_NONE) == NULL && spw_rule_get(SPW_RULE_COUNT) == NULL);
}

/* The ids of the rules that a mask of layouts or a phase selects, separated by blanks. */
static void expect_rules(unsigned layouts, unsigned phases, const char *expected)
{
  char ids[256] = "";
  for (int n = 0; n < (int)SPW_RULE_COUNT; n++) {
    const spw_rule_info *rule = spw_rule_get((spw_rule)n);
    if (!(rule->layouts & layouts) || !(1u << rule->phase & phases)) continue;
    if (*ids) strcat(ids, " ");
    strcat(ids, rule->id);
  }
  cr_expect(strcmp(ids, expected) == 0, "expected %s, got %s", expected, ids);
}

Test(rule_texts, name_layouts_and_phases)
{
  const unsigned coo = 1u << SPW_COO, csr = 1u << SPW_CSR, csc = 1u << SPW_CSC;
  const unsigned bsr = 1u << SPW_BSR, bsc = 1u << SPW_BSC;
  const unsigned shape = 1u << SPW_SHAPE, structure = 1u << SPW_STRUCTURE;
  const unsigned canonical = 1u << SPW_CANONICAL;
  const char *const plain_shape =
      "1.1 1.2 1.3 1.4 1.5 1.6 2.1 2.2 2.3 2.4 3.1 3.2 3.3"
      " 3.4 3.5 3.6 3.7 3.8 3.9 3.10 3.11 3.12 3.14 4.1 4.2 4.3 4.4";
  const char *const block_shape =
      "1.1 1.2 1.3 1.4 1.5 1.6 2.1 2.2 2.3 2.4 3.1 3.2 3.3"
      " 3.4 3.5 3.6 3.7 3.8 3.9 3.10 3.11 3.12 3.13 3.14 4.1 4.2 4.3 4.4";
  expect_rules(csr, shape, plain_shape);
  expect_rules(csc, shape, plain_shape);
  expect_rules(bsr, shape, block_shape);
  expect_rules(bsc, shape, block_shape);
  expect_rules(coo, shape, "1.3 1.4 1.5 1.6 2.1 2.2 2.3 2.4 3.11 3.12 3.14 4.1 4.2 4.3 4.4"
                           " 6.1 6.2 6.3 6.4");
  const unsigned compressed[] = {csr, csc, bsr, bsc};
  for (int i = 0; i < 4; i++) {
    expect_rules(compressed[i], structure, "5.1 5.2 5.3 5.4 5.5");
    expect_rules(compressed[i], canonical, "5.6");
  }
  expect_rules(coo, structure, "6.5 6.6");
  expect_rules(coo, canonical, "6.7");
  expect_rules(~(coo | csr | csc | bsr | bsc), shape | structure | canonical, "");
}
