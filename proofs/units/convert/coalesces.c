/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of what certifies sums of duplicates, for any payload. */
#include "../../../src/convert/payloads/any_total.h"
#include "../../../src/convert/kernels/scalars.h"
#include "../../../src/convert/kernels/times_apart.h"
#include "../../../src/convert/kernels/times_at.h"
#include "../../../src/core/names.h"

#undef V
#define V(name) SPW_CAT(name, any)
#include "../../../src/convert/cells/coalesces_contract.inc"
#include "../../../src/convert/cells/coalesces.inc"
