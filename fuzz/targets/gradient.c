/* SPDX-License-Identifier: Apache-2.0 */
/* The gradient of any operation is refused for a reason that is true, or is stored where its operand is and holds the adjoint
 * identity in integers (tests/attempts/gradient_attempt.h). Parameters: seeds of what is drawn. */
#include "../harness/target.h"

#include "../../tests/attempts/gradient_attempt.h"
#include "../../tests/expected/oracle.h"

static void attempt(const fuzz_model *model, const spw_tensor *x, uint64_t seed)
{
  dice d = {seed};
  gradient_kind kind;
  spw_status status;
  bool seen;
  const char *const wrong = attempt_any_gradient(x, &d, &kind, &status, &seen);
  (void)model;
  if (wrong) fuzz_fail("a gradient", "operation %d: %s\n%s", (int)kind, wrong, oracle_describe(x));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_attempt_draws(data, size, attempt);
  return 0;
}
