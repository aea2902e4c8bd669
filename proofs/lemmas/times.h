/* SPDX-License-Identifier: Apache-2.0 */
/* A lemma about products by additions: a ghost function, proved in times.c, which exists for the proofs only. */
#ifndef SPW_LEMMAS_TIMES_H
#define SPW_LEMMAS_TIMES_H

#include <stdint.h>

#include "../../spec/acsl/times.acsl"

/*@ ghost
  /@ requires sizes: 0 <= n && 0 <= m;
     terminates \true; exits \false; assigns \nothing;
     ensures product: \forall integer k; 0 <= k <= n ==> times(k, m) == k * m;
     ensures step: \forall integer k; 0 <= k < n ==> times(k + 1, m) == times(k, m) + m;
     ensures order: \forall integer a, b; 0 <= a <= b <= n ==> 0 <= times(a, m) <= times(b, m); @/
  void lem_times(int64_t n, int64_t m);
*/

#endif
