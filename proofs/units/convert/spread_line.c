/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of a compressed line to a line of a dense array, for any payload. */
#include "../../../src/convert/payloads/any.h"
#include "../../../src/convert/cells/to_dense_lemmas.h"

#define SPW_TEMPLATE "../convert/cells/spread_line_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/spread_line.inc"
#include "../../../src/core/each_index_type.h"
