/* SPDX-License-Identifier: Apache-2.0 */
/* What order elements are to have, and coordinates in it. */
#ifndef SPW_CUDA_ORDER_H
#define SPW_CUDA_ORDER_H

#include "conversion.h"
#include "stages.h"

#define SPW_TEMPLATE "../../cuda/kernels/order.inc"
#include "../../src/core/each_index_type.h"

#endif
