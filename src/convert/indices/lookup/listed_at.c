/* SPDX-License-Identifier: Apache-2.0 */
/* A search among elements in order. */
#ifndef IDX
#include "listed_at.h"
#include "../coordinates/coo_entry.h"

#define SPW_TEMPLATE "../convert/indices/lookup/listed_at.c"
#include "../../../core/each_index_type.h"

#else /* for each index type */

/* level L2 */
int64_t N(spw_listed_batch)(const IDX *x, int64_t length, spw_columns h, const int64_t *size, int64_t k)
{
  int64_t at = 0;
  //@ ghost int64_t whole = 1;
  //@ ghost if (h.sparse_dim >= 2) lem_products(size, h.sparse_dim - 2);
  /*@ loop invariant range: 0 <= d && (d == 0 || d <= h.sparse_dim - 2) && whole == product(size, d);
      loop invariant exact: at == N(place_of)(x, h, size, d, k);
      loop invariant inside: 0 <= at < whole;
      loop assigns d, at, whole;
      loop variant h.sparse_dim - 2 - d; */
  for (int64_t d = 0; d < h.sparse_dim - 2; d++) {
    const IDX own = x[entry_of(h, length, d, k)];
    //@ assert own: own == N(coordinate)(x, h, d, k);
    //@ assert lines: N(line_6_5)(x, h, size, d, h.nse) && N(line_6_6)(x, h, size, d, h.nse);
    //@ assert inside: 0 <= own < size[d];
    //@ assert whole: whole * size[d] == product(size, d + 1) <= INT64_MAX;
    //@ ghost lem_times(whole, size[d]);
    //@ ghost lem_times_at(at, whole, size[d]);
    //@ assert next: at * size[d] == times(at, size[d]) && at * size[d] + size[d] <= whole * size[d];
    at = at * size[d] + own;
    //@ ghost whole = whole * size[d];
  }
  return at;
}

/* level L2 */
int64_t N(spw_listed_row)(const IDX *x, int64_t length, spw_columns h, const int64_t *size, int64_t k)
{
  (void)size;
  if (h.sparse_dim < 2) return 0;
  //@ assert lines: N(line_6_5)(x, h, size, h.sparse_dim - 2, h.nse) && N(line_6_6)(x, h, size, h.sparse_dim - 2, h.nse);
  const IDX own = x[entry_of(h, length, h.sparse_dim - 2, k)];
  //@ assert own: own == N(coordinate)(x, h, h.sparse_dim - 2, k);
  //@ assert inside: 0 <= own < size[h.sparse_dim - 2];
  return own;
}

/* level L2 */
int64_t N(spw_listed_column)(const IDX *x, int64_t length, spw_columns h, const int64_t *size, int64_t k)
{
  (void)size;
  //@ assert lines: N(line_6_5)(x, h, size, h.sparse_dim - 1, h.nse) && N(line_6_6)(x, h, size, h.sparse_dim - 1, h.nse);
  const IDX own = x[entry_of(h, length, h.sparse_dim - 1, k)];
  //@ assert own: own == N(coordinate)(x, h, h.sparse_dim - 1, k);
  //@ assert inside: 0 <= own < size[h.sparse_dim - 1];
  return own;
}

/*@ ghost
  /@ // neighbours are in order
     requires inside: columns_inside(h, length);
     requires readable: \valid_read(x + (0 .. length - 1)) && \valid_read(size + (0 .. h.sparse_dim - 1));
     requires elements: 1 <= k < h.nse;
     requires valid: N(list_valid)(x, h, size);
     terminates \true; exits \false; assigns \nothing;
     ensures order: N(lies_before)(x, h, size, k - 1, N(listed_batch)(x, h, size, k), N(listed_row)(x, h, k), N(listed_column)(x, h, k)); @/
  void N(lem_neighbours_in_order)(const IDX *x, int64_t length, spw_columns h, const int64_t *size, int64_t k) {
    int64_t before = 0, own = 0, whole = 1;
    if (h.sparse_dim >= 2) lem_products(size, h.sparse_dim - 2);
    /@ loop invariant range: 0 <= d && (d == 0 || d <= h.sparse_dim - 2) && whole == product(size, d);
       loop invariant before: before == N(place_of)(x, h, size, d, k - 1);
       loop invariant own: own == N(place_of)(x, h, size, d, k);
       loop invariant inside: 0 <= before < whole && 0 <= own < whole;
       loop invariant order: before < own || (before == own && N(agree)(x, h, k - 1, k, d));
       loop assigns d, before, own, whole;
       loop variant h.sparse_dim - 2 - d; @/
    for (int64_t d = 0; d < h.sparse_dim - 2; d++) {
      const IDX a = x[lem_entry_of(h, length, d, k - 1)], b = x[lem_entry_of(h, length, d, k)];
      /@ assert follows: N(follows)(x, h, k); @/
      /@ assert a: a == N(coordinate)(x, h, d, k - 1); @/
      /@ assert b: b == N(coordinate)(x, h, d, k); @/
      /@ assert lines: N(line_6_5)(x, h, size, d, h.nse) && N(line_6_6)(x, h, size, d, h.nse); @/
      /@ assert inside_a: 0 <= a < size[d]; @/
      /@ assert inside_b: 0 <= b < size[d]; @/
      /@ assert whole: whole * size[d] == product(size, d + 1) <= INT64_MAX; @/
      lem_times(whole, size[d]);
      lem_times_at(before, whole, size[d]);
      lem_times_at(own, whole, size[d]);
      if (before < own) lem_times_at(before, own, size[d]);
      /@ assert first: N(agree)(x, h, k - 1, k, d) ==> a <= b; @/
      /@ assert next: before * size[d] == times(before, size[d]) && own * size[d] == times(own, size[d]); @/
      /@ assert within: before * size[d] + size[d] <= whole * size[d] && own * size[d] + size[d] <= whole * size[d]; @/
      /@ assert place_before: N(place_of)(x, h, size, d + 1, k - 1) == before * size[d] + a; @/
      /@ assert place_own: N(place_of)(x, h, size, d + 1, k) == own * size[d] + b; @/
      before = before * size[d] + a;
      own = own * size[d] + b;
      whole = whole * size[d];
    }
    /@ assert follows: N(follows)(x, h, k); @/
    /@ assert batches: before == N(listed_batch)(x, h, size, k - 1) && own == N(listed_batch)(x, h, size, k); @/
  }
*/

/*@ ghost
  void N(lem_listed_at)(const IDX *x, int64_t length, spw_columns h, const int64_t *size) {
    /@ loop invariant range: 1 <= k && (k <= h.nse || k == 1);
       loop invariant order: N(lies_in_order)(x, h, size, k);
       loop assigns k; loop variant h.nse - k; @/
    for (int64_t k = 1; k < h.nse; k++) {
      N(lem_neighbours_in_order)(x, length, h, size, k);
      /@ assert neighbour: \forall integer a; 0 <= a < k - 1 ==> N(lies_before)(x, h, size, a, N(listed_batch)(x, h, size, k - 1),
           N(listed_row)(x, h, k - 1), N(listed_column)(x, h, k - 1)); @/
      /@ assert older: \forall integer a; 0 <= a < k - 1 ==> N(lies_before)(x, h, size, a, N(listed_batch)(x, h, size, k),
           N(listed_row)(x, h, k), N(listed_column)(x, h, k)); @/
      /@ assert newest: \forall integer a; 0 <= a < k ==> N(lies_before)(x, h, size, a, N(listed_batch)(x, h, size, k),
           N(listed_row)(x, h, k), N(listed_column)(x, h, k)); @/
    }
    /@ loop invariant range: 0 <= n <= h.nse;
       loop invariant found: \forall integer q, i, j; N(listed_at)(x, h, size, q, i, j, n) == -1 ||
         (0 <= N(listed_at)(x, h, size, q, i, j, n) < n && N(is_listed)(x, h, size, q, i, j, N(listed_at)(x, h, size, q, i, j, n)));
       loop invariant there: \forall integer q, i, j, k; 0 <= k < n && N(is_listed)(x, h, size, q, i, j, k) ==>
         N(listed_at)(x, h, size, q, i, j, n) == k;
       loop assigns n; loop variant h.nse - n; @/
    for (int64_t n = 0; n < h.nse; n++) {
      /@ assert own: \forall integer q, i, j; N(is_listed)(x, h, size, q, i, j, n) ==> N(listed_at)(x, h, size, q, i, j, n + 1) == n; @/
      /@ assert older: \forall integer q, i, j; !N(is_listed)(x, h, size, q, i, j, n) ==>
           N(listed_at)(x, h, size, q, i, j, n + 1) == N(listed_at)(x, h, size, q, i, j, n); @/
      /@ assert once: \forall integer q, i, j, k; 0 <= k < n && N(is_listed)(x, h, size, q, i, j, k) ==>
           !N(is_listed)(x, h, size, q, i, j, n); @/
    }
  }
*/

/*@ ghost
  void N(lem_listed_stays)(const IDX *x, spw_columns h, const int64_t *size, int64_t q, int64_t i, int64_t j, int64_t k) {
    /@ loop invariant range: k < n <= h.nse;
       loop invariant found: k <= N(listed_at)(x, h, size, q, i, j, n);
       loop assigns n; loop variant h.nse - n; @/
    for (int64_t n = k + 1; n < h.nse; n++) {
      /@ assert next: N(listed_at)(x, h, size, q, i, j, n + 1) == n ||
           N(listed_at)(x, h, size, q, i, j, n + 1) == N(listed_at)(x, h, size, q, i, j, n); @/
    }
  }
*/

/* level L2 */
int64_t N(spw_listed_at)(const IDX *x, int64_t length, spw_columns h, const int64_t *size, int64_t q, int64_t i, int64_t j)
{
  //@ ghost N(lem_listed_at)(x, length, h, size);
  int64_t low = 0, high = h.nse;
  /*@ loop invariant range: 0 <= low <= high <= h.nse;
      loop invariant before: \forall integer k; 0 <= k < low ==> N(lies_before)(x, h, size, k, q, i, j);
      loop invariant behind: \forall integer k; high <= k < h.nse ==> N(lies_behind)(x, h, size, k, q, i, j);
      loop assigns low, high;
      loop variant high - low; */
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    const int64_t batch = N(spw_listed_batch)(x, length, h, size, middle);
    const int64_t row = N(spw_listed_row)(x, length, h, size, middle);
    const int64_t column = N(spw_listed_column)(x, length, h, size, middle);
    if (batch < q || (batch == q && (row < i || (row == i && column < j)))) {
      //@ assert before: N(lies_before)(x, h, size, middle, q, i, j);
      /*@ assert order: \forall integer k; 0 <= k < middle ==> N(lies_before)(x, h, size, k, N(listed_batch)(x, h, size, middle),
            N(listed_row)(x, h, middle), N(listed_column)(x, h, middle)); */
      /*@ assert all: \forall integer k; 0 <= k < middle ==> N(lies_before)(x, h, size, k, q, i, j); */
      low = middle + 1;
    } else if (batch == q && row == i && column == j) {
      //@ assert there: N(is_listed)(x, h, size, q, i, j, middle);
      return middle;
    } else {
      //@ assert behind: N(lies_behind)(x, h, size, middle, q, i, j);
      /*@ assert order: \forall integer k; middle < k < h.nse ==> N(lies_behind)(x, h, size, k, N(listed_batch)(x, h, size, middle),
            N(listed_row)(x, h, middle), N(listed_column)(x, h, middle)); */
      /*@ assert all: \forall integer k; middle < k < h.nse ==> N(lies_behind)(x, h, size, k, q, i, j); */
      high = middle;
    }
  }
  return -1;
}

#endif
