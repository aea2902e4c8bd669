// SPDX-License-Identifier: Apache-2.0
// Eigen has no check of its own: a map of CSR arrays is a promise. Fuzzing finds what a broken one costs.
#include "../library.h"

#include <Eigen/SparseCore>

// Where nothing is read, the offset may be anything.
template <class T> static const T *first(const void *data, const spw_array &a)
{
  return static_cast<const T *>(data) + (a.shape[0] > 0 ? a.offset : 0);
}

fuzz_answer fuzz_library_check(const spw_tensor *t)
{
  const bool csr = t->layout == SPW_CSR && t->has_size && t->ndim == 2 && t->values.array.ndim == 1;
  bool shape = false;
  if (!csr || t->plain.array.dtype != SPW_INT32 || t->values.array.dtype != SPW_FLOAT32) return FUZZ_UNSUPPORTED;
  // Only what Eigen is told in numbers of its own: sizes, strides and lengths must be right.
  return !spw_is_valid(t, SPW_SHAPE, &shape) && shape ? FUZZ_ACCEPTS : FUZZ_UNSUPPORTED;
}

void fuzz_library_use(const spw_tensor *t)
{
  using Matrix = Eigen::SparseMatrix<float, Eigen::RowMajor, int32_t>;
  const Eigen::Map<const Matrix> a(t->size[0], t->size[1], t->plain.array.shape[0],
                                   first<int32_t>(t->compressed.i32, t->compressed.array),
                                   first<int32_t>(t->plain.i32, t->plain.array), first<float>(t->values.data, t->values.array));
  const Eigen::VectorXf product = a * Eigen::VectorXf::Ones(t->size[1]);
  volatile float sum = product.sum();
  (void)sum;
}
