/* SPDX-License-Identifier: Apache-2.0 */
#include "../values/i32.h"
#define SPW_MULTIPLY spw_multiply_i32
#include "instance.inc"
