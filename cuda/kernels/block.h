/* SPDX-License-Identifier: Apache-2.0 */
/* From coordinates of elements to those of blocks, and which block each element is in. */
#ifndef SPW_CUDA_BLOCK_H
#define SPW_CUDA_BLOCK_H

#include "conversion.h"
#include "stages.h"

#define SPW_TEMPLATE "../../cuda/kernels/block.inc"
#include "../../src/core/each_index_type.h"

#endif
