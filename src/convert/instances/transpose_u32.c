/* SPDX-License-Identifier: Apache-2.0 */
#include "../payloads/u32.h"
#include "transpose.inc"
