/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of the swap of rows and columns, for any payload. */
#include "payload/any.h"
#include "../../../src/convert/indices/partition/bands.h"
#include "../../../src/convert/kernels/transpose/uses.h"

#define SPW_TEMPLATE "../convert/kernels/transpose/band_cells.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/transpose/swap_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/transpose/swap_bands_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/transpose/swap.inc"
#include "../../../src/core/each_index_type.h"
