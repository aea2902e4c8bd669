/* SPDX-License-Identifier: Apache-2.0 */
/* Eigen. CSR and CSC are maps of row-major and column-major matrices, COO is setFromTriplets, whose
 * assertions are the only check that Eigen has: they are on, and a failed one is a rejection. */
#include <stdexcept>
#define eigen_assert(condition)                                                                    \
  do {                                                                                             \
    if (!(condition)) throw std::logic_error("assertion: " #condition);                            \
  } while (0)

#include "kit_cpp.h"

#include <Eigen/SparseCore>
#include <unsupported/Eigen/SparseExtra>

#include <complex>
#include <cstdio>
#include <vector>

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

template <class Sparse> void answer_sparse(kit_answer *answer, const Sparse &a, spw_layout to)
{
  using T = typename Sparse::Scalar;
  using I = typename Sparse::StorageIndex;
  if (to == SPW_CSR) {
    Eigen::SparseMatrix<T, Eigen::RowMajor, I> by_row = a;
    answer_compressed(answer, by_row);
  } else if (to == SPW_CSC) {
    Eigen::SparseMatrix<T, Eigen::ColMajor, I> by_column = a;
    answer_compressed(answer, by_column);
  } else {
    answer_coo(answer, a);
  }
}

template <class T, int Order, class I>
Eigen::Map<const Eigen::SparseMatrix<T, Order, I>> map_of(const kit_matrix &m)
{
  return {m.rows,
          m.columns,
          m.nse,
          static_cast<const I *>(m.compressed),
          static_cast<const I *>(m.plain),
          static_cast<const T *>(m.values)};
}

template <class T, class I>
Eigen::SparseMatrix<T, Eigen::RowMajor, I> assembled(const kit_matrix &m)
{
  std::vector<Eigen::Triplet<T, I>> triplets;
  for (int64_t k = 0; k < m.nse; k++)
    triplets.emplace_back(static_cast<const I *>(m.row)[k], static_cast<const I *>(m.column)[k],
                          static_cast<const T *>(m.values)[k]);
  Eigen::SparseMatrix<T, Eigen::RowMajor, I> a(m.rows, m.columns);
  a.setFromTriplets(triplets.begin(), triplets.end());
  return a;
}

kit_matrix matrix_of(const spw_tensor *tensor)
{
  kit_matrix m;
  const char *why = kit_matrix_of(tensor, &m);
  if (!why) why = kit_lengths_of(&m);
  if (why) throw unsupported(why);
  return m;
}

template <class Sparse> void multiply(const kit_question *q, kit_answer *answer, const Sparse &a)
{
  using T = typename Sparse::Scalar;
  T *const x = static_cast<T *>(q->x.data);
  const Eigen::Index columns = q->x.ndim == 2 ? q->x.shape[1] : 1;
  auto y = guarded_dense<T>(a.rows(), columns);
  if (q->x.ndim == 2)
    y = a * dense_map<T>(x, a.cols(), columns);
  else
    vector_map<T>(y.data(), a.rows()) = a * vector_map<T>(x, a.cols());
  answer_dense(answer, q->x.ndim, a.rows(), columns, y.data());
}

template <class Sparse> void use(const kit_matrix &m, kit_answer *answer, const Sparse &a)
{
  using T = typename Sparse::Scalar;
  if (m.rows <= KIT_LARGEST_DENSE && m.columns <= KIT_LARGEST_DENSE) {
    const kit_dense ones = kit_ones(m.dtype, m.columns);
    auto y = guarded_dense<T>(a.rows(), 1);
    vector_map<T>(y.data(), a.rows()) = a * vector_map<T>(static_cast<T *>(ones.data), a.cols());
  }
  if (kit_fits_dense(&m)) guarded_dense<T>(a.rows(), a.cols()) = a;
  kit_accept(answer, KIT_USED);
}

/* Results of the operand's own layout; false if the operation has none. */
template <class Owner, class Sparse, class Other>
bool derive(const kit_question *q, const Sparse &a, const Other &other, Owner &result)
{
  using T = typename Sparse::Scalar;
  switch (static_cast<int>(q->operation)) {
  case KIT_ADD: result = a + other; break;
  case KIT_SUB: result = a - other; break;
  case KIT_MUL: result = a.cwiseProduct(other); break;
  case KIT_MATMUL_SPARSE: result = a * other; break;
  case KIT_SCALE: result = a * static_cast<T>(q->alpha); break;
  case KIT_DIVIDE: result = a / static_cast<T>(q->alpha); break;
  case KIT_TRANSPOSE: result = a.transpose(); break;
  case KIT_ELIMINATE_ZEROS: result = a.pruned(); break;
  case KIT_NARROW:
    if (q->dim)
      result = a.middleCols(q->start, q->length);
    else
      result = a.middleRows(q->start, q->length);
    break;
  default: return false;
  }
  return true;
}

template <class Sparse, class Other>
void operate(const kit_question *q, kit_answer *answer, const kit_matrix &m, const Sparse &a,
             const Other &other)
{
  using T = typename Sparse::Scalar;
  using Owner = Eigen::SparseMatrix<T, Sparse::IsRowMajor ? Eigen::RowMajor : Eigen::ColMajor,
                                    typename Sparse::StorageIndex>;
  if (q->operation == KIT_USE) {
    use(m, answer, a);
  } else if (q->operation == KIT_TO_DENSE) {
    auto dense = guarded_dense<T>(a.rows(), a.cols());
    dense = a;
    answer_dense(answer, 2, a.rows(), a.cols(), dense.data());
  } else if (q->operation == KIT_CONVERT) {
    answer_sparse(answer, a, q->to);
  } else if (Owner result; derive(q, a, other, result)) {
    answer_sparse(answer, result, m.layout);
  } else if (q->operation == KIT_SUM) {
    const T sum = a.sum();
    answer_dense(answer, 0, 1, 1, &sum);
  } else if (q->operation == KIT_MATVEC || q->operation == KIT_MATMAT) {
    multiply(q, answer, a);
  } else {
    kit_accept(answer, KIT_CONSTRUCT);
  }
}

/* Without another operand, both are the same object. */
template <class Maker>
void operate_on_both(const kit_question *q, kit_answer *answer, const kit_matrix &m, Maker make)
{
  const auto a = make(m);
  if (!q->other) return operate(q, answer, m, a, a);
  const auto other = make(matrix_of(q->other));
  operate(q, answer, m, a, other);
}

template <class T, class I>
void judge_matrix(const kit_question *q, kit_answer *answer, const kit_matrix &m)
{
  if (m.layout == SPW_CSR)
    operate_on_both(q, answer, m, map_of<T, Eigen::RowMajor, I>);
  else if (m.layout == SPW_CSC)
    operate_on_both(q, answer, m, map_of<T, Eigen::ColMajor, I>);
  else
    operate_on_both(q, answer, m, assembled<T, I>);
}

template <class T> void judge_dense(const kit_question *q, kit_answer *answer)
{
  const dense_map<T> dense(static_cast<T *>(q->dense.data), q->dense.shape[0], q->dense.shape[1]);
  const Eigen::SparseMatrix<T, Eigen::RowMajor, int> sparse = dense.sparseView();
  answer_sparse(answer, sparse, q->to);
}

template <class T> void judge_of_type(const kit_question *q, kit_answer *answer)
{
  if (q->operation == KIT_FROM_DENSE) return judge_dense<T>(q, answer);
  const kit_matrix m = matrix_of(q->tensor);
  if (m.index_dtype == SPW_INT32)
    judge_matrix<T, int32_t>(q, answer, m);
  else
    judge_matrix<T, int64_t>(q, answer, m);
}

/* One triangle comes from the file; the header says of what. */
template <class T> void judge_market(const char *path, int symmetry, kit_answer *answer)
{
  using Sparse = Eigen::SparseMatrix<T>;
  Sparse a;
  if (!Eigen::loadMarket(a, path)) return kit_reject(answer, KIT_CONSTRUCT, "loadMarket");
  const Sparse strict = a.template triangularView<Eigen::StrictlyLower>();
  if (symmetry == Eigen::Symmetric)
    a += Sparse(strict.transpose());
  else if (symmetry == Eigen::SelfAdjoint)
    a += Sparse(strict.adjoint());
  answer_sparse(answer, a, SPW_CSC);
}

void judge_file(const kit_question *q, kit_answer *answer)
{
  char path[KIT_PATH];
  int symmetry = 0;
  bool is_complex = false, is_array = false;
  kit_write_file(q, path);
  if (!Eigen::getMarketHeader(path, symmetry, is_complex, is_array))
    kit_reject(answer, KIT_CONSTRUCT, "getMarketHeader");
  else if (is_complex)
    judge_market<std::complex<double>>(path, symmetry, answer);
  else
    judge_market<double>(path, symmetry, answer);
  remove(path);
}

void judge_any(const kit_question *q, kit_answer *answer)
{
  if (q->operation == KIT_READ) return judge_file(q, answer);
  const spw_dtype dtype =
      q->operation == KIT_FROM_DENSE ? q->dense.dtype : q->tensor->values.array.dtype;
  switch (static_cast<int>(dtype)) {
  case SPW_INT8: return judge_of_type<int8_t>(q, answer);
  case SPW_INT32: return judge_of_type<int32_t>(q, answer);
  case SPW_FLOAT32: return judge_of_type<float>(q, answer);
  case SPW_FLOAT64: return judge_of_type<double>(q, answer);
  case SPW_COMPLEX128: return judge_of_type<std::complex<double>>(q, answer);
  default: kit_unsupported(answer, "no such type here");
  }
}

void judge(const kit_question *q, kit_answer *answer)
{
  kit_answer_by(judge_any, q, answer);
}

#define NUMBERS     "\"int8\", \"int32\", \"float32\", \"float64\", \"complex128\"]"
#define ALL_LAYOUTS "[\"coo\", \"csr\", \"csc\"]"
#define ALL         "{\"layouts\": " ALL_LAYOUTS ", \"dtypes\": [" NUMBERS "}"
#define COO         "{\"layouts\": [\"coo\"], \"dtypes\": [" NUMBERS "}"

const char *const manifest =
    "{\"operations\": {\"check\": " COO ", \"use\": " ALL ", \"to_dense\": " ALL
    ", \"from_dense\": " ALL ", \"transpose\": " ALL ", \"convert\": {\"layouts\": " ALL_LAYOUTS
    ", \"dtypes\": [" NUMBERS ", \"to\": {\"coo\": " ALL_LAYOUTS ", \"csr\": " ALL_LAYOUTS
    ", \"csc\": " ALL_LAYOUTS "}}, \"matvec\": " ALL ", \"matmat\": " ALL ", \"sum\": " ALL
    ", \"add\": " ALL ", \"sub\": " ALL ", \"mul\": " ALL ", \"matmul_sparse\": " ALL
    ", \"scale\": " ALL ", \"divide\": " ALL ", \"narrow\": " ALL ", \"eliminate_zeros\": " ALL
    ", \"read\": {\"formats\": [\"mtx\"], \"dtypes\": [\"float64\", "
    "\"complex128\"]}}, \"index_dtypes\": [\"int32\", "
    "\"int64\"], \"names_rules\": \"none\", \"guards\": [\"after\", \"before\"], \"lacks\": "
    "[" KIT_LACKS_OF_POINTERS "]}";

} // namespace

int main()
{
  static char version[16];
  snprintf(version, sizeof version, "%d.%d.%d", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION,
           EIGEN_MINOR_VERSION);
  kit_library eigen = {};
  eigen.name = "eigen";
  eigen.version = version;
  eigen.manifest = manifest;
  eigen.judge = judge;
  eigen.isolated = true;
  return kit_serve(&eigen);
}
