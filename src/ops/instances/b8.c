/* SPDX-License-Identifier: Apache-2.0 */
#include "../values/b8.h"
#define SPW_MULTIPLY spw_multiply_b8
#include "instance.inc"
