/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors for the kernels: longer than those of tests/operands/specimen, so that they fill several tiles,
 * and every array in an allocation of its exact size, so that ASan sees a read beyond. */
#ifndef CUDA_TESTS_ROWS_H
#define CUDA_TESTS_ROWS_H

#include "../../tests/operands/specimen.h"

enum { ROWS_DIMS = 16 };

typedef enum rows_kind { ROWS_USUAL, ROWS_LONG, ROWS_GARBAGE } rows_kind;

typedef struct rows_tensor {
  spw_tensor tensor;
  int64_t size[ROWS_DIMS], shape[3][ROWS_DIMS], strides[3][ROWS_DIMS];
  void *memory[2]; /* compressed, plain */
} rows_tensor;

/* A valid tensor with rows of various lengths and up to three planted faults; ROWS_LONG: so large that
 * a warp has several tiles of the size that is compiled for devices, or thousands of offsets;
 * ROWS_GARBAGE: one whose shape rules hold and whose indices are anything. */
void rows_make(rows_tensor *r, dice *d, rows_kind kind);
void rows_free(rows_tensor *r);

#endif
