/* SPDX-License-Identifier: Apache-2.0 */
/* oneMKL's inspector-executor interface; its validator is sparse_matrix_checker, which is for
 * square CSR. Rows without elements are added where a matrix has fewer rows than columns; CSC and
 * BSR go to it as the CSR that their indices describe. 32-bit indices, 64-bit ones in
 * mkl64_adapter.c. */
#define _POSIX_C_SOURCE 200809L
#include "kit.h"

#include <mkl_service.h>
#include <mkl_sparse_handle.h>
#include <mkl_spblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct mkl_arrays {
  sparse_index_base_t base;
  sparse_layout_t block_layout;
  MKL_INT rows, columns, block, nse, *start, *end, *plain, *row;
  const void *values;
} mkl_arrays;

typedef struct mkl_functions {
  sparse_status_t (*create)(sparse_matrix_t *a, const kit_matrix *m);
  sparse_status_t (*get)(sparse_matrix_t a, spw_layout layout, mkl_arrays *got);
  sparse_status_t (*from_dense)(sparse_matrix_t *a, const kit_dense *dense, spw_layout to,
                                MKL_INT block);
  sparse_status_t (*to_dense)(sparse_matrix_t a, MKL_INT columns, void *data);
  sparse_status_t (*times_vector)(sparse_matrix_t a, const void *x, void *y);
  sparse_status_t (*times_matrix)(sparse_matrix_t a, const void *x, MKL_INT columns, void *y);
  sparse_status_t (*plus)(sparse_matrix_t a, sparse_matrix_t b, sparse_matrix_t *c);
} mkl_functions;

static const struct matrix_descr general = {SPARSE_MATRIX_TYPE_GENERAL, SPARSE_FILL_MODE_FULL,
                                            SPARSE_DIAG_NON_UNIT};
static const MKL_Complex8 one_c = {1, 0}, zero_c = {0, 0};
static const MKL_Complex16 one_z = {1, 0}, zero_z = {0, 0};

#define VALUE      float
#define ONE        1
#define ZERO       0
#define MKL(name)  mkl_sparse_s_##name
#define NAME(name) s_##name
#include "mkl_functions.inc"
#define VALUE      double
#define ONE        1
#define ZERO       0
#define MKL(name)  mkl_sparse_d_##name
#define NAME(name) d_##name
#include "mkl_functions.inc"
#define VALUE      MKL_Complex8
#define ONE        one_c
#define ZERO       zero_c
#define MKL(name)  mkl_sparse_c_##name
#define NAME(name) c_##name
#include "mkl_functions.inc"
#define VALUE      MKL_Complex16
#define ONE        one_z
#define ZERO       zero_z
#define MKL(name)  mkl_sparse_z_##name
#define NAME(name) z_##name
#include "mkl_functions.inc"

static const mkl_functions *functions_of(spw_dtype dtype)
{
  if (dtype == SPW_FLOAT32) return &s_functions;
  if (dtype == SPW_FLOAT64) return &d_functions;
  return dtype == SPW_COMPLEX64 ? &c_functions : &z_functions;
}

/* ---- A question ---- */

typedef struct session {
  kit_answer *answer;
  kit_phase phase;
  bool stop;
} session;

static bool did(session *s, sparse_status_t status, const char *function)
{
  static const char *const names[] = {"SUCCESS",       "NOT_INITIALIZED",  "ALLOC_FAILED",
                                      "INVALID_VALUE", "EXECUTION_FAILED", "INTERNAL_ERROR",
                                      "NOT_SUPPORTED"};
  if (status == SPARSE_STATUS_SUCCESS) return !s->stop;
  if (!s->stop)
    kit_reject(s->answer, s->phase, "%s: SPARSE_STATUS_%s", function,
               status <= SPARSE_STATUS_NOT_SUPPORTED ? names[status] : "?");
  s->stop = true;
  return false;
}

static void unsupported(session *s, const char *why)
{
  kit_unsupported(s->answer, why);
  s->stop = true;
}

static bool matrix_of(session *s, const spw_tensor *tensor, kit_matrix *m)
{
  const char *why = kit_matrix_of(tensor, m);
  if (!why) why = kit_lengths_of(m);
  if (!why && m->block[0] != m->block[1]) why = "MKL's blocks are square";
  if (!why && spw_dtype_size(m->index_dtype) != sizeof(MKL_INT)) why = "the other index type";
  if (why) unsupported(s, why);
  return !why;
}

static sparse_matrix_t handle_of(session *s, const kit_matrix *m)
{
  sparse_matrix_t a = NULL;
  s->phase = KIT_CONSTRUCT;
  did(s, functions_of(m->dtype)->create(&a, m), "mkl_sparse_create");
  s->phase = KIT_USED;
  return a;
}

static void free_handle(sparse_matrix_t a)
{
  if (a) mkl_sparse_destroy(a);
}

/* ---- Results ---- */

static void dense_answer(session *s, sparse_matrix_t a, const kit_matrix *m)
{
  const int64_t shape[] = {m->rows, m->columns};
  void *const data = kit_guarded((size_t)(m->rows * m->columns * spw_dtype_size(m->dtype)));
  if (did(s, functions_of(m->dtype)->to_dense(a, (MKL_INT)m->columns, data),
          "mkl_sparse_convert_dense"))
    kit_dense_result(s->answer, m->dtype, 2, shape, data);
}

/* Lines (rows, columns or blocks of them) may lie anywhere in MKL's arrays. */
static void compressed_arrays(const mkl_arrays *got, kit_matrix *m, int64_t lines)
{
  const int64_t area = m->block[0] * m->block[1], width = area * spw_dtype_size(m->dtype);
  MKL_INT *offsets = kit_guarded((size_t)(lines + 1) * sizeof *offsets);
  for (int64_t i = 0; i < lines; i++) offsets[i + 1] = offsets[i] + got->end[i] - got->start[i];
  m->compressed = offsets;
  m->compressed_length = lines + 1;
  m->nse = m->values_length = offsets[lines];
  MKL_INT *const plain = m->plain = kit_guarded((size_t)m->nse * sizeof *plain);
  char *const values = m->values = kit_guarded((size_t)(m->nse * width));
  for (int64_t i = 0; i < lines; i++)
    for (int64_t k = offsets[i]; k < offsets[i + 1]; k++) {
      const int64_t from = got->start[i] - (MKL_INT)got->base + k - offsets[i];
      plain[k] = got->plain[from] - (MKL_INT)got->base;
      memcpy(values + k * width, (const char *)got->values + from * width, (size_t)width);
    }
}

static void sparse_answer(session *s, sparse_matrix_t a, spw_layout layout, spw_dtype dtype)
{
  mkl_arrays got = {0};
  kit_matrix m = {.layout = layout,
                  .dtype = dtype,
                  .block = {1, 1},
                  .index_dtype = sizeof(MKL_INT) == 8 ? SPW_INT64 : SPW_INT32};
  if (s->stop || !did(s, functions_of(dtype)->get(a, layout, &got), "mkl_sparse_export")) return;
  if (layout == SPW_BSR) m.block[0] = m.block[1] = got.block;
  m.rows = got.rows * m.block[0];
  m.columns = got.columns * m.block[1];
  if (layout == SPW_COO) {
    m.nse = m.values_length = got.nse;
    m.row = got.row;
    m.column = got.plain;
    m.values = kit_guarded_copy(got.values, (size_t)(m.nse * spw_dtype_size(dtype)));
  } else {
    compressed_arrays(&got, &m, layout == SPW_CSC ? got.columns : got.rows);
  }
  kit_matrix_result(s->answer, &m);
}

/* ---- Operations ---- */

static sparse_matrix_t converted(session *s, sparse_matrix_t a, spw_layout to, MKL_INT block,
                                 sparse_operation_t operation)
{
  sparse_matrix_t b = NULL;
  if (s->stop) return NULL;
  switch ((int)to) {
  case SPW_CSR: did(s, mkl_sparse_convert_csr(a, operation, &b), "mkl_sparse_convert_csr"); break;
  case SPW_CSC: did(s, mkl_sparse_convert_csc(a, operation, &b), "mkl_sparse_convert_csc"); break;
  case SPW_BSR:
    did(s, mkl_sparse_convert_bsr(a, block, SPARSE_LAYOUT_ROW_MAJOR, operation, &b),
        "mkl_sparse_convert_bsr");
    break;
  default: did(s, mkl_sparse_convert_coo(a, operation, &b), "mkl_sparse_convert_coo");
  }
  return b;
}

static void *product(session *s, sparse_matrix_t a, const kit_matrix *m, const kit_dense *x)
{
  const int64_t columns = x->ndim == 2 ? x->shape[1] : 1;
  void *const y = kit_guarded((size_t)(m->rows * columns * spw_dtype_size(m->dtype)));
  if (x->ndim == 1)
    did(s, functions_of(m->dtype)->times_vector(a, x->data, y), "mkl_sparse_mv");
  else
    did(s, functions_of(m->dtype)->times_matrix(a, x->data, (MKL_INT)columns, y), "mkl_sparse_mm");
  return y;
}

static void product_answer(session *s, sparse_matrix_t a, const kit_matrix *m, const kit_dense *x)
{
  const int64_t shape[] = {m->rows, x->ndim == 2 ? x->shape[1] : 1};
  const void *const y = product(s, a, m, x);
  if (!s->stop) kit_dense_result(s->answer, m->dtype, x->ndim, shape, y);
}

static void judge_add(session *s, const kit_question *q, sparse_matrix_t a, const kit_matrix *m)
{
  kit_matrix other;
  sparse_matrix_t b = NULL, c = NULL;
  if (q->other && matrix_of(s, q->other, &other)) b = handle_of(s, &other);
  if (!s->stop && did(s, functions_of(m->dtype)->plus(a, b ? b : a, &c), "mkl_sparse_add")) {
    sparse_answer(s, c, m->layout, m->dtype);
    free_handle(c);
  }
  free_handle(b);
}

static void judge_operation(session *s, const kit_question *q)
{
  kit_matrix m;
  sparse_matrix_t a = NULL, b = NULL;
  const sparse_operation_t same = SPARSE_OPERATION_NON_TRANSPOSE, swap = SPARSE_OPERATION_TRANSPOSE;
  if (matrix_of(s, q->tensor, &m)) a = handle_of(s, &m);
  const MKL_INT block = (MKL_INT)(q->blocksize[0] ? q->blocksize[0] : m.block[0]);
  if (q->blocksize[0] != q->blocksize[1]) unsupported(s, "MKL's blocks are square");
  if (s->stop) return;
  switch ((int)q->operation) {
  case KIT_TO_DENSE: dense_answer(s, a, &m); break;
  case KIT_MATVEC:
  case KIT_MATMAT: product_answer(s, a, &m, &q->x); break;
  case KIT_ADD: judge_add(s, q, a, &m); break;
  case KIT_CONVERT:
    sparse_answer(s, b = converted(s, a, q->to, block, same), q->to, m.dtype);
    break;
  case KIT_TRANSPOSE:
    sparse_answer(s, b = converted(s, a, m.layout, block, swap), m.layout, m.dtype);
    break;
  default: break;
  }
  free_handle(b);
  free_handle(a);
}

static void judge_dense(session *s, const kit_question *q)
{
  sparse_matrix_t a = NULL;
  if (q->blocksize[0] != q->blocksize[1])
    unsupported(s, "MKL's blocks are square");
  else
    did(s, functions_of(q->dense.dtype)->from_dense(&a, &q->dense, q->to, (MKL_INT)q->blocksize[0]),
        "mkl_sparse_dense2...");
  sparse_answer(s, a, q->to, q->dense.dtype);
  free_handle(a);
}

/* Square by empty rows at the end; null where there are more lines than plain positions. */
static MKL_INT *square(const kit_matrix *m, MKL_INT *n)
{
  const int64_t lines = m->compressed_length - 1;
  const int64_t plain = m->layout == SPW_CSC ? m->rows : m->columns / m->block[1];
  if (lines > plain || plain > KIT_LARGEST_DENSE) return NULL;
  MKL_INT *const offsets = kit_guarded((size_t)(plain + 1) * sizeof *offsets);
  memcpy(offsets, m->compressed, (size_t)(lines + 1) * sizeof *offsets);
  for (int64_t i = lines + 1; i <= plain; i++) offsets[i] = offsets[lines];
  *n = (MKL_INT)plain;
  return offsets;
}

static void run_checker(session *s, const kit_matrix *m)
{
  sparse_struct checker;
  sparse_matrix_checker_init(&checker);
  checker.csr_ia = square(m, &checker.n);
  checker.csr_ja = m->plain;
  checker.indexing = MKL_ZERO_BASED;
  checker.matrix_structure = MKL_GENERAL_STRUCTURE;
  checker.matrix_format = MKL_CSR;
  checker.message_level = MKL_NO_PRINT;
  checker.print_style = MKL_C_STYLE;
  if (!checker.csr_ia) {
    unsupported(s, "the checker is for square matrices");
    return;
  }
  const sparse_checker_error_values found = sparse_matrix_checker(&checker);
  if (found == MKL_SPARSE_CHECKER_SUCCESS)
    kit_accept(s->answer, KIT_VALIDATE);
  else
    kit_reject(s->answer, KIT_VALIDATE, "sparse_matrix_checker: %d at %lld, %lld, %lld", (int)found,
               (long long)checker.check_result[0], (long long)checker.check_result[1],
               (long long)checker.check_result[2]);
}

static void judge_validity(session *s, const kit_question *q)
{
  kit_matrix m;
  sparse_matrix_t a = NULL;
  if (matrix_of(s, q->tensor, &m)) a = handle_of(s, &m);
  if (!s->stop && m.layout == SPW_COO)
    kit_accept(s->answer, KIT_CONSTRUCT);
  else if (!s->stop)
    run_checker(s, &m);
  free_handle(a);
}

static void judge_use(session *s, const kit_question *q)
{
  kit_matrix m;
  sparse_matrix_t a = NULL;
  if (matrix_of(s, q->tensor, &m)) a = handle_of(s, &m);
  if (s->stop) return;
  if (m.rows <= KIT_LARGEST_DENSE && m.columns <= KIT_LARGEST_DENSE) {
    const kit_dense ones = kit_ones(m.dtype, m.columns);
    product(s, a, &m, &ones);
  }
  if (kit_fits_dense(&m)) dense_answer(s, a, &m);
  if (!s->stop) kit_accept(s->answer, KIT_USED);
  free_handle(a);
}

static void judge(const kit_question *q, kit_answer *answer)
{
  session s = {answer, KIT_CONSTRUCT, false};
  if (q->operation == KIT_CHECK)
    judge_validity(&s, q);
  else if (q->operation == KIT_USE)
    judge_use(&s, q);
  else if (q->operation == KIT_FROM_DENSE)
    judge_dense(&s, q);
  else if (q->operation != KIT_READ && q->operation != KIT_SUM)
    judge_operation(&s, q);
}

#define DTYPES      "\"dtypes\": [\"float32\", \"float64\", \"complex64\", \"complex128\"]"
#define ALL_LAYOUTS "[\"coo\", \"csr\", \"csc\", \"bsr\"]"
#define ALL         "{\"layouts\": " ALL_LAYOUTS ", " DTYPES "}"
#define ADDS        "{\"layouts\": [\"csr\", \"bsr\"], " DTYPES "}"

int main(void)
{
  static char version[32], manifest[2048];
  MKLVersion v;
  /* The functions that set these have no effect on libmkl_rt of 2026.2. */
  setenv("MKL_INTERFACE_LAYER", sizeof(MKL_INT) == 8 ? "ILP64" : "LP64", 1);
  setenv("MKL_THREADING_LAYER", "SEQUENTIAL", 1);
  mkl_get_version(&v);
  snprintf(version, sizeof version, "%d.%d", v.MajorVersion, v.UpdateVersion);
  snprintf(manifest, sizeof manifest,
           "{\"operations\": {\"check\": {\"layouts\": [\"csr\", \"csc\", \"bsr\"], " DTYPES
           ", \"lacks\": [\"tall\"]}, \"use\": " ALL ", \"to_dense\": " ALL ", \"from_dense\": " ALL
           ", \"transpose\": " ALL ", \"convert\": {\"layouts\": " ALL_LAYOUTS ", " DTYPES
           ", \"to\": {\"coo\": " ALL_LAYOUTS ", \"csr\": " ALL_LAYOUTS ", \"csc\": " ALL_LAYOUTS
           ", \"bsr\": " ALL_LAYOUTS "}}, \"matvec\": " ALL ", \"matmat\": " ALL ", \"add\": " ADDS
           "}, \"index_dtypes\": [\"%s\"], \"names_rules\": \"none\", "
           "\"guards\": [\"after\", \"before\"], \"lacks\": [" KIT_LACKS_OF_POINTERS
           ", \"blocks-not-square\""
           "]}",
           sizeof(MKL_INT) == 8 ? "int64" : "int32");
  const kit_library mkl = {.name = sizeof(MKL_INT) == 8 ? "mkl64" : "mkl",
                           .version = version,
                           .manifest = manifest,
                           .judge = judge,
                           .isolated = true};
  return kit_serve(&mkl);
}
