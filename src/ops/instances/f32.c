/* SPDX-License-Identifier: Apache-2.0 */
#include "../values/f32.h"
#define SPW_MULTIPLY spw_multiply_f32
#include "instance.inc"
