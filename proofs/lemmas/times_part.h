/* SPDX-License-Identifier: Apache-2.0 */
/* Where a part of several batches begins, and where each of its own does: ghost functions, proved in times.c, which exist
 * for the proofs only. */
#ifndef SPW_LEMMAS_TIMES_PART_H
#define SPW_LEMMAS_TIMES_PART_H

#include "times_at.h"

/*@ // n batches of m elements each, counted from number `from` on, lie behind those before
    predicate parts_follow(integer from, integer n, integer m) =
      \forall integer q; 0 <= q <= n ==> times(from + q, m) == times(from, m) + times(q, m);
*/

/*@ ghost
  /@ requires sizes: 0 <= k && 0 <= m;
     terminates \true; exits \false; assigns \nothing;
     ensures product: times(k, m) == k * m; @/
  void lem_times_product(int64_t k, int64_t m);

  /@ requires sizes: 0 <= from && 0 <= n && from + n <= INT64_MAX && 0 <= m;
     terminates \true; exits \false; assigns \nothing;
     ensures follow: parts_follow(from, n, m); @/
  void lem_times_part(int64_t from, int64_t n, int64_t m);
*/

#endif
