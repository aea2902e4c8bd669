/* SPDX-License-Identifier: Apache-2.0 */
/* Products of two sparse tensors against a second opinion (sparse_product_expected.h): random ones of every layout, and what
 * must be refused. */
#include "../support/memory.h"
#include "../operands/operand.h"
#include "../attempts/sparse_product_attempt.h"

#include <criterion/criterion.h>

Test(multiply_sparse, random_products, .timeout = 300)
{
  static operand o;
  static sparse_product_tally t;
  const uint64_t seeds = SANITIZED ? 6000 : 30000;
  for (uint64_t seed = 0; seed < seeds; seed++) {
    dice d = {seed};
    operand_random_sparse(&o, seed % 30 != 0, &d);
    const char *const wrong = attempt_sparse_product(&o.tensor, &d, &t);
    if (wrong) cr_assert(false, "seed %llu, layout %d: %s", (unsigned long long)seed, (int)o.tensor.layout, wrong);
    operand_free(&o);
  }
  const int64_t some = (int64_t)seeds / 300;
  cr_assert(t.judged > some / 2, "%lld", (long long)t.judged);
  cr_assert(t.results > 10 * some && t.converted > some && t.batched > some && t.long_rows > some && t.too_short > 40 * some,
            "%lld %lld %lld %lld %lld", (long long)t.results, (long long)t.converted, (long long)t.batched,
            (long long)t.long_rows, (long long)t.too_short);
  for (int layout = 0; layout < SPW_LAYOUT_COUNT; layout++) cr_assert(t.by_layout[layout] > 5, "layout %d", layout);
  for (int type = SPW_BOOL; type < SPW_DTYPE_COUNT; type++) cr_assert(t.by_type[type] > 5, "type %d", type);
  const spw_obstacle met[] = {SPW_OBSTACLE_SHAPES, SPW_OBSTACLE_TYPES, SPW_OBSTACLE_HYBRID, SPW_OBSTACLE_LAYOUT,
                              SPW_OBSTACLE_BATCHES};
  for (int i = 0; i < 5; i++) cr_assert(t.obstacles[met[i]] > 5, "obstacle %d", (int)met[i]);
  cr_assert(t.invalid > 5);
}
