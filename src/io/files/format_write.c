/* SPDX-License-Identifier: Apache-2.0 */
/* The writer of each format. */
#include "../../owned/owned.h"

spw_status spw_write_bytes(spw_file_format format, const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error)
{
  switch (format) {
  case SPW_FORMAT_NPZ: return spw_write_npz(tensor, bytes, size, error);
  case SPW_FORMAT_NPY: return spw_write_npy(tensor, bytes, size, error);
  case SPW_FORMAT_MTX: return spw_write_mtx(tensor, bytes, size, error);
  case SPW_FORMAT_SAFETENSORS: return spw_write_safetensors(tensor, bytes, size, error);
  case SPW_FORMAT_HDF5: return spw_write_binsparse(tensor, bytes, size, error);
  case SPW_FORMAT_JSON:
  case SPW_FORMAT_JSONL: return spw_write_json(tensor, bytes, size, error);
  default: return spw_fail(SPW_EUNSUPPORTED, error, "", "files of this format are not written");
  }
}
