/* SPDX-License-Identifier: Apache-2.0 */
/* The certifier says of two valid tensors of these shapes that they are the same exactly if each position is.
 * Needs structure. */
#include "operand.h"

#ifndef BLOCK
#define BLOCK {1, 1}
#endif
#ifndef ZEROS
#define ZEROS SPW_ZEROS_KEPT
#endif

bool spw_is_aligned(const void *data, spw_dtype dtype)
{
  assert(data && dtype == SPW_FLOAT32);
  return true;
}

int main(void)
{
  static operand a, b;
  const int block[2] = BLOCK;
  draw(&a, FROM, 2, 2, 1, 1, NSE, SPW_FLOAT32, SPW_CLAIM_YES);
  draw(&b, TO, 2, 2, block[0], block[1], NSE, SPW_FLOAT32, SPW_CLAIM_YES);
  __CPROVER_assume(holds(&a.m, true) && holds(&b.m, true));
  bool same = false, expected = true;
  assert(spw_certify_unchecked(&a.t, &b.t, ZEROS, &same) == SPW_OK);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      const found x = at(&a.m, i, j), y = at(&b.m, i, j);
      const bool drops = FROM == DENSE || (ZEROS & SPW_ZEROS_DROPPED) != 0, adds = TO == DENSE || (ZEROS & SPW_ZEROS_ADDED) != 0;
      const bool alike = (x.times > 0 ? x.first : 0) == (y.times > 0 ? y.first : 0);
      expected = expected && alike && (x.times == y.times || (x.times > y.times ? drops : adds));
    }
  assert(same == expected);
  return 0;
}
