/* SPDX-License-Identifier: Apache-2.0 */
#include "bands.h"
#include "../sort/key_parts.h"

/*@ ghost
  void lem_band_of(int64_t j, int bits, uint64_t width) {
    lem_bits_shift((uint64_t)j, bits);
    const uint64_t b = (uint64_t)j >> bits;
    /@ assert quotient: b == j / pow2(bits) && 0 <= b; @/
    /@ assert parts: j == (j / pow2(bits)) * pow2(bits) + j % pow2(bits) && 0 <= j % pow2(bits) < pow2(bits); @/
    /@ assert small: b <= j; @/
    lem_key_fits(b, b + 1, width);
    /@ assert product: times(b, width) == b * width; @/
  }

  void lem_key_of(uint64_t line, uint64_t low, int bits, uint64_t width, uint64_t key) {
    /@ assert parts: key == (key / width) * width + key % width && 0 <= key % width < width; @/
    /@ assert less: key / width < line ==> (key / width) * width + width <= line * width; @/
    /@ assert more: line < key / width ==> line * width + width <= (key / width) * width; @/
    /@ assert same: key / width == line; @/
  }
*/

#define SPW_TEMPLATE "../convert/indices/partition/bands.inc"
#include "../../../core/each_index_type.h"
