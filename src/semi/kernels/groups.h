/* SPDX-License-Identifier: Apache-2.0 */
/* 2:4: groups of four elements of one byte and of two. */
#ifndef SPW_SEMI_KERNELS_GROUPS_H
#define SPW_SEMI_KERNELS_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "../../core/names.h"

#include "../../../spec/acsl/semi_codes.acsl"

/* The largest number of groups: their elements can be numbered. */
#define SPW_SEMI_GROUPS_MAX 1152921504606846975

#define V(name) SPW_CAT(name, WIDTH)

#define VAL uint8_t
#define WIDTH u8
#include "groups_contract.inc"
#undef VAL
#undef WIDTH

#define VAL uint16_t
#define WIDTH u16
#include "groups_contract.inc"
#undef VAL
#undef WIDTH

#endif
