/* SPDX-License-Identifier: Apache-2.0 */
#include "cell_passes.h"
#include "../../../../proofs/lemmas/bit_lemmas.h"
#include "../../../../proofs/lemmas/digit_lemmas.h"
#include "../../../core/prefetch.h"

#define RADIX SPW_CELL_RADIX

/* In the run that a cell goes to, so many cells ahead are fetched. */
#define AHEAD 4

/*@ ghost
  /@ // counts grow; an occurrence makes them grow strictly
     requires 0 <= n;
     terminates \true; exits \false; assigns \nothing;
     ensures grows: \forall integer j, k; 0 <= k <= n ==>
       0 <= cells_with(a, shift, scale, j, k) <= cells_with(a, shift, scale, j, n);
     ensures strict: \forall integer k, m; 0 <= k < m <= n ==>
       cells_with(a, shift, scale, cell_digit(a, shift, scale, k), k) <
       cells_with(a, shift, scale, cell_digit(a, shift, scale, k), m);
     ensures few: \forall integer j, k; 0 <= k <= n ==> cells_with(a, shift, scale, j, k) <= k; @/
  void lem_cells_occurrences(const spw_cell *a, int64_t n, int shift, uint64_t scale) {
    /@ loop invariant range: 0 <= t <= n;
       loop invariant grows: \forall integer j, k; 0 <= k <= t ==>
         0 <= cells_with(a, shift, scale, j, k) <= cells_with(a, shift, scale, j, t);
       loop invariant strict: \forall integer k, m; 0 <= k < m <= t ==>
         cells_with(a, shift, scale, cell_digit(a, shift, scale, k), k) <
         cells_with(a, shift, scale, cell_digit(a, shift, scale, k), m);
       loop invariant few: \forall integer j, k; 0 <= k <= t ==> cells_with(a, shift, scale, j, k) <= k;
       loop assigns t; loop variant n - t; @/
    for (int64_t t = 0; t < n; t++);
  }
*/

/*@ ghost
  /@ // slots are ordered by digit, then by position: so no two cells share one
     requires 0 <= n && 0 <= shift < 64 && 1 <= scale <= 128;
     terminates \true; exits \false; assigns \nothing;
     ensures inside: \forall integer k; 0 <= k < n ==> 0 <= cell_slot(a, shift, scale, n, k) < n;
     ensures differ: \forall integer k, m; 0 <= k < m < n ==> cell_slot(a, shift, scale, n, k) != cell_slot(a, shift, scale, n, m); @/
  void lem_cells_slot(const spw_cell *a, int64_t n, int shift, uint64_t scale) {
    lem_cells_occurrences(a, n, shift, scale);
    lem_cells_below(a, n, shift, (int)scale);
    /@ assert inside: \forall integer k; 0 <= k < n ==>
         0 <= cells_below(a, shift, scale, cell_digit(a, shift, scale, k), n) <= cell_slot(a, shift, scale, n, k) <
           cells_below(a, shift, scale, cell_digit(a, shift, scale, k) + 1, n) <= n; @/
    /@ assert lower: \forall integer k, m; 0 <= k < n && 0 <= m < n &&
         cell_digit(a, shift, scale, k) < cell_digit(a, shift, scale, m) ==>
         cell_slot(a, shift, scale, n, k) < cell_slot(a, shift, scale, n, m); @/
    /@ assert equal: \forall integer k, m; 0 <= k < m < n &&
         cell_digit(a, shift, scale, k) == cell_digit(a, shift, scale, m) ==>
         cell_slot(a, shift, scale, n, k) < cell_slot(a, shift, scale, n, m); @/
  }
*/

/* where the run of each digit starts: the sums of the counts before it, in place */
/*@ requires sizes: 0 <= n && 0 <= shift < 64 && 1 <= scale <= 128;
    requires counts: \valid(cursor + (0 .. RADIX - 1)) &&
      \forall integer j; 0 <= j < RADIX ==> cursor[j] == cells_with(in, shift, scale, j, n);
    terminates \true; exits \false; assigns cursor[0 .. RADIX - 1];
    ensures starts: \forall integer j; 0 <= j < RADIX ==> cursor[j] == cells_below(in, shift, scale, j, n); */
/* level L2 */
static void start_runs(const spw_cell *in, int64_t n, int shift, uint64_t scale, int64_t *cursor)
{
  (void)in, (void)n, (void)shift, (void)scale;
  //@ ghost lem_cells_below(in, n, shift, (int)scale);
  int64_t sum = 0;
  /*@ loop invariant range: 0 <= j <= RADIX;
      loop invariant sum: sum == cells_below(in, shift, scale, j, n);
      loop invariant done: \forall integer t; 0 <= t < j ==> cursor[t] == cells_below(in, shift, scale, t, n);
      loop invariant todo: \forall integer t; j <= t < RADIX ==> cursor[t] == cells_with(in, shift, scale, t, n);
      loop assigns j, sum, cursor[0 .. RADIX - 1];
      loop variant RADIX - j; */
  for (int j = 0; j < RADIX; j++) {
    const int64_t count = cursor[j];
    //@ assert next: sum + count == cells_below(in, shift, scale, j + 1, n) && 0 <= sum + count <= n;
    cursor[j] = sum;
    sum += count;
  }
}

/* requests the line of memory of a cell that may be read */
/*@ requires readable: \valid_read(address);
    terminates \true; exits \false; assigns \nothing; */
/* level L1 */
static inline void request(const spw_cell *address)
{
  SPW_PREFETCH(address);
}

/* writes a cell of `out`, and nothing else of it or of `in` */
/*@ requires cells: 0 <= q < n && \valid_read(in + (0 .. n - 1)) && \valid(out + (0 .. n - 1));
    requires apart: \separated(in + (0 .. n - 1), out + (0 .. n - 1));
    terminates \true; exits \false; assigns out[q];
    ensures new: cell_key(out, q) == key && cell_payload(out, q) == payload;
    ensures kept: \forall integer m; 0 <= m < n && m != q ==> cell_key(out, m) == cell_key{Pre}(out, m) &&
      cell_payload(out, m) == cell_payload{Pre}(out, m);
    ensures same: same_cells{Pre,Here}(in, n); */
/* level L2 */
static inline void put_cell(const spw_cell *in, int64_t n, spw_cell *out, int64_t q, uint64_t key, uint64_t payload)
{
  (void)in, (void)n;
  out[q].key = key;
  out[q].payload = payload;
}

/* level L2 */
void spw_place_cells(const spw_cell *in, int64_t n, int shift, uint64_t scale, int64_t *cursor, spw_cell *out)
{
  start_runs(in, n, shift, scale, cursor);
  //@ ghost lem_cells_occurrences(in, n, shift, scale);
  //@ ghost lem_cells_slot(in, n, shift, scale);
  /*@ loop invariant range: 0 <= k <= n;
      loop invariant same: same_cells{Pre,Here}(in, n);
      loop invariant cursor: \forall integer j; 0 <= j < RADIX ==>
        cursor[j] == cells_below{Pre}(in, shift, scale, j, n) + cells_with{Pre}(in, shift, scale, j, k);
      loop invariant keys: \forall integer m; 0 <= m < k ==>
        cell_key(out, cell_slot{Pre}(in, shift, scale, n, m)) == cell_key{Pre}(in, m);
      loop invariant payloads: \forall integer m; 0 <= m < k ==>
        cell_payload(out, cell_slot{Pre}(in, shift, scale, n, m)) == cell_payload{Pre}(in, m);
      loop assigns k, cursor[0 .. RADIX - 1], out[0 .. n - 1];
      loop variant n - k; */
  for (int64_t k = 0; k < n; k++) {
    const uint64_t key = in[k].key, payload = in[k].payload;
    //@ assert cell: key == cell_key{Pre}(in, k) && payload == cell_payload{Pre}(in, k);
    //@ ghost lem_bits_shift(key, shift);
    const uint64_t d = (key >> shift) % RADIX * scale % RADIX;
    //@ assert digit: d == cell_digit{Pre}(in, shift, scale, k) && 0 <= d < RADIX;
    const int64_t q = cursor[d];
    //@ assert slot: q == cell_slot{Pre}(in, shift, scale, n, k) && 0 <= q < n;
    //@ assert fresh: \forall integer m; 0 <= m < k ==> cell_slot{Pre}(in, shift, scale, n, m) != q;
    /*@ assert step: \forall integer t; cells_with{Pre}(in, shift, scale, t, k + 1) ==
          cells_with{Pre}(in, shift, scale, t, k) + (d == t ? 1 : 0); */
    cursor[d] = q + 1;
    put_cell(in, n, out, q, key, payload);
    //@ assert others: \forall integer t; 0 <= t < RADIX && t != d ==> cursor[t] == \at(cursor[t],LoopCurrent);
    if (q < n - AHEAD) request(out + (q + AHEAD));
  }
}
