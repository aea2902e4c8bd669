/* SPDX-License-Identifier: Apache-2.0 */
/* Equal shares of offsets and elements, for both index types. */
#ifndef SPW_CUDA_SPLIT_H
#define SPW_CUDA_SPLIT_H

#include "reduce.h"

#define SPW_TEMPLATE "../../cuda/kernels/split.inc"
#include "../../src/core/each_index_type.h"

#endif
