/* SPDX-License-Identifier: Apache-2.0 */
#include "pairs.h"

/* An attribute that compiles the loops for more than one instruction set, from the Makefile. */
#ifndef SPW_CLONES
#define SPW_CLONES
#endif

/* level L2 */
SPW_CLONES
void spw_semi_encode_pairs(const uint32_t *x, int64_t pairs, uint32_t other, uint32_t *packed, int8_t *code)
{
  /*@ loop invariant range: 0 <= g <= pairs;
      loop invariant kept: \forall integer k; 0 <= k < 2 * pairs ==> x[k] == \at(x[k],Pre);
      loop invariant codes: \forall integer h; 0 <= h < g ==> code[h] == pair_code{Pre}(x, h, other);
      loop invariant stored: \forall integer h; 0 <= h < g ==> packed[h] == pair_pick{Pre}(x, h, code[h]);
      loop assigns g, packed[0 .. pairs - 1], code[0 .. pairs - 1];
      loop variant pairs - g; */
  for (int64_t g = 0; g < pairs; g++) {
    const uint32_t a = x[2 * g], b = x[2 * g + 1];
    const int zeros = (a == 0) + (a == other);
    const int8_t own = zeros > 0 ? 14 : 4;
    //@ assert own: own == pair_code{Pre}(x, g, other);
    packed[g] = zeros > 0 ? b : a;
    code[g] = own;
  }
}

/* level L2 */
SPW_CLONES
void spw_semi_decode_pairs(const uint32_t *packed, const int8_t *code, int64_t pairs, uint32_t *x)
{
  /*@ loop invariant range: 0 <= g <= pairs;
      loop invariant packed: \forall integer k; 0 <= k < pairs ==> packed[k] == \at(packed[k],Pre);
      loop invariant put_0: \forall integer h; 0 <= h < g ==> x[2 * h] == (code[h] == 4 ? \at(packed[h],Pre) : 0);
      loop invariant put_1: \forall integer h; 0 <= h < g ==> x[2 * h + 1] == (code[h] == 4 ? 0 : \at(packed[h],Pre));
      loop assigns g, x[0 .. 2 * pairs - 1];
      loop variant pairs - g; */
  for (int64_t g = 0; g < pairs; g++) {
    const uint32_t v = packed[g], first = code[g] == 4 ? v : 0, second = code[g] == 4 ? 0 : v;
    x[2 * g] = first;
    x[2 * g + 1] = second;
    //@ assert kept: \forall integer q; q < 2 * g ==> x[q] == \at(x[q],LoopCurrent);
    //@ assert source: \forall integer k; 0 <= k < pairs ==> packed[k] == \at(packed[k],LoopCurrent);
  }
}
