/* SPDX-License-Identifier: Apache-2.0 */
/* What two lists of lines have in common, for both index types. */
#include "elementwise.h"
#include "../convert/share.h"

#include <string.h>

#ifndef SPW_CLONES
#define SPW_CLONES
#endif

#define SPW_TEMPLATE "../ops/count_common.inc"
#include "../core/each_index_type.h"

spw_common spw_count_common(const spw_line_pair *l, int64_t from, int64_t to)
{
  return l->wide ? count_common_i64(l, from, to) : count_common_i32(l, from, to);
}

int64_t spw_longest_lines(const spw_line_pair *l)
{
  return l->wide ? longest_lines_i64(l) : longest_lines_i32(l);
}

int64_t spw_line_part(const spw_line_pair *l, int64_t elements, int64_t i, int64_t parts)
{
  if (i == 0) return 0;
  if (i == parts) return l->lines;
  const int64_t before = spw_part_at(elements, i, parts);
  return l->wide ? line_behind_i64(l, before) : line_behind_i32(l, before);
}
