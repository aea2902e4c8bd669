/* SPDX-License-Identifier: Apache-2.0 */
/* 2:4: codes that are packed and unpacked, and unpacked and packed. */
#include "../../src/semi/kernels/words.h"

/*@ ghost
  /@ // four codes of a word
     requires range: 0 <= a < 16 && 0 <= b < 16 && 0 <= c < 16 && 0 <= d < 16;
     requires word: w == a + 16 * b + 256 * c + 4096 * d;
     terminates \true; exits \false; assigns \nothing;
     ensures codes: nibble_of(w, 0) == a && nibble_of(w, 1) == b && nibble_of(w, 2) == c && nibble_of(w, 3) == d; @/
  void lem_word_codes(uint16_t w, int8_t a, int8_t b, int8_t c, int8_t d) {
    /@ assert b: w / 16 == b + 16 * c + 256 * d; @/
    /@ assert c: w / 256 == c + 16 * d; @/
    /@ assert d: w / 4096 == d; @/
  }

  /@ // and back
     requires codes: nibble_of(w, 0) == a && nibble_of(w, 1) == b && nibble_of(w, 2) == c && nibble_of(w, 3) == d;
     terminates \true; exits \false; assigns \nothing;
     ensures word: w == a + 16 * b + 256 * c + 4096 * d; @/
  void lem_codes_word(uint16_t w, int8_t a, int8_t b, int8_t c, int8_t d) {
    /@ assert a: w == 16 * (w / 16) + a; @/
    /@ assert b: w / 16 == 16 * (w / 256) + b; @/
    /@ assert c: w / 256 == 16 * (w / 4096) + c; @/
    /@ assert d: w / 4096 == d; @/
  }

  /@ // unpack(pack(codes)) is codes
     requires sizes: 0 <= n <= SPW_SEMI_WORDS_MAX;
     requires readable: \valid_read(code + (0 .. 4 * n - 1)) && \valid_read(w + (0 .. n - 1)) && \valid_read(again + (0 .. 4 * n - 1));
     requires range: \forall integer g; 0 <= g < 4 * n ==> 0 <= code[g] < 16;
     requires words: \forall integer i; 0 <= i < n ==> w[i] == word_of(code, 4 * i);
     requires code_0: \forall integer i; 0 <= i < n ==> again[4 * i] == nibble_of(w[i], 0);
     requires code_1: \forall integer i; 0 <= i < n ==> again[4 * i + 1] == nibble_of(w[i], 1);
     requires code_2: \forall integer i; 0 <= i < n ==> again[4 * i + 2] == nibble_of(w[i], 2);
     requires code_3: \forall integer i; 0 <= i < n ==> again[4 * i + 3] == nibble_of(w[i], 3);
     terminates \true; exits \false; assigns \nothing;
     ensures same: \forall integer q; 0 <= q < 4 * n ==> again[q] == code[q]; @/
  void lem_unpack_packed(const int8_t *code, const uint16_t *w, const int8_t *again, int64_t n) {
    /@ loop invariant range: 0 <= k <= n;
       loop invariant same: \forall integer q; 0 <= q < 4 * k ==> again[q] == code[q];
       loop assigns k; loop variant n - k; @/
    for (int64_t k = 0; k < n; k++) {
      /@ assert word: w[k] == word_of(code, 4 * k); @/
      /@ assert put_0: again[4 * k] == nibble_of(w[k], 0); @/
      /@ assert put_1: again[4 * k + 1] == nibble_of(w[k], 1); @/
      /@ assert put_2: again[4 * k + 2] == nibble_of(w[k], 2); @/
      /@ assert put_3: again[4 * k + 3] == nibble_of(w[k], 3); @/
      lem_word_codes(w[k], code[4 * k], code[4 * k + 1], code[4 * k + 2], code[4 * k + 3]);
      /@ assert here_0: again[4 * k] == code[4 * k]; @/
      /@ assert here_1: again[4 * k + 1] == code[4 * k + 1]; @/
      /@ assert here_2: again[4 * k + 2] == code[4 * k + 2]; @/
      /@ assert here_3: again[4 * k + 3] == code[4 * k + 3]; @/
    }
  }

  /@ // pack(unpack(words)) is words
     requires sizes: 0 <= n <= SPW_SEMI_WORDS_MAX;
     requires readable: \valid_read(code + (0 .. 4 * n - 1)) && \valid_read(w + (0 .. n - 1)) && \valid_read(again + (0 .. n - 1));
     requires code_0: \forall integer i; 0 <= i < n ==> code[4 * i] == nibble_of(w[i], 0);
     requires code_1: \forall integer i; 0 <= i < n ==> code[4 * i + 1] == nibble_of(w[i], 1);
     requires code_2: \forall integer i; 0 <= i < n ==> code[4 * i + 2] == nibble_of(w[i], 2);
     requires code_3: \forall integer i; 0 <= i < n ==> code[4 * i + 3] == nibble_of(w[i], 3);
     requires words: \forall integer i; 0 <= i < n ==> again[i] == word_of(code, 4 * i);
     terminates \true; exits \false; assigns \nothing;
     ensures same: \forall integer i; 0 <= i < n ==> again[i] == w[i]; @/
  void lem_pack_unpacked(const uint16_t *w, const int8_t *code, const uint16_t *again, int64_t n) {
    /@ loop invariant range: 0 <= k <= n;
       loop invariant same: \forall integer i; 0 <= i < k ==> again[i] == w[i];
       loop assigns k; loop variant n - k; @/
    for (int64_t k = 0; k < n; k++) {
      lem_codes_word(w[k], code[4 * k], code[4 * k + 1], code[4 * k + 2], code[4 * k + 3]);
      /@ assert word: again[k] == word_of(code, 4 * k); @/
    }
  }
*/
