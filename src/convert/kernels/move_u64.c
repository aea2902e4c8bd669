/* SPDX-License-Identifier: Apache-2.0 */
#include "move.h"

#define VAL uint64_t
#define WIDTH u64
#include "move.inc"
