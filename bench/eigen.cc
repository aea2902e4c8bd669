// SPDX-License-Identifier: Apache-2.0
// For bench.py: the conversions and products that Eigen has. A result lives until eigen_free: freeing it is not measured.
#include <Eigen/Sparse>
#include <cstdint>

using namespace Eigen;

namespace {

template <class T, class I> using Csr = SparseMatrix<T, RowMajor, I>;
template <class T, class I> using Csc = SparseMatrix<T, ColMajor, I>;
template <class T> using DenseRows = Matrix<T, Dynamic, Dynamic, RowMajor>;

struct Result {
  const void *compressed, *plain, *values;
  int64_t nse;
  void *owner;
  void (*destroy)(void *);
};

template <class M> Result of_sparse(M *m)
{
  return {m->outerIndexPtr(), m->innerIndexPtr(), m->valuePtr(), int64_t(m->nonZeros()), m,
          [](void *owner) { delete static_cast<M *>(owner); }};
}

template <class M> Result of_dense(M *m)
{
  return {nullptr, nullptr, m->data(), int64_t(m->size()), m, [](void *owner) { delete static_cast<M *>(owner); }};
}

template <class T, class I> Map<const Csr<T, I>> view(int64_t rows, int64_t columns, const I *c, const I *p, const T *v)
{
  return {Index(rows), Index(columns), Index(c[rows]), c, p, v};
}

template <class T, class I> struct Triplets {
  const I *i, *j;
  const T *v;
  int64_t k;
  bool operator!=(const Triplets &other) const { return k != other.k; }
  Triplets &operator++() { k++; return *this; }
  const Triplets *operator->() const { return this; }
  I row() const { return i[k]; }
  I col() const { return j[k]; }
  T value() const { return v[k]; }
};

template <class T, class I> Result from_coo(int64_t rows, int64_t columns, int64_t n, const I *i, const I *j, const T *v)
{
  auto *m = new Csr<T, I>(rows, columns);
  m->setFromTriplets(Triplets<T, I>{i, j, v, 0}, Triplets<T, I>{i, j, v, n});
  return of_sparse(m);
}

template <class T, class I> Result from_dense(int64_t rows, int64_t columns, const T *v)
{
  return of_sparse(new Csr<T, I>(Map<const DenseRows<T>>(v, rows, columns).sparseView()));
}

} // namespace

#define FUNCTIONS(I, T, NAME)                                                                                          \
  extern "C" void eigen_csr_csc_##NAME(int64_t rows, int64_t columns, const I *c, const I *p, const T *v, Result *r)   \
  { *r = of_sparse(new Csc<T, I>(view<T, I>(rows, columns, c, p, v))); }                                               \
  extern "C" void eigen_csr_dense_##NAME(int64_t rows, int64_t columns, const I *c, const I *p, const T *v, Result *r) \
  { *r = of_dense(new DenseRows<T>(view<T, I>(rows, columns, c, p, v))); }                                                 \
  extern "C" void eigen_coo_csr_##NAME(int64_t rows, int64_t columns, int64_t n, const I *i, const I *j, const T *v,   \
                                       Result *r)                                                                      \
  { *r = from_coo<T, I>(rows, columns, n, i, j, v); }                                                                  \
  extern "C" void eigen_mv_##NAME(int64_t rows, int64_t columns, const I *c, const I *p, const T *v, const T *x, T *y) \
  { Map<Matrix<T, Dynamic, 1>>(y, rows).noalias() =                                                                    \
      view<T, I>(rows, columns, c, p, v) * Map<const Matrix<T, Dynamic, 1>>(x, columns); }                             \
  extern "C" void eigen_mm_##NAME(int64_t rows, int64_t columns, int64_t k, const I *c, const I *p, const T *v,        \
                                  const T *x, T *y)                                                                    \
  { Map<DenseRows<T>>(y, rows, k).noalias() =                                                                          \
      view<T, I>(rows, columns, c, p, v) * Map<const DenseRows<T>>(x, columns, k); }                                   \
  extern "C" void eigen_dense_csr_##NAME(int64_t rows, int64_t columns, const T *v, Result *r)                         \
  { *r = from_dense<T, I>(rows, columns, v); }

FUNCTIONS(int32_t, float, int32_float32)
FUNCTIONS(int32_t, double, int32_float64)
FUNCTIONS(int64_t, float, int64_float32)
FUNCTIONS(int64_t, double, int64_float64)

extern "C" void eigen_free(Result *r)
{
  if (r->owner) r->destroy(r->owner);
  r->owner = nullptr;
}
