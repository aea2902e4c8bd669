/* SPDX-License-Identifier: Apache-2.0 */
/* Where lines of one batch of a compressed result are written, by kernels of either index type. */
#ifndef SPW_CONVERT_BATCH_ROOM_H
#define SPW_CONVERT_BATCH_ROOM_H

#include "target.h"

#define SPW_TEMPLATE "../convert/batch_room_contract.inc"
#include "../core/each_index_type.h"

#endif
