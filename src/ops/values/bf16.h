/* SPDX-License-Identifier: Apache-2.0 */
/* Values of type bfloat16, by their bits. */
#define WIDEN spw_float_of_bfloat16
#define NARROW spw_bfloat16_of_float
#define SPW_VALUE bf16
#include "half.h"
