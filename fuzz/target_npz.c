/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a .npz file. */
#include "mutator.h"

const fuzz_format *fuzz_input_format(void)
{
  return &fuzz_formats[FUZZ_NPZ];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  (void)fuzz_try_reader(fuzz_input_format(), data, size);
  return 0;
}
