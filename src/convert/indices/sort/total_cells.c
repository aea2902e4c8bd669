/* SPDX-License-Identifier: Apache-2.0 */
/* A stable order keeps what the cells of each key come to. */
#include "total_cells.h"
#include "../../../../proofs/lemmas/rank_lemmas.h"

/*@ ghost
  /@ // cells of other keys change nothing
     requires range: 0 <= n;
     terminates \true; exits \false; assigns \nothing;
     ensures last: \forall integer key, low, high; 0 <= low <= high <= n && key_absent(a, key, low, high) ==>
       cell_last(a, key, high) == cell_last(a, key, low);
     ensures total: \forall integer key, low, high; 0 < low <= high <= n && key_absent(a, key, low, high) ==>
       cell_total(a, how, type, key, high) == cell_total(a, how, type, key, low);
     ensures range: \forall integer key, m; 0 <= m <= n ==> -1 <= cell_last(a, key, m) < m || cell_last(a, key, m) == -1; @/
  void lem_totals_stay(const spw_cell *a, int64_t n, int how, int type) {
    /@ loop invariant range: 0 <= h <= n;
       loop invariant last: \forall integer key, low, high; 0 <= low <= high <= h && key_absent(a, key, low, high) ==>
         cell_last(a, key, high) == cell_last(a, key, low);
       loop invariant total: \forall integer key, low, high; 0 < low <= high <= h && key_absent(a, key, low, high) ==>
         cell_total(a, how, type, key, high) == cell_total(a, how, type, key, low);
       loop invariant places: \forall integer key, m; 0 <= m <= h ==> -1 <= cell_last(a, key, m) < m || cell_last(a, key, m) == -1;
       loop assigns h; loop variant n - h; @/
    for (int64_t h = 0; h < n; h++) {
      /@ assert fewer: \forall integer key, low; low <= h && key_absent(a, key, low, h + 1) ==>
           key_absent(a, key, low, h) && cell_key(a, h) != key; @/
      /@ assert last: \forall integer key, low; 0 <= low <= h && key_absent(a, key, low, h + 1) ==>
           cell_last(a, key, h + 1) == cell_last(a, key, low); @/
      /@ assert total: \forall integer key, low; 0 < low <= h && key_absent(a, key, low, h + 1) ==>
           cell_total(a, how, type, key, h + 1) == cell_total(a, how, type, key, low); @/
    }
  }

  /@ // what stands where in the order
     requires sizes: 0 <= n && 0 <= bits <= 64;
     requires keys: \forall integer k; 0 <= k < n ==> cell_bits(a, 0, bits, k) == cell_key(a, k);
     terminates \true; exits \false; assigns \nothing;
     ensures back: \forall integer q; 0 <= q < n ==> 0 <= ranked(a, bits, n, q) < n && cell_rank(a, 0, bits, ranked(a, bits, n, q), n) == q;
     ensures there: \forall integer k; 0 <= k < n ==> 0 <= cell_rank(a, 0, bits, k, n) < n &&
       ranked(a, bits, n, cell_rank(a, 0, bits, k, n)) == k;
     ensures rising: \forall integer q, r; 0 <= q < r < n ==> cell_key(a, ranked(a, bits, n, q)) <= cell_key(a, ranked(a, bits, n, r));
     ensures stable: \forall integer t, k; 0 <= t < k < n && cell_key(a, t) == cell_key(a, k) ==>
       cell_rank(a, 0, bits, t, n) < cell_rank(a, 0, bits, k, n); @/
  void lem_ranked(const spw_cell *a, int64_t n, int bits) {
    lem_cells_origin(a, n, 0, bits);
    lem_cells_rank(a, n, 0, bits);
    /@ assert before: \forall integer t, k; 0 <= t < n && 0 <= k < n && cell_before(a, 0, bits, t, k) ==>
         cell_rank(a, 0, bits, t, n) < cell_rank(a, 0, bits, k, n); @/
    /@ assert total: \forall integer t, k; 0 <= t < n && 0 <= k < n && t != k ==>
         cell_before(a, 0, bits, t, k) || cell_before(a, 0, bits, k, t); @/
    /@ assert order: \forall integer q, r; 0 <= q < r < n ==> cell_before(a, 0, bits, ranked(a, bits, n, q), ranked(a, bits, n, r)); @/
  }

  /@ // where cell q in the order is the first of its key, no cell before it in the list has this key
     requires place: 0 <= q < n && 0 <= bits <= 64;
     requires keys: \forall integer k; 0 <= k < n ==> cell_bits(a, 0, bits, k) == cell_key(a, k);
     terminates \true; exits \false; assigns \nothing;
     ensures none: rank_begins(a, bits, n, q) ==> key_absent(a, cell_key(a, ranked(a, bits, n, q)), 0, ranked(a, bits, n, q)); @/
  void lem_rank_begins(const spw_cell *a, int64_t n, int bits, int64_t q) {
    lem_ranked(a, n, bits);
    /@ assert less: \forall integer t; 0 <= t < ranked(a, bits, n, q) && cell_key(a, t) == cell_key(a, ranked(a, bits, n, q)) ==>
         cell_rank(a, 0, bits, t, n) < q; @/
    /@ assert between: \forall integer r; 0 <= r < q ==> cell_key(a, ranked(a, bits, n, r)) <= cell_key(a, ranked(a, bits, n, q - 1)); @/
    /@ assert rise: 0 < q && rank_begins(a, bits, n, q) ==>
         cell_key(a, ranked(a, bits, n, q - 1)) < cell_key(a, ranked(a, bits, n, q)); @/
    /@ assert earlier: rank_begins(a, bits, n, q) ==> \forall integer r; 0 <= r < q ==>
         cell_key(a, ranked(a, bits, n, r)) < cell_key(a, ranked(a, bits, n, q)); @/
  }

  /@ // where it is not, none between the one before it and it has
     requires place: 0 < q < n && 0 <= bits <= 64;
     requires keys: \forall integer k; 0 <= k < n ==> cell_bits(a, 0, bits, k) == cell_key(a, k);
     terminates \true; exits \false; assigns \nothing;
     ensures before: !rank_begins(a, bits, n, q) ==> 0 <= ranked(a, bits, n, q - 1) < ranked(a, bits, n, q);
     ensures none: !rank_begins(a, bits, n, q) ==>
       key_absent(a, cell_key(a, ranked(a, bits, n, q)), ranked(a, bits, n, q - 1) + 1, ranked(a, bits, n, q)); @/
  void lem_rank_goes_on(const spw_cell *a, int64_t n, int bits, int64_t q) {
    lem_ranked(a, n, bits);
    /@ assert ranks: cell_rank(a, 0, bits, ranked(a, bits, n, q - 1), n) == q - 1 && cell_rank(a, 0, bits, ranked(a, bits, n, q), n) == q; @/
    /@ assert apart: ranked(a, bits, n, q - 1) != ranked(a, bits, n, q); @/
    /@ assert between: !rank_begins(a, bits, n, q) ==> \forall integer t; ranked(a, bits, n, q - 1) < t < ranked(a, bits, n, q) &&
         cell_key(a, t) == cell_key(a, ranked(a, bits, n, q)) ==> q - 1 < cell_rank(a, 0, bits, t, n) < q; @/
  }

  /@ // where it is the last, none behind it in the list has
     requires place: 0 <= q < n && 0 <= bits <= 64;
     requires keys: \forall integer k; 0 <= k < n ==> cell_bits(a, 0, bits, k) == cell_key(a, k);
     terminates \true; exits \false; assigns \nothing;
     ensures none: rank_ends(a, bits, n, q) ==> key_absent(a, cell_key(a, ranked(a, bits, n, q)), ranked(a, bits, n, q) + 1, n); @/
  void lem_rank_ends(const spw_cell *a, int64_t n, int bits, int64_t q) {
    lem_ranked(a, n, bits);
    /@ assert more: \forall integer t; ranked(a, bits, n, q) < t < n && cell_key(a, t) == cell_key(a, ranked(a, bits, n, q)) ==>
         q < cell_rank(a, 0, bits, t, n); @/
    /@ assert between: \forall integer r; q < r < n ==> cell_key(a, ranked(a, bits, n, q + 1)) <= cell_key(a, ranked(a, bits, n, r)); @/
    /@ assert rise: q < n - 1 && rank_ends(a, bits, n, q) ==>
         cell_key(a, ranked(a, bits, n, q)) < cell_key(a, ranked(a, bits, n, q + 1)); @/
    /@ assert later: rank_ends(a, bits, n, q) ==> \forall integer r; q < r < n ==>
         cell_key(a, ranked(a, bits, n, q)) < cell_key(a, ranked(a, bits, n, r)); @/
  }

  /@ // up to cell q in the order
     requires place: 0 <= q < n && 0 <= bits <= 64;
     requires keys: \forall integer k; 0 <= k < n ==> cell_bits(a, 0, bits, k) == cell_key(a, k);
     requires before: 0 < q ==> ranked_total(a, bits, how, type, n, q) ==
       cell_total(a, how, type, cell_key(a, ranked(a, bits, n, q - 1)), ranked(a, bits, n, q - 1) + 1);
     terminates \true; exits \false; assigns \nothing;
     ensures own: ranked_total(a, bits, how, type, n, q + 1) ==
       cell_total(a, how, type, cell_key(a, ranked(a, bits, n, q)), ranked(a, bits, n, q) + 1); @/
  void lem_total_ranked(const spw_cell *a, int64_t n, int bits, int how, int type, int64_t q) {
    lem_ranked(a, n, bits);
    lem_totals_stay(a, n, how, type);
    lem_rank_begins(a, n, bits, q);
    if (q > 0) lem_rank_goes_on(a, n, bits, q);
    /@ assert origin: 0 <= ranked(a, bits, n, q) < n; @/
    /@ assert first: rank_begins(a, bits, n, q) ==> key_absent(a, cell_key(a, ranked(a, bits, n, q)), 0, ranked(a, bits, n, q)); @/
    /@ assert alone: rank_begins(a, bits, n, q) ==> cell_last(a, cell_key(a, ranked(a, bits, n, q)), ranked(a, bits, n, q)) == -1; @/
    /@ assert gap: !rank_begins(a, bits, n, q) ==>
         key_absent(a, cell_key(a, ranked(a, bits, n, q)), ranked(a, bits, n, q - 1) + 1, ranked(a, bits, n, q)); @/
    /@ assert last: !rank_begins(a, bits, n, q) ==>
         cell_last(a, cell_key(a, ranked(a, bits, n, q)), ranked(a, bits, n, q)) == ranked(a, bits, n, q - 1); @/
    /@ assert total: !rank_begins(a, bits, n, q) ==>
         cell_total(a, how, type, cell_key(a, ranked(a, bits, n, q)), ranked(a, bits, n, q)) == ranked_total(a, bits, how, type, n, q); @/
  }

  /@ // of all
     requires sizes: 0 <= n && 0 <= bits <= 64;
     requires keys: \forall integer k; 0 <= k < n ==> cell_bits(a, 0, bits, k) == cell_key(a, k);
     terminates \true; exits \false; assigns \nothing;
     ensures totals: \forall integer q; 0 <= q < n && rank_ends(a, bits, n, q) ==>
       ranked_total(a, bits, how, type, n, q + 1) == cell_total(a, how, type, cell_key(a, ranked(a, bits, n, q)), n);
     ensures last: \forall integer k; 0 <= k < n ==> 0 <= cell_last(a, cell_key(a, k), n) < n; @/
  void lem_totals_ranked(const spw_cell *a, int64_t n, int bits, int how, int type) {
    lem_ranked(a, n, bits);
    lem_totals_stay(a, n, how, type);
    /@ loop invariant range: 0 <= q <= n;
       loop invariant totals: \forall integer p; 0 <= p < q && rank_ends(a, bits, n, p) ==>
         ranked_total(a, bits, how, type, n, p + 1) == cell_total(a, how, type, cell_key(a, ranked(a, bits, n, p)), n);
       loop invariant before: 0 < q ==> ranked_total(a, bits, how, type, n, q) ==
         cell_total(a, how, type, cell_key(a, ranked(a, bits, n, q - 1)), ranked(a, bits, n, q - 1) + 1);
       loop assigns q; loop variant n - q; @/
    for (int64_t q = 0; q < n; q++) {
      lem_total_ranked(a, n, bits, how, type, q);
      lem_rank_ends(a, n, bits, q);
      /@ assert whole: rank_ends(a, bits, n, q) ==> cell_total(a, how, type, cell_key(a, ranked(a, bits, n, q)), n) ==
           cell_total(a, how, type, cell_key(a, ranked(a, bits, n, q)), ranked(a, bits, n, q) + 1); @/
    }
    /@ loop invariant range: 0 <= m <= n;
       loop invariant last: \forall integer k; 0 <= k < m ==> k <= cell_last(a, cell_key(a, k), m) < m;
       loop assigns m; loop variant n - m; @/
    for (int64_t m = 0; m < n; m++) { }
  }

  /@ // one more of them in the order
     requires place: 0 <= q < n && 0 <= bits <= 64;
     requires keys: \forall integer k; 0 <= k < n ==> cell_bits(a, 0, bits, k) == cell_key(a, k);
     terminates \true; exits \false; assigns \nothing;
     ensures first: rank_begins(a, bits, n, q) <==>
       cell_last(a, cell_key(a, ranked(a, bits, n, q)), ranked(a, bits, n, q)) < 0;
     ensures one: ranks_met(a, bits, n, q + 1, n) == ranks_met(a, bits, n, q, n) +
       (cell_last(a, cell_key(a, ranked(a, bits, n, q)), ranked(a, bits, n, q)) < 0 ? 1 : 0); @/
  void lem_rank_met(const spw_cell *a, int64_t n, int bits, int64_t q) {
    lem_ranked(a, n, bits);
    lem_totals_stay(a, n, 0, 0);
    lem_rank_begins(a, n, bits, q);
    if (q > 0) lem_rank_goes_on(a, n, bits, q);
    /@ assert origin: 0 <= ranked(a, bits, n, q) < n; @/
    /@ assert alone: rank_begins(a, bits, n, q) ==> cell_last(a, cell_key(a, ranked(a, bits, n, q)), ranked(a, bits, n, q)) == -1; @/
    /@ assert before: !rank_begins(a, bits, n, q) ==>
         cell_last(a, cell_key(a, ranked(a, bits, n, q)), ranked(a, bits, n, q)) == ranked(a, bits, n, q - 1); @/
    /@ assert only: \forall integer m; 0 <= m < n ==> (cell_rank(a, 0, bits, m, n) == q <==> m == ranked(a, bits, n, q)); @/
    /@ loop invariant range: 0 <= m <= n;
       loop invariant one: ranks_met(a, bits, n, q + 1, m) == ranks_met(a, bits, n, q, m) +
         (ranked(a, bits, n, q) < m && cell_last(a, cell_key(a, ranked(a, bits, n, q)), ranked(a, bits, n, q)) < 0 ? 1 : 0);
       loop assigns m; loop variant n - m; @/
    for (int64_t m = 0; m < n; m++) {
      /@ assert step: ranks_met(a, bits, n, q + 1, m + 1) == ranks_met(a, bits, n, q + 1, m) +
           (cell_rank(a, 0, bits, m, n) < q + 1 && cell_last(a, cell_key(a, m), m) < 0 ? 1 : 0); @/
      /@ assert step_before: ranks_met(a, bits, n, q, m + 1) == ranks_met(a, bits, n, q, m) +
           (cell_rank(a, 0, bits, m, n) < q && cell_last(a, cell_key(a, m), m) < 0 ? 1 : 0); @/
    }
  }

  /@ // all of them
     requires sizes: 0 <= n && 0 <= bits <= 64;
     requires keys: \forall integer k; 0 <= k < n ==> cell_bits(a, 0, bits, k) == cell_key(a, k);
     terminates \true; exits \false; assigns \nothing;
     ensures count: ranks_begun(a, bits, n, n) == keys_met(a, n); @/
  void lem_keys_met(const spw_cell *a, int64_t n, int bits) {
    lem_ranked(a, n, bits);
    /@ loop invariant range: 0 <= m <= n;
       loop invariant none: ranks_met(a, bits, n, 0, m) == 0;
       loop invariant all: ranks_met(a, bits, n, n, m) == keys_met(a, m);
       loop assigns m; loop variant n - m; @/
    for (int64_t m = 0; m < n; m++) {
      /@ assert place: 0 <= cell_rank(a, 0, bits, m, n) < n; @/
    }
    /@ loop invariant range: 0 <= q <= n;
       loop invariant count: ranks_begun(a, bits, n, q) == ranks_met(a, bits, n, q, n);
       loop assigns q; loop variant n - q; @/
    for (int64_t q = 0; q < n; q++) {
      lem_rank_met(a, n, bits, q);
      /@ assert step: ranks_begun(a, bits, n, q + 1) == ranks_begun(a, bits, n, q) +
           (q == 0 || cell_key(a, ranked(a, bits, n, q)) != cell_key(a, ranked(a, bits, n, q - 1)) ? 1 : 0); @/
    }
  }
*/

/* level L2 */
int spw_total_cells(spw_cell *a, spw_cell *b, int64_t n, int bits, int how, int type)
{
  (void)how, (void)type;
  //@ ghost lem_keys_are_bits(a, n, bits);
  //@ ghost lem_ranked(a, n, bits);
  //@ ghost lem_totals_ranked(a, n, bits, how, type);
  //@ ghost lem_keys_met(a, n, bits);
  const int where = spw_order_cells(a, b, n, bits);
  //@ ghost spw_cell *sorted = where == 0 ? a : b;
  /*@ assert keys: \forall integer q; 0 <= q < n ==> cell_key(sorted, q) == cell_key{Pre}(a, ranked{Pre}(a, bits, n, q)); */
  /*@ assert payloads: \forall integer q; 0 <= q < n ==> payload_word(sorted, q) == payload_word{Pre}(a, ranked{Pre}(a, bits, n, q)); */
  /*@ assert begins: \forall integer q; 0 <= q < n ==> (key_begins(sorted, q) <==> rank_begins{Pre}(a, bits, n, q)); */
  /*@ assert ends: \forall integer q; 0 <= q < n ==> (key_ends(sorted, q, n) <==> rank_ends{Pre}(a, bits, n, q)); */
  /*@ ghost
    /@ loop invariant range: 0 <= q <= n;
       loop invariant totals: \forall integer p; 0 < p <= q ==>
         run_total(sorted, how, type, p) == ranked_total{Pre}(a, bits, how, type, n, p);
       loop invariant begun: keys_begun(sorted, q) == ranks_begun{Pre}(a, bits, n, q);
       loop assigns q; loop variant n - q; @/
    for (int64_t q = 0; q < n; q++) {
      /@ assert goes_on: q == 0 ==> key_begins(sorted, q); @/
      /@ assert own: run_total(sorted, how, type, q + 1) == ranked_total{Pre}(a, bits, how, type, n, q + 1); @/
    }
  */
  return where;
}
