/* SPDX-License-Identifier: Apache-2.0 */
/* What two lists of lines have in common, and how they are divided, whatever the type of their indices. */
#include "elementwise.h"
#include "positions/count_rows.h"
#include "positions/parts.h"
#include "../../convert/share.h"

/* Elements of operand i before line r. */
static int64_t elements_before(const spw_line_pair *l, int i, int64_t r)
{
  const void *const c = l->compressed[i];
  return l->wide ? ((const int64_t *)c)[r] : ((const int32_t *)c)[r];
}

spw_common spw_count_common(const spw_line_pair *l, int64_t from, int64_t to)
{
  const void *const *const c = l->compressed, *const *const p = l->plain;
  spw_common found = {0, 0};
  if (from >= to) return found;
  const int64_t na = elements_before(l, 0, l->lines), nb = elements_before(l, 1, l->lines);
  found.cells = l->wide ? spw_count_common_rows_i64(c[0], p[0], na, c[1], p[1], nb, from, to)
                        : spw_count_common_rows_i32(c[0], p[0], na, c[1], p[1], nb, from, to);
  for (int i = 0; i < 2; i++) found.elements += elements_before(l, i, to) - elements_before(l, i, from);
  return found;
}

int64_t spw_longest_lines(const spw_line_pair *l)
{
  return l->wide ? spw_longest_rows_i64(l->compressed[0], l->compressed[1], l->lines)
                 : spw_longest_rows_i32(l->compressed[0], l->compressed[1], l->lines);
}

int64_t spw_line_part(const spw_line_pair *l, int64_t elements, int64_t i, int64_t parts)
{
  if (i == 0) return 0;
  if (i == parts) return l->lines;
  const int64_t before = spw_part_at(elements, i, parts);
  return l->wide ? spw_row_behind_i64(l->compressed[0], l->compressed[1], l->lines, before)
                 : spw_row_behind_i32(l->compressed[0], l->compressed[1], l->lines, before);
}
