/* SPDX-License-Identifier: Apache-2.0 */
#include "bit_lemmas.h"

/*@ ghost
  /@ // powers multiply
     requires 0 <= s && 0 <= t && s + t <= 100;
     terminates \true; exits \false; assigns \nothing;
     ensures positive: 0 < pow2(s) && 0 < pow2(t);
     ensures product: pow2(s + t) == pow2(s) * pow2(t); @/
  void lem_bits_pow2(int s, int t) {
    /@ loop invariant range: 0 <= i <= s;
       loop invariant positive: 0 < pow2(i);
       loop assigns i; loop variant s - i; @/
    for (int i = 0; i < s; i++) {
      /@ assert twice: pow2(i + 1) == 2 * pow2(i); @/
    }
    /@ loop invariant range: 0 <= i <= t;
       loop invariant positive: 0 < pow2(i);
       loop invariant product: pow2(s + i) == pow2(s) * pow2(i);
       loop assigns i; loop variant t - i; @/
    for (int i = 0; i < t; i++) {
      /@ assert twice: pow2(i + 1) == 2 * pow2(i); @/
      /@ assert twice_sum: pow2(s + (i + 1)) == 2 * pow2(s + i); @/
    }
  }
*/

/*@ ghost
  /@ // one more digit of c; a and d are quotient and remainder of the next
     requires 0 <= s < 64 && 0 <= w <= 8 && 0 < pow2(s) && 0 < pow2(w) && 0 < pow2(s + w);
     requires product: pow2(s + w) == pow2(s) * pow2(w);
     requires parts: q == c / pow2(s) && q == a * pow2(w) + d && 0 <= d < pow2(w);
     terminates \true; exits \false; assigns \nothing;
     ensures split: c % pow2(s + w) == d * pow2(s) + c % pow2(s); @/
  void lem_bits_split(uint64_t c, uint64_t q, uint64_t a, uint64_t d, int s, int w) {
    /@ assert low: c == q * pow2(s) + c % pow2(s) && 0 <= c % pow2(s) < pow2(s); @/
    /@ assert both: q * pow2(s) == a * pow2(s + w) + d * pow2(s); @/
    /@ assert sum: c == a * pow2(s + w) + (d * pow2(s) + c % pow2(s)); @/
    /@ assert most: (d + 1) * pow2(s) <= pow2(w) * pow2(s) && 0 <= d * pow2(s); @/
    /@ assert rest: 0 <= d * pow2(s) + c % pow2(s) < pow2(s + w); @/
    /@ assert whole: c == (c / pow2(s + w)) * pow2(s + w) + c % pow2(s + w) && 0 <= c % pow2(s + w) < pow2(s + w); @/
    /@ assert less: a < c / pow2(s + w) ==> (a + 1) * pow2(s + w) <= (c / pow2(s + w)) * pow2(s + w); @/
    /@ assert more: c / pow2(s + w) < a ==> (c / pow2(s + w) + 1) * pow2(s + w) <= a * pow2(s + w); @/
    /@ assert same: a == c / pow2(s + w); @/
  }
*/

/*@ ghost
  /@ // a digit of fewer bits
     requires 1 <= w <= 8 && scale * pow2(w) == 256;
     terminates \true; exits \false; assigns \nothing;
     ensures positive: 0 < scale <= 128;
     ensures radix: 256 / scale == pow2(w);
     ensures digit: q % 256 * scale % 256 == q % pow2(w) * scale; @/
  void lem_bits_scale(uint64_t q, int w, int scale) {
    /@ assert p1: pow2(1) == 2; @/
    /@ assert p2: pow2(2) == 4; @/
    /@ assert p3: pow2(3) == 8; @/
    /@ assert p4: pow2(4) == 16; @/
    /@ assert p5: pow2(5) == 32; @/
    /@ assert p6: pow2(6) == 64; @/
    /@ assert p7: pow2(7) == 128; @/
    /@ assert p8: pow2(8) == 256; @/
    uint64_t r = q % 256;
    /@ assert r1: w == 1 ==> r % 2 == q % 2 && r * 128 == 256 * (r / 2) + r % 2 * 128 && 0 <= r % 2 * 128 < 256; @/
    /@ assert w1: w == 1 ==> scale == 128 && 256 / scale == 2 && r * 128 % 256 == q % 2 * 128; @/
    /@ assert r2: w == 2 ==> r % 4 == q % 4 && r * 64 == 256 * (r / 4) + r % 4 * 64 && 0 <= r % 4 * 64 < 256; @/
    /@ assert w2: w == 2 ==> scale == 64 && 256 / scale == 4 && r * 64 % 256 == q % 4 * 64; @/
    /@ assert r3: w == 3 ==> r % 8 == q % 8 && r * 32 == 256 * (r / 8) + r % 8 * 32 && 0 <= r % 8 * 32 < 256; @/
    /@ assert w3: w == 3 ==> scale == 32 && 256 / scale == 8 && r * 32 % 256 == q % 8 * 32; @/
    /@ assert r4: w == 4 ==> r % 16 == q % 16 && r * 16 == 256 * (r / 16) + r % 16 * 16 && 0 <= r % 16 * 16 < 256; @/
    /@ assert w4: w == 4 ==> scale == 16 && 256 / scale == 16 && r * 16 % 256 == q % 16 * 16; @/
    /@ assert r5: w == 5 ==> r % 32 == q % 32 && r * 8 == 256 * (r / 32) + r % 32 * 8 && 0 <= r % 32 * 8 < 256; @/
    /@ assert w5: w == 5 ==> scale == 8 && 256 / scale == 32 && r * 8 % 256 == q % 32 * 8; @/
    /@ assert r6: w == 6 ==> r % 64 == q % 64 && r * 4 == 256 * (r / 64) + r % 64 * 4 && 0 <= r % 64 * 4 < 256; @/
    /@ assert w6: w == 6 ==> scale == 4 && 256 / scale == 64 && r * 4 % 256 == q % 64 * 4; @/
    /@ assert r7: w == 7 ==> r % 128 == q % 128 && r * 2 == 256 * (r / 128) + r % 128 * 2 && 0 <= r % 128 * 2 < 256; @/
    /@ assert w7: w == 7 ==> scale == 2 && 256 / scale == 128 && r * 2 % 256 == q % 128 * 2; @/
    /@ assert r8: w == 8 ==> r % 256 == q % 256 && r * 1 == 256 * (r / 256) + r % 256 * 1 && 0 <= r % 256 * 1 < 256; @/
    /@ assert w8: w == 8 ==> scale == 1 && 256 / scale == 256 && r * 1 % 256 == q % 256 * 1; @/
    /@ assert one: w == 1 || w == 2 || w == 3 || w == 4 || w == 5 || w == 6 || w == 7 || w == 8; @/
  }
*/

/*@ ghost
  /@ // bits low .. shift + width - 1 are the digit and the bits below it
     requires places: 0 <= low <= shift < 64 && 1 <= width <= 8 && scale * pow2(width) == 256;
     terminates \true; exits \false; assigns \nothing;
     ensures positive: 0 < pow2(shift - low) && 0 < scale;
     ensures digit: digit(x, shift, scale) == bits(x, shift, shift + width) * scale;
     ensures rest: 0 <= bits(x, low, shift) < pow2(shift - low);
     ensures split: bits(x, low, shift + width) == bits(x, shift, shift + width) * pow2(shift - low) + bits(x, low, shift); @/
  void lem_bits_digit(uint64_t x, int low, int shift, int width, int scale) {
    uint64_t c = x >> low, q = x >> shift;
    lem_bits_shift(x, low);
    lem_bits_shift(x, shift);
    lem_bits_shift(c, shift - low);
    lem_bits_pow2(shift - low, width);
    lem_bits_pow2(0, width);
    /@ assert twice: q == (c >> (shift - low)); @/
    lem_bits_scale(q, width, scale);
    uint64_t radix = (uint64_t)(256 / scale);
    lem_bits_split(c, q, q / radix, q % radix, shift - low, width);
    /@ assert named: bits(x, shift, shift + width) == q % pow2(width); @/
  }
*/

/*@ ghost
  void lem_bits_order(uint64_t x, uint64_t y, int low, int shift, int width, int scale) {
    lem_bits_digit(x, low, shift, width, scale);
    lem_bits_digit(y, low, shift, width, scale);
    /@ assert less: bits(x, shift, shift + width) < bits(y, shift, shift + width) ==>
         bits(x, shift, shift + width) * pow2(shift - low) + pow2(shift - low) <= bits(y, shift, shift + width) * pow2(shift - low) &&
         bits(x, shift, shift + width) * scale < bits(y, shift, shift + width) * scale; @/
    /@ assert more: bits(y, shift, shift + width) < bits(x, shift, shift + width) ==>
         bits(y, shift, shift + width) * pow2(shift - low) + pow2(shift - low) <= bits(x, shift, shift + width) * pow2(shift - low) &&
         bits(y, shift, shift + width) * scale < bits(x, shift, shift + width) * scale; @/
    /@ assert same: digit(x, shift, scale) == digit(y, shift, scale) <==>
         bits(x, shift, shift + width) == bits(y, shift, shift + width); @/
    /@ assert lower: digit(x, shift, scale) < digit(y, shift, scale) ==>
         bits(x, low, shift + width) < bits(y, low, shift + width); @/
    /@ assert higher: digit(x, shift, scale) > digit(y, shift, scale) ==>
         bits(x, low, shift + width) > bits(y, low, shift + width); @/
    /@ assert rest: digit(x, shift, scale) == digit(y, shift, scale) ==>
         bits(x, low, shift + width) - bits(y, low, shift + width) == bits(x, low, shift) - bits(y, low, shift); @/
  }
*/

/*@ ghost
  void lem_bits_scale_range(int width, int scale) {
    lem_bits_scale(0, width, scale);
  }
*/

/*@ ghost
  void lem_bits_last_scale(int width) {
    lem_bits_shift(256, width);
    /@ assert p1: pow2(1) == 2; @/
    /@ assert p2: pow2(2) == 4; @/
    /@ assert p3: pow2(3) == 8; @/
    /@ assert p4: pow2(4) == 16; @/
    /@ assert p5: pow2(5) == 32; @/
    /@ assert p6: pow2(6) == 64; @/
    /@ assert p7: pow2(7) == 128; @/
    /@ assert p8: pow2(8) == 256; @/
    /@ assert one: width == 1 || width == 2 || width == 3 || width == 4 || width == 5 || width == 6 || width == 7 || width == 8; @/
    /@ assert quotient: (256 / pow2(width)) * pow2(width) == 256; @/
  }
*/

/*@ ghost
  void lem_bits_digit_range(int shift, int scale) {
    lem_bits_shift(0, shift);
    /@ assert quotient: \forall integer x; 0 <= x ==> 0 <= x / pow2(shift); @/
    /@ assert product: \forall integer y; 0 <= y ==> 0 <= y % 256 * scale; @/
  }
*/
