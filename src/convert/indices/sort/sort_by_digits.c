/* SPDX-License-Identifier: Apache-2.0 */
#include "cell_passes.h"
#include "../../../../proofs/lemmas/bit_lemmas.h"
#include "../../../../proofs/lemmas/digit_lemmas.h"

#define RADIX SPW_CELL_RADIX

/* do all cells have the digit of the first? */
/*@ requires cells: 1 <= n && \valid_read(in + (0 .. n - 1)) && \valid_read(count + (0 .. RADIX - 1));
    requires places: 0 <= shift < 64 && 1 <= scale <= 128;
    terminates \true; exits \false; assigns \nothing;
    ensures digit: 0 <= cell_digit(in, shift, scale, 0) < RADIX;
    ensures answer: \result == 0 || \result == 1;
    ensures all: \result == 1 <==> count[cell_digit(in, shift, scale, 0)] == n; */
/* level L2 */
static int has_one_digit(const spw_cell *in, int64_t n, int shift, uint64_t scale, const int64_t *count)
{
  //@ ghost lem_bits_shift(in[0].key, shift);
  return count[(in[0].key >> shift) % RADIX * scale % RADIX] == n;
}

/* The ghost loops show that the cells in their new order have as many digits of each kind, up to any place,
 * as the cells of the input whose rank lies below it. */
/* level L2 */
int spw_sort_by_digits(spw_cell *a, spw_cell *b, int64_t n, int low, int high, int digits, uint64_t last, int64_t *count)
{
  (void)high;
  spw_cell *in = a, *out = b;
  int where = 0;
  /*@ loop invariant range: 0 <= i <= digits;
      loop invariant two: (where == 0 && in == a && out == b) || (where == 1 && in == b && out == a);
      loop invariant sorted: sorted_cells{Pre,Here}(a, n, low, reach_of(low, high, i), in);
      loop invariant counts: \forall integer t; RADIX * i <= t < RADIX * digits ==> count[t] ==
        cells_with{Pre}(a, low + 8 * (t / RADIX), scale_of(t / RADIX, digits, last), t % RADIX, n);
      loop assigns i, in, out, where, count[0 .. RADIX * digits - 1], a[0 .. n - 1], b[0 .. n - 1];
      loop variant digits - i; */
  for (int i = 0; i < digits; i++) {
    int64_t *const cursor = count + RADIX * i;
    const int shift = low + 8 * i;
    const uint64_t scale = i < digits - 1 ? 1 : last;
    //@ assert memory: \valid(in + (0 .. n - 1)) && \valid(out + (0 .. n - 1)) && \separated(in + (0 .. n - 1), out + (0 .. n - 1));
    //@ assert here: shift == reach_of(low, high, i) && scale == scale_of(i, digits, last) && 0 <= shift < 64 && 1 <= scale <= 128;
    //@ assert named: digits_sort{Pre}(a, n, low, high, digits, last, i);
    //@ assert sorts: digit_sorts{Pre}(a, n, low, shift, scale, reach_of(low, high, i + 1));
    /*@ ghost
      /@ loop invariant range: 0 <= j <= RADIX;
         loop invariant row: \forall integer t; 0 <= t < j ==> cursor[t] == cells_with{Pre}(a, shift, scale, t, n);
         loop assigns j; loop variant RADIX - j; @/
      for (int j = 0; j < RADIX; j++) {
        /@ assert place: (RADIX * i + j) / RADIX == i && (RADIX * i + j) % RADIX == j; @/
        /@ assert counted: count[RADIX * i + j] == cells_with{Pre}(a, shift, scale, j, n); @/
      }
    */
    if (has_one_digit(in, n, shift, scale, cursor)) {
      //@ assert unchanged: sorted_cells{Pre,Here}(a, n, low, reach_of(low, high, i + 1), in);
      continue;
    }
    /*@ assert cells: \forall integer p; 0 <= p < n ==>
          cell_key(in, p) == cell_key{Pre}(a, cell_origin{Pre}(a, low, shift, p, n)); */
    /*@ assert digits: \forall integer p; 0 <= p < n ==>
          cell_digit(in, shift, scale, p) == cell_digit{Pre}(a, shift, scale, cell_origin{Pre}(a, low, shift, p, n)); */
    /*@ ghost
      /@ loop invariant range: 0 <= p <= n;
         loop invariant early: \forall integer j, m; 0 <= m <= p ==>
           cells_with(in, shift, scale, j, m) == cells_early{Pre}(a, low, shift, scale, n, j, m, n);
         loop assigns p; loop variant n - p; @/
      for (int64_t p = 0; p < n; p++) {
        /@ assert step: \forall integer j; cells_with(in, shift, scale, j, p + 1) == cells_with(in, shift, scale, j, p) +
             (cell_digit{Pre}(a, shift, scale, cell_origin{Pre}(a, low, shift, p, n)) == j ? 1 : 0); @/
      }
    */
    /*@ assert same: \forall integer j; cells_with(in, shift, scale, j, n) == cells_with{Pre}(a, shift, scale, j, n); */
    //@ ghost lem_cells_below(in, n, shift, (int)scale);
    /*@ ghost
      /@ loop invariant range: 0 <= j <= RADIX;
         loop invariant below: \forall integer t; 0 <= t <= j ==>
           cells_below(in, shift, scale, t, n) == cells_below{Pre}(a, shift, scale, t, n);
         loop assigns j; loop variant RADIX - j; @/
      for (int j = 0; j < RADIX; j++) {
        /@ assert next_in: cells_below(in, shift, scale, j + 1, n) == cells_below(in, shift, scale, j, n) + cells_with(in, shift, scale, j, n); @/
        /@ assert next: cells_below{Pre}(a, shift, scale, j + 1, n) ==
             cells_below{Pre}(a, shift, scale, j, n) + cells_with{Pre}(a, shift, scale, j, n); @/
        /@ assert alike: cells_with(in, shift, scale, j, n) == cells_with{Pre}(a, shift, scale, j, n); @/
      }
    */
    //@ assert range: \forall integer k; 0 <= k < n ==> 0 <= cell_digit{Pre}(a, shift, scale, k) < RADIX;
    /*@ assert digit: \forall integer k; 0 <= k < n ==>
          cell_digit(in, shift, scale, cell_rank{Pre}(a, low, shift, k, n)) == cell_digit{Pre}(a, shift, scale, k); */
    /*@ assert slots: \forall integer k; 0 <= k < n ==> 0 <= cell_rank{Pre}(a, low, shift, k, n) < n &&
          cell_slot(in, shift, scale, n, cell_rank{Pre}(a, low, shift, k, n)) == cell_rank{Pre}(a, low, reach_of(low, high, i + 1), k, n); */
    //@ assert counts: \forall integer j; 0 <= j < RADIX ==> cursor[j] == cells_with(in, shift, scale, j, n);
    spw_place_cells(in, n, shift, scale, cursor, out);
    //@ assert rest: \forall integer t; RADIX * (i + 1) <= t < RADIX * digits ==> count[t] == \at(count[t],LoopCurrent);
    //@ assert placed: sorted_cells{Pre,Here}(a, n, low, reach_of(low, high, i + 1), out);
    spw_cell *const swap = in;
    in = out;
    out = swap;
    where = 1 - where;
  }
  return where;
}
