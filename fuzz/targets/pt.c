/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a file of torch.save, or, where they do not begin like one, as the pickle in one. What is accepted lists each
 * tensor once, at a path that finds it, and every array of it is a piece of the file. */
#define _GNU_SOURCE 1 /* memmem */
#include "../../tests/support/torch_file.h"
#include "../harness/mutator.h"

#include <string.h>

static spw_status read_first(const void *bytes, size_t size, size_t limit, spw_owned **out, spw_error *error)
{
  spw_archive *archive = NULL;
  spw_status status = spw_archive_open_pt(bytes, size, limit / 2, &archive, error);
  if (status != SPW_OK) return status;
  if (spw_archive_count(archive) == 0) {
    status = SPW_EUNSUPPORTED;
    memcpy(error->message, "no tensor", sizeof "no tensor");
  } else {
    status = spw_archive_read(archive, 0, limit / 2, out, error);
  }
  spw_archive_close(archive);
  return status;
}

static spw_status write_nothing(const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error)
{
  (void)tensor, (void)bytes, (void)size, (void)error;
  return SPW_EUNSUPPORTED;
}

static const fuzz_format format = {"pt", false, read_first, write_nothing};

const fuzz_format *fuzz_input_format(void)
{
  return &format;
}

/* ---- What must hold ---------------------------------------------------------------------------- */

static bool is_little(const uint8_t *data, size_t size)
{
  return !memmem(data, size, "big", 3) && !memmem(data, size, "little_endian\x89", 14);
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

static void expect_entry(const spw_archive *archive, size_t i, const uint8_t *data, size_t size)
{
  const char *const path = spw_archive_path(archive, i);
  const size_t found = path ? spw_archive_find(archive, path) : 0;
  if (!path || !is_plain(path) || (found != i && found != SIZE_MAX)) fuzz_fail("a path that does not find its tensor", "%zu", i);
  spw_owned *owned = NULL;
  spw_error error = {"", ""};
  const spw_status status = spw_archive_read(archive, i, 0, &owned, &error);
  if (status != SPW_OK && status != SPW_EUNSUPPORTED && status != SPW_ENOMEM)
    fuzz_fail("a tensor that is listed is refused", "%s", error.message);
  if (status == SPW_OK && is_little(data, size)) expect_tensor(data, size, spw_owned_tensor(owned));
  spw_owned_free(owned);
}

static void expect_listing(const uint8_t *data, size_t size)
{
  enum { MOST = 16 };
  spw_archive *archive = NULL;
  spw_error error = {"", ""};
  if (spw_archive_open_pt(data, size, 0, &archive, &error) != SPW_OK) fuzz_fail("refused the second time", "%s", error.message);
  for (size_t i = 0; i < spw_archive_count(archive) && i < MOST; i++) expect_entry(archive, i, data, size);
  spw_archive_close(archive);
  if (spw_archive_open_pt(data, size - 1, 0, &archive, &error) == SPW_OK)
    fuzz_fail("a file without its last byte is read", "see the input");
}

/* ---- Inputs ------------------------------------------------------------------------------------ */

static bool begins_a_file(const uint8_t *data, size_t size)
{
  return size >= 2 && (memcmp(data, "PK", 2) == 0 || data[0] == 0x80);
}

/* An archive of this pickle and of storages 0 to 3. */
static const torch_bytes *archive_of(const uint8_t *pickle, size_t size)
{
  static const int64_t numbers[] = {0, 1, 2, 3, 0, 2, 1, 4};
  static torch_bytes whole, file;
  whole.size = file.size = 0;
  put_string(&whole, "\x80\x02");
  put_bytes(&whole, pickle, size);
  put_string(&whole, ".");
  const torch_member members[] = {{"a/data.pkl", whole.bytes, whole.size}, {"a/version", "3\n", 2},
                                  {"a/data/0", numbers, sizeof numbers}, {"a/data/1", numbers + 1, 3 * sizeof *numbers},
                                  {"a/data/2", numbers, 4 * sizeof *numbers}, {"a/data/3", numbers, 0}};
  put_zip(&file, 6, members);
  return &file;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size > TORCH_FILE_ROOM / 2) return 0;
  const torch_bytes *const made = begins_a_file(data, size) ? NULL : archive_of(data, size);
  if (made) {
    data = made->bytes;
    size = made->size;
  }
  const spw_status status = fuzz_try_reader(&format, data, size);
  if (status == SPW_OK) expect_listing(data, size);
  return 0;
}
