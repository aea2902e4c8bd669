/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of blocks as lines, for any payload. */
#include "payload/any.h"
#include "../../../src/convert/kernels/unblock/uses.h"

#define SPW_TEMPLATE "../convert/kernels/unblock/blocks_to_lines_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/unblock/blocks_to_lines.inc"
#include "../../../src/core/each_index_type.h"
