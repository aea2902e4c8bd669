/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of the certifier, for any payload. */
#include "payload/any_bits.h"
#include "../../../src/convert/indices/lookup/scalars.h"
#include "../../lemmas/times_at.h"
#include "../../../src/core/names.h"

#undef V
#define V(name) SPW_CAT(name, any)
#include "../../../src/convert/kernels/certify/same_scalars_contract.inc"
#include "../../../src/convert/kernels/certify/same_scalars.inc"
