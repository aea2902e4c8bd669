/* SPDX-License-Identifier: Apache-2.0 */
/* GSL: gsl_spmatrix. COO is assembled element by element, as its manual says; the arrays of CSR and CSC are
 * members of a public struct and are filled in. It has no validator; gsl_spmatrix_fscanf reads files. */
#include "kit.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_spblas.h>
#include <gsl/gsl_spmatrix.h>
#include <gsl/gsl_version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct session {
  kit_answer *answer;
  bool stop;
} session;

static const char *last_error = "no error";

static void note(const char *reason, const char *file, int line, int number)
{
  (void)file, (void)line, (void)number;
  last_error = reason;
}

static bool did(session *s, bool fine, const char *function)
{
  if (!fine && !s->stop) kit_reject(s->answer, KIT_USED, "%s: %s", function, last_error);
  s->stop |= !fine;
  return !s->stop;
}

static gsl_spmatrix *new_matrix(session *s, int64_t rows, int64_t columns, int64_t nse, int kind)
{
  gsl_spmatrix *const a = gsl_spmatrix_alloc_nzmax((size_t)rows, (size_t)columns, (size_t)nse, kind);
  did(s, a, "gsl_spmatrix_alloc_nzmax");
  return a;
}

static void fill_in(gsl_spmatrix *a, const kit_matrix *m)
{
  memcpy(a->p, m->compressed, (size_t)m->compressed_length * sizeof(int));
  memcpy(a->i, m->plain, (size_t)m->nse * sizeof(int));
  memcpy(a->data, m->values, (size_t)m->nse * sizeof(double));
  a->nz = (size_t)m->nse;
}

static gsl_spmatrix *matrix_of(session *s, const spw_tensor *tensor, kit_matrix *m)
{
  const char *why = kit_matrix_of(tensor, m);
  if (!why) why = kit_lengths_of(m);
  if (why) {
    kit_unsupported(s->answer, why);
    s->stop = true;
    return NULL;
  }
  const int kind = m->layout == SPW_CSR ? GSL_SPMATRIX_CSR
                   : m->layout == SPW_CSC ? GSL_SPMATRIX_CSC : GSL_SPMATRIX_COO;
  gsl_spmatrix *const a = new_matrix(s, m->rows, m->columns, m->nse, kind);
  if (!a) return NULL;
  if (m->layout != SPW_COO) {
    fill_in(a, m);
    return a;
  }
  for (int64_t k = 0; k < m->nse && !s->stop; k++)
    did(s,
        !gsl_spmatrix_set(a, (size_t)((int *)m->row)[k], (size_t)((int *)m->column)[k],
                          ((double *)m->values)[k]),
        "gsl_spmatrix_set");
  return a;
}

/* What it keeps; COO in the order in which it was put in. */
static void sparse_answer(session *s, const gsl_spmatrix *a)
{
  if (s->stop) return;
  kit_matrix m = {.layout = GSL_SPMATRIX_ISCSR(a) ? SPW_CSR : GSL_SPMATRIX_ISCSC(a) ? SPW_CSC : SPW_COO,
                  .dtype = SPW_FLOAT64, .index_dtype = SPW_INT32, .block = {1, 1}};
  m.rows = (int64_t)a->size1;
  m.columns = (int64_t)a->size2;
  m.nse = m.values_length = (int64_t)a->nz;
  m.values = a->data;
  if (m.layout == SPW_COO) {
    m.row = a->i;
    m.column = a->p;
  } else {
    m.plain = a->i;
    m.plain_length = m.nse;
    m.compressed = a->p;
    m.compressed_length = (m.layout == SPW_CSR ? m.rows : m.columns) + 1;
  }
  kit_matrix_result(s->answer, &m);
}

/* ---- Operations ---- */

static gsl_matrix *dense_matrix(session *s, int64_t rows, int64_t columns, const void *data)
{
  gsl_matrix *const a = gsl_matrix_calloc((size_t)rows, (size_t)columns);
  if (did(s, a, "gsl_matrix_calloc") && data)
    memcpy(a->data, data, (size_t)(rows * columns) * sizeof(double));
  return a;
}

static void dense_answer(session *s, const gsl_matrix *a)
{
  if (s->stop) return;
  const int64_t shape[] = {(int64_t)a->size1, (int64_t)a->size2};
  kit_dense_result(s->answer, SPW_FLOAT64, 2, shape, a->data);
}

static void judge_to_dense(session *s, const gsl_spmatrix *a)
{
  gsl_matrix *const found = dense_matrix(s, (int64_t)a->size1, (int64_t)a->size2, NULL);
  if (!s->stop) did(s, !gsl_spmatrix_sp2d(found, a), "gsl_spmatrix_sp2d");
  dense_answer(s, found);
}

static void judge_add_dense(session *s, const kit_question *q, const gsl_spmatrix *a)
{
  gsl_matrix *const found = dense_matrix(s, q->dense.shape[0], q->dense.shape[1], q->dense.data);
  if (!s->stop) did(s, !gsl_spmatrix_dense_add(found, a), "gsl_spmatrix_dense_add");
  dense_answer(s, found);
}

static void product(session *s, double alpha, const gsl_spmatrix *a, const void *x, double beta, void *y)
{
  const gsl_vector_const_view in = gsl_vector_const_view_array(x, a->size2);
  gsl_vector_view out = gsl_vector_view_array(y, a->size1);
  did(s, !gsl_spblas_dgemv(CblasNoTrans, alpha, a, &in.vector, beta, &out.vector), "gsl_spblas_dgemv");
}

static void judge_product(session *s, const kit_question *q, const gsl_spmatrix *a)
{
  const bool adds = q->operation == KIT_ADDMV;
  const int64_t shape[] = {(int64_t)a->size1};
  double *const y = kit_guarded(a->size1 * sizeof *y);
  if (adds) memcpy(y, q->dense.data, a->size1 * sizeof *y);
  product(s, adds ? q->alpha : 1, a, q->x.data, adds ? q->beta : 0, y);
  if (!s->stop) kit_dense_result(s->answer, SPW_FLOAT64, 1, shape, y);
}

static void judge_pair(session *s, const kit_question *q, const gsl_spmatrix *a)
{
  kit_matrix m;
  const gsl_spmatrix *const b = q->other ? matrix_of(s, q->other, &m) : a;
  if (s->stop) return;
  const bool adds = q->operation == KIT_ADD;
  gsl_spmatrix *const c =
      new_matrix(s, (int64_t)a->size1, (int64_t)b->size2, 1, adds ? a->sptype : GSL_SPMATRIX_CSC);
  if (s->stop) return;
  if (adds)
    did(s, !gsl_spmatrix_add(c, a, b), "gsl_spmatrix_add");
  else
    did(s, !gsl_spblas_dgemm(1, a, b, c), "gsl_spblas_dgemm");
  sparse_answer(s, c);
}

static void judge_transpose(session *s, const gsl_spmatrix *a)
{
  gsl_spmatrix *const found = new_matrix(s, (int64_t)a->size2, (int64_t)a->size1, (int64_t)a->nz, a->sptype);
  if (s->stop) return;
  did(s, !gsl_spmatrix_transpose_memcpy(found, a), "gsl_spmatrix_transpose_memcpy");
  sparse_answer(s, found);
}

static void judge_convert(session *s, const kit_question *q, const gsl_spmatrix *a)
{
  gsl_spmatrix *const found =
      gsl_spmatrix_compress(a, q->to == SPW_CSR ? GSL_SPMATRIX_CSR : GSL_SPMATRIX_CSC);
  if (did(s, found, "gsl_spmatrix_compress")) sparse_answer(s, found);
}

static void judge_from_dense(session *s, const kit_question *q)
{
  const gsl_matrix *const dense = dense_matrix(s, q->dense.shape[0], q->dense.shape[1], q->dense.data);
  if (s->stop) return;
  gsl_spmatrix *const found = new_matrix(s, q->dense.shape[0], q->dense.shape[1], 1, GSL_SPMATRIX_COO);
  if (s->stop) return;
  did(s, !gsl_spmatrix_d2sp(found, dense), "gsl_spmatrix_d2sp");
  sparse_answer(s, found);
}

static void judge_file(session *s, const kit_question *q)
{
  char path[KIT_PATH];
  kit_write_file(q, path);
  FILE *const file = fopen(path, "r");
  gsl_spmatrix *const a = gsl_spmatrix_fscanf(file);
  fclose(file);
  remove(path);
  if (did(s, a, "gsl_spmatrix_fscanf")) judge_to_dense(s, a);
}

static void judge_use(session *s, const kit_matrix *m, const gsl_spmatrix *a)
{
  const kit_dense ones = kit_ones(SPW_FLOAT64, m->columns);
  product(s, 1, a, ones.data, 0, kit_guarded((size_t)m->rows * sizeof(double)));
  if (kit_fits_dense(m)) judge_to_dense(s, a);
}

static void judge(const kit_question *q, kit_answer *answer)
{
  session s = {answer, false};
  kit_matrix m;
  if (q->operation == KIT_READ) return judge_file(&s, q);
  if (q->operation == KIT_FROM_DENSE) return judge_from_dense(&s, q);
  gsl_spmatrix *const a = matrix_of(&s, q->tensor, &m);
  if (s.stop) return;
  switch ((int)q->operation) {
  case KIT_USE: judge_use(&s, &m, a); break;
  case KIT_TO_DENSE: judge_to_dense(&s, a); break;
  case KIT_CONVERT: judge_convert(&s, q, a); break;
  case KIT_TRANSPOSE: judge_transpose(&s, a); break;
  case KIT_ADD_DENSE: judge_add_dense(&s, q, a); break;
  case KIT_MATVEC:
  case KIT_ADDMV: judge_product(&s, q, a); break;
  case KIT_ADD:
  case KIT_MATMUL_SPARSE: judge_pair(&s, q, a); break;
  case KIT_SCALE:
    if (did(&s, !gsl_spmatrix_scale(a, q->alpha), "gsl_spmatrix_scale")) sparse_answer(&s, a);
    break;
  default: kit_accept(answer, KIT_CONSTRUCT); break;
  }
}

static void start(void) { gsl_set_error_handler(note); }

#define DTYPES     "\"dtypes\": [\"float64\"]"
#define ALL        "{\"layouts\": [\"coo\", \"csr\", \"csc\"], " DTYPES "}"
#define COMPRESSED "{\"layouts\": [\"csr\", \"csc\"], " DTYPES "}"
#define COO        "{\"layouts\": [\"coo\"], " DTYPES "}"
#define CSC        "{\"layouts\": [\"csc\"], " DTYPES "}"

int main(void)
{
  static const kit_library gsl = {
      .name = "gsl",
      .version = GSL_VERSION,
      .start = start,
      .judge = judge,
      .isolated = true,
      .manifest =
          "{\"operations\": {\"to_dense\": " ALL ", \"transpose\": " ALL ", \"matvec\": " ALL ", \"addmv\": " ALL
          ", \"scale\": " ALL ", \"add_dense\": " ALL ", \"add\": " COMPRESSED ", \"matmul_sparse\": " CSC
          ", \"from_dense\": " COO
          ", \"convert\": {\"layouts\": [\"coo\"], " DTYPES ", \"to\": {\"coo\": [\"csr\", \"csc\"]}}"
          ", \"read\": {\"formats\": [\"mtx\"], " DTYPES "}}, \"index_dtypes\": [\"int32\"], "
          "\"names_rules\": \"none\", \"lacks\": [" KIT_LACKS_OF_POINTERS
          ", \"index-range\", \"empty-size\", \"duplicates\"]}"};
  return kit_serve(&gsl);
}
