/* SPDX-License-Identifier: Apache-2.0 */
#include "batch_room.h"
#include "../core/size.h"

#define SPW_TEMPLATE "../convert/batch_room.inc"
#include "../core/each_index_type.h"
