/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a dense array as NumPy's save does, in C order. Equal arrays give equal files. */
#include "npy_array.h"

spw_status spw_write_npy(const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error)
{
  if (!tensor || !bytes || !size) return spw_fail(SPW_EINVAL, error, "", "null pointer");
  if (tensor->layout != SPW_DENSE)
    return spw_fail(SPW_EUNSUPPORTED, error, "", "a .npy file holds a dense array, not a sparse tensor");
  const spw_array *array = &tensor->values.array;
  const spw_status status = spw_npy_check_array(array, tensor->values.data, "values", error);
  if (status) return status;
  return spw_npy_print(spw_npy_descr(array->dtype), (size_t)spw_dtype_size(array->dtype), array,
                       tensor->values.data, "values", bytes, size, error);
}
