/* SPDX-License-Identifier: Apache-2.0 */
/* What two lists of lines have in common, for both index types. */
#include "elementwise.h"

#define SPW_TEMPLATE "../ops/count_common.inc"
#include "../core/each_index_type.h"

spw_common spw_count_common(bool wide, int64_t lines, const void *const compressed[2], const void *const plain[2])
{
  return wide ? count_common_i64(lines, compressed[0], plain[0], compressed[1], plain[1])
              : count_common_i32(lines, compressed[0], plain[0], compressed[1], plain[1]);
}
