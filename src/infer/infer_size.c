/* SPDX-License-Identifier: Apache-2.0 */
/* The size that a tensor's members imply. What is asked of a tensor without a size is proved
 * (src/check/infer/infer_size.c); here a size that there is is laid aside. */
#include "../check/infer/missing_size.h"

spw_status spw_infer_size(const spw_tensor *tensor, int64_t *size, int64_t capacity, int64_t *ndim)
{
  if (tensor == NULL || !tensor->has_size) return spw_infer_missing_size(tensor, size, capacity, ndim);
  spw_tensor unsized = *tensor;
  unsized.has_size = false;
  return spw_infer_missing_size(&unsized, size, capacity, ndim);
}
