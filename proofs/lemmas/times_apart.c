/* SPDX-License-Identifier: Apache-2.0 */
#include "times_apart.h"

/*@ ghost
  void lem_times_apart(int64_t n, int64_t m) {
    lem_times(n, m);
    /@ assert next: \forall integer k; 0 <= k < n ==> times(k, m) + m == times(k + 1, m); @/
  }
*/
