/* SPDX-License-Identifier: Apache-2.0 */
#include "../values/c128.h"
#define SPW_MULTIPLY spw_multiply_c128
#include "instance.inc"
