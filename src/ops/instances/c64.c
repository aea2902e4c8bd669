/* SPDX-License-Identifier: Apache-2.0 */
#include "../values/c64.h"
#define SPW_MULTIPLY spw_multiply_c64
#include "instance.inc"
