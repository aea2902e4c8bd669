/* SPDX-License-Identifier: Apache-2.0 */
#include "parts.h"

#define SPW_TEMPLATE "../ops/elementwise/positions/parts.inc"
#include "../../../core/each_index_type.h"
