/* SPDX-License-Identifier: Apache-2.0 */
#include "words.h"

/* An attribute that compiles the loops for more than one instruction set, from the Makefile. */
#ifndef SPW_CLONES
#define SPW_CLONES
#endif

/*@ requires code: 0 <= c < 16;
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> legal_code(c); */
/* level L2 */
static inline uint16_t is_legal(uint16_t c)
{
  return c % 4 < c / 4;
}

/*@ terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> word_legal(v); */
/* level L2 */
static inline uint16_t is_legal_word(uint16_t v)
{
  const uint16_t a = v % 16, b = v / 16 % 16, c = v / 256 % 16, d = v / 4096;
  //@ assert last: d == v / 4096 % 16;
  const uint16_t low = (uint16_t)(is_legal(a) * is_legal(b)), high = (uint16_t)(is_legal(c) * is_legal(d));
  //@ assert halves: (low == 0 || low == 1) && (high == 0 || high == 1);
  return (uint16_t)(low * high);
}

/* level L2 */
SPW_CLONES
int spw_semi_words_legal(const uint16_t *w, int64_t n)
{
  uint16_t all = 1;
  /*@ loop invariant range: 0 <= i <= n && 0 <= all <= 1;
      loop invariant legal: all == 1 <==> (\forall integer k; 0 <= k < i ==> word_legal(w[k]));
      loop assigns i, all;
      loop variant n - i; */
  for (int64_t i = 0; i < n; i++) {
    const uint16_t legal = is_legal_word(w[i]);
    all = legal < all ? legal : all;
  }
  return all == 1;
}

/*@ requires code: 0 <= c < 16;
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> pair_legal(c); */
/* level L2 */
static inline uint16_t is_of_pair(uint16_t c)
{
  return (uint16_t)((c == 4) + (c == 14));
}

/*@ terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> pair_word_legal(v); */
/* level L2 */
static inline uint16_t is_pair_word(uint16_t v)
{
  const uint16_t a = v % 16, b = v / 16 % 16, c = v / 256 % 16, d = v / 4096;
  //@ assert last: d == v / 4096 % 16;
  const uint16_t low = (uint16_t)(is_of_pair(a) * is_of_pair(b)), high = (uint16_t)(is_of_pair(c) * is_of_pair(d));
  //@ assert halves: (low == 0 || low == 1) && (high == 0 || high == 1);
  return (uint16_t)(low * high);
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
