/* SPDX-License-Identifier: Apache-2.0 */
#include "words.h"

/* An attribute that compiles the loops for more than one instruction set, from the Makefile. */
#ifndef SPW_CLONES
#define SPW_CLONES
#endif

/* level L2 */
SPW_CLONES
void spw_semi_pack_codes(const int8_t *code, int64_t n, uint16_t *w)
{
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant words: \forall integer k; 0 <= k < i ==> w[k] == word_of(code, 4 * k);
      loop assigns i, w[0 .. n - 1];
      loop variant n - i; */
  for (int64_t i = 0; i < n; i++) {
    //@ assert range: 0 <= code[4 * i] < 16 && 0 <= code[4 * i + 1] < 16 && 0 <= code[4 * i + 2] < 16 && 0 <= code[4 * i + 3] < 16;
    w[i] = (uint16_t)(code[4 * i] + 16 * code[4 * i + 1] + 256 * code[4 * i + 2] + 4096 * code[4 * i + 3]);
  }
}

/* level L2 */
SPW_CLONES
void spw_semi_unpack_codes(const uint16_t *w, int64_t n, int8_t *code)
{
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant code_0: \forall integer k; 0 <= k < i ==> code[4 * k] == nibble_of(w[k], 0);
      loop invariant code_1: \forall integer k; 0 <= k < i ==> code[4 * k + 1] == nibble_of(w[k], 1);
      loop invariant code_2: \forall integer k; 0 <= k < i ==> code[4 * k + 2] == nibble_of(w[k], 2);
      loop invariant code_3: \forall integer k; 0 <= k < i ==> code[4 * k + 3] == nibble_of(w[k], 3);
      loop assigns i, code[0 .. 4 * n - 1];
      loop variant n - i; */
  for (int64_t i = 0; i < n; i++) {
    //@ assert place: 0 <= 4 * i && 4 * i + 3 < 4 * n;
    const uint16_t v = w[i];
    //@ assert small: 0 <= v / 4096 < 16 && (v / 4096) % 16 == v / 4096;
    const int8_t a = v % 16, b = v / 16 % 16, c = v / 256 % 16, d = (int8_t)(v / 4096);
    //@ assert low: a == nibble_of(w[i], 0) && b == nibble_of(w[i], 1);
    //@ assert high: c == nibble_of(w[i], 2) && d == nibble_of(w[i], 3);
    code[4 * i] = a;
    code[4 * i + 1] = b;
    code[4 * i + 2] = c;
    code[4 * i + 3] = d;
  }
}
