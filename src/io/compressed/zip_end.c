/* SPDX-License-Identifier: Apache-2.0 */
/* The end records of a zip archive. Some readers search them from the front, some from the back,
 * some believe the 32-bit numbers and some the 64-bit ones: here all of them must see the same. */
#define _GNU_SOURCE 1 /* memmem */
#include "zip_end.h"
#include "zip_fields.h"

#include <stdio.h>

static spw_status fail_at(uint64_t byte, spw_error *error, const char *message)
{
  char where[32];
  snprintf(where, sizeof where, "byte %llu", (unsigned long long)byte);
  return spw_fail(SPW_EFORMAT, error, where, "zip: %s", message);
}

/* Does a directory begin at this place? */
static bool begins_directory(const unsigned char *bytes, size_t size, uint64_t at)
{
  return at <= size && size - at >= SPW_ZIP_SIGNATURE && spw_zip_is(bytes + at, SPW_ZIP_CENTRAL);
}

/* Would a reader that comes upon this signature, `at` bytes from the beginning, take it for the end record of an archive in one
 * part? The int64 101010256 begins like one: it is one where it has a directory, at the place that it tells or right before it,
 * or a zip64 record, or says that there is no member. The last 22 bytes are, whatever they say. */
static bool looks_like_an_end(const unsigned char *bytes, size_t size, size_t at)
{
  const unsigned char *const end = bytes + at;
  if (size - at < SPW_ZIP_END_SIZE || (spw_zip_u32(end + 4) != 0 && spw_zip_u32(end + 4) != UINT32_MAX)) return false;
  const uint16_t entries = spw_zip_u16(end + 8);
  if (size - at == SPW_ZIP_END_SIZE || entries == 0 || spw_zip_u16(end + 10) == 0) return true;
  if (at >= SPW_ZIP_LOCATOR_SIZE && spw_zip_is(end - SPW_ZIP_LOCATOR_SIZE, SPW_ZIP_LOCATOR)) return true;
  const uint64_t length = spw_zip_u32(end + 12);
  return begins_directory(bytes, at, spw_zip_u32(end + 16)) || (length <= at && begins_directory(bytes, at, at - length));
}

/* The place of the first one; `size` when there is none. */
static size_t first_end(const unsigned char *bytes, size_t size)
{
  for (const unsigned char *at = bytes, *end = bytes + size;; at++) {
    at = memmem(at, (size_t)(end - at), SPW_ZIP_END, SPW_ZIP_SIGNATURE);
    if (!at) return size;
    if (looks_like_an_end(bytes, size, (size_t)(at - bytes))) return (size_t)(at - bytes);
  }
}

/* The end record is the last 22 bytes of the file, and there is no other. */
static spw_status check_place(const unsigned char *bytes, size_t size, spw_error *error)
{
  const size_t found = first_end(bytes, size);
  if (found == size)
    return spw_fail(SPW_EFORMAT, error, "",
                    "zip: no end record; this is no zip archive, or it is cut short");
  if (size - found == SPW_ZIP_END_SIZE)
    return spw_zip_u16(bytes + found + 20) == 0
               ? SPW_OK
               : fail_at(found, error, "the archive's comment is cut short");
  return fail_at(found, error,
                 "bytes behind an end record: readers may find another end, or read a comment");
}

/* A number of the end record is that of the zip64 record, or says that it is to be found there. */
static bool agrees(uint64_t narrow, uint64_t mark, uint64_t wide)
{
  return narrow == wide || narrow == mark;
}

/* The zip64 record and its locator lie directly before the end record. */
static spw_status read_end64(const unsigned char *bytes, size_t at, spw_zip_end *end,
                             size_t *directory_end, spw_error *error)
{
  const unsigned char *locator = bytes + at - SPW_ZIP_LOCATOR_SIZE, *last = bytes + at;
  if (at < SPW_ZIP_LOCATOR_SIZE + SPW_ZIP_END64_SIZE)
    return fail_at(0, error, "no room for the zip64 end record");
  *directory_end = at - SPW_ZIP_LOCATOR_SIZE - SPW_ZIP_END64_SIZE;
  const unsigned char *wide = bytes + *directory_end;
  if (!spw_zip_is(wide, SPW_ZIP_END64) || spw_zip_u64(wide + 4) != SPW_ZIP_END64_SIZE - 12 ||
      spw_zip_u32(locator + 4) != 0 || spw_zip_u64(locator + 8) != *directory_end ||
      spw_zip_u32(locator + 16) > 1)
    return fail_at(*directory_end, error, "the zip64 end record is not where its locator is");
  *end = (spw_zip_end){spw_zip_u64(wide + 32), spw_zip_u64(wide + 48), spw_zip_u64(wide + 40)};
  if (spw_zip_u64(wide + 16) != 0 || spw_zip_u64(wide + 24) != end->entries)
    return fail_at(*directory_end, error, "an archive in several parts");
  if (!agrees(spw_zip_u16(last + 8), UINT16_MAX, end->entries) ||
      !agrees(spw_zip_u16(last + 10), UINT16_MAX, end->entries) ||
      !agrees(spw_zip_u32(last + 12), UINT32_MAX, end->size) ||
      !agrees(spw_zip_u32(last + 16), UINT32_MAX, end->directory))
    return fail_at(at, error, "the end record contradicts the zip64 end record");
  return SPW_OK;
}

static spw_status read_end(const unsigned char *bytes, size_t at, spw_zip_end *end,
                           size_t *directory_end, spw_error *error)
{
  const unsigned char *last = bytes + at;
  if (at >= SPW_ZIP_LOCATOR_SIZE && spw_zip_is(last - SPW_ZIP_LOCATOR_SIZE, SPW_ZIP_LOCATOR))
    return read_end64(bytes, at, end, directory_end, error);
  *directory_end = at;
  *end = (spw_zip_end){spw_zip_u16(last + 10), spw_zip_u32(last + 16), spw_zip_u32(last + 12)};
  if (spw_zip_u32(last + 4) != 0 || spw_zip_u16(last + 8) != end->entries)
    return fail_at(at, error, "an archive in several parts");
  return SPW_OK;
}

spw_status spw_zip_find_end(const unsigned char *bytes, size_t size, spw_zip_end *end,
                            spw_error *error)
{
  size_t directory_end = 0;
  spw_status status = check_place(bytes, size, error);
  if (!status) status = read_end(bytes, size - SPW_ZIP_END_SIZE, end, &directory_end, error);
  if (status) return status;
  if (end->size > directory_end || end->directory != directory_end - end->size)
    return fail_at(directory_end, error,
                   "the directory does not end here, where the end records begin");
  return SPW_OK;
}
