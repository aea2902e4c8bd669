/* SPDX-License-Identifier: Apache-2.0 */
#include "words.h"

/* An attribute that compiles the loops for more than one instruction set, from the Makefile. */
#ifndef SPW_CLONES
#define SPW_CLONES
#endif

/* The functions below speak of all four codes of a word at once. `u / 16 * 16 % 64` are bits 4 and 5 of u where they are: what
 * is asked of one word is a few operations on a vector of words. */

/* The low halves of the codes. */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures halves: \result == v % 4 + 16 * (v / 16 % 4) + 256 * (v / 256 % 4) + 4096 * (v / 4096 % 4); */
/* level L2 */
static inline uint16_t low_halves(uint16_t v)
{
  const uint32_t u = v;
  //@ assert second: u / 16 * 16 % 64 == 16 * (v / 16 % 4);
  //@ assert third: u / 256 * 256 % 1024 == 256 * (v / 256 % 4);
  //@ assert fourth: u / 4096 * 4096 % 16384 == 4096 * (v / 4096 % 4);
  return (uint16_t)(u % 4 + u / 16 * 16 % 64 + u / 256 * 256 % 1024 + u / 4096 * 4096 % 16384);
}

/* The highest bits of the codes. */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures bits: \result == 8 * (v / 8 % 2) + 128 * (v / 128 % 2) + 2048 * (v / 2048 % 2) + 32768 * (v / 32768); */
/* level L2 */
static inline uint16_t high_bits(uint16_t v)
{
  const uint32_t u = v;
  //@ assert first: u / 8 * 8 % 16 == 8 * (v / 8 % 2);
  //@ assert second: u / 128 * 128 % 256 == 128 * (v / 128 % 2);
  //@ assert third: u / 2048 * 2048 % 4096 == 2048 * (v / 2048 % 2);
  return (uint16_t)(u / 8 * 8 % 16 + u / 128 * 128 % 256 + u / 2048 * 2048 % 4096 + u / 32768 * 32768);
}

/*@ ghost
  /@ // the highest bits of four numbers that a word is made of
     requires range: 0 <= a < 16 && 0 <= b < 16 && 0 <= c < 16 && 0 <= d < 16;
     requires word: w == a + 16 * b + 256 * c + 4096 * d;
     terminates \true; exits \false; assigns \nothing;
     ensures first: w / 8 % 2 == a / 8;
     ensures second: w / 128 % 2 == b / 8;
     ensures third: w / 2048 % 2 == c / 8;
     ensures fourth: w / 32768 == d / 8; @/
  void lem_highest(uint16_t w, int a, int b, int c, int d) {
    /@ assert a: w / 8 == a / 8 + 2 * (b + 16 * c + 256 * d); @/
    /@ assert b: w / 128 == b / 8 + 2 * (c + 16 * d); @/
    /@ assert c: w / 2048 == c / 8 + 2 * d; @/
    /@ assert d: w / 32768 == d / 8; @/
  }

  /@ // the first code of a word, by its halves
     requires range: 0 <= w;
     terminates \true; exits \false; assigns \nothing;
     ensures legal: legal_code(w % 16) <==> w % 4 < w / 4 % 4; @/
  void lem_legal(int w) {
    /@ assert halves: w % 16 == 4 * (w / 4 % 4) + w % 4; @/
  }

  /@ // the first code of a word, by its highest bit
     requires range: 0 <= w;
     terminates \true; exits \false; assigns \nothing;
     ensures legal: pair_legal(w % 16) <==> w % 16 == 4 + 10 * (w / 8 % 2); @/
  void lem_pair(int w) {
    /@ assert parts: w % 16 == 8 * (w / 8 % 2) + w % 8; @/
  }

  /@ // a word is made of its four codes
     terminates \true; exits \false; assigns \nothing;
     ensures word: w == w % 16 + 16 * (w / 16 % 16) + 256 * (w / 256 % 16) + 4096 * (w / 4096); @/
  void lem_word(uint16_t w) {
    /@ assert first: w == 16 * (w / 16) + w % 16; @/
    /@ assert second: w / 16 == 16 * (w / 256) + w / 16 % 16; @/
    /@ assert third: w / 256 == 16 * (w / 4096) + w / 256 % 16; @/
  }

  /@ // and of no others
     requires range: 0 <= a < 16 && 0 <= b < 16 && 0 <= c < 16;
     requires other: 0 <= e < 16 && 0 <= f < 16 && 0 <= g < 16;
     requires word: a + 16 * b + 256 * c + 4096 * d == e + 16 * f + 256 * g + 4096 * h;
     terminates \true; exits \false; assigns \nothing;
     ensures same: a == e && b == f && c == g && d == h; @/
  void lem_codes(int a, int b, int c, int d, int e, int f, int g, int h) {
    /@ assert a: a == e; @/
    /@ assert b: b == f; @/
    /@ assert c: c == g; @/
  } */

/* A code is legal if its high half is larger than its low one: 7 more than their difference is at least 8. */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result <= 0x8888;
    ensures exact: \result == 0x8888 <==> word_legal(v); */
/* level L2 */
static inline uint16_t legal_bits(uint16_t v)
{
  const uint16_t low = low_halves(v), high = low_halves(v / 4), more = (uint16_t)(high + 0x7777 - low);
  //@ assert high: high == v / 4 % 4 + 16 * (v / 64 % 4) + 256 * (v / 1024 % 4) + 4096 * (v / 16384 % 4);
  //@ ghost lem_legal(v);
  //@ ghost lem_legal(v / 16);
  //@ ghost lem_legal(v / 256);
  //@ ghost lem_legal(v / 4096);
  /*@ ghost lem_highest(more, 7 + v / 4 % 4 - v % 4, 7 + v / 64 % 4 - v / 16 % 4, 7 + v / 1024 % 4 - v / 256 % 4,
                        7 + v / 16384 % 4 - v / 4096 % 4); */
  //@ assert first: more / 8 % 2 == 1 <==> legal_code(nibble_of(v, 0));
  //@ assert second: more / 128 % 2 == 1 <==> legal_code(nibble_of(v, 1));
  //@ assert third: more / 2048 % 2 == 1 <==> legal_code(nibble_of(v, 2));
  //@ assert fourth: more / 32768 == 1 <==> legal_code(nibble_of(v, 3));
  return high_bits(more);
}

/* level L2 */
SPW_CLONES
int spw_semi_words_legal(const uint16_t *w, int64_t n)
{
  uint16_t all = 0x8888;
  /*@ loop invariant range: 0 <= i <= n && all <= 0x8888;
      loop invariant legal: all == 0x8888 <==> (\forall integer k; 0 <= k < i ==> word_legal(w[k]));
      loop assigns i, all;
      loop variant n - i; */
  for (int64_t i = 0; i < n; i++) {
    const uint16_t legal = legal_bits(w[i]);
    all = legal < all ? legal : all;
  }
  return all == 0x8888;
}

/* The code of a pair is 4, or 10 more: 8 for its highest bit, and 2. */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> pair_word_legal(v); */
/* level L2 */
static inline uint16_t is_pair_word(uint16_t v)
{
  const uint16_t high = high_bits(v), legal = (uint16_t)(0x4444 + high + high / 4);
  //@ ghost lem_pair(v);
  //@ ghost lem_pair(v / 16);
  //@ ghost lem_pair(v / 256);
  //@ ghost lem_pair(v / 4096);
  //@ assert quarter: high / 4 == 2 * (v / 8 % 2) + 32 * (v / 128 % 2) + 512 * (v / 2048 % 2) + 8192 * (v / 32768);
  //@ assert top: v / 32768 == v / 32768 % 2 && v / 4096 == v / 4096 % 16;
  //@ ghost lem_word(v);
  /*@ ghost if (v == legal) lem_codes(v % 16, v / 16 % 16, v / 256 % 16, v / 4096, 4 + 10 * (v / 8 % 2), 4 + 10 * (v / 128 % 2),
                                      4 + 10 * (v / 2048 % 2), 4 + 10 * (v / 32768)); */
  return v == legal;
}

/* level L2 */
SPW_CLONES
int spw_semi_pair_words_legal(const uint16_t *w, int64_t n)
{
  uint16_t all = 1;
  /*@ loop invariant range: 0 <= i <= n && 0 <= all <= 1;
      loop invariant legal: all == 1 <==> (\forall integer k; 0 <= k < i ==> pair_word_legal(w[k]));
      loop assigns i, all;
      loop variant n - i; */
  for (int64_t i = 0; i < n; i++) {
    const uint16_t legal = is_pair_word(w[i]);
    all = legal < all ? legal : all;
  }
  return all == 1;
}
