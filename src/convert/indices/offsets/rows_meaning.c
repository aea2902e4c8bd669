/* SPDX-License-Identifier: Apache-2.0 */
#include "rows_meaning.h"

#define SPW_TEMPLATE "../convert/indices/offsets/rows_meaning.inc"
#include "../../../core/each_index_type.h"
