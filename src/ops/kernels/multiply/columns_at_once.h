/* SPDX-License-Identifier: Apache-2.0 */
/* How many columns of a product are summed at a time: as many as registers hold, and widths that are known. */
#ifndef SPW_OPS_KERNELS_MULTIPLY_COLUMNS_AT_ONCE_H
#define SPW_OPS_KERNELS_MULTIPLY_COLUMNS_AT_ONCE_H

#include <stdint.h>

/*@ requires left: 0 < left;
    terminates \true; exits \false; assigns \nothing;
    ensures some: 0 < \result <= left && \result <= 16; */
/* level L2 */
static inline int64_t spw_columns_at_once(int64_t left)
{
  if (left >= 16) return 16;
  if (left >= 8) return 8;
  return left < 4 ? left : 4;
}

#endif
