/* SPDX-License-Identifier: Apache-2.0 */
#include "rows.h"

#define SPW_TEMPLATE "../convert/indices/offsets/rows.inc"
#include "../../../core/each_index_type.h"
