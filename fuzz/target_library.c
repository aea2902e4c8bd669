/* SPDX-License-Identifier: Apache-2.0 */
/* Somebody's library: it accepts what is valid, survives the use of whatever it accepts, and what it converts means what it
 * meant. FUZZ_LENIENT in the environment: it may reject valid tensors, and accept invalid ones as long as it survives. */
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

__attribute__((weak)) fuzz_answer fuzz_library_convert(const spw_tensor *tensor, spw_tensor *result, spw_zeros *zeros)
{
  (void)tensor, (void)result, (void)zeros;
  return FUZZ_UNSUPPORTED;
}

/* Bytes of a bool but 0 and 1 are no value to a compiler. */
static bool has_odd_bools(const spw_tensor *t)
{
  const spw_array *const v = &t->values.array;
  for (int64_t k = 0; v->dtype == SPW_BOOL && k < v->length; k++)
    if (((const uint8_t *)t->values.data)[k] > 1) return true;
  return false;
}

/* What the certifier does not take, as COO out of order, is not judged. */
static void convert(const spw_tensor *t)
{
  spw_tensor result = {.coalesced = SPW_CLAIM_NONE};
  spw_zeros zeros = SPW_ZEROS_KEPT;
  spw_refusal refusal;
  bool same = false;
  const fuzz_answer answer = fuzz_library_convert(t, &result, &zeros);
  if (answer == FUZZ_UNSUPPORTED) return;
  if (answer == FUZZ_REJECTS) fuzz_fail("the library does not convert a valid tensor", "%s", oracle_describe(t));
  const spw_status status = spw_certify(t, &result, zeros, &same, &refusal);
  if (status == SPW_EINVALID)
    fuzz_fail("the library converts to an invalid tensor", "rule %s\n%s", spw_rule_get(refusal.violation.rule)->id,
              oracle_describe(t));
  if (status == SPW_EINVAL || status == SPW_EOVERFLOW) fuzz_fail("the library converts to no tensor", "%s", oracle_describe(t));
  if (status == SPW_OK && !same) fuzz_fail("the library converts to another tensor", "%s", oracle_describe(t));
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
  if (valid && answer == FUZZ_ACCEPTS && !has_odd_bools(&t->tensor)) convert(&t->tensor);
  const bool lenient = getenv("FUZZ_LENIENT") != NULL;
  if (!lenient && valid && answer == FUZZ_REJECTS)
    fuzz_fail("the library rejects a valid tensor", "%s", oracle_describe(&t->tensor));
  if (!lenient && !valid && answer == FUZZ_ACCEPTS)
    fuzz_fail("the library accepts an invalid tensor", "%s", oracle_describe(&t->tensor));
  return 0;
}
