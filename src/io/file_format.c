/* SPDX-License-Identifier: Apache-2.0 */
/* Which format a file is of. */
#define _XOPEN_SOURCE 700

#include "file.h"

#include <string.h>
#include <strings.h>

static bool begins_with(const unsigned char *bytes, size_t size, const char *magic)
{
  return size >= strlen(magic) && memcmp(bytes, magic, strlen(magic)) == 0;
}

static bool ends_with(const char *path, const char *ending)
{
  const size_t length = strlen(path), wanted = strlen(ending);
  return length >= wanted && strcmp(path + length - wanted, ending) == 0;
}

static spw_format format_of_name(const char *path)
{
  if (ends_with(path, ".json") || ends_with(path, ".jsonl")) return SPW_FORMAT_JSON;
  if (ends_with(path, ".npz")) return SPW_FORMAT_NPZ;
  if (ends_with(path, ".npy")) return SPW_FORMAT_NPY;
  return ends_with(path, ".mtx") || ends_with(path, ".mtx.gz") ? SPW_FORMAT_MTX : SPW_FORMAT_UNKNOWN;
}

spw_format spw_file_format_of(const char *path, const unsigned char *bytes, size_t size)
{
  static const char banner[] = "%%MatrixMarket";
  if (spw_is_pt(bytes, size)) return SPW_FORMAT_PT;
  if (begins_with(bytes, size, "PK")) return SPW_FORMAT_NPZ;
  if (begins_with(bytes, size, "\x93NUMPY")) return SPW_FORMAT_NPY;
  if (begins_with(bytes, size, "\x1f\x8b")) return SPW_FORMAT_MTX;
  if (size >= strlen(banner) && strncasecmp((const char *)bytes, banner, strlen(banner)) == 0) return SPW_FORMAT_MTX;
  size_t blanks = 0;
  while (blanks < size && (bytes[blanks] == ' ' || (bytes[blanks] >= '\t' && bytes[blanks] <= '\r'))) blanks++;
  if (blanks < size && bytes[blanks] == '{') return SPW_FORMAT_JSON;
  return size > 0 && bytes[0] == 0 ? SPW_FORMAT_UNKNOWN : format_of_name(path);
}

spw_format spw_file_format_to_write(const char *path)
{
  return ends_with(path, ".gz") ? SPW_FORMAT_UNKNOWN : format_of_name(path);
}
