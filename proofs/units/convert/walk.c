/* SPDX-License-Identifier: Apache-2.0 */
/* The proof that a walk tells whether two matrices are the same, for any payload. */
#include "payload/any_bits.h"
#include "../../../src/convert/indices/lookup/cursor.h"
#include "../../../src/convert/indices/lookup/scalars.h"
#include "../../../src/view/entry_of.h"

#define SPW_TEMPLATE "../convert/kernels/certify/walk_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/certify/walk.inc"
#include "../../../src/core/each_index_type.h"
