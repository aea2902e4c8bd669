/* SPDX-License-Identifier: Apache-2.0 */
/* Any tensor reduced: its rows, its columns or whole matrices, or the products of its rows with a dense operand that is drawn to
 * fit it or nearly so. It is refused for a reason that is true, or every number has the bits of a second opinion
 * (tests/expected/reduced.h); buffers that are too short are refused, and what lies around them stays as it is. Parameters: seeds
 * of what is drawn, the kind and the span among it. */
#include "../harness/target.h"

#include "../../tests/expected/oracle.h"
#include "../../tests/expected/reduced.h"

static void attempt(const fuzz_model *model, const spw_tensor *x, uint64_t seed)
{
  dice d = {seed};
  spw_reduction wanted;
  spw_status status;
  bool dense, seen;
  const char *const wrong = attempt_any_reduction(x, &d, &wanted, &dense, &status, &seen);
  (void)model;
  if (wrong) fuzz_fail("a reduction", "kind %d, span %d%s: %s\n%s", (int)wanted.kind, (int)wanted.span,
                       dense ? ", with a dense operand" : "", wrong, oracle_describe(x));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_attempt_draws(data, size, attempt);
  return 0;
}
