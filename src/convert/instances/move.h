/* SPDX-License-Identifier: Apache-2.0 */
/* The one mover of cells: spw_move_u8, spw_move_u16, spw_move_u32, spw_move_u64. */
#ifndef SPW_CONVERT_INSTANCES_MOVE_H
#define SPW_CONVERT_INSTANCES_MOVE_H

#include "../../../proofs/lemmas/times.h"

#define SPW_VALUE_TEMPLATE "../convert/kernels/move_contract.inc"
#include "../../core/each_value_width.h"
#undef SPW_VALUE_TEMPLATE

#endif
