/* SPDX-License-Identifier: Apache-2.0 */
/* Armadillo: SpMat is CSC. Its constructors of pointers and rows (CSC) and of locations (COO) are its
 * only checks; what they throw is a rejection. */
#define ARMA_WARN_LEVEL 0
#include "kit_cpp.h"

#include <armadillo>
#include <string>
#include <vector>

namespace {

using matrix = arma::SpMat<double>;

/* Its vectors are its own memory: beyond them only a sanitizer sees. */
arma::uvec words_of(const void *indices, spw_dtype dtype, int64_t count)
{
  arma::uvec found(static_cast<arma::uword>(count));
  for (int64_t k = 0; k < count; k++)
    found[static_cast<arma::uword>(k)] = static_cast<arma::uword>(kit_index(indices, dtype, k));
  return found;
}

matrix made(const spw_tensor *tensor, kit_matrix *m)
{
  const char *why = kit_matrix_of(tensor, m);
  if (why) throw unsupported(why);
  const auto rows = static_cast<arma::uword>(m->rows), columns = static_cast<arma::uword>(m->columns);
  const arma::vec values(static_cast<const double *>(m->values), static_cast<arma::uword>(m->values_length));
  if (m->layout == SPW_CSC)
    return matrix(words_of(m->plain, m->index_dtype, m->plain_length),
                  words_of(m->compressed, m->index_dtype, m->compressed_length), values, rows, columns);
  arma::umat places(2, static_cast<arma::uword>(m->nse));
  places.row(0) = words_of(m->row, m->index_dtype, m->nse).t();
  places.row(1) = words_of(m->column, m->index_dtype, m->nse).t();
  return matrix(true, places, values, rows, columns);
}

void answer_dense(kit_answer *answer, int64_t ndim, const arma::mat &dense)
{
  const int64_t shape[] = {static_cast<int64_t>(dense.n_rows), static_cast<int64_t>(dense.n_cols)};
  const arma::mat by_row = dense.t();
  kit_dense_result(answer, SPW_FLOAT64, ndim, shape, by_row.memptr());
}

void answer_sparse(kit_answer *answer, matrix &a)
{
  a.sync();
  std::vector<int64_t> pointers(a.col_ptrs, a.col_ptrs + a.n_cols + 1);
  std::vector<int64_t> rows(a.row_indices, a.row_indices + a.n_nonzero);
  std::vector<double> values(a.values, a.values + a.n_nonzero);
  kit_matrix m = {};
  m.layout = SPW_CSC;
  m.index_dtype = SPW_INT64;
  m.dtype = SPW_FLOAT64;
  m.rows = static_cast<int64_t>(a.n_rows);
  m.columns = static_cast<int64_t>(a.n_cols);
  m.block[0] = m.block[1] = 1;
  m.nse = m.plain_length = m.values_length = static_cast<int64_t>(a.n_nonzero);
  m.compressed_length = m.columns + 1;
  m.compressed = pointers.data();
  m.plain = rows.data();
  m.values = values.data();
  kit_matrix_result(answer, &m);
}

arma::mat dense_of(const kit_dense &x)
{
  const auto rows = static_cast<arma::uword>(x.shape[0]);
  const auto columns = static_cast<arma::uword>(x.ndim == 2 ? x.shape[1] : 1);
  return arma::mat(static_cast<const double *>(x.data), columns, rows).t();
}

arma::uword word(int64_t number) { return static_cast<arma::uword>(number); }

/* Every other operation that gives a sparse matrix; false if there is none. */
bool derive(const kit_question *q, const matrix &a, const matrix &other, matrix &result)
{
  const arma::uword first = word(q->start), last = first + word(q->length) - 1;
  switch (static_cast<int>(q->operation)) {
  case KIT_CONVERT: result = a; break;
  case KIT_TRANSPOSE: result = a.t(); break;
  case KIT_ADD: result = a + other; break;
  case KIT_SUB: result = a - other; break;
  case KIT_MUL: result = a % other; break;
  case KIT_MATMUL_SPARSE: result = a * other; break;
  case KIT_SCALE: result = a * q->alpha; break;
  case KIT_DIVIDE: result = a / q->alpha; break;
  case KIT_NARROW:
    if (q->length == 0)
      result = q->dim ? matrix(a.n_rows, 0) : matrix(0, a.n_cols);
    else if (q->dim)
      result = a.cols(first, last);
    else
      result = a.rows(first, last);
    break;
  case KIT_SELECT:
    if (q->dim)
      result = a.col(word(q->index));
    else
      result = a.row(word(q->index));
    break;
  case KIT_ELIMINATE_ZEROS:
    result = a;
    result.clean(0);
    break;
  case KIT_SUM_DIM: result = arma::sum(a, word(q->dim)); break;
  default: return false;
  }
  return true;
}

void joined(const kit_question *q, kit_answer *answer, const matrix &a)
{
  matrix found = a;
  for (int64_t k = 0; k < q->others_count; k++) {
    kit_matrix m;
    const matrix next = made(q->others[k], &m);
    found = q->dim ? matrix(arma::join_rows(found, next)) : matrix(arma::join_cols(found, next));
  }
  answer_sparse(answer, found);
}

void use(const kit_matrix &m, kit_answer *answer, const matrix &a)
{
  if (m.columns <= KIT_LARGEST_DENSE && m.rows <= KIT_LARGEST_DENSE) {
    const arma::vec y = a * arma::vec(a.n_cols, arma::fill::ones);
  }
  if (kit_fits_dense(&m)) {
    const arma::mat dense(a);
  }
  kit_accept(answer, KIT_USED);
}

void answer_derived(const kit_question *q, kit_answer *answer, matrix &result)
{
  if (q->operation == KIT_SELECT || q->operation == KIT_SUM_DIM)
    answer_dense(answer, 1, arma::vectorise(arma::mat(result)));
  else
    answer_sparse(answer, result);
}

void operate(const kit_question *q, kit_answer *answer, const kit_matrix &m, const matrix &a, const matrix &other)
{
  if (q->operation == KIT_CHECK) return kit_accept(answer, KIT_CONSTRUCT);
  if (q->operation == KIT_USE) return use(m, answer, a);
  if (q->operation == KIT_CAT) return joined(q, answer, a);
  if (q->operation == KIT_TO_DENSE) return answer_dense(answer, 2, arma::mat(a));
  if (q->operation == KIT_ADD_DENSE) return answer_dense(answer, 2, a + dense_of(q->dense));
  if (q->operation == KIT_MATVEC || q->operation == KIT_MATMAT)
    return answer_dense(answer, q->x.ndim, a * dense_of(q->x));
  if (q->operation == KIT_SUM) {
    const double sum = arma::accu(a);
    return kit_dense_result(answer, SPW_FLOAT64, 0, nullptr, &sum);
  }
  matrix result;
  if (derive(q, a, other, result)) answer_derived(q, answer, result);
}

void judge_any(const kit_question *q, kit_answer *answer)
{
  if (q->operation == KIT_FROM_DENSE) {
    matrix a(dense_of(q->dense));
    return answer_sparse(answer, a);
  }
  kit_matrix m, second;
  const matrix a = made(q->tensor, &m);
  if (!q->other) return operate(q, answer, m, a, a);
  operate(q, answer, m, a, made(q->other, &second));
}

void judge(const kit_question *q, kit_answer *answer)
{
  kit_answer_by(judge_any, q, answer);
}

#define ALL  "{\"layouts\": [\"coo\", \"csc\"], \"dtypes\": [\"float64\"]}"
#define LIST(name) "\"" name "\": " ALL ", "

const char *const manifest =
    "{\"operations\": {" LIST("check") LIST("use") LIST("to_dense") LIST("transpose") LIST("matvec") LIST("matmat")
    LIST("sum") LIST("sum_dim") LIST("add") LIST("sub") LIST("mul") LIST("matmul_sparse") LIST("scale")
    LIST("divide") LIST("select") LIST("narrow") LIST("cat") LIST("add_dense") LIST("eliminate_zeros")
    "\"from_dense\": {\"layouts\": [\"csc\"], \"dtypes\": [\"float64\"]}, "
    "\"convert\": {\"layouts\": [\"coo\"], \"dtypes\": [\"float64\"], \"to\": {\"coo\": [\"csc\"]}}}, "
    "\"index_dtypes\": [\"int32\", \"int64\"], \"names_rules\": \"none\", \"lacks\": [" KIT_LACKS_OF_MATRICES
    ", \"keepdim\"]}";

} // namespace

int main()
{
  static const std::string version = std::to_string(arma::arma_version::major) + "." +
                                     std::to_string(arma::arma_version::minor) + "." +
                                     std::to_string(arma::arma_version::patch);
  kit_library armadillo = {};
  armadillo.name = "armadillo";
  armadillo.version = version.c_str();
  armadillo.manifest = manifest;
  armadillo.judge = judge;
  armadillo.isolated = true;
  return kit_serve(&armadillo);
}
