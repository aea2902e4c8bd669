/* SPDX-License-Identifier: Apache-2.0 */
/* How many bands of minor indices there are, and how wide they are: what the kernels of bands ask (spec/acsl/band_room.acsl). */
#ifndef SPW_CONVERT_INDICES_PARTITION_COUNT_BANDS_H
#define SPW_CONVERT_INDICES_PARTITION_COUNT_BANDS_H

#include "../../../../proofs/lemmas/bit_lemmas.h"
#include "../../../../spec/acsl/times.acsl"

/* The narrowest bands of 2^*bits minor indices, of which at most `most` hold all that are below minor_size; 0 where keys do not
 * hold one of `major` lines beside the lower bits. Time: 62. */
/*@ requires sizes: 0 <= major && 0 <= minor_size && 1 <= most;
    requires writable: \valid(bits) && \valid(width) && \separated(bits, width);
    terminates \true; exits \false; assigns *bits, *width;
    ensures bits: 0 <= *bits < 63 && *width == pow2(*bits) <= INT64_MAX;
    ensures count: 0 <= \result <= most;
    ensures hold: \result > 0 ==> minor_size <= times(\result, *width) < minor_size + *width;
    ensures keys: \result > 0 ==> times(major, *width) <= UINT64_MAX + 1; */
int64_t spw_count_bands(int64_t major, int64_t minor_size, int64_t most, int *bits, uint64_t *width);

#endif
