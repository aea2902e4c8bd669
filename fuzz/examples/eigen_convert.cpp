// SPDX-License-Identifier: Apache-2.0
// Eigen makes columns of rows. That the result means the same, the certifier says.
#include "../library.h"

#include <Eigen/SparseCore>

using Columns = Eigen::SparseMatrix<double, Eigen::ColMajor, int32_t>;

// Where nothing is read, the offset may be anything.
template <class T> static const T *first(const void *data, const spw_array &a)
{
  return static_cast<const T *>(data) + (a.shape[0] > 0 ? a.offset : 0);
}

fuzz_answer fuzz_library_check(const spw_tensor *t)
{
  bool valid = false;
  if (spw_is_valid(t, SPW_CANONICAL, &valid) != SPW_OK || !valid) return FUZZ_UNSUPPORTED;
  const bool csr = t->layout == SPW_CSR && t->has_size && t->ndim == 2 && t->values.array.ndim == 1;
  if (!csr || t->plain.array.dtype != SPW_INT32 || t->values.array.dtype != SPW_FLOAT64) return FUZZ_UNSUPPORTED;
  return t->values.array.strides[0] == 1 || t->values.array.shape[0] < 2 ? FUZZ_ACCEPTS : FUZZ_UNSUPPORTED;
}

void fuzz_library_use(const spw_tensor *) {}

fuzz_answer fuzz_library_convert(const spw_tensor *t, spw_tensor *result, spw_zeros *)
{
  static Columns columns;
  static int64_t lengths[3];
  static const int64_t stride = 1;
  columns = Eigen::Map<const Eigen::SparseMatrix<double, Eigen::RowMajor, int32_t>>(
      t->size[0], t->size[1], t->plain.array.shape[0], first<int32_t>(t->compressed.i32, t->compressed.array),
      first<int32_t>(t->plain.i32, t->plain.array), first<double>(t->values.data, t->values.array));
  columns.makeCompressed();
  lengths[0] = columns.cols() + 1;
  lengths[1] = lengths[2] = columns.nonZeros();
  *result = *t;
  result->layout = SPW_CSC;
  result->compressed = {{SPW_INT32, 1, &lengths[0], &stride, 0, lengths[0]}, columns.outerIndexPtr(), nullptr, nullptr};
  result->plain = {{SPW_INT32, 1, &lengths[1], &stride, 0, lengths[1]}, columns.innerIndexPtr(), nullptr, nullptr};
  result->values = {{SPW_FLOAT64, 1, &lengths[2], &stride, 0, lengths[2]}, columns.valuePtr()};
  return FUZZ_ACCEPTS;
}
