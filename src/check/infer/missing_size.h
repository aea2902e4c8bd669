/* SPDX-License-Identifier: Apache-2.0 */
/* The size of a tensor that has none, for callers; its contract is in infer_size.c. */
#ifndef SPW_CHECK_INFER_MISSING_SIZE_H
#define SPW_CHECK_INFER_MISSING_SIZE_H

#include "../../sparsewright_core.h"

/* As spw_infer_size, of a tensor without a size. */
spw_status spw_infer_missing_size(const spw_tensor *tensor, int64_t *size, int64_t capacity, int64_t *ndim);

#endif
