/* SPDX-License-Identifier: Apache-2.0 */
/* bfloat16. */
#define WIDEN spw_float_of_bfloat16
#define NARROW spw_bfloat16_of_float
#define SPW_VALUE bf16
#include "half.h"
