/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of tensors. */
#include "archive.h"

#include <stdio.h>
#include <string.h>

spw_status spw_archive_no_memory(spw_error *error)
{
  return spw_fail(SPW_ENOMEM, error, "", "the list of tensors needs more than the memory limit");
}

spw_status spw_archive_add(spw_archive *a, const char *path, size_t length, const void *tensor, spw_error *error)
{
  if (a->count == a->capacity) {
    const size_t capacity = 2 * a->capacity + 8;
    spw_listed *const larger = spw_owned_alloc(a->owned, capacity, sizeof *larger);
    if (!larger) return spw_archive_no_memory(error);
    if (a->count > 0) memcpy(larger, a->tensors, a->count * sizeof *larger);
    a->tensors = larger;
    a->capacity = capacity;
  }
  char *const copy = spw_owned_alloc(a->owned, length + 1, 1);
  if (!copy) return spw_archive_no_memory(error);
  memcpy(copy, path, length);
  a->tensors[a->count++] = (spw_listed){copy, tensor, false};
  return SPW_OK;
}

size_t spw_escape(char character, const char *more, char text[SPW_ESCAPED])
{
  const unsigned char c = (unsigned char)character;
  if (c && strchr(more, c)) return (size_t)snprintf(text, SPW_ESCAPED, "~%d", c == '/');
  if (c < ' ' || c >= 0x7f) return (size_t)snprintf(text, SPW_ESCAPED, "\\x%02x", (unsigned)c);
  text[0] = character;
  return 1;
}

spw_status spw_archive_add_semi(spw_archive *archive, const char *path, size_t length, const void *semi, spw_error *error)
{
  const spw_status status = spw_archive_add(archive, path, length, semi, error);
  if (!status) archive->tensors[archive->count - 1].semi = true;
  return status;
}

spw_status spw_archive_new(const void *bytes, size_t size, size_t limit, spw_archive_filler *fill, spw_archive **out,
                           spw_error *error)
{
  if (!out || (!bytes && size > 0)) return spw_fail(SPW_EINVAL, error, "", "null pointer");
  if (error) *error = (spw_error){0};
  spw_owned *const owned = spw_owned_new(limit ? limit : spw_memory_limit(size));
  spw_archive *const a = owned ? spw_owned_alloc(owned, 1, sizeof *a) : NULL;
  spw_status status = a ? SPW_OK : spw_archive_no_memory(error);
  if (a) {
    a->owned = owned;
    a->size = size;
    status = fill(a, bytes, error);
  }
  if (status && a)
    spw_archive_close(a);
  else if (status)
    spw_owned_free(owned);
  else
    *out = a;
  return status;
}

void spw_archive_close(spw_archive *archive)
{
  if (!archive) return;
  if (archive->close) archive->close(archive);
  spw_owned_free(archive->owned);
}

size_t spw_archive_count(const spw_archive *archive)
{
  return archive ? archive->count : 0;
}

size_t spw_archive_dense_count(const spw_archive *archive)
{
  return archive ? archive->dense : 0;
}

const char *spw_archive_path(const spw_archive *archive, size_t i)
{
  return archive && i < archive->count ? archive->tensors[i].path : NULL;
}

size_t spw_archive_find(const spw_archive *archive, const char *path)
{
  size_t found = SIZE_MAX;
  for (size_t i = 0; path && i < spw_archive_count(archive); i++) {
    if (strcmp(archive->tensors[i].path, path) != 0) continue;
    if (found != SIZE_MAX) return SIZE_MAX;
    found = i;
  }
  return found;
}

bool spw_archive_is_semi(const spw_archive *archive, size_t i)
{
  return archive && i < archive->count && archive->tensors[i].semi;
}

/* The i-th: a tensor, or a 2:4 matrix where `semi` is not null. */
static spw_status read_either(const spw_archive *archive, size_t i, size_t limit, spw_owned **out, const spw_semi **semi,
                              spw_error *error)
{
  if (error) *error = (spw_error){0};
  if (archive->tensors[i].semi != (semi != NULL))
    return spw_fail(SPW_EUNSUPPORTED, error, "",
                    semi ? "it is a tensor, and no 2:4 matrix" : "it is a 2:4 matrix, and no tensor");
  spw_owned *const owned = spw_owned_new(limit ? limit : spw_memory_limit(archive->size));
  spw_semi *const made = owned && semi ? spw_owned_alloc(owned, 1, sizeof *made) : NULL;
  spw_status status = owned && (made || !semi) ? SPW_OK : spw_fail(SPW_ENOMEM, error, "", "no memory");
  if (!status)
    status = semi ? archive->read_semi(archive, archive->tensors[i].tensor, owned, made, error)
                  : archive->read(archive, archive->tensors[i].tensor, owned, error);
  if (status) {
    spw_owned_free(owned);
    return status;
  }
  if (semi) *semi = made;
  *out = owned;
  return SPW_OK;
}

spw_status spw_archive_read(const spw_archive *archive, size_t i, size_t limit, spw_owned **out, spw_error *error)
{
  if (!archive || !out || i >= archive->count)
    return spw_fail(SPW_EINVAL, error, "", "null pointer, or there is no such tensor");
  return read_either(archive, i, limit, out, NULL, error);
}

spw_status spw_archive_read_semi(const spw_archive *archive, size_t i, size_t limit, spw_owned **out, const spw_semi **semi,
                                 spw_error *error)
{
  if (!archive || !out || !semi || i >= archive->count)
    return spw_fail(SPW_EINVAL, error, "", "null pointer, or there is no such matrix");
  return read_either(archive, i, limit, out, semi, error);
}

spw_status spw_archive_open(spw_file_format format, const void *bytes, size_t size, size_t limit, spw_archive **out,
                            spw_error *error)
{
  switch (format) {
  case SPW_FORMAT_PT: return spw_archive_open_pt(bytes, size, limit, out, error);
  case SPW_FORMAT_SAFETENSORS: return spw_archive_open_safetensors(bytes, size, limit, out, error);
  case SPW_FORMAT_HDF5: return spw_archive_open_hdf5(bytes, size, limit, out, error);
  default: return spw_fail(SPW_EINVAL, error, "", "a file of this format holds one tensor");
  }
}
