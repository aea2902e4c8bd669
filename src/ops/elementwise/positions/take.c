/* SPDX-License-Identifier: Apache-2.0 */
#include "take.h"

#define SPW_TEMPLATE "../ops/elementwise/positions/take.inc"
#include "../../../core/each_index_type.h"
