/* SPDX-License-Identifier: Apache-2.0 */
/* 2:4: round trips of rows of elements of two bytes. */
#include "../../src/semi/kernels/groups.h"

#include "semi_back.h"

#define VAL uint16_t
#define WIDTH u16
#include "semi_group.inc"
#include "semi_groups.inc"
