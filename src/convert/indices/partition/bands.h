/* SPDX-License-Identifier: Apache-2.0 */
/* Elements by bands of minor indices: spec/acsl/bands.acsl. */
#ifndef SPW_CONVERT_INDICES_PARTITION_BANDS_H
#define SPW_CONVERT_INDICES_PARTITION_BANDS_H

#include "../../../../proofs/lemmas/bit_lemmas.h"
#include "../../../../proofs/lemmas/slots.h"
#include "../../../../spec/acsl/times.acsl"

#define SPW_TEMPLATE "../../spec/acsl/bands.acsl"
#include "../../../core/each_index_type.h"

/*@ ghost
  /@ // the band of a minor index
     requires sizes: 0 <= j && 0 <= bits < 64 && width == pow2(bits);
     terminates \true; exits \false; assigns \nothing;
     ensures quotient: (((uint64_t)j) >> bits) == j / pow2(bits);
     ensures product: times(j / pow2(bits), width) == (j / pow2(bits)) * width;
     ensures inside: 0 <= j / pow2(bits) <= j && times(j / pow2(bits), width) <= j < times(j / pow2(bits), width) + width;
     ensures low: j - times(j / pow2(bits), width) < width; @/
  void lem_band_of(int64_t j, int bits, uint64_t width);

  /@ // a key of a line and what is below a band's width holds both
     requires sizes: low < width && 0 <= bits < 64 && width == pow2(bits) && key == line * width + low;
     terminates \true; exits \false; assigns \nothing;
     ensures line: key / pow2(bits) == line;
     ensures low: key % pow2(bits) == low; @/
  void lem_key_of(uint64_t line, uint64_t low, int bits, uint64_t width, uint64_t key);
*/

#define SPW_TEMPLATE "../convert/indices/partition/bands_contract.inc"
#include "../../../core/each_index_type.h"

#endif
