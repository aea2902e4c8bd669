/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a file of torch.save, or, where they do not begin like one, as the pickle in one. What is accepted lists each
 * tensor once, at a path that finds it, and every array of it is a piece of the file. */
#define _GNU_SOURCE 1 /* memmem */
#include "../../tests/support/torch_file.h"
#include "../harness/archives.h"
#include "../harness/mutator.h"

#include <string.h>

static spw_status read_first(const void *bytes, size_t size, size_t limit, spw_owned **out, spw_error *error)
{
  return fuzz_read_first(SPW_FORMAT_PT, bytes, size, limit, out, error);
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
  if (status == SPW_OK) fuzz_expect_archive(SPW_FORMAT_PT, data, size, is_little(data, size));
  return 0;
}
