/* SPDX-License-Identifier: Apache-2.0 */
/* What shifts and digits mean: spec/acsl/bits.acsl. */
#ifndef SPW_LEMMAS_BIT_LEMMAS_H
#define SPW_LEMMAS_BIT_LEMMAS_H

#include <stdint.h>
#include "../../spec/acsl/bits.acsl"

/*@ ghost
  /@ // shifting to the right divides
     requires 0 <= s < 64;
     terminates \true; exits \false; assigns \nothing;
     ensures positive: 0 < pow2(s);
     ensures shift: (x >> s) == x / pow2(s); @/
  void lem_bits_shift(uint64_t x, int s);
*/

/*@ ghost
  /@ // by its bits low .. shift + width - 1, x and y are in the order of the digit, then of the bits below
     requires places: 0 <= low <= shift < 64 && 1 <= width <= 8 && scale * pow2(width) == 256;
     terminates \true; exits \false; assigns \nothing;
     ensures less: bits(x, low, shift + width) < bits(y, low, shift + width) <==>
       digit(x, shift, scale) < digit(y, shift, scale) ||
       (digit(x, shift, scale) == digit(y, shift, scale) && bits(x, low, shift) < bits(y, low, shift));
     ensures equal: bits(x, low, shift + width) == bits(y, low, shift + width) <==>
       digit(x, shift, scale) == digit(y, shift, scale) && bits(x, low, shift) == bits(y, low, shift); @/
  void lem_bits_order(uint64_t x, uint64_t y, int low, int shift, int width, int scale);
*/

/*@ ghost
  /@ // the scale of a digit of `width` bits
     requires 1 <= width <= 8;
     terminates \true; exits \false; assigns \nothing;
     ensures scale: (256 >> width) * pow2(width) == 256; @/
  void lem_bits_last_scale(int width);
*/

/*@ ghost
  /@ // a digit has 8 bits
     requires 0 <= shift < 64 && 1 <= scale;
     terminates \true; exits \false; assigns \nothing;
     ensures range: \forall integer x; 0 <= x ==> 0 <= digit(x, shift, scale) < 256; @/
  void lem_bits_digit_range(int shift, int scale);
*/

/*@ ghost
  /@ // what a scale may be
     requires 1 <= width <= 8 && scale * pow2(width) == 256;
     terminates \true; exits \false; assigns \nothing;
     ensures range: 1 <= scale <= 128; @/
  void lem_bits_scale_range(int width, int scale);
*/

#endif
