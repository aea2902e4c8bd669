/* SPDX-License-Identifier: Apache-2.0 */
#include "move.h"

#define VAL uint32_t
#define WIDTH u32
#include "move.inc"
