/* SPDX-License-Identifier: Apache-2.0 */
#include "../values/u8.h"
#define SPW_MULTIPLY spw_multiply_u8
#include "instance.inc"
