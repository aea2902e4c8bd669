/* SPDX-License-Identifier: Apache-2.0 */
#include "columns.h"

#define SPW_TEMPLATE "../ops/elementwise/positions/columns_lemmas.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../ops/elementwise/positions/columns.inc"
#include "../../../core/each_index_type.h"
