/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of batches lie one behind the other, whether they are counted by batches or one by one: a ghost function, proved in
 * times.c. */
#ifndef SPW_LEMMAS_TIMES_TWICE_H
#define SPW_LEMMAS_TIMES_TWICE_H

#include "times.h"

/*@ ghost
  /@ // b batches of C parts of h each, and part i behind these
     requires sizes: 0 <= b && 0 <= C && 0 <= h && times(C, h) == w <= INT64_MAX;
     terminates \true; exits \false; assigns \nothing;
     ensures whole: times(times(b, C), h) == times(b, w);
     ensures part: \forall integer i; 0 <= i <= C ==> times(times(b, C) + i, h) == times(b, w) + times(i, h); @/
  void lem_times_twice(int64_t b, int64_t C, int64_t h, int64_t w);
*/

#endif
