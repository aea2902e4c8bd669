/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a dense array from NumPy's .npy file. */
#include "npy_array.h"

#include <string.h>

/* The header, which ends at *end. */
static spw_status read_header(const unsigned char *bytes, size_t size, spw_npy_array *a, size_t *end,
                              spw_error *error)
{
  size_t start;
  if (size < SPW_NPY_PREAMBLE)
    return spw_fail(SPW_EFORMAT, error, a->name, "too short for a .npy file");
  const spw_status status = spw_npy_extent(bytes, a->name, &start, end, error);
  if (status) return status;
  if (*end > size)
    return spw_fail(SPW_EFORMAT, error, a->name, "the header goes beyond the file's end");
  a->left = size - *end;
  return spw_npy_parse(bytes, start, *end, a->name, &a->npy, error);
}

static spw_status read_array(spw_owned *owned, const unsigned char *bytes, size_t size,
                             spw_value_array *values, spw_error *error)
{
  spw_npy_array a = {.name = ""};
  size_t end;
  void *storage;
  spw_status status = read_header(bytes, size, &a, &end, error);
  if (!status) status = spw_npy_check_numbers(&a, error);
  if (!status) status = spw_npy_hold_numbers(owned, &a, &values->array, &storage, error);
  if (status) return status;
  memcpy(storage, bytes + end, a.left);
  spw_npy_to_native(&a, storage);
  values->data = storage;
  return SPW_OK;
}

spw_status spw_read_npy(const void *bytes, size_t size, size_t limit, spw_owned **out, spw_error *error)
{
  if (!out || (!bytes && size > 0)) return spw_fail(SPW_EINVAL, error, "", "null pointer");
  spw_owned *owned = spw_owned_new(limit ? limit : spw_memory_limit(size));
  if (!owned) return spw_fail(SPW_ENOMEM, error, "", "no memory");
  spw_tensor *tensor = spw_owned_edit(owned);
  const spw_status status = read_array(owned, bytes, size, &tensor->values, error);
  if (status) {
    spw_owned_free(owned);
    return status;
  }
  tensor->layout = SPW_DENSE;
  tensor->has_size = true;
  tensor->ndim = tensor->values.array.ndim;
  tensor->size = tensor->values.array.shape;
  *out = owned;
  return SPW_OK;
}
