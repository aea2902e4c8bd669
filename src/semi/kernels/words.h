/* SPDX-License-Identifier: Apache-2.0 */
/* 2:4: codes in words of sixteen bits, four each. A word of 32 bits is two of these, as it lies in memory. */
#ifndef SPW_SEMI_KERNELS_WORDS_H
#define SPW_SEMI_KERNELS_WORDS_H

#include <stdint.h>

#include "../../../spec/acsl/semi_codes.acsl"
#include "../../../spec/acsl/semi_words.acsl"

/* The largest number of words: their codes can be numbered. */
#define SPW_SEMI_WORDS_MAX 1152921504606846975

/* Is every code of these words legal? O(n). */
/*@ requires reads: 0 <= n <= SPW_SEMI_WORDS_MAX && \valid_read(w + (0 .. n - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> (\forall integer i; 0 <= i < n ==> word_legal(w[i])); */
int spw_semi_words_legal(const uint16_t *w, int64_t n);

/* Is every code of these words one of a pair? O(n). */
/*@ requires reads: 0 <= n <= SPW_SEMI_WORDS_MAX && \valid_read(w + (0 .. n - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> (\forall integer i; 0 <= i < n ==> pair_word_legal(w[i])); */
int spw_semi_pair_words_legal(const uint16_t *w, int64_t n);

/* Packs the codes of n words. O(n). */
/*@ requires reads: 0 <= n <= SPW_SEMI_WORDS_MAX && \valid_read(code + (0 .. 4 * n - 1));
    requires range: \forall integer g; 0 <= g < 4 * n ==> 0 <= code[g] < 16;
    requires writes: \valid(w + (0 .. n - 1));
    terminates \true; exits \false; assigns w[0 .. n - 1];
    ensures words: \forall integer i; 0 <= i < n ==> w[i] == word_of(code, 4 * i); */
void spw_semi_pack_codes(const int8_t *code, int64_t n, uint16_t *w);

/* The codes of n words. O(n). */
/*@ requires reads: 0 <= n <= SPW_SEMI_WORDS_MAX && \valid_read(w + (0 .. n - 1));
    requires writes: \valid(code + (0 .. 4 * n - 1));
    terminates \true; exits \false; assigns code[0 .. 4 * n - 1];
    ensures code_0: \forall integer i; 0 <= i < n ==> code[4 * i] == nibble_of(w[i], 0);
    ensures code_1: \forall integer i; 0 <= i < n ==> code[4 * i + 1] == nibble_of(w[i], 1);
    ensures code_2: \forall integer i; 0 <= i < n ==> code[4 * i + 2] == nibble_of(w[i], 2);
    ensures code_3: \forall integer i; 0 <= i < n ==> code[4 * i + 3] == nibble_of(w[i], 3); */
void spw_semi_unpack_codes(const uint16_t *w, int64_t n, int8_t *code);

#endif
