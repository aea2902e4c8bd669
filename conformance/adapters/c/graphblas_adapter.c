/* SPDX-License-Identifier: Apache-2.0 */
/* SuiteSparse:GraphBLAS. CSR and CSC are packed with the import that is made for untrusted data,
 * and then checked by GxB_Matrix_fprint; COO is GrB_Matrix_build, which adds duplicates. The first
 * argument chooses another way in:
 * --print    packed as trusted data: GxB_Matrix_fprint alone is asked
 * --jumbled  packed as untrusted data that may be unsorted
 * --import   GrB_Matrix_import of the standard, which checks by itself; for COO too */
#include "kit.h"

#include <GraphBLAS.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECURE, PRINT, JUMBLED, IMPORT };
static int way;

typedef struct arithmetic {
  GrB_Type type;
  GrB_BinaryOp plus, second, minus, times;
  GrB_Monoid add;
  GrB_Semiring multiply;
} arithmetic;

static arithmetic arithmetic_of(spw_dtype dtype)
{
  switch ((int)dtype) {
  case SPW_BOOL:
    return (arithmetic){GrB_BOOL, GrB_LOR, GrB_SECOND_BOOL, NULL, NULL, GrB_LOR_MONOID_BOOL,
                        GrB_LOR_LAND_SEMIRING_BOOL};
#define NUMBERS(DTYPE, NAME)                                                                       \
  case DTYPE:                                                                                      \
    return (arithmetic){GrB_##NAME,       GrB_PLUS_##NAME,  GrB_SECOND_##NAME,                     \
                        GrB_MINUS_##NAME, GrB_TIMES_##NAME, GrB_PLUS_MONOID_##NAME,                \
                        GrB_PLUS_TIMES_SEMIRING_##NAME};
    NUMBERS(SPW_UINT8, UINT8)
    NUMBERS(SPW_INT8, INT8)
    NUMBERS(SPW_INT16, INT16)
    NUMBERS(SPW_INT32, INT32)
    NUMBERS(SPW_INT64, INT64)
    NUMBERS(SPW_FLOAT32, FP32)
    NUMBERS(SPW_FLOAT64, FP64)
  case SPW_COMPLEX64:
    return (arithmetic){GxB_FC32,       GxB_PLUS_FC32,  GxB_SECOND_FC32,
                        GxB_MINUS_FC32, GxB_TIMES_FC32, GxB_PLUS_FC32_MONOID,
                        GxB_PLUS_TIMES_FC32};
  default:
    return (arithmetic){GxB_FC64,       GxB_PLUS_FC64,  GxB_SECOND_FC64,
                        GxB_MINUS_FC64, GxB_TIMES_FC64, GxB_PLUS_FC64_MONOID,
                        GxB_PLUS_TIMES_FC64};
  }
}

/* ---- Functions with a type in their name ---- */

static GrB_Info build(GrB_Matrix a, const kit_matrix *m)
{
  const GrB_BinaryOp plus = arithmetic_of(m->dtype).plus;
  const GrB_Index n = (GrB_Index)m->nse;
  switch ((int)m->dtype) {
#define BUILD(DTYPE, PREFIX, NAME)                                                                 \
  case DTYPE: return PREFIX##_Matrix_build_##NAME(a, m->row, m->column, m->values, n, plus);
    BUILD(SPW_BOOL, GrB, BOOL)
    BUILD(SPW_UINT8, GrB, UINT8)
    BUILD(SPW_INT8, GrB, INT8)
    BUILD(SPW_INT16, GrB, INT16)
    BUILD(SPW_INT32, GrB, INT32)
    BUILD(SPW_INT64, GrB, INT64)
    BUILD(SPW_FLOAT32, GrB, FP32)
    BUILD(SPW_FLOAT64, GrB, FP64)
    BUILD(SPW_COMPLEX64, GxB, FC32)
    BUILD(SPW_COMPLEX128, GxB, FC64)
  default: return GrB_DOMAIN_MISMATCH;
  }
}

static GrB_Info extract(const kit_matrix *m, GrB_Index *n, GrB_Matrix a)
{
  switch ((int)m->dtype) {
#define EXTRACT(DTYPE, PREFIX, NAME)                                                               \
  case DTYPE: return PREFIX##_Matrix_extractTuples_##NAME(m->row, m->column, m->values, n, a);
    EXTRACT(SPW_BOOL, GrB, BOOL)
    EXTRACT(SPW_UINT8, GrB, UINT8)
    EXTRACT(SPW_INT8, GrB, INT8)
    EXTRACT(SPW_INT16, GrB, INT16)
    EXTRACT(SPW_INT32, GrB, INT32)
    EXTRACT(SPW_INT64, GrB, INT64)
    EXTRACT(SPW_FLOAT32, GrB, FP32)
    EXTRACT(SPW_FLOAT64, GrB, FP64)
    EXTRACT(SPW_COMPLEX64, GxB, FC32)
    EXTRACT(SPW_COMPLEX128, GxB, FC64)
  default: return GrB_DOMAIN_MISMATCH;
  }
}

/* As the declarations of the Python package have it, and as the header has. */
#if GxB_IMPLEMENTATION_MAJOR >= 8
typedef int format_number;
#else
typedef GrB_Format format_number;
#endif

/* COO: rows and columns take the places of pointers and indices. (The header of 7.4 says columns
 * and rows, which is the other way round.) */
static GrB_Info import(GrB_Matrix *a, const kit_matrix *m)
{
  static const format_number formats[] = {
      [SPW_COO] = GrB_COO_FORMAT, [SPW_CSR] = GrB_CSR_FORMAT, [SPW_CSC] = GrB_CSC_FORMAT};
  const GrB_Index rows = (GrB_Index)m->rows, columns = (GrB_Index)m->columns;
  const GrB_Index p_length = (GrB_Index)(m->layout == SPW_COO ? m->nse : m->compressed_length);
  const GrB_Index i_length = (GrB_Index)m->nse, x_length = (GrB_Index)m->values_length;
  const void *const p = m->layout == SPW_COO ? m->row : m->compressed;
  const void *const i = m->layout == SPW_COO ? m->column : m->plain;
  switch ((int)m->dtype) {
#define IMPORT_CASE(DTYPE, PREFIX, NAME, TYPE)                                                     \
  case DTYPE:                                                                                      \
    return PREFIX##_Matrix_import_##NAME(a, TYPE, rows, columns, p, i, m->values, p_length,        \
                                         i_length, x_length, formats[m->layout]);
    IMPORT_CASE(SPW_BOOL, GrB, BOOL, GrB_BOOL)
    IMPORT_CASE(SPW_UINT8, GrB, UINT8, GrB_UINT8)
    IMPORT_CASE(SPW_INT8, GrB, INT8, GrB_INT8)
    IMPORT_CASE(SPW_INT16, GrB, INT16, GrB_INT16)
    IMPORT_CASE(SPW_INT32, GrB, INT32, GrB_INT32)
    IMPORT_CASE(SPW_INT64, GrB, INT64, GrB_INT64)
    IMPORT_CASE(SPW_FLOAT32, GrB, FP32, GrB_FP32)
    IMPORT_CASE(SPW_FLOAT64, GrB, FP64, GrB_FP64)
    IMPORT_CASE(SPW_COMPLEX64, GxB, FC32, GxB_FC32)
    IMPORT_CASE(SPW_COMPLEX128, GxB, FC64, GxB_FC64)
  default: return GrB_DOMAIN_MISMATCH;
  }
}

static GrB_Info zeros(GrB_Matrix a)
{
  return GrB_Matrix_assign_INT8(a, NULL, NULL, 0, GrB_ALL, 0, GrB_ALL, 0, NULL);
}

/* ---- A question ---- */

/* What GraphBLAS said no to, and where; `stop` is set with the first. */
typedef struct session {
  kit_answer *answer;
  kit_phase phase;
  bool stop;
} session;

static const char *name_of(GrB_Info info)
{
  switch ((int)info) {
  case GrB_NULL_POINTER: return "GrB_NULL_POINTER";
  case GrB_INVALID_VALUE: return "GrB_INVALID_VALUE";
  case GrB_INVALID_INDEX: return "GrB_INVALID_INDEX";
  case GrB_DOMAIN_MISMATCH: return "GrB_DOMAIN_MISMATCH";
  case GrB_DIMENSION_MISMATCH: return "GrB_DIMENSION_MISMATCH";
  case GrB_EMPTY_OBJECT: return "GrB_EMPTY_OBJECT";
  case GrB_OUT_OF_MEMORY: return "GrB_OUT_OF_MEMORY";
  case GrB_INSUFFICIENT_SPACE: return "GrB_INSUFFICIENT_SPACE";
  case GrB_INDEX_OUT_OF_BOUNDS: return "GrB_INDEX_OUT_OF_BOUNDS";
  case GrB_INVALID_OBJECT: return "GrB_INVALID_OBJECT";
  default: return "GrB_Info";
  }
}

/* True if the call worked. */
static bool did(session *s, GrB_Info info, const char *function)
{
  if (info >= 0) return !s->stop;
  if (!s->stop) kit_reject(s->answer, s->phase, "%s: %s %d", function, name_of(info), (int)info);
  s->stop = true;
  return false;
}
#define DO(s, function, ...) did(s, function(__VA_ARGS__), #function)

/* Memory that GraphBLAS frees: its own, and the guarded arrays that it was given. */
static void *allocate(size_t size)
{
  return malloc(size ? size : 1);
}

static void *allocate_zeros(size_t count, size_t size)
{
  return calloc(count ? count : 1, size ? size : 1);
}

static void release(void *pointer)
{
  if (!kit_is_guarded(pointer)) free(pointer);
}

static GrB_Matrix new_matrix(session *s, spw_dtype dtype, int64_t rows, int64_t columns)
{
  GrB_Matrix a = NULL;
  DO(s, GrB_Matrix_new, &a, arithmetic_of(dtype).type, (GrB_Index)rows, (GrB_Index)columns);
  return a;
}

static GrB_Matrix packed(session *s, kit_matrix *m, bool trusted)
{
  GrB_Descriptor secure = NULL;
  GrB_Matrix a = new_matrix(s, m->dtype, m->rows, m->columns);
  const GrB_Index values = (GrB_Index)(m->values_length * spw_dtype_size(m->dtype));
  GrB_Index **const p = (GrB_Index **)&m->compressed, **const i = (GrB_Index **)&m->plain;
  const GrB_Index p_size = (GrB_Index)(8 * m->compressed_length), i_size = (GrB_Index)(8 * m->nse);
  if (s->stop) return a;
  if (!trusted) {
    DO(s, GrB_Descriptor_new, &secure);
    DO(s, GxB_Desc_set, secure, GxB_IMPORT, GxB_SECURE_IMPORT);
  }
  if (m->layout == SPW_CSR)
    DO(s, GxB_Matrix_pack_CSR, a, p, i, &m->values, p_size, i_size, values, false, way == JUMBLED,
       secure);
  else
    DO(s, GxB_Matrix_pack_CSC, a, p, i, &m->values, p_size, i_size, values, false, way == JUMBLED,
       secure);
  GrB_Descriptor_free(&secure);
  return a;
}

static GrB_Matrix built(session *s, const kit_matrix *m)
{
  GrB_Matrix a = new_matrix(s, m->dtype, m->rows, m->columns);
  if (!s->stop) did(s, build(a, m), "GrB_Matrix_build");
  return a;
}

static GrB_Matrix imported(session *s, const kit_matrix *m)
{
  GrB_Matrix a = NULL;
  did(s, import(&a, m), "GrB_Matrix_import");
  return a;
}

static GrB_Matrix full_matrix(session *s, kit_dense *dense)
{
  GrB_Matrix a = new_matrix(s, dense->dtype, dense->shape[0], dense->shape[1]);
  const GrB_Index size = (GrB_Index)(dense->length * spw_dtype_size(dense->dtype));
  if (!s->stop) DO(s, GxB_Matrix_pack_FullR, a, &dense->data, size, false, NULL);
  return a;
}

static GrB_Matrix matrix_of(session *s, const spw_tensor *tensor, kit_matrix *m, bool trusted)
{
  const char *why = kit_matrix_of(tensor, m);
  if (!why && m->index_dtype != SPW_INT64) why = "GraphBLAS has 64 bit indices only";
  if (why) {
    kit_unsupported(s->answer, why);
    s->stop = true;
    return NULL;
  }
  s->phase = KIT_CONSTRUCT;
  /* GrB_Matrix_build has one length for three arrays. */
  const bool coo = m->layout == SPW_COO, one_length = m->values_length == m->nse;
  GrB_Matrix a = way == IMPORT || (coo && !one_length) ? imported(s, m)
                 : coo                                 ? built(s, m)
                                                       : packed(s, m, trusted);
  s->phase = KIT_USED;
  return a;
}

/* ---- Results ---- */

/* Zeros, with the entries of a on top of them, as one array. */
static void dense_answer(session *s, GrB_Matrix a, spw_dtype dtype, int64_t ndim)
{
  GrB_Index rows = 0, columns = 0, size = 0;
  GrB_Matrix full = NULL;
  bool iso = false;
  void *data = NULL;
  DO(s, GrB_Matrix_nrows, &rows, a);
  DO(s, GrB_Matrix_ncols, &columns, a);
  full = new_matrix(s, dtype, (int64_t)rows, (int64_t)columns);
  did(s, zeros(full), "GrB_Matrix_assign");
  if (!s->stop)
    DO(s, GrB_Matrix_assign, full, NULL, arithmetic_of(dtype).second, a, GrB_ALL, rows, GrB_ALL,
       columns, NULL);
  if (!s->stop) DO(s, GxB_Matrix_unpack_FullR, full, &data, &size, &iso, NULL);
  if (!s->stop) {
    const int64_t shape[] = {(int64_t)rows, (int64_t)columns};
    const int64_t count = shape[0] * shape[1], width = spw_dtype_size(dtype);
    char *const all = kit_guarded((size_t)(count * width));
    for (int64_t k = 0; k < count; k++)
      memcpy(all + k * width, (char *)data + (iso ? 0 : k * width), (size_t)width);
    kit_dense_result(s->answer, dtype, ndim, shape, all);
  }
  free(data);
  GrB_Matrix_free(&full);
}

/* Unpacked values may be a single one for all. */
static void *each_value(const void *values, bool iso, int64_t count, int64_t width)
{
  char *const all = kit_guarded((size_t)(count * width));
  for (int64_t k = 0; k < count; k++)
    memcpy(all + k * width, (const char *)values + (iso ? 0 : k * width), (size_t)width);
  return all;
}

static void compressed_answer(session *s, GrB_Matrix a, kit_matrix *m)
{
  GrB_Index *p = NULL, *i = NULL, p_size, i_size, x_size;
  void *x = NULL;
  bool iso = false;
  if (m->layout == SPW_CSR)
    DO(s, GxB_Matrix_unpack_CSR, a, &p, &i, &x, &p_size, &i_size, &x_size, &iso, NULL, NULL);
  else
    DO(s, GxB_Matrix_unpack_CSC, a, &p, &i, &x, &p_size, &i_size, &x_size, &iso, NULL, NULL);
  if (!s->stop) {
    m->compressed = p;
    m->compressed_length = (m->layout == SPW_CSR ? m->rows : m->columns) + 1;
    m->nse = m->values_length = (int64_t)p[m->compressed_length - 1];
    m->plain = kit_guarded_copy(i, (size_t)m->nse * sizeof *i);
    m->values = each_value(x, iso, m->nse, spw_dtype_size(m->dtype));
    kit_matrix_result(s->answer, m);
  }
  release(p), release(i), release(x);
}

static void coo_answer(session *s, GrB_Matrix a, kit_matrix *m)
{
  GrB_Index n = 0;
  DO(s, GrB_Matrix_nvals, &n, a);
  m->nse = m->values_length = (int64_t)n;
  m->row = kit_guarded((size_t)n * sizeof n);
  m->column = kit_guarded((size_t)n * sizeof n);
  m->values = kit_guarded((size_t)n * (size_t)spw_dtype_size(m->dtype));
  if (did(s, extract(m, &n, a), "GrB_Matrix_extractTuples")) kit_matrix_result(s->answer, m);
}

/* What a step of a chain has left. GraphBLAS has no layouts of its own: that of the tensor goes with it. */
typedef struct link {
  GrB_Matrix matrix;
  spw_layout layout;
  spw_dtype dtype;
} link;

static void release_link(void *object)
{
  GrB_Matrix_free(&((link *)object)->matrix);
}

/* The object itself, with what it has put off: it is the caller's no more. */
static void keep(session *s, GrB_Matrix *a, spw_layout layout, spw_dtype dtype)
{
  const link left = {*a, layout, dtype};
  *a = NULL;
  kit_keep(s->answer, kit_guarded_copy(&left, sizeof left), release_link);
}

static void sparse_answer(session *s, GrB_Matrix *result, spw_layout layout, spw_dtype dtype)
{
  const GrB_Matrix a = *result;
  GrB_Index rows = 0, columns = 0;
  DO(s, GrB_Matrix_nrows, &rows, a);
  DO(s, GrB_Matrix_ncols, &columns, a);
  kit_matrix m = {.layout = layout,
                  .dtype = dtype,
                  .index_dtype = SPW_INT64,
                  .rows = (int64_t)rows,
                  .columns = (int64_t)columns,
                  .block = {1, 1}};
  if (s->stop) return;
  if (kit_keeps(s->answer))
    keep(s, result, layout, dtype);
  else if (layout == SPW_COO)
    coo_answer(s, a, &m);
  else
    compressed_answer(s, a, &m);
}

/* ---- Operations ---- */

static GrB_Matrix product(session *s, GrB_Matrix a, const kit_matrix *m, const kit_dense *x)
{
  const int64_t shape[] = {x->shape[0], x->ndim == 2 ? x->shape[1] : 1};
  kit_dense columns = {x->dtype, 2, shape, x->length, x->data, NULL};
  GrB_Matrix b = full_matrix(s, &columns), c = new_matrix(s, m->dtype, m->rows, shape[1]);
  if (!s->stop) DO(s, GrB_mxm, c, NULL, NULL, arithmetic_of(m->dtype).multiply, a, b, NULL);
  GrB_Matrix_free(&b);
  return c;
}

/* mxv, with x as a full vector made of its only column. */
static GrB_Matrix vector_product(session *s, GrB_Matrix a, const kit_matrix *m, kit_dense *x)
{
  GrB_Vector v = NULL, y = NULL;
  GrB_Matrix c = new_matrix(s, m->dtype, m->rows, 1);
  const GrB_Type type = arithmetic_of(m->dtype).type;
  const GrB_Index size = (GrB_Index)(x->length * spw_dtype_size(x->dtype));
  DO(s, GrB_Vector_new, &v, type, (GrB_Index)m->columns);
  DO(s, GrB_Vector_new, &y, type, (GrB_Index)m->rows);
  if (!s->stop) DO(s, GxB_Vector_pack_Full, v, &x->data, size, false, NULL);
  if (!s->stop) DO(s, GrB_mxv, y, NULL, NULL, arithmetic_of(m->dtype).multiply, a, v, NULL);
  if (!s->stop) DO(s, GrB_Col_assign, c, NULL, NULL, y, GrB_ALL, (GrB_Index)m->rows, 0, NULL);
  GrB_Vector_free(&v);
  GrB_Vector_free(&y);
  return c;
}

static GrB_Matrix sum(session *s, GrB_Matrix a, const kit_matrix *m)
{
  GrB_Scalar total = NULL;
  GrB_Matrix c = new_matrix(s, m->dtype, 1, 1);
  DO(s, GrB_Scalar_new, &total, arithmetic_of(m->dtype).type);
  if (!s->stop)
    DO(s, GrB_Matrix_reduce_Monoid_Scalar, total, NULL, arithmetic_of(m->dtype).add, a, NULL);
  if (!s->stop) DO(s, GrB_Matrix_setElement_Scalar, c, total, 0, 0);
  GrB_Scalar_free(&total);
  return c;
}

static void judge_validity(session *s, const spw_tensor *tensor)
{
  kit_matrix m;
  GrB_Matrix a = matrix_of(s, tensor, &m, way == PRINT);
  s->phase = KIT_VALIDATE;
  if (!s->stop && way == IMPORT)
    kit_accept(s->answer, KIT_CONSTRUCT);
  else if (!s->stop && DO(s, GxB_Matrix_fprint, a, "A", GxB_SILENT, NULL))
    kit_accept(s->answer, KIT_VALIDATE);
  GrB_Matrix_free(&a);
}

static void judge_use(session *s, const spw_tensor *tensor)
{
  kit_matrix m;
  GrB_Matrix a = matrix_of(s, tensor, &m, true), y = NULL;
  if (!s->stop) {
    if (m.columns <= KIT_LARGEST_DENSE) {
      kit_dense ones = kit_ones(m.dtype, m.columns);
      y = vector_product(s, a, &m, &ones);
    }
    if (kit_fits_dense(&m)) dense_answer(s, a, m.dtype, 2);
    if (!s->stop) kit_accept(s->answer, KIT_USED);
  }
  GrB_Matrix_free(&y);
  GrB_Matrix_free(&a);
}

static void judge_dense(session *s, const kit_question *q)
{
  kit_dense dense = q->dense;
  GrB_Matrix full = full_matrix(s, &dense), a = NULL;
  if (!s->stop) a = new_matrix(s, dense.dtype, dense.shape[0], dense.shape[1]);
  if (!s->stop) DO(s, GxB_Matrix_select, a, NULL, NULL, GxB_NONZERO, full, NULL, NULL);
  if (!s->stop) sparse_answer(s, &a, q->to, dense.dtype);
  GrB_Matrix_free(&full);
  GrB_Matrix_free(&a);
}

/* What two matrices give; without another operand, both are the same object. */
static void judge_two(session *s, const kit_question *q, GrB_Matrix a, const kit_matrix *m)
{
  kit_matrix given = *m;
  const arithmetic with = arithmetic_of(m->dtype);
  GrB_Matrix own = q->other ? matrix_of(s, q->other, &given, true) : NULL, b = own ? own : a;
  const bool product = q->operation == KIT_MATMUL_SPARSE;
  GrB_Matrix c = new_matrix(s, m->dtype, m->rows, product ? given.columns : m->columns);
  GrB_Scalar zero = NULL;
  DO(s, GrB_Scalar_new, &zero, with.type);
  if (!s->stop) DO(s, GrB_Scalar_setElement_FP64, zero, 0);
  if (s->stop) {
    /* said already */
  } else if (product) {
    DO(s, GrB_mxm, c, NULL, NULL, with.multiply, a, b, NULL);
  } else if (q->operation == KIT_MUL) {
    DO(s, GrB_Matrix_eWiseMult_BinaryOp, c, NULL, NULL, with.times, a, b, NULL);
  } else if (q->operation == KIT_SUB) {
    DO(s, GxB_Matrix_eWiseUnion, c, NULL, NULL, with.minus, a, zero, b, zero, NULL);
  } else {
    DO(s, GrB_Matrix_eWiseAdd_BinaryOp, c, NULL, NULL, with.plus, a, b, NULL);
  }
  if (!s->stop) sparse_answer(s, &c, m->layout, m->dtype);
  GrB_Scalar_free(&zero);
  GrB_Matrix_free(&own);
  GrB_Matrix_free(&c);
}

static void judge_scale(session *s, const kit_question *q, GrB_Matrix a, const kit_matrix *m)
{
  GrB_Matrix c = new_matrix(s, m->dtype, m->rows, m->columns);
  GrB_Scalar factor = NULL;
  DO(s, GrB_Scalar_new, &factor, arithmetic_of(m->dtype).type);
  if (!s->stop) DO(s, GrB_Scalar_setElement_FP64, factor, q->alpha);
  if (!s->stop)
    DO(s, GrB_Matrix_apply_BinaryOp2nd_Scalar, c, NULL, NULL, arithmetic_of(m->dtype).times, a,
       factor, NULL);
  if (!s->stop) sparse_answer(s, &c, m->layout, m->dtype);
  GrB_Scalar_free(&factor);
  GrB_Matrix_free(&c);
}

/* narrow and index_select: the rows or columns of a list. */
static void judge_extract(session *s, const kit_question *q, GrB_Matrix a, const kit_matrix *m)
{
  const bool narrow = q->operation == KIT_NARROW;
  const int64_t count = narrow ? q->length : q->indices_count;
  GrB_Index *const list = kit_guarded((size_t)(count ? count : 1) * sizeof *list);
  for (int64_t k = 0; k < count; k++)
    list[k] = (GrB_Index)(narrow ? q->start + k : q->indices[k]);
  const GrB_Index n = (GrB_Index)count, rows = (GrB_Index)m->rows, columns = (GrB_Index)m->columns;
  GrB_Matrix c =
      new_matrix(s, m->dtype, q->dim ? m->rows : count, q->dim ? count : m->columns);
  if (!s->stop && q->dim)
    DO(s, GrB_Matrix_extract, c, NULL, NULL, a, GrB_ALL, rows, list, n, NULL);
  else if (!s->stop)
    DO(s, GrB_Matrix_extract, c, NULL, NULL, a, list, n, GrB_ALL, columns, NULL);
  if (!s->stop) sparse_answer(s, &c, m->layout, m->dtype);
  GrB_Matrix_free(&c);
}

static void judge_cat(session *s, const kit_question *q, GrB_Matrix a, const kit_matrix *m)
{
  GrB_Matrix tiles[1 + KIT_MOST] = {a}, c = NULL;
  const int64_t count = 1 + q->others_count;
  int64_t rows = m->rows, columns = m->columns;
  kit_matrix given;
  for (int64_t k = 1; k < count && !s->stop; k++) {
    tiles[k] = matrix_of(s, q->others[k - 1], &given, true);
    if (s->stop) break;
    rows += q->dim ? 0 : given.rows;
    columns += q->dim ? given.columns : 0;
  }
  if (!s->stop) c = new_matrix(s, m->dtype, rows, columns);
  const GrB_Index down = (GrB_Index)(q->dim ? 1 : count), across = (GrB_Index)(q->dim ? count : 1);
  if (!s->stop) DO(s, GxB_Matrix_concat, c, tiles, down, across, NULL);
  if (!s->stop) sparse_answer(s, &c, m->layout, m->dtype);
  for (int64_t k = 1; k < count; k++) GrB_Matrix_free(&tiles[k]);
  GrB_Matrix_free(&c);
}

static void judge_nonzeros(session *s, GrB_Matrix a, const kit_matrix *m)
{
  GrB_Matrix c = new_matrix(s, m->dtype, m->rows, m->columns);
  if (!s->stop) DO(s, GxB_Matrix_select, c, NULL, NULL, GxB_NONZERO, a, NULL, NULL);
  if (!s->stop) sparse_answer(s, &c, m->layout, m->dtype);
  GrB_Matrix_free(&c);
}

static void judge_transpose(session *s, GrB_Matrix a, const kit_matrix *m)
{
  GrB_Matrix c = new_matrix(s, m->dtype, m->columns, m->rows);
  if (!s->stop) DO(s, GrB_transpose, c, NULL, NULL, a, NULL);
  if (!s->stop) sparse_answer(s, &c, m->layout, m->dtype);
  GrB_Matrix_free(&c);
}

/* The first operand: the question's, or what the step before has left, which is taken out of its link. */
static GrB_Matrix operand(session *s, const kit_question *q, kit_matrix *m)
{
  if (!q->live) return matrix_of(s, q->tensor, m, false);
  link *const left = q->live;
  const GrB_Matrix a = left->matrix;
  GrB_Index rows = 0, columns = 0;
  left->matrix = NULL;
  s->phase = KIT_USED;
  DO(s, GrB_Matrix_nrows, &rows, a);
  DO(s, GrB_Matrix_ncols, &columns, a);
  *m = (kit_matrix){.layout = left->layout, .dtype = left->dtype, .index_dtype = SPW_INT64, .block = {1, 1}};
  m->rows = (int64_t)rows;
  m->columns = (int64_t)columns;
  return a;
}

static void judge_operation(session *s, const kit_question *q)
{
  kit_matrix m;
  kit_dense x = q->x;
  GrB_Matrix a = operand(s, q, &m), c = NULL;
  if (s->stop) return;
  switch ((int)q->operation) {
  case KIT_TO_DENSE: dense_answer(s, a, m.dtype, 2); break;
  case KIT_CONVERT: sparse_answer(s, &a, q->to, m.dtype); break;
  case KIT_TRANSPOSE: judge_transpose(s, a, &m); break;
  case KIT_ADD:
  case KIT_SUB:
  case KIT_MUL:
  case KIT_MATMUL_SPARSE: judge_two(s, q, a, &m); break;
  case KIT_SCALE: judge_scale(s, q, a, &m); break;
  case KIT_NARROW:
  case KIT_INDEX_SELECT: judge_extract(s, q, a, &m); break;
  case KIT_CAT: judge_cat(s, q, a, &m); break;
  case KIT_ELIMINATE_ZEROS: judge_nonzeros(s, a, &m); break;
  case KIT_SUM: dense_answer(s, c = sum(s, a, &m), m.dtype, 0); break;
  case KIT_MATVEC: dense_answer(s, c = vector_product(s, a, &m, &x), m.dtype, 1); break;
  case KIT_MATMAT: dense_answer(s, c = product(s, a, &m, &x), m.dtype, 2); break;
  default: break;
  }
  GrB_Matrix_free(&c);
  GrB_Matrix_free(&a);
}

static void judge(const kit_question *q, kit_answer *answer)
{
  session s = {answer, KIT_CONSTRUCT, false};
  if (q->operation == KIT_CHECK)
    judge_validity(&s, q->tensor);
  else if (q->operation == KIT_USE)
    judge_use(&s, q->tensor);
  else if (q->operation == KIT_FROM_DENSE)
    judge_dense(&s, q);
  else if (q->operation != KIT_READ)
    judge_operation(&s, q);
}

static char version[48];

/* No pool: GraphBLAS would keep guarded arrays in it, and use them after their question. No compiler: what it
 * compiles as it goes would be kept in the user's folder. */
static void start(void)
{
  int64_t no_pool[64] = {0};
  int number[3];
  if (GxB_init(GrB_NONBLOCKING, allocate, allocate_zeros, NULL, release)) exit(2);
  if (GxB_Global_Option_get(GxB_LIBRARY_VERSION, number)) exit(2);
  snprintf(version, sizeof version, "%d.%d.%d", number[0], number[1], number[2]);
#if GxB_IMPLEMENTATION_MAJOR >= 8
  if (GxB_Global_Option_set(GxB_JIT_C_CONTROL, GxB_JIT_OFF)) exit(2);
#endif
  if (GxB_Global_Option_set(GxB_MEMORY_POOL, no_pool)) exit(2);
  GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, 1);
}

#define NUMBER_TYPES                                                                               \
  "\"uint8\", \"int8\", \"int16\", \"int32\", \"int64\", \"float32\", \"float64\", "               \
  "\"complex64\", \"complex128\""
#define LAYOUTS      "\"layouts\": [\"coo\", \"csr\", \"csc\"]"
#define ANY          "{" LAYOUTS ", \"dtypes\": [\"bool\", " NUMBER_TYPES "]}"
#define NUMBERS_ONLY "{" LAYOUTS ", \"dtypes\": [" NUMBER_TYPES "]}"
#define TO           "[\"coo\", \"csr\", \"csc\"]"

int main(int count, char **arguments)
{
  static const char *const ways[] = {"--secure", "--print", "--jumbled", "--import"};
  for (int k = 0; k < 4 && count > 1; k++)
    if (strcmp(arguments[1], ways[k]) == 0) way = k;
  const kit_library graphblas = {
      .name = "graphblas",
      .version = version,
      .start = start,
      .judge = judge,
      .isolated = true,
      .manifest =
          "{\"operations\": {\"check\": " ANY ", \"use\": " ANY ", \"to_dense\": " ANY
          ", \"from_dense\": " ANY ", \"transpose\": " ANY ", \"convert\": {" LAYOUTS
          ", \"dtypes\": [\"bool\", " NUMBER_TYPES "], \"to\": {\"coo\": " TO ", \"csr\": " TO
          ", \"csc\": " TO "}}, \"matvec\": " NUMBERS_ONLY ", \"matmat\": " NUMBERS_ONLY
          ", \"sum\": " NUMBERS_ONLY ", \"add\": " NUMBERS_ONLY ", \"sub\": " NUMBERS_ONLY
          ", \"mul\": " NUMBERS_ONLY ", \"matmul_sparse\": " NUMBERS_ONLY
          ", \"scale\": " NUMBERS_ONLY ", \"narrow\": " NUMBERS_ONLY
          ", \"index_select\": " NUMBERS_ONLY ", \"cat\": " NUMBERS_ONLY
          ", \"eliminate_zeros\": " NUMBERS_ONLY ", \"chain\": " NUMBERS_ONLY
          "}, \"index_dtypes\": [\"int64\"], \"names_rules\": \"none\", \"guards\": "
          "[\"after\", \"before\"], \"lacks\": [" KIT_LACKS_OF_MATRICES "]}"};
  return kit_serve(&graphblas);
}
