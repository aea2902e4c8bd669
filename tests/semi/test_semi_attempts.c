/* SPDX-License-Identifier: Apache-2.0 */
/* Random 2:4 matrices, and all that can be made of them, as the fuzz target `semi` tries it. */
#include "../attempts/semi_attempt.h"
#include "../operands/specimen.h"
#include "../support/memory.h"

#include <criterion/criterion.h>

static semi_plan some_plan(dice *d)
{
  const int64_t number = roll_below(d, 8);
  semi_plan p = {.type = (int)roll_below(d, 7),
                 .order = (int)roll_below(d, 7),
                 .other = (int)roll_below(d, 7),
                 .rows = roll_below(d, 3),
                 .row_unit = roll_below(d, 4),
                 .columns = roll_below(d, 4),
                 .column_unit = roll_below(d, 4),
                 .most = (int)roll_below(d, 5),
                 .class = (int)roll_below(d, SEMI_CLASSES),
                 .bits = roll_below(d, 2),
                 .side = roll_below(d, 2),
                 .add = roll_below(d, 2),
                 .strides = (int)roll_below(d, 4),
                 .damage = (int)roll_below(d, SEMI_DAMAGES),
                 .where = roll_below(d, 100000),
                 .amount = number == 0 ? roll_extreme(d) : number < 4 ? (int64_t)1 << roll_below(d, 16) : roll_below(d, 9) - 4,
                 .seed = roll(d)};
  /* Many of sizes that the orders have. */
  if (roll_below(d, 2)) p.row_unit = 3, p.column_unit = 3, p.rows = 1 + p.rows % 2, p.columns = 1 + p.columns % 2;
  if (roll_below(d, 2)) p.most = p.type == 6 ? 1 : 2;
  return p;
}

Test(semi_attempts, random)
{
  const int rounds = SANITIZED ? 2000 : 5000;
  int64_t encoded = 0, by_order[7] = {0};
  dice d = {24};
  for (int i = 0; i < rounds; i++) {
    const semi_plan p = some_plan(&d);
    bool fits = false;
    const char *const wrong = attempt_semi(&p, &fits);
    cr_assert_null(wrong, "%d: %s: %s", i, semi_plan_text(&p), wrong);
    encoded += fits;
    by_order[p.order] += fits;
  }
  cr_assert_gt(encoded, rounds / 4, "%lld", (long long)encoded);
  for (int order = 0; order < 7; order++) cr_assert_gt(by_order[order], rounds / 120, "%d", order);
  expect_no_leaks();
}
