/* SPDX-License-Identifier: Apache-2.0 */
#include "../values/i64.h"
#define SPW_MULTIPLY spw_multiply_i64
#include "instance.inc"
