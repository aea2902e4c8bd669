/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a file that holds one tensor. */
#include "output.h"

spw_status format_tensor(cli_format format, const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error)
{
  *error = (spw_error){{0}, {0}};
  switch (format) {
  case FORMAT_NPZ: return spw_write_npz(tensor, bytes, size, error);
  case FORMAT_MTX: return spw_write_mtx(tensor, bytes, size, error);
  case FORMAT_NPY: return spw_write_npy(tensor, bytes, size, error);
  default: return spw_write_json(tensor, bytes, size, error);
  }
}
