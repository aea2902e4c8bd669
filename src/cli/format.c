/* SPDX-License-Identifier: Apache-2.0 */
/* Which format a file is of: its first bytes decide, and its name where they do not. */
#include "cli.h"

#include <string.h>
#include <strings.h>

static bool begins_with(const char *bytes, size_t size, const char *magic)
{
  return size >= strlen(magic) && memcmp(bytes, magic, strlen(magic)) == 0;
}

static cli_format recognise_contents(const char *bytes, size_t size)
{
  static const char banner[] = "%%MatrixMarket";
  if (begins_with(bytes, size, "PK")) return FORMAT_NPZ;
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
  if (has_suffix(name, ".spw.json")) return FORMAT_JSON;
  if (has_suffix(name, ".mtx") || has_suffix(name, ".mtx.gz")) return FORMAT_MTX;
  if (has_suffix(name, ".npz")) return FORMAT_NPZ;
  return FORMAT_UNKNOWN;
}

cli_format recognise_format(const char *name, const char *bytes, size_t size)
{
  if (has_suffix(name, ".jsonl")) return FORMAT_JSONL;
  const cli_format format = recognise_contents(bytes, size);
  return format ? format : recognise_name(name);
}

bool has_known_name(const char *name)
{
  return recognise_name(name) || has_suffix(name, ".spw.jsonl");
}
