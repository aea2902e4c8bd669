/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a .safetensors file, or, where they do not begin like one, as its header up to a zero byte and the elements behind
 * that. Each tensor is listed once, at a path that finds it. What is read, by itself or by names of arrays, can be written, and
 * comes back. */
#include "../harness/archives.h"
#include "../harness/mutator.h"

#include <string.h>

static spw_status read_first(const void *bytes, size_t size, size_t limit, spw_owned **out, spw_error *error)
{
  return fuzz_read_first(SPW_FORMAT_SAFETENSORS, bytes, size, limit, out, error);
}

static const fuzz_format format = {"safetensors", false, read_first, spw_write_safetensors};

const fuzz_format *fuzz_input_format(void)
{
  return &format;
}

/* Types that come back as they are; indices of other widths become int64. */
static bool keeps_types(const uint8_t *data, size_t size)
{
  static const char *const turned[] = {"\"U8\"", "\"U16\"", "\"U32\"", "\"U64\"", "\"I8\"", "\"I16\""};
  for (size_t i = 0; i < sizeof turned / sizeof *turned; i++)
    for (size_t at = 0, length = strlen(turned[i]); at + length <= size; at++)
      if (memcmp(data + at, turned[i], length) == 0) return false;
  return memchr(data, '\\', size) == NULL;
}

static bool joins_arrays(const uint8_t *data, size_t size)
{
  for (size_t at = 0; at + 4 <= size; at++)
    if (memcmp(data + at, "col\"", 4) == 0) return true;
  return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  enum { MOST = 1 << 14, PREFIX = 8 };
  static uint8_t file[PREFIX + MOST];
  if (size > MOST || size == 0) return 0;
  if (!spw_is_safetensors(data, size)) {
    const uint8_t *const zero = memchr(data, 0, size);
    const size_t header = zero ? (size_t)(zero - data) : size, behind = zero ? size - header - 1 : 0;
    for (size_t i = 0; i < PREFIX; i++) file[i] = (uint8_t)(header >> 8 * i & 0xff);
    memcpy(file + PREFIX, data, header);
    if (behind > 0) memcpy(file + PREFIX + header, zero + 1, behind);
    data = file;
    size = PREFIX + header + behind;
  }
  if (fuzz_try_reader(&format, data, size) == SPW_OK)
    fuzz_expect_archive(SPW_FORMAT_SAFETENSORS, data, size, keeps_types(data, size) && !joins_arrays(data, size));
  fuzz_try_members(SPW_FORMAT_SAFETENSORS, &format, data, size);
  return 0;
}
