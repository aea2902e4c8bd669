/* SPDX-License-Identifier: Apache-2.0 */
#include "prune.h"

/* level L2 */
uint8_t spw_semi_prune_code(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
  const int ab = a >= b, ac = a >= c, ad = a >= d, bc = b >= c, bd = b >= d, cd = c >= d;
  const int before_a = !ab + !ac + !ad, before_b = ab + !bc + !bd, before_c = ac + bc + !cd;
  if (before_a < 2) {
    if (before_b < 2) return 4;
    if (before_c < 2) return 8;
    return 12;
  }
  if (before_b < 2) {
    if (before_c < 2) return 9;
    return 13;
  }
  return 14;
}
