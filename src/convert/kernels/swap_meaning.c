/* SPDX-License-Identifier: Apache-2.0 */
#include "swap_meaning.h"

#define SPW_VALUE_TEMPLATE "../convert/kernels/swap_meaning.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE
