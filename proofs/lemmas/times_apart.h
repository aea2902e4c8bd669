/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a matrix lie one behind the other: a ghost function, proved in times.c. */
#ifndef SPW_LEMMAS_TIMES_APART_H
#define SPW_LEMMAS_TIMES_APART_H

#include "times.h"

/*@ ghost
  /@ requires sizes: 0 <= n && 0 <= m;
     terminates \true; exits \false; assigns \nothing;
     ensures product: \forall integer k; 0 <= k <= n ==> times(k, m) == k * m;
     ensures within: \forall integer k; 0 <= k < n ==> 0 <= times(k, m) && times(k, m) + m <= times(n, m);
     ensures order: \forall integer a, b; 0 <= a < b < n ==> times(a, m) + m <= times(b, m); @/
  void lem_times_apart(int64_t n, int64_t m);
*/

#endif
