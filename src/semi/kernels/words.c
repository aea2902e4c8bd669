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

typedef struct four_codes {
  int8_t a, b, c, d;
} four_codes;

/* Bytes first: of codes of two bytes each a compiler makes bytes one by one. */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures first: \result.a == nibble_of(w, 0);
    ensures second: \result.b == nibble_of(w, 1);
    ensures third: \result.c == nibble_of(w, 2);
    ensures fourth: \result.d == nibble_of(w, 3); */
/* level L2 */
static inline four_codes codes_of(uint16_t w)
{
  const uint8_t low = (uint8_t)(w % 256), high = (uint8_t)(w / 256);
  //@ assert second: low / 16 == w / 16 % 16;
  //@ assert fourth: high / 16 == w / 4096 && w / 4096 < 16;
  const four_codes all = {low % 16, (int8_t)(low / 16), high % 16, (int8_t)(high / 16)};
  return all;
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
    const four_codes own = codes_of(w[i]);
    code[4 * i] = own.a;
    code[4 * i + 1] = own.b;
    code[4 * i + 2] = own.c;
    code[4 * i + 3] = own.d;
    //@ assert kept: \forall integer q; q < 4 * i ==> code[q] == \at(code[q],LoopCurrent);
    //@ assert older: \forall integer k; 0 <= k < i ==> code[4 * k + 1] == nibble_of(w[k], 1);
    //@ assert second: code[4 * i + 1] == nibble_of(w[i], 1);
  }
}
