/* SPDX-License-Identifier: Apache-2.0 */
/* Stands in for libcudart and libcusparse, on the host, to try cusparse_adapter.c where there is no
 * device. What it shows is that the adapter calls and converts rightly; of cuSPARSE it shows
 * nothing. An index out of bounds is the illegal address that it may be on a device.
 * STAND_IN=no-device, no-handle, no-memory, illegal-address or wrong-product plants a fault. */
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CSR, CSC, COO, BSR };

struct cusparseSpMatDescr {
  int format;
  int64_t rows, columns, nse, block[2];
  void *first, *second, *values; /* offsets and indices, or rows and columns */
  cusparseIndexType_t index;
  cudaDataType type;
};

struct cusparseDnMatDescr {
  int64_t rows, columns, stride;
  char *data;
  cudaDataType type;
};

struct cusparseDnVecDescr {
  struct cusparseDnMatDescr column;
};

typedef const struct cusparseSpMatDescr *sparse;
typedef const struct cusparseDnMatDescr *dense;

static const cusparseStatus_t good = CUSPARSE_STATUS_SUCCESS;
static cudaError_t sticky;

static bool planted(const char *fault)
{
  const char *const name = getenv("STAND_IN");
  return name && strcmp(name, fault) == 0;
}

/* ---- The runtime ---- */

cudaError_t cudaGetDeviceCount(int *count)
{
  *count = planted("no-device") ? 0 : 1;
  return *count ? cudaSuccess : cudaErrorNoDevice;
}

const char *cudaGetErrorName(cudaError_t error)
{
  if (error == cudaErrorNoDevice) return "cudaErrorNoDevice";
  if (error == cudaErrorMemoryAllocation) return "cudaErrorMemoryAllocation";
  return error == cudaErrorIllegalAddress ? "cudaErrorIllegalAddress" : "cudaSuccess";
}

cudaError_t cudaMalloc(void **memory, size_t size)
{
  *memory = planted("no-memory") ? NULL : malloc(size);
  return *memory ? sticky : cudaErrorMemoryAllocation;
}

cudaError_t cudaFree(void *memory)
{
  free(memory);
  return sticky;
}

cudaError_t cudaMemset(void *memory, int value, size_t size)
{
  memset(memory, value, size);
  return sticky;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind)
{
  (void)kind;
  memcpy(to, from, size);
  return sticky;
}

cudaError_t cudaDeviceSynchronize(void)
{
  return sticky;
}

/* ---- Descriptors ---- */

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle)
{
  *handle = NULL;
  return planted("no-handle") ? CUSPARSE_STATUS_NOT_INITIALIZED : good;
}

cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version)
{
  (void)handle;
  *version = 0;
  return good;
}

const char *cusparseGetErrorName(cusparseStatus_t status)
{
  return status == CUSPARSE_STATUS_NOT_INITIALIZED ? "CUSPARSE_STATUS_NOT_INITIALIZED"
                                                   : "CUSPARSE_STATUS_INVALID_VALUE";
}

static cusparseStatus_t make(cusparseSpMatDescr_t *a, struct cusparseSpMatDescr given)
{
  if (given.rows < 0 || given.columns < 0 || given.nse < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  if (!(*a = malloc(sizeof **a))) return CUSPARSE_STATUS_ALLOC_FAILED;
  **a = given;
  return good;
}

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *a, int64_t rows, int64_t columns,
                                   int64_t nse, void *offsets, void *indices, void *values,
                                   cusparseIndexType_t offset, cusparseIndexType_t index,
                                   cusparseIndexBase_t base, cudaDataType type)
{
  if (offset != index || base != CUSPARSE_INDEX_BASE_ZERO) return CUSPARSE_STATUS_INVALID_VALUE;
  return make(a, (struct cusparseSpMatDescr){CSR, rows, columns, nse, {1, 1}, offsets, indices,
                                             values, index, type});
}

cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *a, int64_t rows, int64_t columns,
                                   int64_t nse, void *offsets, void *indices, void *values,
                                   cusparseIndexType_t offset, cusparseIndexType_t index,
                                   cusparseIndexBase_t base, cudaDataType type)
{
  const cusparseStatus_t status = cusparseCreateCsr(a, rows, columns, nse, offsets, indices, values,
                                                    offset, index, base, type);
  if (status == good) (*a)->format = CSC;
  return status;
}

cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *a, int64_t rows, int64_t columns,
                                   int64_t nse, void *row, void *column, void *values,
                                   cusparseIndexType_t index, cusparseIndexBase_t base,
                                   cudaDataType type)
{
  const cusparseStatus_t status =
      cusparseCreateCsr(a, rows, columns, nse, row, column, values, index, index, base, type);
  if (status == good) (*a)->format = COO;
  return status;
}

cusparseStatus_t cusparseCreateBsr(cusparseSpMatDescr_t *a, int64_t rows, int64_t columns,
                                   int64_t nse, int64_t height, int64_t width, void *offsets,
                                   void *indices, void *values, cusparseIndexType_t offset,
                                   cusparseIndexType_t index, cusparseIndexBase_t base,
                                   cudaDataType type, cusparseOrder_t order)
{
  if (offset != index || base != CUSPARSE_INDEX_BASE_ZERO || order != CUSPARSE_ORDER_ROW)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return make(a, (struct cusparseSpMatDescr){BSR, rows, columns, nse, {height, width}, offsets,
                                             indices, values, index, type});
}

cusparseStatus_t cusparseDestroySpMat(sparse a)
{
  free((void *)(uintptr_t)a);
  return good;
}

cusparseStatus_t cusparseSpMatGetSize(sparse a, int64_t *rows, int64_t *columns, int64_t *nse)
{
  *rows = a->rows, *columns = a->columns, *nse = a->nse;
  return good;
}

cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t a, void *first, void *second,
                                        void *values)
{
  a->first = first, a->second = second, a->values = values;
  return good;
}

cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t a, void *first, void *second,
                                        void *values)
{
  return cusparseCsrSetPointers(a, first, second, values);
}

cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t a, void *first, void *second,
                                        void *values)
{
  return cusparseCsrSetPointers(a, first, second, values);
}

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *b, int64_t rows, int64_t columns,
                                     int64_t stride, void *data, cudaDataType type,
                                     cusparseOrder_t order)
{
  if (order != CUSPARSE_ORDER_ROW || stride < columns || stride < 1 || !data)
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (!(*b = malloc(sizeof **b))) return CUSPARSE_STATUS_ALLOC_FAILED;
  **b = (struct cusparseDnMatDescr){rows, columns, stride, data, type};
  return good;
}

cusparseStatus_t cusparseDestroyDnMat(dense b)
{
  free((void *)(uintptr_t)b);
  return good;
}

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *x, int64_t size, void *data,
                                     cudaDataType type)
{
  if (!(*x = malloc(sizeof **x))) return CUSPARSE_STATUS_ALLOC_FAILED;
  (*x)->column = (struct cusparseDnMatDescr){size, 1, 1, data, type};
  return good;
}

cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t x)
{
  free((void *)(uintptr_t)x);
  return good;
}

/* ---- Elements ---- */

static size_t width_of(cudaDataType type)
{
  return type == CUDA_R_32F ? sizeof(float) : sizeof(double);
}

static double number(const void *values, cudaDataType type, int64_t k)
{
  return type == CUDA_R_32F ? (double)((const float *)values)[k] : ((const double *)values)[k];
}

static void add_to(void *values, cudaDataType type, int64_t k, double more)
{
  if (type == CUDA_R_32F)
    ((float *)values)[k] += (float)more;
  else
    ((double *)values)[k] += more;
}

static int64_t index_of(const void *indices, cusparseIndexType_t type, int64_t k)
{
  return type == CUSPARSE_INDEX_32I ? ((const int32_t *)indices)[k] : ((const int64_t *)indices)[k];
}

static void set_index(void *indices, cusparseIndexType_t type, int64_t k, int64_t index)
{
  if (type == CUSPARSE_INDEX_32I)
    ((int32_t *)indices)[k] = (int32_t)index;
  else
    ((int64_t *)indices)[k] = index;
}

typedef struct task {
  sparse a;
  dense x, y;
} task;

typedef void visitor(const task *t, int64_t row, int64_t column, int64_t position);

static bool is_within(int64_t index, int64_t size)
{
  const bool within = index >= 0 && index < size;
  if (!within) sticky = cudaErrorIllegalAddress;
  return within;
}

static void visit_block(const task *t, visitor *visit, int64_t row, int64_t column, int64_t k)
{
  const int64_t *const block = t->a->block;
  if (!is_within(row, t->a->rows) || !is_within(column, t->a->columns)) return;
  for (int64_t i = 0; i < block[0] * block[1]; i++)
    visit(t, row * block[0] + i / block[1], column * block[1] + i % block[1],
          k * block[0] * block[1] + i);
}

static void visit_all(const task *t, visitor *visit)
{
  const sparse a = t->a;
  const int64_t lines = a->format == CSC ? a->columns : a->rows;
  if (planted("illegal-address")) sticky = cudaErrorIllegalAddress;
  for (int64_t k = 0; a->format == COO && k < a->nse; k++)
    visit_block(t, visit, index_of(a->first, a->index, k), index_of(a->second, a->index, k), k);
  for (int64_t line = 0; a->format != COO && line < lines; line++)
    for (int64_t k = index_of(a->first, a->index, line);
         k < index_of(a->first, a->index, line + 1) && is_within(k, a->nse); k++) {
      const int64_t other = index_of(a->second, a->index, k);
      visit_block(t, visit, a->format == CSC ? other : line, a->format == CSC ? line : other, k);
    }
}

static void clear(dense y)
{
  for (int64_t row = 0; row < y->rows; row++)
    memset(y->data + (size_t)(row * y->stride) * width_of(y->type), 0,
           (size_t)y->columns * width_of(y->type));
}

/* ---- Dense from sparse ---- */

static void put(const task *t, int64_t row, int64_t column, int64_t k)
{
  const size_t width = width_of(t->a->type);
  memcpy(t->y->data + (size_t)(row * t->y->stride + column) * width,
         (const char *)t->a->values + (size_t)k * width, width);
}

static void multiply(const task *t, int64_t row, int64_t column, int64_t k)
{
  const double value = number(t->a->values, t->a->type, k) + planted("wrong-product");
  for (int64_t j = 0; j < t->x->columns; j++)
    add_to(t->y->data, t->y->type, row * t->y->stride + j,
           value * number(t->x->data, t->x->type, column * t->x->stride + j));
}

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, sparse a,
                                                  cusparseDnMatDescr_t b,
                                                  cusparseSparseToDenseAlg_t algorithm,
                                                  size_t *size)
{
  (void)handle, (void)b, (void)algorithm;
  *size = 0;
  return a->format == BSR ? CUSPARSE_STATUS_NOT_SUPPORTED : good;
}

cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, sparse a, cusparseDnMatDescr_t b,
                                       cusparseSparseToDenseAlg_t algorithm, void *buffer)
{
  (void)handle, (void)algorithm, (void)buffer;
  clear(b);
  visit_all(&(task){a, NULL, b}, put);
  return good;
}

static cusparseStatus_t product(sparse a, dense x, dense y)
{
  if (x->rows != a->columns * a->block[1] || y->rows != a->rows * a->block[0] ||
      x->columns != y->columns)
    return CUSPARSE_STATUS_INVALID_VALUE;
  clear(y);
  visit_all(&(task){a, x, y}, multiply);
  return good;
}

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t operation,
                                         const void *alpha, sparse a, cusparseConstDnVecDescr_t x,
                                         const void *beta, cusparseDnVecDescr_t y,
                                         cudaDataType type, cusparseSpMVAlg_t algorithm,
                                         size_t *size)
{
  (void)handle, (void)operation, (void)a, (void)x, (void)y, (void)algorithm;
  *size = 8;
  return number(alpha, type, 0) == 1 && number(beta, type, 0) == 0 ? good
                                                                  : CUSPARSE_STATUS_INVALID_VALUE;
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t operation,
                              const void *alpha, sparse a, cusparseConstDnVecDescr_t x,
                              const void *beta, cusparseDnVecDescr_t y, cudaDataType type,
                              cusparseSpMVAlg_t algorithm, void *buffer)
{
  (void)handle, (void)operation, (void)alpha, (void)beta, (void)type, (void)algorithm;
  memset(buffer, 0, 8);
  return product(a, &x->column, &y->column);
}

cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t operation,
                                         cusparseOperation_t other, const void *alpha, sparse a,
                                         dense x, const void *beta, cusparseDnMatDescr_t y,
                                         cudaDataType type, cusparseSpMMAlg_t algorithm,
                                         size_t *size)
{
  (void)other, (void)x, (void)y, (void)algorithm;
  return cusparseSpMV_bufferSize(handle, operation, alpha, a, NULL, beta, NULL, type,
                                 CUSPARSE_SPMV_ALG_DEFAULT, size);
}

cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t operation,
                              cusparseOperation_t other, const void *alpha, sparse a, dense x,
                              const void *beta, cusparseDnMatDescr_t y, cudaDataType type,
                              cusparseSpMMAlg_t algorithm, void *buffer)
{
  (void)handle, (void)operation, (void)other, (void)alpha, (void)beta, (void)type, (void)algorithm;
  memset(buffer, 0, 8);
  return product(a, x, y);
}

/* ---- Sparse from dense: what has a bit is an element ---- */

static bool is_element(dense b, int64_t row, int64_t column)
{
  static const char zero[sizeof(double)];
  const size_t width = width_of(b->type);
  return memcmp(b->data + (size_t)(row * b->stride + column) * width, zero, width) != 0;
}

/* Elements of a line; with `fill` they go to the arrays from position k on. */
static int64_t line_of(dense b, sparse a, int64_t line, int64_t k, bool fill)
{
  const bool by_column = a->format == CSC;
  const int64_t begin = k, positions = by_column ? b->rows : b->columns;
  const size_t width = width_of(b->type);
  for (int64_t i = 0; i < positions; i++) {
    const int64_t row = by_column ? i : line, column = by_column ? line : i;
    if (!is_element(b, row, column)) continue;
    if (fill) {
      set_index(a->second, a->index, k, i);
      if (a->format == COO) set_index(a->first, a->index, k, line);
      memcpy((char *)a->values + (size_t)k * width,
             b->data + (size_t)(row * b->stride + column) * width, width);
    }
    k++;
  }
  return k - begin;
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, dense b,
                                                  cusparseSpMatDescr_t a,
                                                  cusparseDenseToSparseAlg_t algorithm,
                                                  size_t *size)
{
  (void)handle, (void)b, (void)a, (void)algorithm;
  *size = 0;
  return good;
}

static void go_through(dense b, cusparseSpMatDescr_t a, bool fill)
{
  const int64_t lines = a->format == CSC ? b->columns : b->rows;
  int64_t k = 0;
  for (int64_t line = 0; line < lines; line++) {
    if (a->format != COO) set_index(a->first, a->index, line, k);
    k += line_of(b, a, line, k, fill);
  }
  if (a->format != COO) set_index(a->first, a->index, lines, k);
  a->nse = k;
}

cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, dense b,
                                                cusparseSpMatDescr_t a,
                                                cusparseDenseToSparseAlg_t algorithm, void *buffer)
{
  (void)handle, (void)algorithm, (void)buffer;
  go_through(b, a, false);
  return good;
}

cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, dense b,
                                               cusparseSpMatDescr_t a,
                                               cusparseDenseToSparseAlg_t algorithm, void *buffer)
{
  (void)handle, (void)algorithm, (void)buffer;
  go_through(b, a, true);
  return good;
}

/* ---- Sparse from sparse ---- */

cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets, int nse, int rows,
                                  int *row, cusparseIndexBase_t base)
{
  (void)handle, (void)nse, (void)base;
  for (int i = 0; i < rows; i++)
    for (int k = offsets[i]; k < offsets[i + 1]; k++) row[k] = i;
  return good;
}

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *row, int nse, int rows,
                                  int *offsets, cusparseIndexBase_t base)
{
  (void)handle, (void)base;
  for (int i = 0, k = 0; i <= rows; i++) {
    while (k < nse && row[k] < i) k++;
    offsets[i] = k;
  }
  return good;
}

cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int rows, int columns,
                                               int nse, const void *values, const int *offsets,
                                               const int *indices, void *to_values, int *to_offsets,
                                               int *to_indices, cudaDataType type,
                                               cusparseAction_t action, cusparseIndexBase_t base,
                                               cusparseCsr2CscAlg_t algorithm, size_t *size)
{
  (void)handle, (void)rows, (void)columns, (void)nse, (void)values, (void)offsets, (void)indices;
  (void)to_values, (void)to_offsets, (void)to_indices, (void)type, (void)base, (void)algorithm;
  *size = 0;
  return action == CUSPARSE_ACTION_NUMERIC ? good : CUSPARSE_STATUS_INVALID_VALUE;
}

cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int rows, int columns, int nse,
                                    const void *values, const int *offsets, const int *indices,
                                    void *to_values, int *to_offsets, int *to_indices,
                                    cudaDataType type, cusparseAction_t action,
                                    cusparseIndexBase_t base, cusparseCsr2CscAlg_t algorithm,
                                    void *buffer)
{
  const size_t width = width_of(type);
  int to = 0;
  (void)handle, (void)nse, (void)action, (void)base, (void)algorithm, (void)buffer;
  for (int column = 0; column < columns; column++) {
    to_offsets[column] = to;
    for (int row = 0; row < rows; row++)
      for (int k = offsets[row]; k < offsets[row + 1]; k++) {
        if (indices[k] != column) continue;
        to_indices[to] = row;
        memcpy((char *)to_values + (size_t)to++ * width, (const char *)values + (size_t)k * width,
               width);
      }
  }
  to_offsets[columns] = to;
  return good;
}
