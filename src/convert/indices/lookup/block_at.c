/* SPDX-License-Identifier: Apache-2.0 */
#include "block_at.h"

#define SPW_TEMPLATE "../convert/indices/lookup/block_at.inc"
#include "../../../core/each_index_type.h"
