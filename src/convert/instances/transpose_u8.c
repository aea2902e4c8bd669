/* SPDX-License-Identifier: Apache-2.0 */
#include "../payloads/u8.h"
#include "transpose.inc"
