/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of how the cells of a band come to their places, for any payload. */
#include "payload/any.h"
#include "../../../src/convert/indices/partition/bands.h"
#include "../../../src/core/prefetch.h"

#define SPW_TEMPLATE "../convert/kernels/transpose/band_words.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/transpose/place_band_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/transpose/place_band.inc"
#include "../../../src/core/each_index_type.h"
