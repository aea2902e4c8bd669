/* SPDX-License-Identifier: Apache-2.0 */
#include "limbs.h"

/*@ ghost
  /@ // n limbs are less than one unit of the next
     requires number: 0 <= n && \valid_read(a + (0 .. n - 1));
     terminates \true; exits \false; assigns \nothing;
     ensures below: 0 <= limbs(a, n) < pow32(n); @/
  void lem_limbs_below(const uint32_t *a, int64_t n) {
    /@ loop invariant range: 0 <= i <= n;
       loop invariant below: 0 <= limbs(a, i) < pow32(i);
       loop assigns i; loop variant n - i; @/
    for (int64_t i = 0; i < n; i++) {
      /@ assert power: pow32(i + 1) == 4294967296 * pow32(i); @/
      /@ assert unfold: limbs(a, i + 1) == limbs(a, i) + a[i] * pow32(i); @/
      /@ assert digit: 0 <= a[i] <= 4294967295; @/
      /@ assert most: 0 <= a[i] * pow32(i) <= 4294967295 * pow32(i); @/
    }
  }
*/

/*@ ghost
  /@ // the first limb that differs, from the top, decides
     requires numbers: 0 <= m < n && \valid_read(a + (0 .. n - 1)) && \valid_read(b + (0 .. n - 1));
     requires less: a[m] < b[m];
     requires same: \forall integer k; m < k < n ==> a[k] == b[k];
     terminates \true; exits \false; assigns \nothing;
     ensures less: limbs(a, n) < limbs(b, n); @/
  void lem_limbs_less(const uint32_t *a, const uint32_t *b, int64_t m, int64_t n) {
    lem_limbs_below(a, m);
    lem_limbs_below(b, m);
    /@ assert unfold_a: limbs(a, m + 1) == limbs(a, m) + a[m] * pow32(m); @/
    /@ assert unfold_b: limbs(b, m + 1) == limbs(b, m) + b[m] * pow32(m); @/
    /@ assert step: (a[m] + 1) * pow32(m) <= b[m] * pow32(m); @/
    /@ loop invariant range: m + 1 <= i <= n;
       loop invariant less: limbs(a, i) < limbs(b, i);
       loop assigns i; loop variant n - i; @/
    for (int64_t i = m + 1; i < n; i++) {
      /@ assert digit: a[i] == b[i]; @/
      /@ assert product: a[i] * pow32(i) == b[i] * pow32(i); @/
      /@ assert next_a: limbs(a, i + 1) == limbs(a, i) + a[i] * pow32(i); @/
      /@ assert next_b: limbs(b, i + 1) == limbs(b, i) + b[i] * pow32(i); @/
    }
  }
*/

/*@ ghost
  /@ requires numbers: 0 <= n && \valid_read(a + (0 .. n - 1)) && \valid_read(b + (0 .. n - 1));
     requires same: \forall integer k; 0 <= k < n ==> a[k] == b[k];
     terminates \true; exits \false; assigns \nothing;
     ensures same: limbs(a, n) == limbs(b, n); @/
  void lem_limbs_same(const uint32_t *a, const uint32_t *b, int64_t n) {
    /@ loop invariant range: 0 <= i <= n;
       loop invariant same: limbs(a, i) == limbs(b, i);
       loop assigns i; loop variant n - i; @/
    for (int64_t i = 0; i < n; i++) {
      /@ assert digit: a[i] == b[i]; @/
      /@ assert product: a[i] * pow32(i) == b[i] * pow32(i); @/
      /@ assert next_a: limbs(a, i + 1) == limbs(a, i) + a[i] * pow32(i); @/
      /@ assert next_b: limbs(b, i + 1) == limbs(b, i) + b[i] * pow32(i); @/
    }
  }
*/

/* level L2 */
int spw_limbs_compare(const uint32_t *a, const uint32_t *b, int64_t n)
{
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant same: \forall integer k; i <= k < n ==> a[k] == b[k];
      loop assigns i;
      loop variant i; */
  for (int64_t i = n; i > 0; i--) {
    if (a[i - 1] < b[i - 1]) {
      //@ ghost lem_limbs_less(a, b, i - 1, n);
      return -1;
    }
    if (a[i - 1] > b[i - 1]) {
      //@ ghost lem_limbs_less(b, a, i - 1, n);
      return 1;
    }
  }
  //@ ghost lem_limbs_same(a, b, n);
  return 0;
}
