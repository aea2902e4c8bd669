/* SPDX-License-Identifier: Apache-2.0 */
/* The unsupported module of Eigen that reads Matrix Market: not every package of Eigen has it. */
#include "eigen_kit.h"

#include <unsupported/Eigen/SparseExtra>

namespace {

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

void judge_any(const kit_question *q, kit_answer *answer)
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

void judge(const kit_question *q, kit_answer *answer)
{
  if (q->operation == KIT_READ) kit_answer_by(judge_any, q, answer);
}

} // namespace

int main()
{
  kit_library eigen = {};
  eigen.name = "eigen";
  eigen.version = EIGEN_RELEASE;
  eigen.manifest = "{\"operations\": {\"read\": {\"formats\": [\"mtx\"], \"dtypes\": [\"float64\", "
                   "\"complex128\"]}}, \"index_dtypes\": [\"int32\"], \"names_rules\": \"none\", "
                   "\"guards\": [\"after\", \"before\"], \"lacks\": [" KIT_LACKS_OF_POINTERS "]}";
  eigen.judge = judge;
  eigen.isolated = true;
  return kit_serve(&eigen);
}
