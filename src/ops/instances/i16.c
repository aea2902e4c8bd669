/* SPDX-License-Identifier: Apache-2.0 */
#include "../values/i16.h"
#define SPW_MULTIPLY spw_multiply_i16
#include "instance.inc"
