/* SPDX-License-Identifier: Apache-2.0 */
/* Formats of files, as the command names them. */
#include "input.h"

#include <string.h>

spw_file_format output_format(const char *name)
{
  return strcmp(name, "-") == 0 ? SPW_FORMAT_JSONL : spw_file_format_to_write(name);
}

void add_output_names(cli_text *text)
{
  const spw_file_format_info *info;
  const char *separator = "";
  for (int i = 0; (info = spw_file_format_get(i)); i++) {
    if (!info->is_written) continue;
    add_format(text, "%s%s", separator, info->ending);
    separator = ", ";
  }
}

bool has_sparse_name(const char *name)
{
  const spw_file_format_info *info;
  for (int i = 0; (info = spw_file_format_get(i)); i++)
    if (!info->is_dense && has_suffix(name, info->ending)) return true;
  return false;
}

bool has_known_name(const char *name)
{
  return spw_file_format_of_name(name) != SPW_FORMAT_UNKNOWN;
}

void add_format_names(cli_text *text)
{
  const spw_file_format_info *info;
  for (int i = 0; (info = spw_file_format_get(i)); i++)
    add_format(text, "%s%s", i == 0 ? "" : spw_file_format_get(i + 1) ? ", " : " and ", info->ending);
}
