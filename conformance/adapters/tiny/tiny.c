/* SPDX-License-Identifier: Apache-2.0 */
/* A library that an example asks: it checks and multiplies CSR matrices. */
#include <stdint.h>

/* 0 if the arrays are a CSR matrix. */
int tiny_check(int64_t rows, int64_t cols, int32_t nse, const int32_t *offset, const int32_t *index)
{
  if (rows < 0 || cols < 0 || offset[0] != 0 || offset[rows] != nse) return 1;
  for (int64_t i = 0; i < rows; i++)
    if (offset[i + 1] < offset[i]) return 1;
  for (int64_t i = 0; i < rows; i++)
    for (int32_t k = offset[i]; k < offset[i + 1]; k++)
      if (index[k] < 0 || index[k] >= cols || (k > offset[i] && index[k] <= index[k - 1])) return 1;
  return 0;
}

void tiny_matvec(int64_t rows, const int32_t *offset, const int32_t *index, const double *value,
                 const double *x, double *y)
{
  for (int64_t i = 0; i < rows; i++) {
    y[i] = 0;
    for (int32_t k = offset[i]; k < offset[i + 1]; k++) y[i] += value[k] * x[index[k]];
  }
}
