/* SPDX-License-Identifier: Apache-2.0 */
#include "lines_to_blocks.h"

#define IDX int32_t
#define IDX_MAX INT32_MAX
#define SUF i32
#define VAL uint32_t
#define WIDTH u32
#include "tile_line.inc"
#include "stripes_stay.inc"
#include "merge_stripe.inc"
#include "lines_to_blocks.inc"
