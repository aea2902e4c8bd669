/* SPDX-License-Identifier: Apache-2.0 */
#include "groups.h"

/* An attribute that compiles the loops for more than one instruction set, from the Makefile. */
#ifndef SPW_CLONES
#define SPW_CLONES
#endif

#define VAL uint16_t
#define WIDTH u16
#include "decode.inc"
