/* SPDX-License-Identifier: Apache-2.0 */
/* 2:4: the order of metadata that Marlin uses. The two maps are each other's inverse. */
#ifndef SPW_SEMI_KERNELS_MARLIN_H
#define SPW_SEMI_KERNELS_MARLIN_H

#include "order.h"

#include "../../../spec/acsl/semi_marlin.acsl"

/* Where the word of row r and column c lies, of m rows and n columns. */
/*@ requires inside: 0 <= r < m && 0 <= c < n && m * n <= INT64_MAX;
    requires whole: m % 64 == 0 && n % 2 == 0;
    terminates \true; exits \false; assigns \nothing;
    ensures place: \result == marlin_place(r, c, m);
    ensures inside: 0 <= \result < m * n;
    ensures back_row: marlin_from(word_row(\result, m)) == r;
    ensures back_column: word_column(\result, m) == c; */
int64_t spw_semi_marlin_place(int64_t r, int64_t c, int64_t m, int64_t n);

/* The word that lies at a place. */
/*@ requires rows: 0 < m && 0 <= n && m * n <= INT64_MAX;
    requires whole: m % 64 == 0 && n % 2 == 0;
    requires inside: 0 <= at < m * n;
    terminates \true; exits \false; assigns \nothing;
    ensures row: \result.row == marlin_from(word_row(at, m));
    ensures column: \result.column == word_column(at, m);
    ensures inside: 0 <= \result.row < m && 0 <= \result.column < n;
    ensures inverse: marlin_place(\result.row, \result.column, m) == at; */
spw_semi_word spw_semi_marlin_word(int64_t at, int64_t m, int64_t n);

#endif
