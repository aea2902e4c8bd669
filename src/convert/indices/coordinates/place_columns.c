/* SPDX-License-Identifier: Apache-2.0 */
/* Run after run of elements at one place: it is read before their coordinates are written, and those of others stay. */
#ifndef IDX
#include "place_columns.h"

#define SPW_TEMPLATE "../convert/indices/coordinates/coo_places.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/places_rise.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/listed_entries.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/indices/coordinates/put_place.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/indices/coordinates/put_run.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/indices/coordinates/place_columns.c"
#include "../../../core/each_index_type.h"

#else /* for each index type */

/*@ ghost
  /@ // what the parts of a place make up is that place
     requires sizes: 0 <= dims <= SPW_NDIM_MAX && \valid_read(size + (0 .. dims - 1)) && positive(size, dims) &&
       product(size, dims) <= INT64_MAX && 0 <= q < product(size, dims);
     terminates \true; exits \false; assigns \nothing;
     ensures none: rest_of(size, dims, 0, q) == 0;
     ensures parts: \forall integer t; 0 <= t < dims ==> rest_of(size, dims, t + 1, q) ==
       times(rest_of(size, dims, t, q), size[t]) + batch_coordinate(size, dims, t, q); @/
  void N(lem_place_again)(const int64_t *size, int64_t dims, int64_t q) {
    int64_t rest = q;
    lem_products(size, dims);
    /@ loop invariant range: 0 <= t <= dims && 0 <= rest < product(size, t);
       loop invariant rest: rest == rest_of(size, dims, t, q);
       loop invariant parts: \forall integer d; t <= d < dims ==> rest_of(size, dims, d + 1, q) ==
         times(rest_of(size, dims, d, q), size[d]) + batch_coordinate(size, dims, d, q);
       loop assigns t, rest; loop variant t; @/
    for (int64_t t = dims; t > 0; t--) {
      int64_t s = size[t - 1], first = rest / s;
      /@ assert whole: rest == first * s + rest % s && 0 <= rest % s < s; @/
      /@ assert product: product(size, (t - 1) + 1) == product(size, t - 1) * s; @/
      /@ assert large: product(size, t - 1) <= first ==> product(size, t - 1) * s <= first * s; @/
      /@ assert below: first < product(size, t - 1); @/
      lem_times(first, s);
      /@ assert step: rest_of(size, dims, t - 1, q) == first; @/
      /@ assert own: rest_of(size, dims, (t - 1) + 1, q) ==
           times(rest_of(size, dims, t - 1, q), size[t - 1]) + batch_coordinate(size, dims, t - 1, q); @/
      rest = first;
    }
    /@ assert one: product(size, 0) == 1; @/
  }

  /@ // an element that has the coordinates of a place lies there
     requires sizes: 0 <= dims <= SPW_NDIM_MAX && \valid_read(size + (0 .. dims - 1)) && positive(size, dims) &&
       product(size, dims) <= INT64_MAX && 0 <= q < product(size, dims);
     requires listed: 0 <= e < n && N(listed)(h, dims, n) && N(is_at_place){Here,Here}(list, n, e, size, dims, q);
     terminates \true; exits \false; assigns \nothing;
     ensures place: N(place_of)(list, h, size, dims, e) == q; @/
  void N(lem_at_place)(const IDX *list, spw_columns h, const int64_t *size, int64_t dims, int64_t n, int64_t e, int64_t q) {
    N(lem_place_again)(size, dims, q);
    N(lem_listed)(list, h, dims, n);
    /@ loop invariant range: 0 <= t <= dims;
       loop invariant place: N(place_of)(list, h, size, t, e) == rest_of(size, dims, t, q);
       loop assigns t; loop variant dims - t; @/
    for (int64_t t = 0; t < dims; t++) {
      /@ assert entry: N(coordinate)(list, h, t, e) == N(listed_entry)(list, n, t, e); @/
      /@ assert own: N(coordinate)(list, h, t, e) == batch_coordinate(size, dims, t, q); @/
    }
  }

  void N(lem_list_in_order)(const IDX *list, const int64_t *size, int64_t dims, int64_t n) {
    const spw_columns h = {dims, n, 0, n, 1};
    lem_times_apart(dims, n);
    N(lem_listed)(list, h, dims, n);
    const int64_t entries = n == 0 ? 0 : dims * n;
    /@ assert entries: 0 <= entries && entries == times(dims, n) && (0 < n ==> (dims - 1) * n == entries - n); @/
    /@ assert length: columns_inside(h, entries); @/
    /@ assert inside: \forall integer d, e; 0 <= d < dims && 0 <= e < n ==> 0 <= N(coordinate)(list, h, d, e) < size[d]; @/
    /@ assert low: N(rule_6_5)(list, h, size); @/
    /@ assert high: N(rule_6_6)(list, h, size); @/
    N(lem_places_rise)(list, entries, h, size);
  }
*/

/* level L2 */
void N(spw_place_columns)(const int64_t *size, int64_t dims, int64_t n, IDX *list)
{
  if (n == 0) return; /* the list may be null */
  //@ ghost lem_times_apart(dims, n);
  //@ ghost const spw_columns h = {dims, n, 0, n, 1};
  //@ ghost N(lem_listed)(list, h, dims, n);
  const int64_t before = dims - 1;
  //@ assert line: 0 <= times(before, n) && times(before, n) + n <= times(dims, n) && times(before, n) == before * n;
  const int64_t last = before * n;
  //@ assert inside: 0 <= last && last + n <= times(dims, n);
  const IDX *const places = list + last;
  int64_t e = dims == 1 ? n : 0; /* of one dimension places are coordinates */
  //@ assert none: product(size, 0) == 1 && times(0, size[0]) == 0;
  //@ assert one: product(size, 1) == product(size, 0) * size[0];
  /*@ assert first: \forall integer f; 0 <= f < n ==> N(place_of)(list, h, size, 0, f) == 0 &&
        N(place_of)(list, h, size, 1, f) == times(N(place_of)(list, h, size, 0, f), size[0]) + N(coordinate)(list, h, 0, f); */
  /*@ loop invariant range: 0 <= e <= n;
      loop invariant sizes_stay: N(sizes_stay){Pre,Here}(size, dims) && product(size, dims) == product{Pre}(size, dims);
      loop invariant placed: \forall integer f; 0 <= f < e ==>
        N(place_of)(list, h, size, dims, f) == N(listed_entry){Pre}(list, n, dims - 1, f);
      loop invariant inside: \forall integer d, f; 0 <= d < dims && 0 <= f < e ==> 0 <= N(listed_entry)(list, n, d, f) < size[d];
      loop invariant rest: \forall integer f; e <= f < n ==>
        N(listed_entry)(list, n, dims - 1, f) == N(listed_entry){Pre}(list, n, dims - 1, f);
      loop assigns e, list[0 .. times(dims, n) - 1];
      loop variant n - e; */
  while (e < n) {
    const int64_t place = places[e];
    //@ assert here: place == N(listed_entry)(list, n, dims - 1, e);
    int64_t to = e + 1;
    /*@ loop invariant range: e < to <= n;
        loop invariant same: \forall integer f; e <= f < to ==> N(listed_entry){Pre}(list, n, dims - 1, f) == place;
        loop assigns to;
        loop variant n - to; */
    while (to < n && places[to] == place) {
      //@ assert there: places[to] == N(listed_entry)(list, n, dims - 1, to);
      to++;
    }
    //@ ghost lem_coordinates_below(size, dims, place);
    //@ ghost N(lem_listed)(list, h, dims, n);
    //@ ghost Before: ;
    N(put_run)(size, dims, n, e, to, place, list);
    //@ ghost N(lem_listed)(list, h, dims, n);
    //@ assert others: N(outside_stays){Before,Here}(list, dims, n, e, to);
    //@ assert sizes: N(sizes_stay){Before,Here}(size, dims);
    /*@ ghost
       /@ loop invariant range: 0 <= t <= dims;
          loop invariant product: product(size, t) == product{Before}(size, t);
          loop invariant older: \forall integer f; 0 <= f < e ==>
            N(place_of)(list, h, size, t, f) == N(place_of){Before}(list, h, size, t, f);
          loop assigns t; loop variant dims - t; @/
       for (int64_t t = 0; t < dims; t++) { }
    */
    //@ assert own: N(run_at_place){Here,Here}(list, n, e, to, size, dims, place);
    //@ ghost lem_coordinates_below(size, dims, place);
    /*@ ghost
       /@ loop invariant range: e <= t <= to;
          loop invariant placed: \forall integer f; e <= f < t ==> N(place_of)(list, h, size, dims, f) == place;
          loop assigns t; loop variant to - t; @/
       for (int64_t t = e; t < to; t++) {
         /@ assert own: N(is_at_place){Here,Here}(list, n, t, size, dims, place); @/
         N(lem_at_place)(list, h, size, dims, n, t, place);
       }
    */
    e = to;
  }
  //@ ghost N(lem_listed)(list, h, dims, n);
  /*@ assert places: \forall integer f; 0 <= f < n ==>
        N(place_of)(list, h, size, dims, f) == N(listed_entry){Pre}(list, n, dims - 1, f); */
}

#endif
