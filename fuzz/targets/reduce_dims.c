/* SPDX-License-Identifier: Apache-2.0 */
/* Any tensor reduced over any dimensions: it is refused for a reason that is true, or has the positions and bits of a second
 * opinion (tests/expected/reduced_dims.h); buffers that are too short are refused, and what lies around them stays as it is.
 * Parameters: seeds of what is drawn, the kind and the dimensions among it. */
#include "../harness/target.h"

#include "../../tests/expected/oracle.h"
#include "../../tests/expected/reduced_dims.h"

static void attempt(const fuzz_model *model, const spw_tensor *x, uint64_t seed)
{
  dice d = {seed};
  spw_dims_kind kind;
  spw_status status;
  bool seen;
  char words[200];
  const char *wrong = attempt_any_dims_reduction(x, &d, &kind, words, &status, &seen);
  (void)model;
  if (wrong) fuzz_fail("a reduction over dimensions", "%s: %s\n%s", words, wrong, oracle_describe(x));
  wrong = attempt_nonzero(x, &status, &seen);
  if (wrong) fuzz_fail("positions of what is not 0", "%s\n%s", wrong, oracle_describe(x));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_attempt_draws(data, size, attempt);
  return 0;
}
