/* SPDX-License-Identifier: Apache-2.0 */
#include "../payloads/u16.h"
#include "transpose.inc"
