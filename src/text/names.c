/* SPDX-License-Identifier: Apache-2.0 */
/* What arrays, lines, types and layouts are called. */
#include "text.h"

bool spw_says_blocks(spw_layout layout)
{
  return layout == SPW_BSR || layout == SPW_BSC;
}

bool spw_says_lines(spw_layout layout)
{
  return spw_says_blocks(layout) || layout == SPW_CSR || layout == SPW_CSC;
}

const char *spw_member_name(spw_layout layout, spw_member member)
{
  switch (member) {
  case SPW_MEMBER_SIZE: return "size";
  case SPW_MEMBER_COMPRESSED: return "compressed_indices";
  case SPW_MEMBER_PLAIN: return layout == SPW_COO ? "indices" : "plain_indices";
  case SPW_MEMBER_VALUES: return "values";
  case SPW_MEMBER_LAYOUT: return "layout";
  default: return NULL;
  }
}

const char *spw_member_torch_name(spw_layout layout, spw_member member)
{
  const bool by_rows = layout == SPW_CSR || layout == SPW_BSR;
  if (!spw_says_lines(layout)) return spw_member_name(layout, member);
  if (member == SPW_MEMBER_COMPRESSED) return by_rows ? "crow_indices" : "ccol_indices";
  if (member == SPW_MEMBER_PLAIN) return by_rows ? "col_indices" : "row_indices";
  return spw_member_name(layout, member);
}

const char *spw_line_name(spw_layout layout)
{
  static const char *const names[] = {"", "row", "column", "block row", "block column"};
  return names[layout];
}

const char *spw_plain_name(spw_layout layout)
{
  static const char *const names[] = {"", "columns", "rows", "block columns", "block rows"};
  return names[layout];
}

const char *spw_type_word(int64_t dtype)
{
  const char *const name = dtype > SPW_DTYPE_NONE && dtype < SPW_DTYPE_COUNT ? spw_dtype_name((spw_dtype)dtype) : NULL;
  return name ? name : "no known type";
}

const char *spw_layout_word(int64_t layout)
{
  const char *const name = layout >= 0 && layout <= SPW_DENSE ? spw_layout_name((spw_layout)layout) : NULL;
  return name ? name : "no known layout";
}
