/* SPDX-License-Identifier: Apache-2.0 */
/* 1:2: round trips of rows of pairs. */
#include "../../src/semi/kernels/pairs.h"

#include "semi_back.h"

/*@ ghost
  /@ // decode(encode(x)) is x, but that -0.0 in a dropped place becomes 0
     requires sizes: 0 <= pairs <= SPW_SEMI_PAIRS_MAX;
     requires fits: \forall integer g; 0 <= g < pairs ==> pair_fits(x, g, other);
     requires codes: \forall integer g; 0 <= g < pairs ==> code[g] == pair_code(x, g, other);
     requires stored: \forall integer g; 0 <= g < pairs ==> packed[g] == pair_pick(x, g, code[g]);
     requires put_0: \forall integer g; 0 <= g < pairs ==> y[2 * g] == (code[g] == 4 ? packed[g] : 0);
     requires put_1: \forall integer g; 0 <= g < pairs ==> y[2 * g + 1] == (code[g] == 4 ? 0 : packed[g]);
     terminates \true; exits \false; assigns \nothing;
     ensures back: \forall integer q; 0 <= q < 2 * pairs ==> comes_back(x[q], y[q], other); @/
  void lem_decode_encoded_pairs(const uint32_t *x, const uint32_t *packed, const int8_t *code, const uint32_t *y, int64_t pairs,
                                uint32_t other) {
    /@ loop invariant range: 0 <= i <= pairs;
       loop invariant back: \forall integer q; 0 <= q < 2 * i ==> comes_back(x[q], y[q], other);
       loop assigns i; loop variant pairs - i; @/
    for (int64_t i = 0; i < pairs; i++) {
      /@ assert fits: pair_fits(x, i, other); @/
      /@ assert code: code[i] == pair_code(x, i, other) && packed[i] == pair_pick(x, i, code[i]); @/
      /@ assert put_0: y[2 * i] == (code[i] == 4 ? packed[i] : 0); @/
      /@ assert put_1: y[2 * i + 1] == (code[i] == 4 ? 0 : packed[i]); @/
      /@ assert here_0: comes_back(x[2 * i], y[2 * i], other); @/
      /@ assert here_1: comes_back(x[2 * i + 1], y[2 * i + 1], other); @/
    }
  }

  /@ // encode(decode(s)) is s, of a normal s: one whose codes are those of what it stands for
     requires sizes: 0 <= pairs <= SPW_SEMI_PAIRS_MAX;
     requires put_0: \forall integer g; 0 <= g < pairs ==> x[2 * g] == (code[g] == 4 ? packed[g] : 0);
     requires put_1: \forall integer g; 0 <= g < pairs ==> x[2 * g + 1] == (code[g] == 4 ? 0 : packed[g]);
     requires normal: \forall integer g; 0 <= g < pairs ==> code[g] == pair_code(x, g, other);
     requires codes: \forall integer g; 0 <= g < pairs ==> code_again[g] == pair_code(x, g, other);
     requires stored: \forall integer g; 0 <= g < pairs ==> again[g] == pair_pick(x, g, code_again[g]);
     terminates \true; exits \false; assigns \nothing;
     ensures fits: \forall integer g; 0 <= g < pairs ==> pair_fits(x, g, other);
     ensures codes: \forall integer g; 0 <= g < pairs ==> code_again[g] == code[g];
     ensures stored: \forall integer g; 0 <= g < pairs ==> again[g] == packed[g]; @/
  void lem_encode_decoded_pairs(const uint32_t *packed, const int8_t *code, const uint32_t *x, const uint32_t *again,
                                const int8_t *code_again, int64_t pairs, uint32_t other) { }
*/
