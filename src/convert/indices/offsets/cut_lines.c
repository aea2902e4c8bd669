/* SPDX-License-Identifier: Apache-2.0 */
#include "cut_lines.h"

#define SPW_TEMPLATE "../convert/indices/offsets/cut_lines.inc"
#include "../../../core/each_index_type.h"
