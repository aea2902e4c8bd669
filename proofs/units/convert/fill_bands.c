/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of how elements become cells band by band, for any payload. */
#include "payload/any.h"
#include "../../../src/convert/indices/partition/bands.h"
#include "../../../src/convert/indices/sort/key_parts.h"
#include "../../lemmas/lines.h"
#include "../../../src/core/prefetch.h"

#define SPW_TEMPLATE "../convert/kernels/transpose/band_words.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/transpose/fill_bands_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/transpose/fill_bands.inc"
#include "../../../src/core/each_index_type.h"
