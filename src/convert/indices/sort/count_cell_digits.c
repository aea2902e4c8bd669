/* SPDX-License-Identifier: Apache-2.0 */
#include "cell_passes.h"
#include "../../../../proofs/lemmas/bit_lemmas.h"

#define RADIX SPW_CELL_RADIX

/*@ ghost
  /@ // a count is at most the number of cells
     requires 0 <= n;
     terminates \true; exits \false; assigns \nothing;
     ensures few: \forall integer shift, scale, j, m; 0 <= m <= n ==> 0 <= cells_with(a, shift, scale, j, m) <= m; @/
  void lem_cells_few(const spw_cell *a, int64_t n) {
    /@ loop invariant range: 0 <= t <= n;
       loop invariant few: \forall integer shift, scale, j, m; 0 <= m <= t ==> 0 <= cells_with(a, shift, scale, j, m) <= m;
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++);
  }
*/

/*@ ghost
  /@ // the next digit starts 8 bits higher
     requires 0 <= shift && shift + 8 < 64 && rest == x / pow2(shift);
     terminates \true; exits \false; assigns \nothing;
     ensures next: rest / 256 == x / pow2(shift + 8); @/
  void lem_cells_next(uint64_t x, uint64_t rest, int shift) {
    lem_bits_shift(x, shift);
    lem_bits_shift(x, shift + 8);
    lem_bits_shift(rest, 8);
    /@ assert twice: (rest >> 8) == (x >> (shift + 8)); @/
    /@ assert p4: pow2(4) == 16; @/
    /@ assert p8: pow2(8) == 256; @/
  }
*/

/* counts the digits of one key */
/*@ requires places: 0 <= low && 1 <= digits <= 8 && low + 8 * (digits - 1) < 64 && 1 <= last <= 128;
    requires counts: \valid(count + (0 .. RADIX * digits - 1)) &&
      \forall integer t; 0 <= t < RADIX * digits ==> count[t] < INT64_MAX;
    terminates \true; exits \false; assigns count[0 .. RADIX * digits - 1];
    ensures counts: \forall integer t; 0 <= t < RADIX * digits ==> count[t] == \old(count[t]) +
      (digit(key, low + 8 * (t / RADIX), scale_of(t / RADIX, digits, last)) == t % RADIX ? 1 : 0); */
/* level L2 */
static inline void count_key(uint64_t key, int low, int digits, uint64_t last, int64_t *count)
{
  //@ ghost lem_bits_shift(key, low);
  uint64_t rest = key >> low;
  /*@ loop invariant range: 0 <= i <= digits - 1;
      loop invariant rest: rest == key / pow2(low + 8 * i);
      loop invariant done: \forall integer t; 0 <= t < RADIX * i ==> count[t] == \at(count[t],Pre) +
        (digit(key, low + 8 * (t / RADIX), scale_of(t / RADIX, digits, last)) == t % RADIX ? 1 : 0);
      loop invariant todo: \forall integer t; RADIX * i <= t < RADIX * digits ==> count[t] == \at(count[t],Pre);
      loop assigns i, rest, count[0 .. RADIX * digits - 1];
      loop variant digits - i; */
  for (int i = 0; i < digits - 1; i++) {
    //@ assert scale: scale_of(i, digits, last) == 1;
    //@ assert whole: digit(key, low + 8 * i, 1) == rest % RADIX;
    //@ assert digit: digit(key, low + 8 * i, scale_of(i, digits, last)) == rest % RADIX;
    count[RADIX * i + (int)(rest % RADIX)]++;
    //@ assert row: \forall integer t; RADIX * i <= t < RADIX * (i + 1) ==> t / RADIX == i && t % RADIX == t - RADIX * i;
    //@ assert others: \forall integer t; 0 <= t < RADIX * digits && t != RADIX * i + rest % RADIX ==> count[t] == \at(count[t],LoopCurrent);
    //@ ghost lem_cells_next(key, rest, low + 8 * i);
    rest /= RADIX;
  }
  //@ assert scale: scale_of(digits - 1, digits, last) == last;
  //@ assert rest: rest == key / pow2(low + 8 * (digits - 1));
  //@ assert part: digit(key, low + 8 * (digits - 1), last) == rest % RADIX * last % RADIX;
  //@ assert digit: digit(key, low + 8 * (digits - 1), scale_of(digits - 1, digits, last)) == rest % RADIX * last % RADIX;
  //@ assert row: \forall integer t; RADIX * (digits - 1) <= t < RADIX * digits ==> t / RADIX == digits - 1 && t % RADIX == t - RADIX * (digits - 1);
  const int at = RADIX * (digits - 1) + (int)(rest % RADIX * last % RADIX);
  count[at]++;
  /*@ assert all: \forall integer t; 0 <= t < RADIX * digits ==> count[t] == \at(count[t],Pre) +
        (digit(key, low + 8 * (t / RADIX), scale_of(t / RADIX, digits, last)) == t % RADIX ? 1 : 0); */
}

/* level L2 */
void spw_count_cell_digits(const spw_cell *a, int64_t n, int low, int digits, uint64_t last, int64_t *count)
{
  //@ ghost lem_cells_few(a, n);
  /*@ loop invariant range: 0 <= t <= RADIX * digits;
      loop invariant zero: \forall integer s; 0 <= s < t ==> count[s] == 0;
      loop assigns t, count[0 .. RADIX * digits - 1];
      loop variant RADIX * digits - t; */
  for (int t = 0; t < RADIX * digits; t++) count[t] = 0;
  /*@ loop invariant range: 0 <= k <= n;
      loop invariant counts: \forall integer t; 0 <= t < RADIX * digits ==> count[t] ==
        cells_with(a, low + 8 * (t / RADIX), scale_of(t / RADIX, digits, last), t % RADIX, k);
      loop assigns k, count[0 .. RADIX * digits - 1];
      loop variant n - k; */
  for (int64_t k = 0; k < n; k++) count_key(a[k].key, low, digits, last, count);
}
