/* SPDX-License-Identifier: Apache-2.0 */
/* Where a line begins: the only products of the kernels, apart, so that their proofs speak of additions alone. */
#ifndef SPW_OPS_KERNELS_PLACE_H
#define SPW_OPS_KERNELS_PLACE_H

#include "../../../proofs/lemmas/times.h"

/*@ ghost
  /@ // what lem_times says without products
     requires sizes: 0 <= n && 0 <= m;
     terminates \true; exits \false; assigns \nothing;
     ensures step: \forall integer k; 0 <= k < n ==> times(k + 1, m) == times(k, m) + m;
     ensures order: \forall integer a, b; 0 <= a <= b <= n ==> 0 <= times(a, m) <= times(b, m); @/
  void lem_places(int64_t n, int64_t m) {
    lem_times(n, m);
  }
*/

/*@ ghost
  /@ // line r among the lines from .. to - 1
     requires sizes: 0 <= from <= r < to && 0 <= m;
     terminates \true; exits \false; assigns \nothing;
     ensures place: 0 <= times(from, m) <= times(r, m) && times(r, m) + m == times(r + 1, m) && times(r, m) + m <= times(to, m);
     ensures before: \forall integer t; from <= t < r ==> times(t, m) + m <= times(r, m);
     ensures behind: \forall integer t; r < t < to ==> times(r, m) + m <= times(t, m); @/
  void lem_line(int64_t from, int64_t r, int64_t to, int64_t m) {
    lem_places(to, m);
    /@ assert step: \forall integer t; from <= t < r ==> times(t, m) + m == times(t + 1, m) && times(t + 1, m) <= times(r, m); @/
  }
*/

/* Line k of lines that lie m apart. */
/*@ requires sizes: 0 <= k && 0 <= m && times(k, m) <= INT64_MAX;
    terminates \true; exits \false; assigns \nothing;
    ensures place: \result == times(k, m) && 0 <= \result; */
/* level L2 */
static inline int64_t spw_place(int64_t k, int64_t m)
{
  //@ ghost lem_times(k, m);
  //@ assert product: times(k, m) == k * m && 0 <= times(k, m);
  return k * m;
}

#endif
