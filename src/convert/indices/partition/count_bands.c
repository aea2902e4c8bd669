/* SPDX-License-Identifier: Apache-2.0 */
#include "count_bands.h"
#include "bands.h"
#include "../sort/key_parts.h"

/* level L1 */
int64_t spw_count_bands(int64_t major, int64_t minor_size, int64_t most, int *bits, uint64_t *width)
{
  int b = 0;
  uint64_t w = 1;
  const uint64_t last = minor_size > 0 ? (uint64_t)minor_size - 1 : 0;
  //@ assert unit: pow2(0) == 1;
  /*@ loop invariant range: 0 <= b <= 62 && 1 <= w == pow2(b) <= INT64_MAX;
      loop assigns b, w;
      loop variant 62 - b; */
  while (b < 62 && w <= INT64_MAX / 2 && last >> b >= (uint64_t)most) {
    //@ assert twice: pow2(b + 1) == 2 * pow2(b);
    b++;
    w *= 2;
  }
  *bits = b;
  *width = w;
  //@ ghost lem_band_of((int64_t)last, b, w);
  const uint64_t before = last >> b;
  if (minor_size == 0 || before >= (uint64_t)most || (uint64_t)major > UINT64_MAX / w) return 0;
  //@ ghost lem_key_fits((uint64_t)major, (uint64_t)major + 1, w);
  //@ assert quotient: (UINT64_MAX / w) * w <= UINT64_MAX;
  //@ assert product: major * w <= (UINT64_MAX / w) * w;
  //@ assert keys: times(major, w) == major * w <= UINT64_MAX;
  //@ assert unfold: times(before + 1, w) == times(before, w) + w;
  return (int64_t)before + 1;
}
