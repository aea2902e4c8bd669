/* SPDX-License-Identifier: Apache-2.0 */
#include "spread_runs.h"
#include "times_apart.h"

#define SPW_VALUE_TEMPLATE "../convert/kernels/spread_runs.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE
