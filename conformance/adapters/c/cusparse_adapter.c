/* SPDX-License-Identifier: Apache-2.0 */
/* cuSPARSE: its generic interface, and of the older one the conversions that are not deprecated.
 * It has no validator: a descriptor is made, and asked for its size.
 *
 * Written from the header of 12.6.3 and NVIDIA's documentation. THIS HAS NEVER RUN ON A DEVICE:
 * tried are the ways in which there is none, and the calls, with cusparse_stand_in.c. */
#include "kit.h"

#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The libraries are opened at run time, so that the adapter starts, and can say what is missing, on
 * a machine without them. The driver of the device is the business of the first. */
#define CUDA_FUNCTIONS(X)                                                                          \
  X(cudaGetDeviceCount)                                                                            \
  X(cudaGetErrorName)                                                                              \
  X(cudaMalloc)                                                                                    \
  X(cudaFree)                                                                                      \
  X(cudaMemset)                                                                                    \
  X(cudaMemcpy)                                                                                    \
  X(cudaDeviceSynchronize)
#define CUSPARSE_FUNCTIONS(X)                                                                      \
  X(cusparseCreate)                                                                                \
  X(cusparseGetVersion)                                                                            \
  X(cusparseGetErrorName)                                                                          \
  X(cusparseCreateCsr)                                                                             \
  X(cusparseCreateCsc)                                                                             \
  X(cusparseCreateCoo)                                                                             \
  X(cusparseCreateBsr)                                                                             \
  X(cusparseDestroySpMat)                                                                          \
  X(cusparseSpMatGetSize)                                                                          \
  X(cusparseCsrSetPointers)                                                                        \
  X(cusparseCscSetPointers)                                                                        \
  X(cusparseCooSetPointers)                                                                        \
  X(cusparseCreateDnVec)                                                                           \
  X(cusparseDestroyDnVec)                                                                          \
  X(cusparseCreateDnMat)                                                                           \
  X(cusparseDestroyDnMat)                                                                          \
  X(cusparseSparseToDense_bufferSize)                                                              \
  X(cusparseSparseToDense)                                                                         \
  X(cusparseDenseToSparse_bufferSize)                                                              \
  X(cusparseDenseToSparse_analysis)                                                                \
  X(cusparseDenseToSparse_convert)                                                                 \
  X(cusparseSpMV_bufferSize)                                                                       \
  X(cusparseSpMV)                                                                                  \
  X(cusparseSpMM_bufferSize)                                                                       \
  X(cusparseSpMM)                                                                                  \
  X(cusparseXcsr2coo)                                                                              \
  X(cusparseXcoo2csr)                                                                              \
  X(cusparseCsr2cscEx2_bufferSize)                                                                 \
  X(cusparseCsr2cscEx2)

#define POINTER(name) __typeof__(&name) name;
static struct {
  CUDA_FUNCTIONS(POINTER)
  CUSPARSE_FUNCTIONS(POINTER)
} cu;

static cusparseHandle_t handle;
static char absent[256]; /* why there is nothing to ask */

/* ---- Loading ---- */

static void *opened(const char *library, int version)
{
  char name[32];
  snprintf(name, sizeof name, "%s.so.%d", library, version);
  void *const found = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
  if (!found) snprintf(absent, sizeof absent, "no CUDA libraries: %s", dlerror());
  return found;
}

static bool found(void *library, const char *name, void *pointer)
{
  void *const function = dlsym(library, name);
  memcpy(pointer, &function, sizeof function);
  if (!function) snprintf(absent, sizeof absent, "no CUDA libraries: there is no %s", name);
  return function;
}

static bool load(void)
{
#define FIND(name)                                                                                 \
  if (!found(library, #name, &cu.name)) return false;
  void *library = opened("libcudart", CUDART_VERSION / 1000);
  int count = 0;
  if (!library) return false;
  CUDA_FUNCTIONS(FIND)
  const cudaError_t error = cu.cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count < 1) {
    snprintf(absent, sizeof absent, "no device: %s",
             cu.cudaGetErrorName(error == cudaSuccess ? cudaErrorNoDevice : error));
    return false;
  }
  if (!(library = opened("libcusparse", CUSPARSE_VER_MAJOR))) return false;
  CUSPARSE_FUNCTIONS(FIND)
  const cusparseStatus_t status = cu.cusparseCreate(&handle);
  if (status == CUSPARSE_STATUS_SUCCESS) return true;
  snprintf(absent, sizeof absent, "no device for cuSPARSE: cusparseCreate: %s",
           cu.cusparseGetErrorName(status));
  return false;
}

/* ---- A question ---- */

enum { ALLOCATIONS = 32 };

typedef struct session {
  kit_answer *answer;
  kit_phase phase;
  bool stop;
  void *memory[ALLOCATIONS]; /* of the device, freed when the question has been answered */
  int used;
} session;

typedef struct device_arrays {
  void *compressed, *plain, *row, *column, *values;
} device_arrays;

static bool stopped(session *s, bool failed, const char *function, const char *error)
{
  if (failed && !s->stop) kit_reject(s->answer, s->phase, "%s: %s", function, error);
  s->stop = s->stop || failed;
  return s->stop;
}

static bool ran(session *s, cudaError_t error, const char *function)
{
  return !stopped(s, error != cudaSuccess, function, cu.cudaGetErrorName(error));
}

static bool did(session *s, cusparseStatus_t status, const char *function)
{
  return !stopped(s, status != CUSPARSE_STATUS_SUCCESS, function, cu.cusparseGetErrorName(status));
}

/* DO(cusparseX, arguments): does nothing when something has failed before. */
#define DO(function, ...) ((void)(s->stop || did(s, cu.function(__VA_ARGS__), #function)))

/* Memory of the device, never null; bytes that nobody writes are those of NaN, and of indices that
 * are out of bounds. Each array is an allocation of its own. There are no unreadable pages here, so
 * that reading a little too far is not seen: the manifest has no guards. */
static void *device_memory(session *s, int64_t size)
{
  void *memory = NULL;
  const size_t bytes = size > 0 ? (size_t)size : 1;
  if (s->used == ALLOCATIONS) exit(2);
  if (s->stop || !ran(s, cu.cudaMalloc(&memory, bytes), "cudaMalloc")) return NULL;
  s->memory[s->used++] = memory;
  ran(s, cu.cudaMemset(memory, 0xff, bytes), "cudaMemset");
  return memory;
}

static void *on_device(session *s, const void *from, int64_t size)
{
  void *const memory = device_memory(s, size);
  if (!s->stop && size > 0)
    ran(s, cu.cudaMemcpy(memory, from, (size_t)size, cudaMemcpyHostToDevice), "cudaMemcpy");
  return memory;
}

static void *on_host(session *s, const void *from, int64_t size)
{
  void *const memory = kit_guarded((size_t)size);
  if (!s->stop && size > 0)
    ran(s, cu.cudaMemcpy(memory, from, (size_t)size, cudaMemcpyDeviceToHost), "cudaMemcpy");
  return memory;
}

/* An error of a kernel spoils all that follows in this process, so the process dies of it: of an
 * address out of bounds as a program for the host would. */
static void end_question(session *s)
{
  const cudaError_t error = cu.cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    fprintf(stderr, "%s\n", cu.cudaGetErrorName(error));
    raise(error == cudaErrorIllegalAddress ? SIGSEGV : SIGABRT);
  }
  for (int i = 0; i < s->used; i++) cu.cudaFree(s->memory[i]);
}

/* ---- Descriptors ---- */

static cudaDataType value_type(spw_dtype dtype)
{
  return dtype == SPW_FLOAT32 ? CUDA_R_32F : CUDA_R_64F;
}

static cusparseIndexType_t index_type(spw_dtype dtype)
{
  return dtype == SPW_INT32 ? CUSPARSE_INDEX_32I : CUSPARSE_INDEX_64I;
}

static const void *scalar(spw_dtype dtype, int value)
{
  static const float singles[] = {0, 1};
  static const double doubles[] = {0, 1};
  return dtype == SPW_FLOAT32 ? (const void *)&singles[value] : (const void *)&doubles[value];
}

static bool matrix_of(session *s, const spw_tensor *tensor, kit_matrix *m)
{
  const char *why = kit_matrix_of(tensor, m);
  if (!why) why = kit_lengths_of(m);
  if (why) kit_unsupported(s->answer, why);
  s->stop = why;
  return !why;
}

static device_arrays arrays_of(session *s, const kit_matrix *m)
{
  const int64_t width = spw_dtype_size(m->index_dtype), area = m->block[0] * m->block[1];
  device_arrays d = {0};
  if (m->layout == SPW_COO) {
    d.row = on_device(s, m->row, m->nse * width);
    d.column = on_device(s, m->column, m->nse * width);
  } else {
    d.compressed = on_device(s, m->compressed, m->compressed_length * width);
    d.plain = on_device(s, m->plain, m->nse * width);
  }
  d.values = on_device(s, m->values, m->values_length * area * spw_dtype_size(m->dtype));
  return d;
}

static cusparseSpMatDescr_t descriptor_of(session *s, const kit_matrix *m, const device_arrays *d)
{
  cusparseSpMatDescr_t a = NULL;
  const cusparseIndexType_t index = index_type(m->index_dtype);
  const cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
  const cudaDataType value = value_type(m->dtype);
  s->phase = KIT_CONSTRUCT;
  switch ((int)m->layout) {
  case SPW_CSR:
    DO(cusparseCreateCsr, &a, m->rows, m->columns, m->nse, d->compressed, d->plain, d->values,
       index, index, base, value);
    break;
  case SPW_CSC:
    DO(cusparseCreateCsc, &a, m->rows, m->columns, m->nse, d->compressed, d->plain, d->values,
       index, index, base, value);
    break;
  case SPW_COO:
    DO(cusparseCreateCoo, &a, m->rows, m->columns, m->nse, d->row, d->column, d->values, index,
       base, value);
    break;
  default:
    DO(cusparseCreateBsr, &a, m->rows / m->block[0], m->columns / m->block[1], m->nse, m->block[0],
       m->block[1], d->compressed, d->plain, d->values, index, index, base, value,
       CUSPARSE_ORDER_ROW);
  }
  s->phase = KIT_USED;
  return a;
}

static cusparseSpMatDescr_t sparse_of(session *s, const kit_matrix *m)
{
  const device_arrays d = arrays_of(s, m);
  return descriptor_of(s, m, &d);
}

static void free_sparse(cusparseSpMatDescr_t a)
{
  if (a) cu.cusparseDestroySpMat(a);
}

static cusparseDnMatDescr_t dense_of(session *s, int64_t rows, int64_t columns, void *data,
                                     spw_dtype dtype)
{
  cusparseDnMatDescr_t b = NULL;
  DO(cusparseCreateDnMat, &b, rows, columns, columns ? columns : 1, data, value_type(dtype),
     CUSPARSE_ORDER_ROW);
  return b;
}

static void free_dense(cusparseDnMatDescr_t b)
{
  if (b) cu.cusparseDestroyDnMat(b);
}

static cusparseDnVecDescr_t vector_of(session *s, int64_t size, void *data, spw_dtype dtype)
{
  cusparseDnVecDescr_t v = NULL;
  DO(cusparseCreateDnVec, &v, size, data, value_type(dtype));
  return v;
}

static void free_vector(cusparseDnVecDescr_t v)
{
  if (v) cu.cusparseDestroyDnVec(v);
}

/* ---- Dense results ---- */

static void dense_answer(session *s, cusparseSpMatDescr_t a, const kit_matrix *m)
{
  const int64_t shape[] = {m->rows, m->columns};
  const int64_t size = m->rows * m->columns * spw_dtype_size(m->dtype);
  const cusparseSparseToDenseAlg_t algorithm = CUSPARSE_SPARSETODENSE_ALG_DEFAULT;
  size_t work = 0;
  void *const data = device_memory(s, size);
  const cusparseDnMatDescr_t b = dense_of(s, m->rows, m->columns, data, m->dtype);
  DO(cusparseSparseToDense_bufferSize, handle, a, b, algorithm, &work);
  void *const buffer = device_memory(s, (int64_t)work);
  DO(cusparseSparseToDense, handle, a, b, algorithm, buffer);
  const void *const result = on_host(s, data, size);
  if (!s->stop) kit_dense_result(s->answer, m->dtype, 2, shape, result);
  free_dense(b);
}

static void times_vector(session *s, cusparseSpMatDescr_t a, const kit_matrix *m,
                         const kit_dense *x, void *x_data, void *y_data)
{
  const void *const one = scalar(m->dtype, 1), *const zero = scalar(m->dtype, 0);
  const cudaDataType type = value_type(m->dtype);
  const cusparseOperation_t as_is = CUSPARSE_OPERATION_NON_TRANSPOSE;
  const cusparseSpMVAlg_t algorithm = CUSPARSE_SPMV_ALG_DEFAULT;
  size_t work = 0;
  const cusparseDnVecDescr_t v = vector_of(s, x->length, x_data, m->dtype);
  const cusparseDnVecDescr_t y = vector_of(s, m->rows, y_data, m->dtype);
  DO(cusparseSpMV_bufferSize, handle, as_is, one, a, v, zero, y, type, algorithm, &work);
  void *const buffer = device_memory(s, (int64_t)work);
  DO(cusparseSpMV, handle, as_is, one, a, v, zero, y, type, algorithm, buffer);
  free_vector(v);
  free_vector(y);
}

static void times_matrix(session *s, cusparseSpMatDescr_t a, const kit_matrix *m,
                         const kit_dense *x, void *x_data, void *y_data)
{
  const void *const one = scalar(m->dtype, 1), *const zero = scalar(m->dtype, 0);
  const cudaDataType type = value_type(m->dtype);
  const cusparseOperation_t as_is = CUSPARSE_OPERATION_NON_TRANSPOSE;
  const cusparseSpMMAlg_t algorithm = CUSPARSE_SPMM_ALG_DEFAULT;
  size_t work = 0;
  const cusparseDnMatDescr_t b = dense_of(s, x->shape[0], x->shape[1], x_data, m->dtype);
  const cusparseDnMatDescr_t y = dense_of(s, m->rows, x->shape[1], y_data, m->dtype);
  DO(cusparseSpMM_bufferSize, handle, as_is, as_is, one, a, b, zero, y, type, algorithm, &work);
  void *const buffer = device_memory(s, (int64_t)work);
  DO(cusparseSpMM, handle, as_is, as_is, one, a, b, zero, y, type, algorithm, buffer);
  free_dense(b);
  free_dense(y);
}

static void product_answer(session *s, cusparseSpMatDescr_t a, const kit_matrix *m,
                           const kit_dense *x)
{
  const int64_t shape[] = {m->rows, x->ndim == 2 ? x->shape[1] : 1};
  const int64_t width = spw_dtype_size(m->dtype), size = shape[0] * shape[1] * width;
  void *const x_data = on_device(s, x->data, x->length * width);
  void *const y_data = device_memory(s, size);
  (x->ndim == 2 ? times_matrix : times_vector)(s, a, m, x, x_data, y_data);
  const void *const result = on_host(s, y_data, size);
  if (!s->stop) kit_dense_result(s->answer, m->dtype, x->ndim, shape, result);
}

/* ---- Sparse results; conversions are for 32-bit indices ---- */

static void set_lengths(kit_matrix *m)
{
  const int64_t lines = m->layout == SPW_CSR ? m->rows : m->columns;
  m->compressed_length = m->layout == SPW_COO ? 0 : lines + 1;
  m->plain_length = m->values_length = m->nse;
}

static void sparse_answer(session *s, kit_matrix *m, const device_arrays *d)
{
  const int64_t width = spw_dtype_size(m->index_dtype);
  set_lengths(m);
  if (m->layout == SPW_COO) {
    m->row = on_host(s, d->row, m->nse * width);
    m->column = on_host(s, d->column, m->nse * width);
  } else {
    m->compressed = on_host(s, d->compressed, m->compressed_length * width);
    m->plain = on_host(s, d->plain, m->nse * width);
  }
  m->values = on_host(s, d->values, m->nse * spw_dtype_size(m->dtype));
  if (!s->stop) kit_matrix_result(s->answer, m);
}

/* Compressed by the other dimension: CSC from CSR, and CSR from CSC, which is the CSR of the
 * transpose. */
static device_arrays compressed_otherwise(session *s, const kit_matrix *m, const device_arrays *d)
{
  const bool by_row = m->layout == SPW_CSR;
  const int lines = (int)(by_row ? m->rows : m->columns), nse = (int)m->nse;
  const int positions = (int)(by_row ? m->columns : m->rows);
  const cudaDataType type = value_type(m->dtype);
  const cusparseAction_t action = CUSPARSE_ACTION_NUMERIC;
  const cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
  const cusparseCsr2CscAlg_t algorithm = CUSPARSE_CSR2CSC_ALG_DEFAULT;
  size_t work = 0;
  device_arrays to = {.compressed = device_memory(s, (positions + (int64_t)1) * 4),
                      .plain = device_memory(s, m->nse * 4),
                      .values = device_memory(s, m->nse * spw_dtype_size(m->dtype))};
  DO(cusparseCsr2cscEx2_bufferSize, handle, lines, positions, nse, d->values, d->compressed,
     d->plain, to.values, to.compressed, to.plain, type, action, base, algorithm, &work);
  void *const buffer = device_memory(s, (int64_t)work);
  DO(cusparseCsr2cscEx2, handle, lines, positions, nse, d->values, d->compressed, d->plain,
     to.values, to.compressed, to.plain, type, action, base, algorithm, buffer);
  return to;
}

static void judge_convert(session *s, const kit_matrix *m, spw_layout to)
{
  const cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
  const int rows = (int)m->rows, nse = (int)m->nse;
  device_arrays d = arrays_of(s, m);
  kit_matrix result = *m;
  result.layout = to;
  if (to == SPW_COO) {
    d.row = device_memory(s, m->nse * 4);
    d.column = d.plain;
    DO(cusparseXcsr2coo, handle, d.compressed, nse, rows, d.row, base);
  } else if (m->layout == SPW_COO) {
    d.compressed = device_memory(s, (m->rows + 1) * 4);
    d.plain = d.column;
    DO(cusparseXcoo2csr, handle, d.row, nse, rows, d.compressed, base);
  } else {
    d = compressed_otherwise(s, m, &d);
  }
  sparse_answer(s, &result, &d);
}

static void judge_transpose(session *s, const kit_matrix *m)
{
  const device_arrays given = arrays_of(s, m), d = compressed_otherwise(s, m, &given);
  kit_matrix result = *m;
  result.rows = m->columns;
  result.columns = m->rows;
  sparse_answer(s, &result, &d);
}

static void set_pointers(session *s, cusparseSpMatDescr_t a, spw_layout layout,
                         const device_arrays *d)
{
  if (layout == SPW_CSR)
    DO(cusparseCsrSetPointers, a, d->compressed, d->plain, d->values);
  else if (layout == SPW_CSC)
    DO(cusparseCscSetPointers, a, d->compressed, d->plain, d->values);
  else
    DO(cusparseCooSetPointers, a, d->row, d->column, d->values);
}

/* How many elements there are is known after the analysis. */
static void judge_dense(session *s, const kit_question *q)
{
  const spw_dtype dtype = q->dense.dtype;
  const int64_t *const shape = q->dense.shape, width = spw_dtype_size(dtype);
  const cusparseDenseToSparseAlg_t algorithm = CUSPARSE_DENSETOSPARSE_ALG_DEFAULT;
  kit_matrix m = {.layout = q->to,
                  .index_dtype = SPW_INT32,
                  .dtype = dtype,
                  .rows = shape[0],
                  .columns = shape[1],
                  .block = {1, 1}};
  int64_t size[2];
  size_t work = 0;
  device_arrays d = {0};
  set_lengths(&m);
  if (m.layout != SPW_COO) d.compressed = device_memory(s, m.compressed_length * 4);
  const cusparseSpMatDescr_t a = descriptor_of(s, &m, &d);
  void *const data = on_device(s, q->dense.data, q->dense.length * width);
  const cusparseDnMatDescr_t b = dense_of(s, m.rows, m.columns, data, dtype);
  DO(cusparseDenseToSparse_bufferSize, handle, b, a, algorithm, &work);
  void *const buffer = device_memory(s, (int64_t)work);
  DO(cusparseDenseToSparse_analysis, handle, b, a, algorithm, buffer);
  DO(cusparseSpMatGetSize, a, &size[0], &size[1], &m.nse);
  if (m.layout == SPW_COO) d.row = device_memory(s, m.nse * 4);
  d.plain = d.column = device_memory(s, m.nse * 4);
  d.values = device_memory(s, m.nse * width);
  set_pointers(s, a, m.layout, &d);
  DO(cusparseDenseToSparse_convert, handle, b, a, algorithm, buffer);
  sparse_answer(s, &m, &d);
  free_dense(b);
  free_sparse(a);
}

/* ---- Questions ---- */

static void judge_validity(session *s, const kit_matrix *m)
{
  int64_t rows, columns, nse;
  const cusparseSpMatDescr_t a = sparse_of(s, m);
  s->phase = KIT_CONSTRUCT;
  DO(cusparseSpMatGetSize, a, &rows, &columns, &nse);
  if (!s->stop) kit_accept(s->answer, KIT_CONSTRUCT);
  free_sparse(a);
}

/* cusparseSparseToDense is not for BSR. */
static void judge_use(session *s, const kit_matrix *m)
{
  const cusparseSpMatDescr_t a = sparse_of(s, m);
  if (m->rows <= KIT_LARGEST_DENSE && m->columns <= KIT_LARGEST_DENSE) {
    const kit_dense ones = kit_ones(m->dtype, m->columns);
    product_answer(s, a, m, &ones);
  }
  if (m->layout != SPW_BSR && kit_fits_dense(m)) dense_answer(s, a, m);
  if (!s->stop) kit_accept(s->answer, KIT_USED);
  free_sparse(a);
}

static void judge_dense_result(session *s, const kit_question *q, const kit_matrix *m)
{
  const cusparseSpMatDescr_t a = sparse_of(s, m);
  if (q->operation == KIT_TO_DENSE)
    dense_answer(s, a, m);
  else
    product_answer(s, a, m, &q->x);
  free_sparse(a);
}

static void judge_matrix(session *s, const kit_question *q)
{
  kit_matrix m;
  if (!matrix_of(s, q->tensor, &m)) return;
  switch ((int)q->operation) {
  case KIT_CHECK: judge_validity(s, &m); break;
  case KIT_USE: judge_use(s, &m); break;
  case KIT_TO_DENSE:
  case KIT_MATVEC:
  case KIT_MATMAT: judge_dense_result(s, q, &m); break;
  case KIT_CONVERT: judge_convert(s, &m, q->to); break;
  case KIT_TRANSPOSE: judge_transpose(s, &m); break;
  default: break;
  }
}

static void judge(const kit_question *q, kit_answer *answer)
{
  session s = {.answer = answer, .phase = KIT_USED};
  if (q->operation == KIT_FROM_DENSE)
    judge_dense(&s, q);
  else if (q->tensor)
    judge_matrix(&s, q);
  end_question(&s);
}

/* What a function is not documented to take in every layout is not asked of it: the same place
 * twice; and, but for the conversion to dense, which allows it, another order than by rows. */
#define DTYPES     "\"dtypes\": [\"float32\", \"float64\"]"
#define ALL        "\"layouts\": [\"coo\", \"csr\", \"csc\", \"bsr\"], " DTYPES
#define ELEMENTS   "\"layouts\": [\"coo\", \"csr\", \"csc\"], " DTYPES
#define COMPRESSED "\"layouts\": [\"csr\", \"csc\"], " DTYPES
#define UNIQUE     "\"lacks\": [\"duplicates\"]"
#define ORDERED    "\"lacks\": [\"duplicates\", \"unsorted\"]"
#define NARROW     "\"index_dtypes\": [\"int32\"]"

static const char manifest[] =
    "{\"operations\": {\"check\": {" ALL "}, \"use\": {" ALL "}, \"to_dense\": {" ELEMENTS
    ", " UNIQUE "}, \"from_dense\": {" ELEMENTS "}, \"matvec\": {" ALL ", " ORDERED
    "}, \"matmat\": {" ALL ", " ORDERED "}, \"transpose\": {" COMPRESSED ", " ORDERED ", " NARROW
    "}, \"convert\": {" ELEMENTS ", " ORDERED ", " NARROW
    ", \"to\": {\"coo\": [\"csr\"], \"csr\": [\"coo\", \"csc\"], \"csc\": [\"csr\"]}}}, "
    "\"index_dtypes\": [\"int32\", \"int64\"], \"names_rules\": \"none\", \"guards\": [], "
    "\"lacks\": [" KIT_LACKS_OF_POINTERS "]}";

/* Not in forked processes: what a process knows of a device is of no use to its children. */
int main(void)
{
  char version[32] = "?";
  int number = 0;
  const bool there = load();
  if (there && cu.cusparseGetVersion(handle, &number) == CUSPARSE_STATUS_SUCCESS)
    snprintf(version, sizeof version, "%d.%d.%d", number / 1000, number / 100 % 10, number % 100);
  const kit_library cusparse = {.name = "cusparse",
                                .version = version,
                                .manifest = manifest,
                                .absent = there ? NULL : absent,
                                .judge = judge};
  return kit_serve(&cusparse);
}
