/* SPDX-License-Identifier: Apache-2.0 */
/* Shifts are divisions. */
#include "bit_lemmas.h"

/*@ ghost
  /@ // shifting to the right once more divides once more
     requires range: 0 <= s < 63 && 0 < pow2(s);
     requires shift: (x >> s) == x / pow2(s);
     terminates \true; exits \false; assigns \nothing;
     ensures shift: (x >> (s + 1)) == x / pow2(s + 1); @/
  void lem_bits_shift_once(uint64_t x, int s) {
    uint64_t q = x >> s, h = q / 2, b = q % 2;
    /@ assert twice: pow2(s + 1) == 2 * pow2(s); @/
    /@ assert step: (x >> (s + 1)) == (q >> 1); @/
    /@ assert one: (q >> 1) == h; @/
    /@ assert low: x == q * pow2(s) + x % pow2(s) && 0 <= x % pow2(s) < pow2(s); @/
    /@ assert high: q == 2 * h + b && 0 <= b < 2; @/
    /@ assert zero: b == 0 ==> b * pow2(s) == 0; @/
    /@ assert unit: b == 1 ==> b * pow2(s) == pow2(s); @/
    /@ assert most: 0 <= b * pow2(s) <= pow2(s); @/
    /@ assert part: 0 <= b * pow2(s) + x % pow2(s) < pow2(s + 1); @/
    /@ assert sum: x == h * pow2(s + 1) + (b * pow2(s) + x % pow2(s)); @/
    /@ assert whole: x == (x / pow2(s + 1)) * pow2(s + 1) + x % pow2(s + 1) && 0 <= x % pow2(s + 1) < pow2(s + 1); @/
    /@ assert less: h < x / pow2(s + 1) ==> h * pow2(s + 1) + pow2(s + 1) <= (x / pow2(s + 1)) * pow2(s + 1); @/
    /@ assert more: x / pow2(s + 1) < h ==> (x / pow2(s + 1)) * pow2(s + 1) + pow2(s + 1) <= h * pow2(s + 1); @/
  }
*/

/*@ ghost
  void lem_bits_shift(uint64_t x, int s) {
    /@ loop invariant range: 0 <= t <= s;
       loop invariant positive: 0 < pow2(t);
       loop invariant shift: (x >> t) == x / pow2(t);
       loop assigns t; loop variant s - t; @/
    for (int t = 0; t < s; t++) {
      /@ assert twice: pow2(t + 1) == 2 * pow2(t); @/
      lem_bits_shift_once(x, t);
    }
  }
*/
