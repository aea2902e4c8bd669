/* SPDX-License-Identifier: Apache-2.0 */
#include "../values/f16.h"
#define SPW_MULTIPLY spw_multiply_f16
#include "instance.inc"
