/* SPDX-License-Identifier: Apache-2.0 */
#include "pairs.h"

/* An attribute that compiles the loops for more than one instruction set, from the Makefile. */
#ifndef SPW_CLONES
#define SPW_CLONES
#endif

/* level L2 */
SPW_CLONES
int spw_semi_pairs_fit(const uint32_t *x, int64_t pairs, uint32_t other)
{
  uint32_t most = 0;
  /*@ loop invariant range: 0 <= g <= pairs && 0 <= most <= 1;
      loop invariant fits: most == 0 <==> (\forall integer h; 0 <= h < g ==> pair_fits(x, h, other));
      loop assigns g, most;
      loop variant pairs - g; */
  for (int64_t g = 0; g < pairs; g++) {
    const uint32_t a = x[2 * g], b = x[2 * g + 1];
    const int zeros_a = (a == 0) + (a == other), zeros_b = (b == 0) + (b == other);
    //@ assert own: (zeros_a == 0 && zeros_b == 0) <==> !pair_fits(x, g, other);
    most = zeros_a + zeros_b == 0 ? 1 : most;
  }
  return most == 0;
}

/* level L2 */
int64_t spw_semi_first_unfit_pair(const uint32_t *x, int64_t pairs, uint32_t other)
{
  /*@ loop invariant range: 0 <= g <= pairs;
      loop invariant fits: \forall integer h; 0 <= h < g ==> pair_fits(x, h, other);
      loop assigns g;
      loop variant pairs - g; */
  for (int64_t g = 0; g < pairs; g++)
    if (x[2 * g] != 0 && x[2 * g] != other && x[2 * g + 1] != 0 && x[2 * g + 1] != other) return g;
  return pairs;
}
