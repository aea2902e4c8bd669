/* SPDX-License-Identifier: Apache-2.0 */
#include "../values/bf16.h"
#define SPW_MULTIPLY spw_multiply_bf16
#include "instance.inc"
