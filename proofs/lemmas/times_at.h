/* SPDX-License-Identifier: Apache-2.0 */
/* Products by additions at two places: a ghost function, proved in times.c. It says of two numbers what lem_times says of
 * all, where what is quantified, and products, would keep the provers busy. */
#ifndef SPW_LEMMAS_TIMES_AT_H
#define SPW_LEMMAS_TIMES_AT_H

#include "times.h"

/*@ ghost
  /@ requires sizes: 0 <= a <= b && 0 <= m;
     terminates \true; exits \false; assigns \nothing;
     ensures order: 0 <= times(a, m) <= times(b, m);
     ensures step: a < b ==> times(a, m) + m == times(a + 1, m) <= times(b, m); @/
  void lem_times_at(int64_t a, int64_t b, int64_t m);

  /@ // of all before n, too
     requires sizes: 0 <= n && 0 <= m;
     terminates \true; exits \false; assigns \nothing;
     ensures order: 0 <= times(n, m);
     ensures within: \forall integer k; 0 <= k < n ==> 0 <= times(k, m) && times(k, m) + m <= times(n, m); @/
  void lem_times_within(int64_t n, int64_t m);

  /@ requires sizes: 0 <= a <= b && 0 <= m;
     terminates \true; exits \false; assigns \nothing;
     ensures sum: times(a, m) + times(b - a, m) == times(b, m); @/
  void lem_times_sum(int64_t a, int64_t b, int64_t m);

  /@ // n blocks of bh lines of bw elements have bh lines of n times bw
     requires sizes: 0 <= n && 0 < bh && 0 < bw && times(bh, bw) == bs && times(n, bs) <= INT64_MAX;
     terminates \true; exits \false; assigns \nothing;
     ensures width: 0 <= times(n, bw) <= times(n, bs);
     ensures area: times(bh, times(n, bw)) == times(n, bs); @/
  void lem_times_area(int64_t n, int64_t bh, int64_t bw, int64_t bs);
*/

#endif
