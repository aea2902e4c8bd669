/* SPDX-License-Identifier: Apache-2.0 */
/* 2:4: the order of metadata that CUTLASS's kernels for SM90 use. The two maps are each other's inverse. */
#ifndef SPW_SEMI_KERNELS_SM90_H
#define SPW_SEMI_KERNELS_SM90_H

#include "order.h"

#include "../../../spec/acsl/semi_sm90.acsl"

/* Where the word of row r and column c lies, of m rows and n columns: h halves a word, b blocks beside each other in a tile. */
/*@ requires order: (h == 1 || h == 2) && 1 <= b <= 4;
    requires inside: 0 <= r < m && 0 <= c < n && m * n <= INT64_MAX;
    requires whole: m % 64 == 0 && n % (2 * b) == 0;
    terminates \true; exits \false; assigns \nothing;
    ensures place: \result == sm90_place(h, b, r, c, m);
    ensures inside: 0 <= \result < m * n;
    ensures back_row: sm90_row(h, b, \result, m) == r;
    ensures back_column: sm90_column(h, b, \result, m) == c; */
int64_t spw_semi_sm90_place(int64_t h, int64_t b, int64_t r, int64_t c, int64_t m, int64_t n);

/* The word that lies at a place. */
/*@ requires order: (h == 1 || h == 2) && 1 <= b <= 4;
    requires rows: 0 < m && 0 <= n && m * n <= INT64_MAX;
    requires whole: m % 64 == 0 && n % (2 * b) == 0;
    requires inside: 0 <= at < m * n;
    terminates \true; exits \false; assigns \nothing;
    ensures row: \result.row == sm90_row(h, b, at, m);
    ensures column: \result.column == sm90_column(h, b, at, m);
    ensures inside: 0 <= \result.row < m && 0 <= \result.column < n;
    ensures inverse: sm90_place(h, b, \result.row, \result.column, m) == at; */
spw_semi_word spw_semi_sm90_word(int64_t h, int64_t b, int64_t at, int64_t m, int64_t n);

#endif
