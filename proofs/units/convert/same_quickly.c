/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of the certifier of matrices, for any payload. */
#include "payload/any_bits.h"
#include "../../../src/convert/indices/lookup/cursor.h"
#include "../../../src/convert/indices/lookup/scalars.h"
#include "../../lemmas/times_at.h"

#define SPW_TEMPLATE "../convert/kernels/certify/walk_contract.inc"
#include "../../../src/core/each_index_type.h"

#undef V
#define V(name) SPW_CAT(name, any)
#include "../../../src/convert/kernels/certify/same_scalars_contract.inc"
#include "../../../src/convert/kernels/certify/same_quickly_contract.inc"
#include "../../../src/convert/kernels/certify/same_quickly.inc"
