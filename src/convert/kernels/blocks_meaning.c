/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks_meaning.h"

#define SPW_TEMPLATE "../convert/kernels/blocks_meaning.inc"
#include "../../core/each_index_type.h"
