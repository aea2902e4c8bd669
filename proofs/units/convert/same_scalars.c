/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of the certifier, for any payload. */
#include "../../../src/convert/payloads/any_bits.h"
#include "../../../src/convert/kernels/scalars.h"
#include "../../../src/convert/kernels/times_at.h"
#include "../../../src/core/names.h"

#undef V
#define V(name) SPW_CAT(name, any)
#include "../../../src/convert/cells/same_scalars_contract.inc"
#include "../../../src/convert/cells/same_scalars.inc"
