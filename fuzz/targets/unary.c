/* SPDX-License-Identifier: Apache-2.0 */
/* Any tensor mapped by a function that is drawn, or cast: refused for a reason that is true, or every value is the function's by
 * a second opinion (tests/expected/mapped.h), out of place and in place; buffers that are too short are refused, and what lies
 * around them stays as it is. Parameters: seeds of what is drawn: the function, its scalars and the type of a cast among it. */
#include "../harness/target.h"

#include "../../tests/expected/mapped.h"
#include "../../tests/expected/oracle.h"

static void attempt(const fuzz_model *model, const spw_tensor *x, uint64_t seed)
{
  dice d = {seed};
  spw_unary_request wanted;
  spw_status status;
  bool seen;
  const char *const wrong = attempt_any_unary(x, &d, &wanted, &status, &seen);
  (void)model;
  if (wrong) fuzz_fail("a function of values", "%s: %s\n%s", spw_unary_name(wanted.function), wrong, oracle_describe(x));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_attempt_draws(data, size, attempt);
  return 0;
}
