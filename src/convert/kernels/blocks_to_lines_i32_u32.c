/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks_to_lines.h"

#define IDX int32_t
#define IDX_MAX INT32_MAX
#define SUF i32
#define VAL uint32_t
#define WIDTH u32
#include "blocks_to_lines.inc"
