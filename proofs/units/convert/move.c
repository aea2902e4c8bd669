/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of the mover, for any payload. */
#include "payload/any.h"
#include "../../lemmas/times.h"
#include "../../../src/core/names.h"

#undef V
#define V(name) SPW_CAT(name, any)
#include "../../../src/convert/kernels/move_contract.inc"
#include "../../../src/convert/kernels/move.inc"
