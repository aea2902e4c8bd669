/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of the swap of rows and columns by bands, for any payload. */
#include "payload/any.h"
#include "../../../src/convert/indices/partition/bands.h"
#include "../../../src/convert/indices/sort/key_parts.h"
#include "../../lemmas/lines.h"
#include "../../../src/convert/indices/offsets/starts.h"

#define SPW_TEMPLATE "../convert/kernels/transpose/band_words.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/transpose/fill_bands_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/transpose/place_band_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/transpose/swap_bands_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/transpose/swap_bands.inc"
#include "../../../src/core/each_index_type.h"
