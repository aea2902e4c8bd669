/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks_to_dense.h"
#include "times_apart.h"
#include "times_at.h"

#define SPW_VALUE_TEMPLATE "../convert/kernels/bsc_to_dense.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE
