/* SPDX-License-Identifier: Apache-2.0 */
/* Somebody's library: it accepts what is valid, and survives the use of whatever it accepts.
 * FUZZ_LENIENT in the environment: it may reject valid tensors, and accept invalid ones as long as
 * it survives. */
#include "library.h"
#include "target.h"

#include "../tests/oracle.h"

#include <stdlib.h>

enum { WORK = 3000, LARGEST = 1 << 12 };

static bool is_small(const spw_tensor *x)
{
  for (int64_t d = 0; x->has_size && d < x->ndim; d++)
    if (x->size[d] > LARGEST) return false;
  return fuzz_volume(x) <= WORK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  bool valid;
  const fuzz_model *model = fuzz_model_from(data, size);
  if (!model) return 0;
  const fuzz_tensor *t = fuzz_tensor_from(model, 0, WORK);
  if (!t || !t->has_values || !is_small(&t->tensor)) return 0;
  if (spw_is_valid(&t->tensor, SPW_CANONICAL, &valid) != SPW_OK) return 0;
  const fuzz_answer answer = fuzz_library_check(&t->tensor);
  if (answer == FUZZ_UNSUPPORTED) return 0;
  if (answer == FUZZ_ACCEPTS) fuzz_library_use(&t->tensor);
  const bool lenient = getenv("FUZZ_LENIENT") != NULL;
  if (!lenient && valid && answer == FUZZ_REJECTS)
    fuzz_fail("the library rejects a valid tensor", "%s", oracle_describe(&t->tensor));
  if (!lenient && !valid && answer == FUZZ_ACCEPTS)
    fuzz_fail("the library accepts an invalid tensor", "%s", oracle_describe(&t->tensor));
  return 0;
}
