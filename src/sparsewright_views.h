/* SPDX-License-Identifier: Apache-2.0 */
/* Short forms for callers in C and C++: tensors over a program's own arrays, and conversions with defaults. A part of
 * sparsewright.h. */
#ifndef SPARSEWRIGHT_VIEWS_H
#define SPARSEWRIGHT_VIEWS_H

#include "sparsewright_convert.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- A matrix over a program's own arrays -------------------------------------------------------- */

/* A tensor, and the memory of its size, shapes and strides. `tensor` points into the struct: use a view where it was
 * filled, and do not copy it. */
typedef struct spw_view {
  spw_tensor tensor;
  int64_t numbers[16];
} spw_view;

/* Each function below fills *view and returns &view->tensor. The view owns no array: the arrays and the view must stay
 * as long as the tensor is used. Arrays lie in memory one element after the other. Types are those of elements:
 * SPW_INT32 or SPW_INT64 for indices. Nothing is judged here, and no call fails: the checker says what is wrong with
 * numbers and arrays, even with negative ones. O(1). Fill an spw_tensor by hand for batches, dense dimensions and other
 * strides. */

/* rows x columns in CSR: crow has rows + 1 entries, col and values have nse. */
const spw_tensor *spw_csr(spw_view *view, int64_t rows, int64_t columns, int64_t nse, spw_dtype index_dtype, const void *crow,
                          const void *col, spw_dtype dtype, const void *values);

/* rows x columns in CSC: ccol has columns + 1 entries, row and values have nse. */
const spw_tensor *spw_csc(spw_view *view, int64_t rows, int64_t columns, int64_t nse, spw_dtype index_dtype, const void *ccol,
                          const void *row, spw_dtype dtype, const void *values);

/* rows x columns in BSR, in elements: crow has rows / block_rows + 1 entries, col has nse, values have
 * nse * block_rows * block_columns: block by block, each in row-major order. */
const spw_tensor *spw_bsr(spw_view *view, int64_t rows, int64_t columns, int64_t block_rows, int64_t block_columns, int64_t nse,
                          spw_dtype index_dtype, const void *crow, const void *col, spw_dtype dtype, const void *values);

/* The same in BSC: ccol has columns / block_columns + 1 entries, and row has nse. */
const spw_tensor *spw_bsc(spw_view *view, int64_t rows, int64_t columns, int64_t block_rows, int64_t block_columns, int64_t nse,
                          spw_dtype index_dtype, const void *ccol, const void *row, spw_dtype dtype, const void *values);

/* rows x columns in COO: indices has 2 * nse entries, first the row of every element, then the column of every element;
 * values has nse. Elements may have any order, and may share a position. */
const spw_tensor *spw_coo(spw_view *view, int64_t rows, int64_t columns, int64_t nse, spw_dtype index_dtype, const void *indices,
                          spw_dtype dtype, const void *values);

/* A dense matrix in row-major order: values has rows * columns entries. */
const spw_tensor *spw_dense(spw_view *view, int64_t rows, int64_t columns, spw_dtype dtype, const void *values);

/* A dense vector. */
const spw_tensor *spw_vector(spw_view *view, int64_t length, spw_dtype dtype, const void *values);

/* ---- Conversions with defaults ------------------------------------------------------------------- */

/* The spw_conversion that requests only another layout: const spw_conversion to = SPW_TO(SPW_CSR). Its members may be
 * changed then. block_rows and block_columns must be, for SPW_BSR and SPW_BSC of a tensor without blocks. */
#ifdef __cplusplus
#define SPW_TO(layout) (spw_conversion{(layout), 0, 0, -1, -1, SPW_DTYPE_NONE, SPW_COMBINE_SUM, false, false, false})
#else
#define SPW_TO(layout) ((spw_conversion){(layout), 0, 0, -1, -1, SPW_DTYPE_NONE, SPW_COMBINE_SUM, false, false, false})
#endif

#ifdef __cplusplus
}
#endif

#endif
