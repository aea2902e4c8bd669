/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks_to_lines.h"

#define SPW_VALUE_TEMPLATE "../convert/blocks_to_lines.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../core/each_index_type.h"
