/* SPDX-License-Identifier: Apache-2.0 */
/* Eigen. CSR and CSC are maps of row-major and column-major matrices, COO is setFromTriplets, whose
 * assertions are the only check that Eigen has: they are on, and a failed one is a rejection. In a chain,
 * the next operand is the matrix that the step before has left. */
#include "eigen_kit.h"

#include <vector>

namespace {

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
  using Owner = owner_of<T, Sparse::IsRowMajor, typename Sparse::StorageIndex>;
  if (q->operation == KIT_USE) {
    use(m, answer, a);
  } else if (q->operation == KIT_TO_DENSE) {
    auto dense = guarded_dense<T>(a.rows(), a.cols());
    dense = a;
    answer_dense(answer, 2, a.rows(), a.cols(), dense.data());
  } else if (q->operation == KIT_CONVERT) {
    answer_sparse(answer, a, q->to);
  } else if (Owner result; derive(q, a, other, result)) {
    answer_sparse(answer, std::move(result), m.layout);
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

/* A step of a chain after the first. */
template <class T, bool ByRow, class I> void judge_owner(const kit_question *q, kit_answer *answer, const live *left)
{
  using Owner = owner_of<T, ByRow, I>;
  const Owner &a = static_cast<const live_matrix<Owner> *>(left)->matrix;
  kit_matrix m = {};
  m.layout = left->layout;
  m.dtype = dtype_of<T>::value;
  m.rows = a.rows();
  m.columns = a.cols();
  if (!q->other) return operate(q, answer, m, a, a);
  const kit_matrix given = matrix_of(q->other);
  if (given.layout == SPW_COO)
    operate(q, answer, m, a, Owner(assembled<T, I>(given)));
  else if (given.layout == SPW_CSR)
    operate(q, answer, m, a, Owner(map_of<T, Eigen::RowMajor, I>(given)));
  else
    operate(q, answer, m, a, Owner(map_of<T, Eigen::ColMajor, I>(given)));
}

/* Chains are of one type of values. */
void judge_live(const kit_question *q, kit_answer *answer)
{
  const live *const left = static_cast<const live *>(q->live);
  if (left->index_dtype == SPW_INT32 && left->by_row)
    judge_owner<double, true, int32_t>(q, answer, left);
  else if (left->index_dtype == SPW_INT32)
    judge_owner<double, false, int32_t>(q, answer, left);
  else if (left->by_row)
    judge_owner<double, true, int64_t>(q, answer, left);
  else
    judge_owner<double, false, int64_t>(q, answer, left);
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

void judge_any(const kit_question *q, kit_answer *answer)
{
  if (q->live) return judge_live(q, answer);
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
    ", \"chain\": {\"layouts\": " ALL_LAYOUTS ", \"dtypes\": [\"float64\"]}}, \"index_dtypes\": [\"int32\", "
    "\"int64\"], \"names_rules\": \"none\", \"guards\": [\"after\", \"before\"], \"lacks\": "
    "[" KIT_LACKS_OF_POINTERS "]}";

} // namespace

int main()
{
  kit_library eigen = {};
  eigen.name = "eigen";
  eigen.version = EIGEN_RELEASE;
  eigen.manifest = manifest;
  eigen.judge = judge;
  eigen.isolated = true;
  return kit_serve(&eigen);
}
