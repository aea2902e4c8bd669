/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors in files that are named: their formats are recognised. */
#define _XOPEN_SOURCE 700

#include "file.h"
#include "../../owned/owned.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Before the place of what is wrong in a file stands the last part of its path, unless that is too long. */
static spw_status name_file(spw_status status, spw_error *error, const char *path)
{
  enum { LONGEST = sizeof error->where / 2 };
  const char *const slash = strrchr(path, '/'), *const name = slash ? slash + 1 : path;
  const size_t length = strlen(name), added = length + 2;
  if (status == SPW_OK || !error || length > LONGEST) return status;
  const size_t kept = strnlen(error->where, sizeof error->where - added - 1);
  memmove(error->where + added, error->where, kept);
  memcpy(error->where, name, length);
  memcpy(error->where + length, ": ", 2);
  error->where[kept ? added + kept : length] = 0;
  return status;
}

/* ".spw.json, .npz and .mtx": the endings of formats that are read, or of those that are written. */
static void list_endings(bool written, char *text, size_t room)
{
  const spw_file_format_info *info, *last = NULL;
  for (int i = 0; (info = spw_file_format_get(i)); i++)
    if (!written || info->is_written) last = info;
  size_t used = 0;
  for (int i = 0; (info = spw_file_format_get(i)); i++) {
    if (written && !info->is_written) continue;
    const char *const before = used == 0 ? "" : info == last ? written ? " or " : " and " : ", ";
    const int length = snprintf(text + used, room - used, "%s%s", before, info->ending);
    used = length > 0 && used + (size_t)length < room ? used + (size_t)length : room - 1;
  }
}

enum { ENDINGS = 160 };

static spw_status fail_unknown(const void *bytes, size_t size, spw_error *error)
{
  char endings[ENDINGS];
  const char *const foreign = spw_foreign_format(bytes, size);
  list_endings(false, endings, sizeof endings);
  if (foreign)
    return spw_fail(SPW_EUNSUPPORTED, error, "", "it is %s; the formats that are read are %s", foreign, endings);
  return spw_fail(SPW_EFORMAT, error, "", "%s; the formats are %s",
                  size > 0 ? "the file is of no known format" : "the file is empty", endings);
}

/* FILE:PLACE, where FILE is a file and all of it is none. */
size_t spw_path_of_file(const char *path)
{
  struct stat found;
  if (!path || stat(path, &found) == 0) return 0;
  size_t longest = 0;
  for (const char *colon = strchr(path, ':'); colon && !longest; colon = strchr(colon + 1, ':')) {
    const size_t length = (size_t)(colon - path);
    char *const file = malloc(length + 1);
    if (!file) return 0;
    memcpy(file, path, length);
    file[length] = 0;
    if (stat(file, &found) == 0 && S_ISREG(found.st_mode)) longest = length;
    free(file);
  }
  return longest;
}

/* The tensor at a place of a file that may hold several. */
static spw_status read_place(spw_file_format format, const char *place, const void *bytes, size_t size, size_t limit,
                             spw_owned **out,
                             spw_error *error)
{
  spw_archive *archive = NULL;
  if (!limit) limit = spw_memory_limit(size);
  spw_status status = spw_archive_open(format, bytes, size, limit - limit / 2, &archive, error);
  if (status == SPW_EINVAL) status = spw_fail(SPW_EUNSUPPORTED, error, "", "the file is one tensor without parts");
  if (status) return status;
  const size_t i = spw_archive_find(archive, place);
  status = i < spw_archive_count(archive)
               ? spw_archive_read(archive, i, limit - limit / 2, out, error)
               : spw_fail(SPW_EUNSUPPORTED, error, "", "not one sparse tensor lies at '%.100s'; the file holds %zu", place,
                          spw_archive_count(archive));
  spw_archive_close(archive);
  return status;
}

static spw_status read_bytes(const char *path, const char *place, const void *bytes, size_t size, size_t limit,
                             spw_owned **out, spw_error *error)
{
  const spw_file_format format = spw_foreign_format(bytes, size) ? SPW_FORMAT_UNKNOWN : spw_file_format_of(path, bytes, size);
  if (format == SPW_FORMAT_UNKNOWN || size == 0) return fail_unknown(bytes, size, error);
  if (place) return read_place(format, place, bytes, size, limit, out, error);
  return spw_read_bytes(format, bytes, size, limit, out, error);
}

static spw_status read_file(const char *path, const char *place, size_t limit, spw_owned **out, spw_error *error)
{
  unsigned char *bytes;
  size_t size;
  spw_status status = spw_load_file(path, &bytes, &size, error);
  if (status != SPW_OK) return name_file(status, error, path);
  status = read_bytes(path, place, bytes, size, limit, out, error);
  free(bytes);
  return name_file(status, error, path);
}

spw_status spw_read_file(const char *path, size_t limit, spw_owned **out, spw_error *error)
{
  if (!path || !out) return spw_fail(SPW_EINVAL, error, "", "a path, or the place for the tensor, is null");
  const size_t length = spw_path_of_file(path);
  if (length == 0) return read_file(path, NULL, limit, out, error);
  char *const file = malloc(length + 1);
  if (!file) return spw_fail(SPW_ENOMEM, error, "", "no memory for the path");
  memcpy(file, path, length);
  file[length] = 0;
  const spw_status status = read_file(file, path + length + 1, limit, out, error);
  free(file);
  return status;
}

static spw_status format_bytes(const char *path, const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error)
{
  const spw_file_format format = spw_file_format_to_write(path);
  char endings[ENDINGS];
  if (format != SPW_FORMAT_UNKNOWN) return spw_write_bytes(format, tensor, bytes, size, error);
  list_endings(true, endings, sizeof endings);
  return spw_fail(SPW_EUNSUPPORTED, error, "", "the name says no format that can be written: %s", endings);
}

spw_status spw_write_file(const char *path, const spw_tensor *tensor, spw_error *error)
{
  void *bytes;
  size_t size;
  if (!path) return spw_fail(SPW_EINVAL, error, "", "the path is null");
  spw_status status = format_bytes(path, tensor, &bytes, &size, error);
  if (status != SPW_OK) return name_file(status, error, path);
  status = spw_replace_file(path, bytes, size, NULL, error);
  free(bytes);
  return name_file(status, error, path);
}
