/* SPDX-License-Identifier: Apache-2.0 */
/* librsb. Its constructors copy the arrays and are its only check; there is no validator to ask. */
#include "kit.h"

#include <rsb-config.h>
#include <rsb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct session {
  kit_answer *answer;
  kit_phase phase;
  bool stop;
} session;

static bool did(session *s, rsb_err_t error, const char *function)
{
  char text[160] = "";
  if (error == RSB_ERR_NO_ERROR) return !s->stop;
  rsb_strerror_r(error, text, sizeof text);
  if (!s->stop) kit_reject(s->answer, s->phase, "%s: %s", function, text);
  s->stop = true;
  return false;
}

static rsb_type_t type_of(spw_dtype dtype)
{
  if (dtype == SPW_FLOAT32) return RSB_NUMERICAL_TYPE_FLOAT;
  if (dtype == SPW_FLOAT64) return RSB_NUMERICAL_TYPE_DOUBLE;
  return dtype == SPW_COMPLEX64 ? RSB_NUMERICAL_TYPE_FLOAT_COMPLEX
                                : RSB_NUMERICAL_TYPE_DOUBLE_COMPLEX;
}

static const void *one_of(spw_dtype dtype)
{
  void *const one = kit_guarded((size_t)spw_dtype_size(dtype));
  kit_set_one(dtype, one);
  return one;
}

static struct rsb_mtx_t *constructed(session *s, const kit_matrix *m)
{
  rsb_err_t error = RSB_ERR_NO_ERROR;
  struct rsb_mtx_t *a = NULL;
  const rsb_type_t type = type_of(m->dtype);
  const int rows = (int)m->rows, columns = (int)m->columns, nse = (int)m->nse;
  const rsb_flags_t flags = RSB_FLAG_NOFLAGS | RSB_FLAG_DUPLICATES_SUM;
  if (m->layout == SPW_CSR)
    a = rsb_mtx_alloc_from_csr_const(m->values, m->compressed, m->plain, nse, type, rows, columns,
                                     1, 1, flags, &error);
  else if (m->layout == SPW_CSC)
    a = rsb_mtx_alloc_from_csc_const(m->values, m->plain, m->compressed, nse, type, rows, columns,
                                     1, 1, flags, &error);
  else
    a = rsb_mtx_alloc_from_coo_const(m->values, m->row, m->column, nse, type, rows, columns, 1, 1,
                                     flags, &error);
  if (!a && error == RSB_ERR_NO_ERROR) error = RSB_ERR_GENERIC_ERROR;
  did(s, error, "rsb_mtx_alloc");
  return a;
}

static struct rsb_mtx_t *matrix_of(session *s, const spw_tensor *tensor, kit_matrix *m)
{
  const char *why = kit_matrix_of(tensor, m);
  if (!why) why = kit_lengths_of(m);
  if (!why && m->index_dtype != SPW_INT32) why = "librsb has 32-bit indices";
  if (!why && (m->rows > INT32_MAX || m->columns > INT32_MAX)) why = "a size beyond 32 bits";
  if (why) {
    kit_unsupported(s->answer, why);
    s->stop = true;
    return NULL;
  }
  s->phase = KIT_CONSTRUCT;
  struct rsb_mtx_t *const a = constructed(s, m);
  s->phase = KIT_USED;
  return a;
}

/* ---- Results ---- */

static int number_of(const struct rsb_mtx_t *a, enum rsb_mif_t what)
{
  int number = 0;
  rsb_mtx_get_info(a, what, &number);
  return number;
}

static void dense_answer(session *s, const struct rsb_mtx_t *a, spw_dtype dtype)
{
  const int rows = number_of(a, RSB_MIF_MATRIX_ROWS__TO__RSB_COO_INDEX_T);
  const int columns = number_of(a, RSB_MIF_MATRIX_COLS__TO__RSB_COO_INDEX_T);
  const int64_t shape[] = {rows, columns};
  void *const data = kit_guarded((size_t)(shape[0] * shape[1] * spw_dtype_size(dtype)));
  const rsb_err_t error =
      rsb_mtx_add_to_dense(one_of(dtype), a, columns, rows, columns, RSB_BOOL_TRUE, data);
  if (did(s, error, "rsb_mtx_add_to_dense")) kit_dense_result(s->answer, dtype, 2, shape, data);
}

/* What a step of a chain has left. librsb has its own layout: that of the tensor goes with it. */
typedef struct link {
  struct rsb_mtx_t *matrix;
  spw_layout layout;
  spw_dtype dtype;
} link;

static void release_link(void *object)
{
  rsb_mtx_free(((link *)object)->matrix);
}

/* The object itself: it is the caller's no more. */
static void keep(session *s, struct rsb_mtx_t **a, spw_layout layout, spw_dtype dtype)
{
  const link left = {*a, layout, dtype};
  *a = NULL;
  kit_keep(s->answer, kit_guarded_copy(&left, sizeof left), release_link);
}

static void sparse_answer(session *s, struct rsb_mtx_t **result, spw_layout layout, spw_dtype dtype)
{
  const struct rsb_mtx_t *const a = *result;
  if (s->stop) return;
  if (kit_keeps(s->answer)) {
    keep(s, result, layout, dtype);
    return;
  }
  kit_matrix m = {.layout = layout, .dtype = dtype, .index_dtype = SPW_INT32, .block = {1, 1}};
  m.rows = number_of(a, RSB_MIF_MATRIX_ROWS__TO__RSB_COO_INDEX_T);
  m.columns = number_of(a, RSB_MIF_MATRIX_COLS__TO__RSB_COO_INDEX_T);
  m.nse = m.values_length = number_of(a, RSB_MIF_MATRIX_NNZ__TO__RSB_NNZ_INDEX_T);
  m.compressed_length = m.rows + 1;
  m.values = kit_guarded((size_t)(m.nse * spw_dtype_size(dtype)));
  m.compressed = kit_guarded((size_t)m.compressed_length * sizeof(int));
  m.row = kit_guarded((size_t)m.nse * sizeof(int));
  m.plain = m.column = kit_guarded((size_t)m.nse * sizeof(int));
  if (layout == SPW_CSR)
    did(s, rsb_mtx_get_csr(type_of(dtype), a, m.values, m.compressed, m.plain, RSB_FLAG_NOFLAGS),
        "rsb_mtx_get_csr");
  else
    did(s, rsb_mtx_get_coo(a, m.values, m.row, m.column, RSB_FLAG_NOFLAGS), "rsb_mtx_get_coo");
  if (!s->stop) kit_matrix_result(s->answer, &m);
}

/* ---- Operations ---- */

static void *product(session *s, const struct rsb_mtx_t *a, const kit_matrix *m, const kit_dense *x)
{
  const int columns = x->ndim == 2 ? (int)x->shape[1] : 1;
  void *const y = kit_guarded((size_t)(m->rows * columns * spw_dtype_size(m->dtype)));
  const void *const one = one_of(m->dtype);
  if (x->ndim == 1)
    did(s, rsb_spmv(RSB_TRANSPOSITION_N, one, a, x->data, 1, one, y, 1), "rsb_spmv");
  else
    did(s,
        rsb_spmm(RSB_TRANSPOSITION_N, one, a, columns, RSB_FLAG_WANT_ROW_MAJOR_ORDER, x->data,
                 columns, one, y, columns),
        "rsb_spmm");
  return y;
}

static void product_answer(session *s, const struct rsb_mtx_t *a, const kit_matrix *m,
                           const kit_dense *x)
{
  const int64_t shape[] = {m->rows, x->ndim == 2 ? x->shape[1] : 1};
  const void *const y = product(s, a, m, x);
  if (!s->stop) kit_dense_result(s->answer, m->dtype, x->ndim, shape, y);
}

static void judge_add(session *s, const kit_question *q, const struct rsb_mtx_t *a,
                      const kit_matrix *m)
{
  kit_matrix other;
  rsb_err_t error = RSB_ERR_NO_ERROR;
  struct rsb_mtx_t *b = q->other ? matrix_of(s, q->other, &other) : NULL, *c = NULL;
  const void *const one = one_of(m->dtype);
  if (!s->stop)
    c = rsb_sppsp(type_of(m->dtype), RSB_TRANSPOSITION_N, one, a, RSB_TRANSPOSITION_N, one,
                  b ? b : a, &error);
  did(s, error, "rsb_sppsp");
  if (c) sparse_answer(s, &c, m->layout, m->dtype);
  rsb_mtx_free(b);
  rsb_mtx_free(c);
}

static void judge_transpose(session *s, const struct rsb_mtx_t *a, const kit_matrix *m)
{
  struct rsb_mtx_t *b = NULL;
  const rsb_err_t error = rsb_mtx_clone(&b, type_of(m->dtype), RSB_TRANSPOSITION_T,
                                        one_of(m->dtype), a, RSB_FLAG_IDENTICAL_FLAGS);
  if (did(s, error, "rsb_mtx_clone")) sparse_answer(s, &b, m->layout, m->dtype);
  rsb_mtx_free(b);
}

static void judge_use(session *s, const struct rsb_mtx_t *a, const kit_matrix *m)
{
  if (m->rows <= KIT_LARGEST_DENSE && m->columns <= KIT_LARGEST_DENSE) {
    const kit_dense ones = kit_ones(m->dtype, m->columns);
    product(s, a, m, &ones);
  }
  if (kit_fits_dense(m)) dense_answer(s, a, m->dtype);
  if (!s->stop) kit_accept(s->answer, KIT_USED);
}

/* Symmetric matrices are kept as a triangle; products know. */
static void whole_answer(session *s, const struct rsb_mtx_t *a)
{
  const int columns = number_of(a, RSB_MIF_MATRIX_COLS__TO__RSB_COO_INDEX_T);
  const kit_matrix m = {.dtype = SPW_FLOAT64,
                        .columns = columns,
                        .rows = number_of(a, RSB_MIF_MATRIX_ROWS__TO__RSB_COO_INDEX_T)};
  const int64_t shape[] = {columns, columns};
  if (!kit_fits_dense(&m) || columns > 1000) {
    kit_unsupported(s->answer, "a large file");
    return;
  }
  double *const identity = kit_guarded((size_t)(columns * columns) * sizeof *identity);
  const kit_dense x = {SPW_FLOAT64, 2, shape, (int64_t)columns * columns, identity, NULL};
  for (int i = 0; i < columns; i++) identity[(size_t)i * (size_t)columns + (size_t)i] = 1;
  if (columns == 0)
    kit_dense_result(s->answer, SPW_FLOAT64, 2, (const int64_t[]){m.rows, 0}, identity);
  else
    product_answer(s, a, &m, &x);
}

static void judge_file(session *s, const kit_question *q)
{
  char path[KIT_PATH];
  rsb_err_t error = RSB_ERR_NO_ERROR;
  kit_write_file(q, path);
  struct rsb_mtx_t *const a = rsb_file_mtx_load(path, RSB_FLAG_NOFLAGS | RSB_FLAG_DUPLICATES_SUM,
                                                RSB_NUMERICAL_TYPE_DOUBLE, &error);
  remove(path);
  if (!a && error == RSB_ERR_NO_ERROR) error = RSB_ERR_GENERIC_ERROR;
  s->phase = KIT_CONSTRUCT;
  if (did(s, error, "rsb_file_mtx_load")) whole_answer(s, a);
  rsb_mtx_free(a);
}

/* The first operand: the question's, or what the step before has left, which is taken out of its link. */
static struct rsb_mtx_t *operand(session *s, const kit_question *q, kit_matrix *m)
{
  if (!q->live) return matrix_of(s, q->tensor, m);
  link *const left = q->live;
  struct rsb_mtx_t *const a = left->matrix;
  left->matrix = NULL;
  s->phase = KIT_USED;
  *m = (kit_matrix){.layout = left->layout, .dtype = left->dtype, .index_dtype = SPW_INT32, .block = {1, 1}};
  m->rows = number_of(a, RSB_MIF_MATRIX_ROWS__TO__RSB_COO_INDEX_T);
  m->columns = number_of(a, RSB_MIF_MATRIX_COLS__TO__RSB_COO_INDEX_T);
  return a;
}

static void judge(const kit_question *q, kit_answer *answer)
{
  session s = {answer, KIT_CONSTRUCT, false};
  kit_matrix m;
  if (q->operation == KIT_READ) judge_file(&s, q);
  if (q->operation == KIT_READ || q->operation == KIT_FROM_DENSE || q->operation == KIT_SUM) return;
  struct rsb_mtx_t *a = operand(&s, q, &m);
  if (s.stop) return;
  switch ((int)q->operation) {
  case KIT_CHECK: kit_accept(answer, KIT_CONSTRUCT); break;
  case KIT_USE: judge_use(&s, a, &m); break;
  case KIT_TO_DENSE: dense_answer(&s, a, m.dtype); break;
  case KIT_MATVEC:
  case KIT_MATMAT: product_answer(&s, a, &m, &q->x); break;
  case KIT_CONVERT: sparse_answer(&s, &a, q->to, m.dtype); break;
  case KIT_TRANSPOSE: judge_transpose(&s, a, &m); break;
  case KIT_ADD: judge_add(&s, q, a, &m); break;
  default: break;
  }
  rsb_mtx_free(a);
}

static void start(void)
{
  if (rsb_lib_init(RSB_NULL_INIT_OPTIONS)) exit(2);
}

#define DTYPES "\"dtypes\": [\"float32\", \"float64\", \"complex64\", \"complex128\"]"
#define ALL    "{\"layouts\": [\"coo\", \"csr\", \"csc\"], " DTYPES "}"
#define ROWS   "{\"layouts\": [\"coo\", \"csr\"], " DTYPES "}"

int main(void)
{
  static const kit_library librsb = {
      .name = "librsb",
      .version = RSB_PACKAGE_VERSION,
      .start = start,
      .judge = judge,
      .isolated = true,
      .manifest =
          "{\"operations\": {\"check\": " ALL ", \"use\": " ALL ", \"to_dense\": " ALL
          ", \"transpose\": " ROWS
          ", \"convert\": {\"layouts\": [\"coo\", \"csr\", \"csc\"], " DTYPES
          ", \"to\": {\"coo\": [\"coo\", \"csr\"], \"csr\": [\"coo\", \"csr\"], \"csc\": [\"coo\", "
          "\"csr\"]}}, \"matvec\": " ALL ", \"matmat\": " ALL ", \"add\": " ROWS
          ", \"chain\": " ROWS ", \"read\": {\"formats\": [\"mtx\"], \"dtypes\": [\"float64\"]}}, \"index_dtypes\": "
          "[\"int32\"], "
          "\"names_rules\": \"none\", \"guards\": [\"after\", \"before\"], \"lacks\": "
          "[" KIT_LACKS_OF_ANY_MATRICES ", \"array-lengths\", \"index-range\"]}"};
  return kit_serve(&librsb);
}
