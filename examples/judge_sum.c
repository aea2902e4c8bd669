/* SPDX-License-Identifier: Apache-2.0 */
/* Is a float32 sum of products right? No tolerance: the bound is that of the precision. */
#include <math.h>
#include <sparsewright.h>
#include <stdio.h>
#include <string.h>

static void judge(const char *what, const spw_exact *sum, float y)
{
  uint32_t bits;
  memcpy(&bits, &y, sizeof bits);
  const spw_finding_of_sum f = spw_exact_judge(sum, SPW_IN_FLOAT32, SPW_FLOAT32, bits);
  printf("%s: %s, %g beside %g, %.2g of the bound\n", what, spw_verdict_name(f.verdict), (double)y, f.sum, f.ratio);
}

int main(void)
{
  const float a[] = {1e8f, 1, -1e8f, 0.1f}, x[] = {1, 3, 1, 1};
  float forwards = 0, sorted = 0;
  spw_exact sum;
  spw_exact_start(&sum);
  for (int i = 0; i < 4; i++) {
    if (spw_exact_add_product(&sum, a[i], x[i]) != SPW_OK) return 1;
    forwards += a[i] * x[i];
  }
  sorted = a[0] * x[0] + a[2] * x[2] + a[3] * x[3] + a[1] * x[1];
  judge("in order", &sum, forwards);
  judge("cancelled first", &sum, sorted);
  judge("the large term lost", &sum, 1e8f);
  judge("not a number", &sum, NAN);
  return 0;
}
