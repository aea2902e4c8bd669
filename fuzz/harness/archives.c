/* SPDX-License-Identifier: Apache-2.0 */
/* Files of several tensors. */
#define _GNU_SOURCE 1 /* memmem */
#include "archives.h"

#include <string.h>

spw_status fuzz_read_first(spw_file_format format, const void *bytes, size_t size, size_t limit, spw_owned **out,
                           spw_error *error)
{
  spw_archive *archive = NULL;
  spw_status status = spw_archive_open(format, bytes, size, limit / 2, &archive, error);
  if (status != SPW_OK) return status;
  if (spw_archive_count(archive) == 0) {
    status = SPW_EUNSUPPORTED;
    if (error) memcpy(error->message, "no tensor", sizeof "no tensor");
  } else {
    status = spw_archive_read(archive, 0, limit / 2, out, error);
  }
  spw_archive_close(archive);
  return status;
}

static void expect_piece(const uint8_t *data, size_t size, const spw_array *a, const void *storage)
{
  const int64_t bytes = a->length * spw_dtype_size(a->dtype);
  if (a->offset != 0 || bytes < 0 || (size_t)bytes > size || !memmem(data, size, storage, (size_t)bytes))
    fuzz_fail("an array that is no piece of the file", "%lld bytes", (long long)bytes);
}

static void expect_tensor(const uint8_t *data, size_t size, const spw_tensor *t)
{
  if (t->layout != SPW_COO) expect_piece(data, size, &t->compressed.array, fuzz_index_data(&t->compressed));
  expect_piece(data, size, &t->plain.array, fuzz_index_data(&t->plain));
  expect_piece(data, size, &t->values.array, t->values.data);
}

static bool is_plain(const char *path)
{
  for (; *path; path++)
    if (*path < ' ' || *path > '~') return false;
  return true;
}

static void expect_entry(const spw_archive *archive, size_t i, const uint8_t *data, size_t size, bool pieces)
{
  const char *const path = spw_archive_path(archive, i);
  const size_t found = path ? spw_archive_find(archive, path) : 0;
  if (!path || !is_plain(path) || (found != i && found != SIZE_MAX)) fuzz_fail("a path that does not find its tensor", "%zu", i);
  spw_owned *owned = NULL;
  spw_error error = {"", ""};
  const spw_status status = spw_archive_read(archive, i, 0, &owned, &error);
  if (status == SPW_EINVAL || (status != SPW_OK && !error.message[0])) fuzz_fail("no message with a refusal", "%d", (int)status);
  if (status == SPW_OK && pieces) expect_tensor(data, size, spw_owned_tensor(owned));
  spw_owned_free(owned);
}

void fuzz_expect_archive(spw_file_format format, const uint8_t *data, size_t size, bool pieces)
{
  enum { MOST = 16 };
  spw_archive *archive = NULL;
  spw_error error = {"", ""};
  if (spw_archive_open(format, data, size, 0, &archive, &error) != SPW_OK) fuzz_fail("refused the second time", "%s",
                                                                                     error.message);
  for (size_t i = 0; i < spw_archive_count(archive) && i < MOST; i++) expect_entry(archive, i, data, size, pieces);
  spw_archive_close(archive);
  if (spw_archive_open(format, data, size - 1, 0, &archive, &error) == SPW_OK)
    fuzz_fail("a file without its last byte is read", "see the input");
}
