/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors in files that are named: their formats are recognised. */
#define _XOPEN_SOURCE 700

#include "file.h"
#include "owned.h"

#include <stdlib.h>
#include <string.h>

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

/* A .pt file of one sparse tensor. */
static spw_status read_pt(const void *bytes, size_t size, size_t limit, spw_owned **out, spw_error *error)
{
  spw_archive *archive = NULL;
  const size_t half = limit / 2 + limit % 2; /* for the list of tensors, and for the one */
  spw_status status = spw_archive_open_pt(bytes, size, half, &archive, error);
  if (status != SPW_OK) return status;
  const size_t count = spw_archive_count(archive);
  if (count == 1)
    status = spw_archive_read(archive, 0, half, out, error);
  else
    status = spw_fail(SPW_EUNSUPPORTED, error, "", "the file holds %zu sparse tensors: spw_archive_open_pt lists them", count);
  spw_archive_close(archive);
  return status;
}

static spw_status read_bytes(const char *path, const void *bytes, size_t size, size_t limit, spw_owned **out, spw_error *error)
{
  switch (spw_file_format_of(path, bytes, size)) {
  case SPW_FORMAT_JSON: return spw_read_json(bytes, size, limit, out, error);
  case SPW_FORMAT_MTX: return spw_read_mtx(bytes, size, limit, out, error);
  case SPW_FORMAT_NPZ: return spw_read_npz(bytes, size, limit, out, error);
  case SPW_FORMAT_PT: return read_pt(bytes, size, limit, out, error);
  case SPW_FORMAT_NPY: return spw_read_npy(bytes, size, limit, out, error);
  default:
    return spw_fail(SPW_EFORMAT, error, "", "%s; the formats are .spw.json, .npz, .pt, .mtx, .mtx.gz and .npy",
                    size > 0 ? "the file is of no known format" : "the file is empty");
  }
}

spw_status spw_read_file(const char *path, size_t limit, spw_owned **out, spw_error *error)
{
  unsigned char *bytes;
  size_t size;
  if (!path || !out) return spw_fail(SPW_EINVAL, error, "", "a path, or the place for the tensor, is null");
  spw_status status = spw_load_file(path, &bytes, &size, error);
  if (status != SPW_OK) return name_file(status, error, path);
  status = read_bytes(path, bytes, size, limit, out, error);
  free(bytes);
  return name_file(status, error, path);
}

static spw_status format_bytes(const char *path, const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error)
{
  switch (spw_file_format_to_write(path)) {
  case SPW_FORMAT_JSON: return spw_write_json(tensor, bytes, size, error);
  case SPW_FORMAT_MTX: return spw_write_mtx(tensor, bytes, size, error);
  case SPW_FORMAT_NPZ: return spw_write_npz(tensor, bytes, size, error);
  case SPW_FORMAT_NPY: return spw_write_npy(tensor, bytes, size, error);
  default:
    return spw_fail(SPW_EUNSUPPORTED, error, "", "the name says no format that can be written: .spw.json, .npz, .mtx or .npy");
  }
}

spw_status spw_write_file(const char *path, const spw_tensor *tensor, spw_error *error)
{
  void *bytes;
  size_t size;
  if (!path) return spw_fail(SPW_EINVAL, error, "", "the path is null");
  spw_status status = format_bytes(path, tensor, &bytes, &size, error);
  if (status != SPW_OK) return name_file(status, error, path);
  status = spw_replace_file(path, bytes, size, error);
  free(bytes);
  return name_file(status, error, path);
}
