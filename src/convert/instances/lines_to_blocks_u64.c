/* SPDX-License-Identifier: Apache-2.0 */
#include "../payloads/u64.h"
#include "lines_to_blocks.inc"
