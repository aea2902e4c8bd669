/* SPDX-License-Identifier: Apache-2.0 */
#include "../payloads/u64.h"
#include "block.inc"
