/* SPDX-License-Identifier: Apache-2.0 */
#include "move.h"

#define VAL uint16_t
#define WIDTH u16
#include "move.inc"
