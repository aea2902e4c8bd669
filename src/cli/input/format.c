/* SPDX-License-Identifier: Apache-2.0 */
/* Which format a file is of: its first bytes decide, and its name where they do not. */
#include "input.h"

#include <string.h>
#include <strings.h>

const format_info file_formats[] = {
    {".spw.json", FORMAT_JSON, "any tensor, invalid or dense ones too", "first character {", false},
    {".spw.jsonl", FORMAT_JSONL, "the same, one tensor a line", "name ends in .jsonl", false},
    {".npz", FORMAT_NPZ, "SciPy's save_npz: csr, csc, bsr, coo", "first bytes PK", false},
    {".pt", FORMAT_PT, "torch.save: each sparse tensor in it", "PK and FOLDER/data.pkl", false},
    {".pth", FORMAT_PT, "the same; also the older format", "first bytes of a pickle", false},
    {".mtx", FORMAT_MTX, "Matrix Market: a 2-D COO matrix", "first word %%MatrixMarket", false},
    {".mtx.gz", FORMAT_MTX, "the same, compressed by gzip", "first bytes 1f 8b", false},
    {".npy", FORMAT_NPY, "NumPy's save: a dense array", "first bytes 93 and NUMPY", true},
    {NULL, FORMAT_UNKNOWN, NULL, NULL, false}};

static bool begins_with(const char *bytes, size_t size, const char *magic)
{
  return size >= strlen(magic) && memcmp(bytes, magic, strlen(magic)) == 0;
}

static cli_format recognise_contents(const char *bytes, size_t size)
{
  static const char banner[] = "%%MatrixMarket";
  if (spw_is_pt(bytes, size)) return FORMAT_PT;
  if (begins_with(bytes, size, "PK")) return FORMAT_NPZ;
  if (begins_with(bytes, size, "\x93NUMPY")) return FORMAT_NPY;
  if (begins_with(bytes, size, "\x1f\x8b")) return FORMAT_MTX;
  if (size >= strlen(banner) && strncasecmp(bytes, banner, strlen(banner)) == 0) return FORMAT_MTX;
  for (size_t i = 0; i < size; i++) {
    if (bytes[i] == '{') return FORMAT_JSON;
    if (!strchr(" \t\r\n", bytes[i]) || !bytes[i]) break;
  }
  return FORMAT_UNKNOWN;
}

static cli_format recognise_name(const char *name)
{
  for (const format_info *info = file_formats; info->name; info++)
    if (has_suffix(name, info->name)) return info->format;
  return FORMAT_UNKNOWN;
}

cli_format recognise_format(const char *name, const char *bytes, size_t size)
{
  if (size > 0 && !bytes[0]) return FORMAT_UNKNOWN;
  if (has_suffix(name, ".jsonl")) return FORMAT_JSONL;
  const cli_format format = recognise_contents(bytes, size);
  return format ? format : recognise_name(name);
}

static bool is_only_read(const char *name)
{
  return has_suffix(name, ".gz") || has_suffix(name, ".pt") || has_suffix(name, ".pth");
}

cli_format output_format(const char *name)
{
  if (strcmp(name, "-") == 0 || has_suffix(name, ".jsonl")) return FORMAT_JSONL;
  if (has_suffix(name, ".json")) return FORMAT_JSON;
  return is_only_read(name) ? FORMAT_UNKNOWN : recognise_name(name);
}

void add_output_names(cli_text *text)
{
  const char *separator = "";
  for (const format_info *info = file_formats; info->name; info++) {
    if (is_only_read(info->name)) continue;
    add_format(text, "%s%s", separator, info->name);
    separator = ", ";
  }
}

bool has_sparse_name(const char *name)
{
  for (const format_info *info = file_formats; info->name; info++)
    if (!info->dense_only && has_suffix(name, info->name)) return true;
  return false;
}

bool has_known_name(const char *name)
{
  return recognise_name(name) != FORMAT_UNKNOWN;
}

void add_format_names(cli_text *text)
{
  for (const format_info *info = file_formats; info->name; info++)
    add_format(text, "%s%s", info == file_formats ? "" : info[1].name ? ", " : " and ", info->name);
}
