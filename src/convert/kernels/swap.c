/* SPDX-License-Identifier: Apache-2.0 */
#include "swap.h"
#include "starts.h"
#include "../../core/prefetch.h"

/* How many elements ahead the slot of an element is fetched. */
#define AHEAD 16

#define SPW_VALUE_TEMPLATE "../convert/kernels/swap.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../../core/each_index_type.h"
