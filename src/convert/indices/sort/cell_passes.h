/* SPDX-License-Identifier: Apache-2.0 */
/* The passes of the sort of cells: counting all digits, and sorting by one. */
#ifndef SPW_CONVERT_INDICES_SORT_CELL_PASSES_H
#define SPW_CONVERT_INDICES_SORT_CELL_PASSES_H

#include "sort_cells.h"
#include "../../../../spec/acsl/cell_digits.acsl"

/* Digits have 8 bits: their 256 runs are so many streams as the first-level cache holds. The last may have
 * fewer; multiplied by `scale`, which is 256 / 2^bits, it loses what stands above its bits, and keeps its order. */
#define SPW_CELL_RADIX 256
#define SPW_CELL_DIGITS_MAX 8

/* Counts digits 0 .. digits - 1, the first from bit `low` on: count[256 * i + j] is how often digit i is j. */
/*@ requires cells: 0 <= n && \valid_read(a + (0 .. n - 1));
    requires places: 0 <= low && 1 <= digits <= SPW_CELL_DIGITS_MAX && low + 8 * (digits - 1) < 64 && 1 <= last <= 128;
    requires counts: \valid(count + (0 .. SPW_CELL_RADIX * digits - 1));
    terminates \true; exits \false; assigns count[0 .. SPW_CELL_RADIX * digits - 1];
    ensures counts: \forall integer t; 0 <= t < SPW_CELL_RADIX * digits ==> count[t] ==
      cells_with(a, low + 8 * (t / SPW_CELL_RADIX), scale_of(t / SPW_CELL_RADIX, digits, last), t % SPW_CELL_RADIX, n); */
void spw_count_cell_digits(const spw_cell *a, int64_t n, int low, int digits, uint64_t last, int64_t *count);

/* Sorts by one digit, stably; `cursor` holds how often each occurs. */
/*@ requires cells: 0 <= n && \valid_read(in + (0 .. n - 1)) && \valid(out + (0 .. n - 1));
    requires apart: \separated(in + (0 .. n - 1), out + (0 .. n - 1));
    requires places: 0 <= shift < 64 && 1 <= scale <= 128;
    requires counts: \valid(cursor + (0 .. SPW_CELL_RADIX - 1)) &&
      \forall integer j; 0 <= j < SPW_CELL_RADIX ==> cursor[j] == cells_with(in, shift, scale, j, n);
    terminates \true; exits \false; assigns cursor[0 .. SPW_CELL_RADIX - 1], out[0 .. n - 1];
    ensures placed: \forall integer k; 0 <= k < n ==> 0 <= cell_slot{Pre}(in, shift, scale, n, k) < n &&
      cell_key(out, cell_slot{Pre}(in, shift, scale, n, k)) == cell_key{Pre}(in, k) &&
      cell_payload(out, cell_slot{Pre}(in, shift, scale, n, k)) == cell_payload{Pre}(in, k); */
void spw_place_cells(const spw_cell *in, int64_t n, int shift, uint64_t scale, int64_t *cursor, spw_cell *out);

/* One digit after the other, the lowest first; a digit that all cells have in common changes nothing.
 * `count` is what spw_count_cell_digits makes of a; sort and stay hold of any cells, which lemmas show. Returns 0
 * where the result is in a, 1 where it is in b. */
/*@ requires cells: 1 <= n && \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1));
    requires places: 0 <= low < high <= 64 && 1 <= digits <= SPW_CELL_DIGITS_MAX && 8 * (digits - 1) < high - low <= 8 * digits && 1 <= last <= 128;
    requires sort: \forall integer i; 0 <= i < digits ==> digits_sort(a, n, low, high, digits, last, i);
    requires stay: sorted_cells{Here,Here}(a, n, low, low, a);
    requires counts: \valid(count + (0 .. SPW_CELL_RADIX * digits - 1)) &&
      \forall integer t; 0 <= t < SPW_CELL_RADIX * digits ==> count[t] ==
        cells_with(a, low + 8 * (t / SPW_CELL_RADIX), scale_of(t / SPW_CELL_RADIX, digits, last), t % SPW_CELL_RADIX, n);
    terminates \true; exits \false; assigns a[0 .. n - 1], b[0 .. n - 1], count[0 .. SPW_CELL_RADIX * digits - 1];
    ensures one: \result == 0 || \result == 1;
    ensures placed: sorted_cells{Pre,Post}(a, n, low, high, \result == 0 ? a : b); */
int spw_sort_by_digits(spw_cell *a, spw_cell *b, int64_t n, int low, int high, int digits, uint64_t last, int64_t *count);

#endif
