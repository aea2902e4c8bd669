/* SPDX-License-Identifier: Apache-2.0 */
/* 2:4: no two words of metadata lie at one place, so that spw_semi_word_at is the inverse of spw_semi_place on both sides. */
#include "../../src/semi/kernels/order.h"

/*@ lemma lines_below: \forall integer p, q, w; p < q && 0 <= w ==> p * w + w <= q * w;
    lemma lines_apart: \forall integer p, q, w, x, y; 0 <= x < w && 0 <= y < w && p * w + x == q * w + y ==> p == q && x == y;
    lemma pairs_apart: \forall integer r, c, s, d, m; 0 <= r < m && 0 <= c && 0 <= s < m && 0 <= d &&
      pair_place(r, c, m) == pair_place(s, d, m) ==> r == s && c == d;
    lemma swaps_apart: \forall integer r, c, s, d; 0 <= r && 0 <= c && 0 <= s && 0 <= d && swap_row(r, c) == swap_row(s, d) &&
      swap_column(r, c) == swap_column(s, d) ==> r == s && c == d;
    lemma swap_inside: \forall integer r, c, m; 0 <= r < m && 0 <= c && m % 2 == 0 ==>
      0 <= swap_row(r, c) < m && 0 <= swap_column(r, c); */

/*@ ghost
  /@ // the interleaved rows of a group
     requires order: h == 2 || h == 4;
     requires inside: 0 <= r < m && m % (8 * h) == 0;
     terminates \true; exits \false; assigns \nothing;
     ensures range: 0 <= row_to(h, r) < m;
     ensures back: row_from(h, row_to(h, r)) == r; @/
  void lem_row_back(int h, int64_t r, int64_t m) {
    if (h == 4) {
      const int64_t g = r / 32, p = r % 32, k = p / 8, l = p % 8, q = l * 4 + k;
      /@ assert split: p == 8 * k + l && 0 <= k < 4 && 0 <= l < 8 && r % 8 == l; @/
      /@ assert inside: 0 <= q < 32 && q % 4 == k && q / 4 == l; @/
      /@ assert to: row_to(h, r) == g * 32 + q; @/
      /@ assert whole: g * 32 + 32 <= m; @/
      /@ assert parts: (g * 32 + q) / 32 == g && (g * 32 + q) % 32 == q && (g * 32 + q) % 4 == k; @/
      /@ assert from: row_from(h, g * 32 + q) == ((g * 32 + q) / 32) * 32 + ((g * 32 + q) % 4) * 8 + ((g * 32 + q) % 32) / 4; @/
    } else {
      const int64_t g = r / 16, p = r % 16, k = p / 8, l = p % 8, q = l * 2 + k;
      /@ assert split: p == 8 * k + l && 0 <= k < 2 && 0 <= l < 8 && r % 8 == l; @/
      /@ assert inside: 0 <= q < 16 && q % 2 == k && q / 2 == l; @/
      /@ assert to: row_to(h, r) == g * 16 + q; @/
      /@ assert whole: g * 16 + 16 <= m; @/
      /@ assert parts: (g * 16 + q) / 16 == g && (g * 16 + q) % 16 == q && (g * 16 + q) % 2 == k; @/
      /@ assert from: row_from(h, g * 16 + q) == ((g * 16 + q) / 16) * 16 + ((g * 16 + q) % 2) * 8 + ((g * 16 + q) % 16) / 2; @/
    }
  }

  /@ // words at one place are the same word
     requires order: h == 2 || h == 4;
     requires inside: 0 <= r < m && 0 <= c && 0 <= s < m && 0 <= d;
     requires whole: m % (8 * h) == 0;
     requires place: word_place(h, r, c, m) == word_place(h, s, d, m);
     terminates \true; exits \false; assigns \nothing;
     ensures same: r == s && c == d; @/
  void lem_word_places(int h, int64_t r, int64_t c, int64_t s, int64_t d, int64_t m) {
    lem_row_back(h, r, m);
    lem_row_back(h, s, m);
    /@ assert even: m % 2 == 0; @/
    /@ assert swapped: swap_row(row_to(h, r), c) == swap_row(row_to(h, s), d) &&
         swap_column(row_to(h, r), c) == swap_column(row_to(h, s), d); @/
    /@ assert interleaved: row_to(h, r) == row_to(h, s) && c == d; @/
  }
*/
