/* SPDX-License-Identifier: Apache-2.0 */
/* From lines of blocks to lines of elements, without a sort. */
#ifndef SPW_CUDA_UNFOLD_H
#define SPW_CUDA_UNFOLD_H

#include "conversion.h"
#include "stages.h"

#define SPW_TEMPLATE "../../cuda/kernels/unfold.inc"
#include "../../src/core/each_index_type.h"

#endif
