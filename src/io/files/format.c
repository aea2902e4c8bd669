/* SPDX-License-Identifier: Apache-2.0 */
/* Which format a file is of: its first bytes decide, and its name where they do not. */
#define _XOPEN_SOURCE 700

#include "../../owned/owned.h"

#include <string.h>
#include <strings.h>

static const spw_file_format_info formats[] = {
    {".spw.json", SPW_FORMAT_JSON, "any tensor, invalid or dense ones too", "first character {", true, false, false},
    {".spw.jsonl", SPW_FORMAT_JSONL, "the same, one tensor a line", "name ends in .jsonl", true, false, false},
    {".npz", SPW_FORMAT_NPZ, "SciPy's save_npz: csr, csc, bsr, coo", "first bytes PK", true, false, false},
    {".pt", SPW_FORMAT_PT, "torch.save: each sparse tensor in it", "PK and FOLDER/data.pkl", false, false, true},
    {".pth", SPW_FORMAT_PT, "the same; also the older format", "first bytes of a pickle", false, false, true},
    {".safetensors", SPW_FORMAT_SAFETENSORS, "X.crow_indices, X.col_indices, X.values", "8 bytes of length, then {", true,
     false, true},
    {".bsp.h5", SPW_FORMAT_HDF5, "binsparse 0.1: CSR, CSC, COO, DCSR", "first bytes 89 and HDF", true, false, true},
    {".h5ad", SPW_FORMAT_HDF5, "AnnData: each sparse matrix in it", "the same", false, false, true},
    {".h5", SPW_FORMAT_HDF5, "HDF5: each group of a sparse matrix", "the same", false, false, true},
    {".hdf5", SPW_FORMAT_HDF5, "the same", "the same", false, false, true},
    {".mtx", SPW_FORMAT_MTX, "Matrix Market: a 2-D COO matrix", "first word %%MatrixMarket", true, false, false},
    {".mtx.gz", SPW_FORMAT_MTX, "the same, compressed by gzip", "first bytes 1f 8b", false, false, false},
    {".npy", SPW_FORMAT_NPY, "NumPy's save: a dense array", "first bytes 93 and NUMPY", true, true, false}};

enum { FORMATS = sizeof formats / sizeof *formats };

const spw_file_format_info *spw_file_format_get(int i)
{
  return i >= 0 && i < FORMATS ? &formats[i] : NULL;
}

/* ---- Contents -------------------------------------------------------------------------------- */

static bool begins_with(const unsigned char *bytes, size_t size, const char *magic, size_t length)
{
  return size >= length && memcmp(bytes, magic, length) == 0;
}

static spw_file_format format_of_text(const unsigned char *bytes, size_t size)
{
  static const char banner[] = "%%MatrixMarket";
  if (size >= strlen(banner) && strncasecmp((const char *)bytes, banner, strlen(banner)) == 0) return SPW_FORMAT_MTX;
  for (size_t i = 0; i < size; i++) {
    if (bytes[i] == '{') return SPW_FORMAT_JSON;
    if (!bytes[i] || !strchr(" \t\r\n", bytes[i])) break;
  }
  return SPW_FORMAT_UNKNOWN;
}

static spw_file_format format_of_bytes(const unsigned char *bytes, size_t size)
{
  if (spw_is_pt(bytes, size)) return SPW_FORMAT_PT;
  if (spw_is_safetensors(bytes, size)) return SPW_FORMAT_SAFETENSORS;
  if (spw_is_hdf5(bytes, size)) return SPW_FORMAT_HDF5;
  if (begins_with(bytes, size, "PK", 2)) return SPW_FORMAT_NPZ;
  if (begins_with(bytes, size, "\x93NUMPY", 6)) return SPW_FORMAT_NPY;
  if (begins_with(bytes, size, "\x1f\x8b", 2)) return SPW_FORMAT_MTX;
  return format_of_text(bytes, size);
}

/* ---- Names ----------------------------------------------------------------------------------- */

static bool ends_with(const char *name, const char *ending)
{
  const size_t length = strlen(name), wanted = strlen(ending);
  return length >= wanted && strcmp(name + length - wanted, ending) == 0;
}

static const spw_file_format_info *info_of_name(const char *name)
{
  for (int i = 0; i < FORMATS; i++)
    if (ends_with(name, formats[i].ending)) return &formats[i];
  return NULL;
}

spw_file_format spw_file_format_of_name(const char *name)
{
  const spw_file_format_info *const info = name ? info_of_name(name) : NULL;
  return info ? info->format : SPW_FORMAT_UNKNOWN;
}

static bool is_jsonl(const char *name)
{
  return name && ends_with(name, ".jsonl");
}

spw_file_format spw_file_format_of(const char *name, const void *bytes, size_t size)
{
  const unsigned char *const at = bytes;
  if (!bytes) size = 0;
  const spw_file_format format = format_of_bytes(at, size);
  if (format == SPW_FORMAT_JSON) return is_jsonl(name) ? SPW_FORMAT_JSONL : format;
  if (format || (size > 0 && !at[0])) return format;
  if (is_jsonl(name)) return SPW_FORMAT_JSONL;
  return name && ends_with(name, ".json") ? SPW_FORMAT_JSON : spw_file_format_of_name(name);
}

spw_file_format spw_file_format_to_write(const char *name)
{
  if (!name) return SPW_FORMAT_UNKNOWN;
  if (is_jsonl(name)) return SPW_FORMAT_JSONL;
  if (ends_with(name, ".json")) return SPW_FORMAT_JSON;
  const spw_file_format_info *const info = info_of_name(name);
  return info && info->is_written ? info->format : SPW_FORMAT_UNKNOWN;
}

/* ---- Other programs -------------------------------------------------------------------------- */

typedef struct foreign_magic {
  const char *bytes;
  size_t size;
  const char *name;
} foreign_magic;

static const foreign_magic magics[] = {{"MATLAB ", 7, "a .mat file of MATLAB"},
                                       {"PAR1", 4, "a Parquet file"},
                                       {"ARROW1", 6, "an Arrow file"},
                                       {"FEA1", 4, "a Feather file"}};

/* The protocols from 2 on, of which each pickle begins with an opcode and its number. */
static bool is_pickle(const unsigned char *bytes, size_t size)
{
  return size > 2 && bytes[0] == 0x80 && bytes[1] >= 2 && bytes[1] <= 5;
}

/* Which lies before all that HDF5 has. */
static bool has_user_block(const unsigned char *bytes, size_t size)
{
  enum { LEAST = 512 };
  for (size_t at = LEAST; at < size; at *= 2)
    if (spw_is_hdf5(bytes + at, size - at)) return true;
  return false;
}

const char *spw_foreign_format(const void *bytes, size_t size)
{
  if (!bytes) return NULL;
  if (format_of_bytes(bytes, size) == SPW_FORMAT_UNKNOWN && has_user_block(bytes,
                                                                           size)) return "an HDF5 file behind a user block";
  for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
    if (begins_with(bytes, size, magics[i].bytes, magics[i].size)) return magics[i].name;
  return is_pickle(bytes, size) && !spw_is_pt(bytes, size) ? "a pickle of Python, and not of torch.save" : NULL;
}
