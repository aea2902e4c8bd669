/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks_to_lines.h"

#define IDX int64_t
#define IDX_MAX INT64_MAX
#define SUF i64
#define VAL uint32_t
#define WIDTH u32
#include "blocks_to_lines.inc"
