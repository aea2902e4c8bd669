/* SPDX-License-Identifier: Apache-2.0 */
#include "../values/i8.h"
#define SPW_MULTIPLY spw_multiply_i8
#include "instance.inc"
