/* SPDX-License-Identifier: Apache-2.0 */
/* 2:4: the order of metadata that CUTLASS and PyTorch use. */
#ifndef SPW_SEMI_KERNELS_ORDER_H
#define SPW_SEMI_KERNELS_ORDER_H

#include <stdint.h>

#include "../../../spec/acsl/semi_order.acsl"

/* A word of metadata: row and column. */
typedef struct spw_semi_word {
  int64_t row, column;
} spw_semi_word;

/* Where the word of row r and column c lies, of m rows and n columns. */
/*@ requires order: h == 2 || h == 4;
    requires inside: 0 <= r < m && 0 <= c < n && m * n <= INT64_MAX;
    requires whole: m % (8 * h) == 0 && n % 2 == 0;
    terminates \true; exits \false; assigns \nothing;
    ensures place: \result == word_place(h, r, c, m);
    ensures inside: 0 <= \result < m * n;
    ensures back_row: row_from(h, word_row(\result, m)) == r;
    ensures back_column: word_column(\result, m) == c; */
int64_t spw_semi_place(int h, int64_t r, int64_t c, int64_t m, int64_t n);

/* The word that lies at a place. */
/*@ requires order: h == 2 || h == 4;
    requires rows: 0 < m && 0 <= n && m * n <= INT64_MAX;
    requires whole: m % (8 * h) == 0 && n % 2 == 0;
    requires inside: 0 <= at < m * n;
    terminates \true; exits \false; assigns \nothing;
    ensures row: \result.row == row_from(h, word_row(at, m));
    ensures column: \result.column == word_column(at, m);
    ensures inside: 0 <= \result.row < m && 0 <= \result.column < n;
    ensures inverse: word_place(h, \result.row, \result.column, m) == at; */
spw_semi_word spw_semi_word_at(int h, int64_t at, int64_t m, int64_t n);

#endif
