/* SPDX-License-Identifier: Apache-2.0 */
/* The checker says what is true by construction, and what the brute-force oracle says. Parameter 0:
 * the level. */
#include "../harness/target.h"
#include "../inputs/violations.h"

#include "../../tests/expected/oracle.h"

#include <stdlib.h>
#include <string.h>

enum { WORK = 20000 };

/* A valid tensor with at most one named violation; false where nothing is known of it. */
static bool expect_truth(const fuzz_model *model)
{
  static fuzz_tensor t;
  spw_report report;
  const fuzz_built *b = &model->operand[0].built;
  fuzz_build(model, 0, &t);
  const fuzz_truth truth = fuzz_violate(&t.specimen, &b->plan, b->violation, b->where, b->amount);
  const spw_tensor *x = &t.specimen.tensor;
  if (spw_check(x, SPW_CANONICAL, &report) != SPW_OK) fuzz_fail("spw_check refuses", "built");
  const char *wrong = fuzz_contradiction(&truth, x, &report);
  if (wrong)
    fuzz_fail("not what is true by construction", "violation %d: %s\n%s",
              (int)(b->violation % FUZZ_VIOLATIONS), wrong, oracle_describe(x));
  return truth.known;
}

static void expect_oracle(const spw_tensor *x, spw_level level, const spw_report *report)
{
  spw_report expected;
  if (!oracle_check(x, level, &expected)) return;
  const char *difference = oracle_difference(&expected, report);
  if (difference)
    fuzz_fail("not what the oracle says", "level %d: %s\n%s", (int)level, difference,
              oracle_describe(x));
}

static void expect_first(const spw_tensor *x, spw_level level, const spw_report *report)
{
  spw_violation first;
  if (spw_first_violation(x, level, &first) != SPW_OK)
    fuzz_fail("spw_first_violation refuses", "see the input");
  const spw_violation wanted = oracle_first_violation(report);
  if (first.rule != wanted.rule ||
      (first.rule != SPW_RULE_NONE &&
       (first.batch != wanted.batch || first.position != wanted.position)))
    fuzz_fail("spw_first_violation is not spw_check", "%s", oracle_describe(x));
}

/* The sentence about the first violation, in a buffer that holds it and in one that is a byte short: the sanitizer sees more. */
static void expect_sentence(const spw_tensor *x, const spw_report *report)
{
  const spw_violation first = oracle_first_violation(report);
  const size_t needed = first.rule == SPW_RULE_NONE ? 0 : spw_violation_text(x, &first, NULL, 0);
  for (size_t length = needed; needed && length <= needed + 1; length++) {
    char *const text = malloc(length);
    if (!text) return;
    if (spw_violation_text(x, &first, text, length) != needed || strlen(text) != length - 1)
      fuzz_fail("a sentence of another length", "%zu bytes: %s\n%s", length, text, oracle_describe(x));
    free(text);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  spw_report report;
  const fuzz_model *model = fuzz_model_from(data, size);
  if (!model) return 0;
  const spw_level level = fuzz_level(model);
  const bool is_built = model->operand[0].kind == FUZZ_BUILT;
  const bool is_known = is_built && expect_truth(model);
  if (is_known && model->operand[0].built.changes == 0 && level == SPW_CANONICAL) return 0;
  const fuzz_tensor *t = fuzz_indices_from(model, 0, WORK);
  if (!t) return 0;
  const spw_status status = spw_check(&t->tensor, level, &report);
  if (status == SPW_EOVERFLOW) return 0;
  if (status != SPW_OK) fuzz_fail("spw_check refuses", "%s", oracle_describe(&t->tensor));
  expect_oracle(&t->tensor, level, &report);
  expect_first(&t->tensor, level, &report);
  expect_sentence(&t->tensor, &report);
  return 0;
}
