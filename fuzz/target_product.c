/* SPDX-License-Identifier: Apache-2.0 */
/* Any tensor times a dense one, which is drawn to fit it or nearly so: the product is refused for a reason that is true,
 * or every element has the bits of a plain loop in the order that spec/semantics.def says; the gaps of a strided output,
 * and what lies around the workspace, stay as they are. Operation: which operand is the dense one. Parameters: seeds of
 * what is drawn. */
#include "target.h"

#include "../tests/oracle.h"
#include "../tests/product_attempt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static product_tally tally;
  const fuzz_model *model = fuzz_model_from(data, size);
  if (!model) return 0;
  const spw_tensor *x = fuzz_small_sparse(model, 0);
  if (!x) return 0;
  for (int64_t i = 0; i < 4; i++) {
    dice d = {(uint64_t)fuzz_parameter(model, i, INT64_MAX)};
    const char *const wrong = attempt_product(x, fuzz_operation(model, 2) == 1, &d, &tally);
    if (wrong) fuzz_fail("a product", "%s\n%s", wrong, oracle_describe(x));
  }
  return 0;
}
