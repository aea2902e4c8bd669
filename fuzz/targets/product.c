/* SPDX-License-Identifier: Apache-2.0 */
/* Any tensor times a dense one, which is drawn to fit it or nearly so: the product is refused for a reason that is true,
 * or every element has the bits of a plain loop in the order that spec/semantics.def says; the gaps of a strided output,
 * and what lies around the workspace, stay as they are. Operation: which operand is the dense one. Parameters: seeds of
 * what is drawn. */
#include "../harness/target.h"

#include "../../tests/expected/oracle.h"
#include "../../tests/attempts/product_attempt.h"

static void attempt(const fuzz_model *model, const spw_tensor *x, uint64_t seed)
{
  static product_tally tally;
  dice d = {seed};
  const char *const wrong = attempt_product(x, fuzz_operation(model, 2) == 1, &d, &tally);
  if (wrong) fuzz_fail("a product", "%s\n%s", wrong, oracle_describe(x));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_attempt_draws(data, size, attempt);
  return 0;
}
