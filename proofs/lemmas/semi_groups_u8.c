/* SPDX-License-Identifier: Apache-2.0 */
/* 2:4: round trips of rows of elements of one byte. */
#include "../../src/semi/kernels/groups.h"

#include "semi_back.h"

#define VAL uint8_t
#define WIDTH u8
#include "semi_group.inc"
#include "semi_groups.inc"
