/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse matrices over a program's own arrays. */
#include "fill.h"

/* One more than lines of a size, in blocks of another. */
static int64_t count_starts(int64_t size, int64_t block)
{
  const int64_t lines = block > 0 && size > 0 ? size / block : 0;
  return lines < INT64_MAX ? lines + 1 : INT64_MAX;
}

/* The arrays of a compressed layout whose values have so many dimensions. */
static const spw_tensor *compress(spw_filled filled, int64_t starts, int64_t nse, const void *compressed, const void *plain,
                                  int64_t ndim, int64_t block_rows, int64_t block_columns, const void *values)
{
  spw_tensor *const t = &filled.view->tensor;
  spw_fill_array(&filled, &t->compressed.array, t->index_dtype, 1, starts, 0, 0);
  spw_fill_array(&filled, &t->plain.array, t->index_dtype, 1, nse, 0, 0);
  spw_fill_array(&filled, &t->values.array, t->dtype, ndim, nse, block_rows, block_columns);
  spw_fill_indices(&t->compressed, compressed);
  spw_fill_indices(&t->plain, plain);
  t->values.data = values;
  return t;
}

const spw_tensor *spw_csr(spw_view *view, int64_t rows, int64_t columns, int64_t nse, spw_dtype index_dtype, const void *crow,
                          const void *col, spw_dtype dtype, const void *values)
{
  const spw_filled filled = spw_fill(view, SPW_CSR, rows, columns, index_dtype, dtype);
  return compress(filled, count_starts(rows, 1), nse, crow, col, 1, 1, 1, values);
}

const spw_tensor *spw_csc(spw_view *view, int64_t rows, int64_t columns, int64_t nse, spw_dtype index_dtype, const void *ccol,
                          const void *row, spw_dtype dtype, const void *values)
{
  const spw_filled filled = spw_fill(view, SPW_CSC, rows, columns, index_dtype, dtype);
  return compress(filled, count_starts(columns, 1), nse, ccol, row, 1, 1, 1, values);
}

const spw_tensor *spw_bsr(spw_view *view, int64_t rows, int64_t columns, int64_t block_rows, int64_t block_columns, int64_t nse,
                          spw_dtype index_dtype, const void *crow, const void *col, spw_dtype dtype, const void *values)
{
  const spw_filled filled = spw_fill(view, SPW_BSR, rows, columns, index_dtype, dtype);
  return compress(filled, count_starts(rows, block_rows), nse, crow, col, 3, block_rows, block_columns, values);
}

const spw_tensor *spw_bsc(spw_view *view, int64_t rows, int64_t columns, int64_t block_rows, int64_t block_columns, int64_t nse,
                          spw_dtype index_dtype, const void *ccol, const void *row, spw_dtype dtype, const void *values)
{
  const spw_filled filled = spw_fill(view, SPW_BSC, rows, columns, index_dtype, dtype);
  return compress(filled, count_starts(columns, block_columns), nse, ccol, row, 3, block_rows, block_columns, values);
}

const spw_tensor *spw_coo(spw_view *view, int64_t rows, int64_t columns, int64_t nse, spw_dtype index_dtype, const void *indices,
                          spw_dtype dtype, const void *values)
{
  spw_filled filled = spw_fill(view, SPW_COO, rows, columns, index_dtype, dtype);
  spw_tensor *const t = &view->tensor;
  spw_fill_array(&filled, &t->plain.array, index_dtype, 2, 2, nse, 0);
  spw_fill_array(&filled, &t->values.array, dtype, 1, nse, 0, 0);
  spw_fill_indices(&t->plain, indices);
  t->values.data = values;
  return t;
}
