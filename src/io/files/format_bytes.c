/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of each format. */
#include "../../owned/owned.h"

/* The one sparse tensor of a file that may hold several. */
static spw_status read_only_one(spw_file_format format, const void *bytes, size_t size, size_t limit, spw_owned **out,
                                spw_error *error)
{
  spw_archive *archive = NULL;
  if (!limit) limit = spw_memory_limit(size);
  const size_t half = limit / 2 + limit % 2; /* for the list of tensors, and for the one */
  spw_status status = spw_archive_open(format, bytes, size, half, &archive, error);
  if (status != SPW_OK) return status;
  const size_t count = spw_archive_count(archive);
  if (count == 1)
    status = spw_archive_read(archive, 0, half, out, error);
  else
    status = spw_fail(SPW_EUNSUPPORTED, error, "", "the file holds %zu sparse tensors: spw_archive_open lists them", count);
  spw_archive_close(archive);
  return status;
}

spw_status spw_read_bytes(spw_file_format format, const void *bytes, size_t size, size_t limit, spw_owned **out, spw_error *error)
{
  switch (format) {
  case SPW_FORMAT_NPZ: return spw_read_npz(bytes, size, limit, out, error);
  case SPW_FORMAT_NPY: return spw_read_npy(bytes, size, limit, out, error);
  case SPW_FORMAT_MTX: return spw_read_mtx(bytes, size, limit, out, error);
  case SPW_FORMAT_PT:
  case SPW_FORMAT_SAFETENSORS:
  case SPW_FORMAT_HDF5: return read_only_one(format, bytes, size, limit, out, error);
  default: return spw_read_json(bytes, size, limit, out, error);
  }
}
