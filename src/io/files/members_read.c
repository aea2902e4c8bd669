/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors of arrays that the caller names. */
#include "../arrays/archive.h"
#include "../numpy/npz_named.h"

static spw_status read_archive(spw_file_format format, const void *bytes, size_t size, size_t limit, const spw_members *members,
                               spw_owned *owned, spw_error *error)
{
  spw_archive *archive = NULL;
  spw_status status = spw_archive_open(format, bytes, size, limit, &archive, error);
  if (status == SPW_EINVAL || (!status && !archive->read_members))
    status = spw_fail(SPW_EUNSUPPORTED, error, "", "arrays are named in .safetensors, .npz and HDF5 files only");
  else if (!status)
    status = archive->read_members(archive, members, owned, error);
  spw_archive_close(archive);
  return status;
}

spw_status spw_read_members(spw_file_format format, const void *bytes, size_t size, size_t limit, const spw_members *members,
                            spw_owned **out, spw_error *error)
{
  if (!out || (!bytes && size > 0) || !members || !members->plain || !members->values ||
      (members->compressed && members->layout == SPW_COO))
    return spw_fail(SPW_EINVAL, error, "", "null pointer, or names of no layout");
  if (error) *error = (spw_error){0};
  if (!limit) limit = spw_memory_limit(size);
  const size_t half = limit / 2 + limit % 2; /* for what the file holds, and for the tensor */
  spw_owned *const owned = spw_owned_new(format == SPW_FORMAT_NPZ ? limit : half);
  if (!owned) return spw_fail(SPW_ENOMEM, error, "", "no memory");
  const spw_status status = format == SPW_FORMAT_NPZ ? spw_npz_read_members(bytes, size, members, owned, error)
                                                     : read_archive(format, bytes, size, half, members, owned, error);
  if (status)
    spw_owned_free(owned);
  else
    *out = owned;
  return status;
}
