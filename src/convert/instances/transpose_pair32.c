/* SPDX-License-Identifier: Apache-2.0 */
#include "../payloads/pair32.h"

#define VAL spw_pair32
#define SPW_VALUE pair32
#include "../payloads/pair.h"

#include "transpose.inc"
