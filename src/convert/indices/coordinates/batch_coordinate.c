/* SPDX-License-Identifier: Apache-2.0 */
#include "batch_coordinate.h"

/* level L2 */
int64_t spw_batch_coordinate(const int64_t *shape, int64_t n, int64_t e, int64_t b)
{
  int64_t rest = b;
  /*@ loop invariant range: e + 1 <= i <= n && 0 <= rest;
      loop invariant rest: rest == rest_of(shape, n, i, b);
      loop assigns i, rest;
      loop variant i; */
  for (int64_t i = n; i > e + 1; i--) {
    //@ assert unfold: rest_of(shape, n, i - 1, b) == rest / shape[i - 1];
    rest /= shape[i - 1];
  }
  //@ assert positive: shape[e] > 0;
  return rest % shape[e];
}

/*@ ghost
  /@ // division of neighbours: where r is a multiple of s, both quotients are neighbours, else the quotient is the same
     requires sizes: 1 <= s && 1 <= r;
     terminates \true; exits \false; assigns \nothing;
     ensures multiple: r % s == 0 ==> (r - 1) / s == r / s - 1 && 1 <= r / s;
     ensures inside: r % s != 0 ==> (r - 1) / s == r / s && (r - 1) % s == r % s - 1; @/
  void lem_neighbours(int64_t r, int64_t s) {
    int64_t q = r / s, m = r % s;
    /@ assert whole: r == q * s + m && 0 <= m < s && 0 <= q; @/
    if (m == 0) {
      /@ assert some: 1 <= q; @/
      /@ assert before: r - 1 == (q - 1) * s + (s - 1); @/
      /@ assert quotient: (r - 1) / s == q - 1; @/
    } else {
      /@ assert before: r - 1 == q * s + (m - 1); @/
      /@ assert quotient: (r - 1) / s == q; @/
      /@ assert rest: (r - 1) % s == m - 1; @/
    }
  }

  /@ // where what is left at dimension m is the same, so it is before
     requires sizes: 0 <= m <= n && rest_of(shape, n, m, a) == rest_of(shape, n, m, b);
     terminates \true; exits \false; assigns \nothing;
     ensures same: \forall integer i; 0 <= i <= m ==> rest_of(shape, n, i, a) == rest_of(shape, n, i, b); @/
  void lem_same_rest(const int64_t *shape, int64_t n, int64_t m, int64_t a, int64_t b) {
    /@ loop invariant range: 0 <= t <= m;
       loop invariant same: \forall integer i; t <= i <= m ==> rest_of(shape, n, i, a) == rest_of(shape, n, i, b);
       loop assigns t; loop variant t; @/
    for (int64_t t = m; t > 0; t--) {
      /@ assert a: rest_of(shape, n, t - 1, a) == rest_of(shape, n, t, a) / shape[t - 1]; @/
      /@ assert b: rest_of(shape, n, t - 1, b) == rest_of(shape, n, t, b) / shape[t - 1]; @/
    }
  }

  int64_t lem_batch_follows(const int64_t *shape, int64_t n, int64_t b) {
    int64_t e = n, rest = b;
    /@ assert some: 1 <= n; @/
    /@ loop invariant range: 1 <= e <= n && 1 <= rest < product(shape, e);
       loop invariant rest: rest == rest_of(shape, n, e, b) && rest - 1 == rest_of(shape, n, e, b - 1);
       loop assigns e, rest; loop variant e; @/
    while (rest % shape[e - 1] == 0) {
      int64_t s = shape[e - 1], q = rest / s;
      lem_neighbours(rest, s);
      /@ assert whole: rest == q * s; @/
      /@ assert product: product(shape, e) == product(shape, e - 1) * s; @/
      /@ assert large: product(shape, e - 1) <= q ==> product(shape, e - 1) * s <= q * s; @/
      /@ assert below: q < product(shape, e - 1); @/
      /@ assert before: rest_of(shape, n, e - 1, b - 1) == (rest - 1) / s; @/
      /@ assert own: rest_of(shape, n, e - 1, b) == q; @/
      rest = q;
      e = e - 1;
    }
    lem_neighbours(rest, shape[e - 1]);
    /@ assert before: rest_of(shape, n, e - 1, b - 1) == (rest - 1) / shape[e - 1]; @/
    /@ assert own: rest_of(shape, n, e - 1, b) == rest / shape[e - 1]; @/
    lem_same_rest(shape, n, e - 1, b - 1, b);
    return e - 1;
  }

  void lem_coordinates_below(const int64_t *shape, int64_t n, int64_t b) {
    /@ loop invariant range: 0 <= t <= n && 0 <= rest_of(shape, n, t, b);
       loop invariant below: \forall integer e; t <= e < n ==> 0 <= batch_coordinate(shape, n, e, b) < shape[e];
       loop assigns t; loop variant t; @/
    for (int64_t t = n; t > 0; t--) {
      /@ assert size: 1 <= shape[t - 1]; @/
      /@ assert own: batch_coordinate(shape, n, t - 1, b) == rest_of(shape, n, t, b) % shape[t - 1]; @/
      /@ assert next: rest_of(shape, n, t - 1, b) == rest_of(shape, n, t, b) / shape[t - 1]; @/
    }
  }
*/
