/* SPDX-License-Identifier: Apache-2.0 */
/* Files of other programs that may hold a sparse tensor, and are not read. */
#include "input.h"

#include <string.h>

typedef struct foreign_magic {
  const char *bytes;
  size_t size;
  const char *name;
} foreign_magic;

static const foreign_magic magics[] = {
    {"\x89HDF\r\n\x1a\n", 8, "an HDF5 file, as AnnData, binsparse and h5py write"},
    {"MATLAB ", 7, "a .mat file of MATLAB"},
    {"PAR1", 4, "a Parquet file"},
    {"ARROW1", 6, "an Arrow file"},
    {"FEA1", 4, "a Feather file"}};

/* A little-endian length of at most 100 MB, and the JSON of that length. */
static bool is_safetensors(const unsigned char *bytes, size_t size)
{
  return size > 8 && bytes[4] == 0 && bytes[5] == 0 && bytes[6] == 0 && bytes[7] == 0 && bytes[8] == '{';
}

/* The protocols from 2 on, of which each pickle begins with an opcode and its number. */
static bool is_pickle(const unsigned char *bytes, size_t size)
{
  return size > 2 && bytes[0] == 0x80 && bytes[1] >= 2 && bytes[1] <= 5;
}

const char *foreign_format(const char *bytes, size_t size)
{
  const unsigned char *const raw = (const unsigned char *)bytes;
  for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
    if (size >= magics[i].size && memcmp(bytes, magics[i].bytes, magics[i].size) == 0) return magics[i].name;
  if (is_safetensors(raw, size)) return "a safetensors file";
  return is_pickle(raw, size) && !spw_is_pt(raw, size) ? "a pickle of Python, and not of torch.save" : NULL;
}
