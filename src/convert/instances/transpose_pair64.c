/* SPDX-License-Identifier: Apache-2.0 */
#include "../payloads/pair64.h"

#define VAL spw_pair64
#define SPW_VALUE pair64
#include "../payloads/pair.h"

#include "transpose.inc"
