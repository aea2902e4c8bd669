/* SPDX-License-Identifier: Apache-2.0 */
#include "move.h"

#define VAL uint8_t
#define WIDTH u8
#include "move.inc"
