/* SPDX-License-Identifier: Apache-2.0 */
/* What the adapters of Eigen share: its assertions, which are on and throw, the types, and answers. */
#ifndef CONFORMANCE_EIGEN_KIT_H
#define CONFORMANCE_EIGEN_KIT_H

#include <stdexcept>
#define eigen_assert(condition)                                                                    \
  do {                                                                                             \
    if (!(condition)) throw std::logic_error("assertion: " #condition);                            \
  } while (0)

#include "kit_cpp.h"

#include <Eigen/SparseCore>

#include <complex>
#include <cstdio>
#include <type_traits>
#include <utility>

#ifdef EIGEN_VERSION_STRING
#define EIGEN_RELEASE EIGEN_VERSION_STRING
#else
#define EIGEN_TEXT(number)                EIGEN_TEXT_OF(number)
#define EIGEN_TEXT_OF(number)             #number
#define EIGEN_RELEASE                                                                              \
  EIGEN_TEXT(EIGEN_WORLD_VERSION) "." EIGEN_TEXT(EIGEN_MAJOR_VERSION) "." EIGEN_TEXT(EIGEN_MINOR_VERSION)
#endif

namespace {

template <class T> struct dtype_of;
template <> struct dtype_of<int8_t> {
  static constexpr spw_dtype value = SPW_INT8;
};
template <> struct dtype_of<int32_t> {
  static constexpr spw_dtype value = SPW_INT32;
};
template <> struct dtype_of<int64_t> {
  static constexpr spw_dtype value = SPW_INT64;
};
template <> struct dtype_of<float> {
  static constexpr spw_dtype value = SPW_FLOAT32;
};
template <> struct dtype_of<double> {
  static constexpr spw_dtype value = SPW_FLOAT64;
};
template <> struct dtype_of<std::complex<double>> {
  static constexpr spw_dtype value = SPW_COMPLEX128;
};

template <class T>
using dense_matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T> using dense_map = Eigen::Map<dense_matrix<T>>;
template <class T> using vector_map = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, 1>>;

/* A dense array that Eigen writes to, between unreadable pages. */
template <class T> dense_map<T> guarded_dense(Eigen::Index rows, Eigen::Index columns)
{
  return {static_cast<T *>(kit_guarded(static_cast<size_t>(rows * columns) * sizeof(T))), rows,
          columns};
}

template <class T>
void answer_dense(kit_answer *answer, int64_t ndim, int64_t rows, int64_t columns, const T *data)
{
  const int64_t shape[] = {rows, columns};
  kit_dense_result(answer, dtype_of<T>::value, ndim, shape, data);
}

template <class Sparse> void answer_compressed(kit_answer *answer, Sparse &a)
{
  using T = typename Sparse::Scalar;
  using I = typename Sparse::StorageIndex;
  a.makeCompressed();
  kit_matrix m = {};
  m.layout = Sparse::IsRowMajor ? SPW_CSR : SPW_CSC;
  m.index_dtype = dtype_of<I>::value;
  m.dtype = dtype_of<T>::value;
  m.rows = a.rows();
  m.columns = a.cols();
  m.block[0] = m.block[1] = 1;
  m.nse = m.plain_length = m.values_length = a.nonZeros();
  m.compressed_length = a.outerSize() + 1;
  m.compressed = a.outerIndexPtr();
  m.plain = a.innerIndexPtr();
  m.values = a.valuePtr();
  kit_matrix_result(answer, &m);
}

template <class Sparse> void answer_coo(kit_answer *answer, const Sparse &a)
{
  using T = typename Sparse::Scalar;
  using I = typename Sparse::StorageIndex;
  const auto n = static_cast<size_t>(a.nonZeros());
  I *const row = static_cast<I *>(kit_guarded(n * sizeof(I)));
  I *const column = static_cast<I *>(kit_guarded(n * sizeof(I)));
  T *const values = static_cast<T *>(kit_guarded(n * sizeof(T)));
  size_t k = 0;
  for (Eigen::Index outer = 0; outer < a.outerSize(); outer++)
    for (typename Sparse::InnerIterator it(a, outer); it; ++it, k++) {
      row[k] = static_cast<I>(it.row());
      column[k] = static_cast<I>(it.col());
      values[k] = it.value();
    }
  kit_matrix m = {};
  m.layout = SPW_COO;
  m.index_dtype = dtype_of<I>::value;
  m.dtype = dtype_of<T>::value;
  m.rows = a.rows();
  m.columns = a.cols();
  m.block[0] = m.block[1] = 1;
  m.nse = m.values_length = a.nonZeros();
  m.row = row;
  m.column = column;
  m.values = values;
  kit_matrix_result(answer, &m);
}

template <class T, bool ByRow, class I>
using owner_of = Eigen::SparseMatrix<T, ByRow ? Eigen::RowMajor : Eigen::ColMajor, I>;

/* What a step of a chain has left: the matrix as Eigen keeps it, with the layout that it stands for. */
struct live {
  spw_layout layout;
  spw_dtype index_dtype;
  bool by_row;
  live(spw_layout stands_for, spw_dtype of_indices, bool rows)
      : layout(stands_for), index_dtype(of_indices), by_row(rows)
  {
  }
  live(const live &) = delete;
  live &operator=(const live &) = delete;
  virtual ~live() = default;
};

template <class Owner> struct live_matrix : live {
  Owner matrix;
  live_matrix(spw_layout stands_for, Owner &&given)
      : live(stands_for, dtype_of<typename Owner::StorageIndex>::value, Owner::IsRowMajor),
        matrix(std::move(given))
  {
  }
};

inline void release_live(void *object)
{
  delete static_cast<live *>(object);
}

template <class Owner> void keep(kit_answer *answer, Owner &&matrix, spw_layout layout)
{
  live *const left = new live_matrix<Owner>(layout, std::move(matrix));
  kit_keep(answer, left, release_live);
}

/* A result that is Eigen's own is moved and not copied: a copy is compressed, whatever this one is. */
template <bool ByRow, class Result> void answer_ordered(kit_answer *answer, Result &&a, spw_layout layout)
{
  using Sparse = std::decay_t<Result>;
  owner_of<typename Sparse::Scalar, ByRow, typename Sparse::StorageIndex> own(std::forward<Result>(a));
  if (kit_keeps(answer))
    keep(answer, std::move(own), layout);
  else
    answer_compressed(answer, own);
}

template <class Result> void answer_sparse(kit_answer *answer, Result &&a, spw_layout to)
{
  using Sparse = std::decay_t<Result>;
  if (to == SPW_CSR)
    answer_ordered<true>(answer, std::forward<Result>(a), to);
  else if (to == SPW_CSC)
    answer_ordered<false>(answer, std::forward<Result>(a), to);
  else if (kit_keeps(answer))
    answer_ordered<Sparse::IsRowMajor>(answer, std::forward<Result>(a), to);
  else
    answer_coo(answer, a);
}

} // namespace

#endif
