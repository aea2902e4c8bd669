/* SPDX-License-Identifier: Apache-2.0 */
#include "swap.h"
#include "starts.h"
#include "../../core/prefetch.h"

#define IDX int32_t
#define IDX_MAX INT32_MAX
#define SUF i32
#define VAL uint32_t
#define WIDTH u32
#include "swap.inc"
