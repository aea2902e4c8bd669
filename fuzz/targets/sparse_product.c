/* SPDX-License-Identifier: Apache-2.0 */
/* Any tensor times a sparse one, which is drawn to fit it or nearly so, or the product of two dense ones at its positions: it
 * is refused for a reason that is true, or every position and every bit is that of a plain loop; buffers that are too short are
 * refused and what lies around them stays as it is. Operation: which of the two. Parameters: seeds of what is drawn. */
#include "../harness/target.h"

#include "../../tests/expected/oracle.h"
#include "../../tests/attempts/sampled_attempt.h"
#include "../../tests/attempts/sparse_product_attempt.h"

static void attempt(const fuzz_model *model, const spw_tensor *x, uint64_t seed)
{
  static sparse_product_tally products;
  static sampled_tally sampled;
  dice d = {seed};
  const bool at_positions = fuzz_operation(model, 2) == 1;
  const char *const wrong = at_positions ? attempt_sampled(x, &d, &sampled) : attempt_sparse_product(x, &d, &products);
  if (wrong) fuzz_fail(at_positions ? "a sampled product" : "a sparse product", "%s\n%s", wrong, oracle_describe(x));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_attempt_draws(data, size, attempt);
  return 0;
}
