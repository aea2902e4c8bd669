/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of conversions. Of each some are launched behind the kernels of the check, a stage each. */
#ifndef SPW_CUDA_CONVERT_H
#define SPW_CUDA_CONVERT_H

#include "gather.h"
#include "lines.h"

/* X(name) for each kernel. */
#define SPW_CONVERT_KERNELS_OF(X, suffix) X(spw_expand_##suffix) X(spw_compress_##suffix)
#define SPW_CONVERT_KERNELS(X)                                                                     \
  SPW_CONVERT_KERNELS_OF(X, i32)                                                                   \
  SPW_CONVERT_KERNELS_OF(X, i64)                                                                   \
  X(spw_gather_1) X(spw_gather_2) X(spw_gather_4) X(spw_gather_8) X(spw_gather_16)

#endif
