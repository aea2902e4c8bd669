/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a .npz file, by itself and by names of arrays. What is accepted, libzip reads too: every member, once, and the
 * values of the tensor are the last bytes of the member that NumPy would take for them. */
#define _GNU_SOURCE 1 /* memmem */
#include "../harness/archives.h"
#include "../harness/mutator.h"

#include <stdlib.h>
#include <string.h>
#include <zip.h>

enum { LARGEST = 1 << 20 };

const fuzz_format *fuzz_input_format(void)
{
  return &fuzz_formats[FUZZ_NPZ];
}

/* All bytes of a member, in a block that is the caller's. */
static unsigned char *read_member(zip_t *zip, zip_uint64_t i, zip_uint64_t *size)
{
  zip_stat_t stat;
  if (zip_stat_index(zip, i, 0, &stat) != 0) fuzz_fail("libzip knows no size", "member %d", (int)i);
  if (stat.size > LARGEST) return NULL;
  unsigned char *bytes = malloc(stat.size + 1);
  zip_file_t *member = zip_fopen_index(zip, i, 0);
  if (!bytes || !member) fuzz_fail("libzip opens no member", "%s", stat.name);
  if (zip_fread(member, bytes, stat.size + 1) != (zip_int64_t)stat.size)
    fuzz_fail("libzip reads another number of bytes", "%s", stat.name);
  if (zip_fclose(member) != 0) fuzz_fail("libzip finds another CRC", "%s", stat.name);
  *size = stat.size;
  return bytes;
}

/* Values that are not as the file has them: of unsigned integers, and of diagonals. */
static bool are_turned(zip_t *zip, const unsigned char *bytes, size_t size)
{
  enum { HEADER = 10012 };
  const size_t header = size < HEADER ? size : HEADER;
  return memmem(bytes, header, "<u", 2) || memmem(bytes, header, ">u", 2) || zip_name_locate(zip, "offsets.npy", 0) >= 0 ||
         zip_name_locate(zip, "offsets", 0) >= 0;
}

static void expect_values(zip_t *zip, zip_uint64_t i, const spw_tensor *x)
{
  zip_uint64_t size;
  unsigned char *bytes = read_member(zip, i, &size);
  const char *name = zip_get_name(zip, i, 0);
  const size_t last = (size_t)(x->values.array.length * spw_dtype_size(x->values.array.dtype));
  if (bytes && name && (!strcmp(name, "data.npy") || !strcmp(name, "data")) && !are_turned(zip, bytes, size) &&
      (size < last || !fuzz_same_storage(bytes + (size - last), &x->values)))
    fuzz_fail("libzip reads other values", "%s", name);
  free(bytes);
}

static void expect_the_same_of_libzip(const uint8_t *data, size_t size)
{
  spw_owned *owned;
  if (spw_read_npz(data, size, 0, &owned, NULL) != SPW_OK)
    fuzz_fail("refused the second time", "see the input");
  zip_source_t *source = zip_source_buffer_create(data, size, 0, NULL);
  zip_t *zip = zip_open_from_source(source, ZIP_RDONLY, NULL);
  if (!zip) fuzz_fail("libzip does not open it", "see the input");
  for (zip_int64_t i = 0; i < zip_get_num_entries(zip, 0); i++) {
    const char *name = zip_get_name(zip, (zip_uint64_t)i, 0);
    if (!name || zip_name_locate(zip, name, ZIP_FL_NOCASE) != i)
      fuzz_fail("libzip finds two members of a name", "%s", name ? name : "none");
    expect_values(zip, (zip_uint64_t)i, spw_owned_tensor(owned));
  }
  zip_discard(zip);
  spw_owned_free(owned);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (fuzz_try_reader(fuzz_input_format(), data, size) == SPW_OK)
    expect_the_same_of_libzip(data, size);
  fuzz_try_members(SPW_FORMAT_NPZ, fuzz_input_format(), data, size);
  return 0;
}
