/* SPDX-License-Identifier: Apache-2.0 */
/* Products with dense operands against a second opinion (product_expected.h): random tensors of every layout, random
 * strides on all sides; and what must be refused. */
#include "../support/memory.h"
#include "../operands/operand.h"
#include "../attempts/product_attempt.h"

#include <criterion/criterion.h>

Test(multiply, random_products, .timeout = 200)
{
  static operand o;
  static product_tally t;
  const uint64_t seeds = SANITIZED ? 6000 : 30000;
  for (uint64_t seed = 0; seed < seeds; seed++) {
    dice d = {seed};
    operand_random(&o, seed % 30 != 0, &d);
    const bool from_left = roll_below(&d, 3) == 0;
    const char *const wrong = o.tensor.layout == SPW_DENSE ? NULL : attempt_product(&o.tensor, from_left, &d, &t);
    if (wrong) cr_assert(false, "seed %llu, layout %d: %s", (unsigned long long)seed, (int)o.tensor.layout, wrong);
    operand_free(&o);
  }
  cr_assert(t.results > (int64_t)seeds / 5 && t.worked > (int64_t)seeds / 10, "%lld %lld", (long long)t.results,
            (long long)t.worked);
  for (int layout = 0; layout < PRODUCT_LAYOUTS; layout++)
    cr_assert(t.by_layout[layout][0] > 50 && t.by_layout[layout][1] > 20, "layout %d", layout);
  for (int type = SPW_BOOL; type < SPW_DTYPE_COUNT; type++) cr_assert(t.by_type[type] > 20, "type %d", type);
  const spw_obstacle met[] = {SPW_OBSTACLE_DIMENSIONS, SPW_OBSTACLE_SHAPES, SPW_OBSTACLE_TYPES, SPW_OBSTACLE_HYBRID,
                              SPW_OBSTACLE_NO_SIZE};
  for (int i = 0; i < 5; i++) cr_assert(t.obstacles[met[i]] > 10, "obstacle %d", (int)met[i]);
  cr_assert(t.invalid > 10);
  cr_assert(t.prepared > (int64_t)seeds / 60, "%lld", (long long)t.prepared);
  cr_assert(t.judged > (int64_t)seeds / 60, "%lld", (long long)t.judged);
}
