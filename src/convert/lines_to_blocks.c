/* SPDX-License-Identifier: Apache-2.0 */
#include "lines_to_blocks.h"
#include "kernels/tile_line.h"

#define SPW_VALUE_TEMPLATE "../convert/lines_to_blocks.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE
