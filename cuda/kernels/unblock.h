/* SPDX-License-Identifier: Apache-2.0 */
/* From coordinates of blocks to those of elements. */
#ifndef SPW_CUDA_UNBLOCK_H
#define SPW_CUDA_UNBLOCK_H

#include "conversion.h"
#include "stages.h"

#define SPW_TEMPLATE "../../cuda/kernels/unblock.inc"
#include "../../src/core/each_index_type.h"

#endif
