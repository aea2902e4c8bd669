/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors for the kernels: longer than those of tests/specimen, so that they fill several tiles,
 * and every array in an allocation of its exact size, so that ASan sees a read beyond. */
#ifndef CUDA_TESTS_ROWS_H
#define CUDA_TESTS_ROWS_H

#include "../../tests/specimen.h"

typedef struct rows_tensor {
  spw_tensor tensor;
  int64_t size[4], shape[3][4], strides[3][4];
  void *memory[2]; /* compressed, plain */
} rows_tensor;

/* A valid tensor with rows of various lengths and up to three planted faults; or with `garbage` one
 * whose shape rules hold and whose indices are anything. */
void rows_make(rows_tensor *r, dice *d, bool garbage);
void rows_free(rows_tensor *r);

#endif
