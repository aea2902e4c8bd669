/* SPDX-License-Identifier: Apache-2.0 */
#include "swap.h"
#include "starts.h"
#include "../../core/prefetch.h"

#define IDX int64_t
#define IDX_MAX INT64_MAX
#define SUF i64
#define VAL uint32_t
#define WIDTH u32
#include "swap.inc"
