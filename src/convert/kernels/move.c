/* SPDX-License-Identifier: Apache-2.0 */
#include "move.h"

#define SPW_VALUE_TEMPLATE "../convert/kernels/move.inc"
#include "../../core/each_value_width.h"
