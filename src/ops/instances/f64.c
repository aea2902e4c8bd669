/* SPDX-License-Identifier: Apache-2.0 */
#include "../values/f64.h"
#define SPW_MULTIPLY spw_multiply_f64
#include "instance.inc"
