/* SPDX-License-Identifier: Apache-2.0 */
/* Any steps of an optimiser are refused for a reason that is true, or give the bits of a second opinion
 * (tests/expected/optimised.h) and change nothing else. Parameters: seeds of what is drawn. */
#include "../harness/target.h"

#include "../../tests/expected/optimised.h"
#include "../../tests/expected/oracle.h"

static void attempt(const fuzz_model *model, const spw_tensor *x, uint64_t seed)
{
  dice d = {seed};
  spw_optimisation how;
  spw_status status;
  bool seen;
  const char *const wrong = attempt_any_steps(x, &d, &how, &status, &seen);
  (void)model;
  if (wrong) fuzz_fail("a step", "optimiser %d: %s\n%s", (int)how.kind, wrong, oracle_describe(x));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_attempt_draws(data, size, attempt);
  return 0;
}
