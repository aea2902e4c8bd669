/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of a compressed line to a line of a dense array, for any payload. */
#include "payload/any.h"
#include "../../../src/convert/kernels/to_dense/uses.h"

#define SPW_TEMPLATE "../convert/kernels/to_dense/spread_line_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/to_dense/spread_line.inc"
#include "../../../src/core/each_index_type.h"
