/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of the swap of rows and columns by bands, for any payload. */
#include "../../../src/convert/payloads/any.h"
#include "../../../src/convert/kernels/bands.h"
#include "../../../src/convert/kernels/key_parts.h"
#include "../../../src/convert/kernels/lines.h"
#include "../../../src/convert/kernels/starts.h"

#define SPW_TEMPLATE "../convert/cells/band_words.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/fill_bands_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/place_band_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/swap_bands_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/swap_bands.inc"
#include "../../../src/core/each_index_type.h"
