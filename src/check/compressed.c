/* SPDX-License-Identifier: Apache-2.0 */
#include "compressed.h"
#include "fast/count_rows.h"
#include "fast/parts.h"

#define SPW_TEMPLATE "../check/compressed.inc"
#include "../core/each_index_type.h"
