/* SPDX-License-Identifier: Apache-2.0 */
/* Any softmax is refused for a reason that is true, or has the pattern of its operand and the bits of a second opinion
 * (tests/expected/softmaxed.h); what lies around the buffers stays as it is. Parameters: seeds of what is drawn. */
#include "../harness/target.h"

#include "../../tests/expected/oracle.h"
#include "../../tests/expected/softmaxed.h"

static void attempt(const fuzz_model *model, const spw_tensor *x, uint64_t seed)
{
  dice d = {seed};
  spw_softmax_request wanted;
  spw_status status;
  bool seen;
  const char *const wrong = attempt_any_softmax(x, &d, &wanted, &status, &seen);
  (void)model;
  if (wrong) fuzz_fail("a softmax", "dimension %lld%s: %s\n%s", (long long)wanted.dim, wanted.logarithm ? ", log" : "", wrong,
                       oracle_describe(x));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_attempt_draws(data, size, attempt);
  return 0;
}
