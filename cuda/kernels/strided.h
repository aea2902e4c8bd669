/* SPDX-License-Identifier: Apache-2.0 */
/* Dimensions with strides, as many as a tensor may have. */
#ifndef SPW_CUDA_STRIDED_H
#define SPW_CUDA_STRIDED_H

#include "dialect.h"

#define SPW_STRIDED_DIMS 66 /* batches, cells, dense dimensions, and the bytes of a scalar */

typedef struct spw_strided {
  int ndim;
  int64_t shape[SPW_STRIDED_DIMS], strides[SPW_STRIDED_DIMS];
} spw_strided;

/* Where number n lies, in the order in which the last dimension runs fastest. */
SPW_DEVICE int64_t spw_strided_at(const spw_strided *s, int64_t n)
{
  int64_t at = 0;
  for (int d = s->ndim - 1; d > 0; d--) {
    at += n % s->shape[d] * s->strides[d];
    n /= s->shape[d];
  }
  return s->ndim > 0 ? at + n * s->strides[0] : at;
}

#endif
