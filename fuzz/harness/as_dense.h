/* SPDX-License-Identifier: Apache-2.0 */
/* A dense array of a tensor's elements. In a header, so that only targets that convert are linked with conversions. */
#ifndef FUZZ_AS_DENSE_H
#define FUZZ_AS_DENSE_H

#include "../../src/sparsewright.h"

/* Null where it is not made within so many bytes. */
static inline spw_owned *fuzz_as_dense(const spw_tensor *t, size_t limit)
{
  const spw_conversion w = {.layout = SPW_DENSE, .batch_dims = -1, .dense_dims = -1};
  spw_owned *owned = NULL;
  return spw_convert_new(t, &w, limit, &owned, NULL) == SPW_OK ? owned : NULL;
}

#endif
