/* SPDX-License-Identifier: Apache-2.0 */
#include "limbs.h"

/* level L2 */
uint32_t spw_limbs_subtract(uint32_t *a, const uint32_t *b, int64_t n)
{
  uint64_t borrowed = 0;
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant borrowed: borrowed == borrow{Pre}(a, b, i) && 0 <= borrowed <= 1;
      loop invariant other: \forall integer k; 0 <= k < n ==> b[k] == limb{Pre}(b, k);
      loop invariant rest: \forall integer k; i <= k < n ==> a[k] == limb{Pre}(a, k);
      loop invariant done: \forall integer k; 0 <= k < i ==>
        a[k] == limb{Pre}(a, k) - limb{Pre}(b, k) - borrow{Pre}(a, b, k) + borrow{Pre}(a, b, k + 1) * 4294967296;
      loop assigns i, borrowed, a[0 .. n - 1];
      loop variant n - i; */
  for (int64_t i = 0; i < n; i++) {
    const uint64_t difference = SPW_LIMB_BASE + (uint64_t)a[i] - b[i] - borrowed;
    //@ assert exact: difference == 4294967296 + a[i] - b[i] - borrowed;
    //@ assert step: borrow{Pre}(a, b, i + 1) == (difference < 4294967296 ? 1 : 0);
    a[i] = (uint32_t)(difference % SPW_LIMB_BASE);
    borrowed = difference < SPW_LIMB_BASE ? 1 : 0;
  }
  /*@ ghost int64_t j = 0;
    /@ loop invariant range: 0 <= j <= n;
       loop invariant small: 0 <= borrow{Pre}(a, b, j) <= 1;
       loop invariant exact: limbs(a, j) == limbs{Pre}(a, j) - limbs{Pre}(b, j) + borrow{Pre}(a, b, j) * pow32(j);
       loop assigns j; loop variant n - j; @/
    for (; j < n; j++) {
      /@ assert power: pow32(j + 1) == 4294967296 * pow32(j); @/
      /@ assert digit: a[j] == limb{Pre}(a, j) - limb{Pre}(b, j) - borrow{Pre}(a, b, j) + borrow{Pre}(a, b, j + 1) * 4294967296; @/
      /@ assert split: a[j] * pow32(j) == limb{Pre}(a, j) * pow32(j) - limb{Pre}(b, j) * pow32(j) -
           borrow{Pre}(a, b, j) * pow32(j) + borrow{Pre}(a, b, j + 1) * (4294967296 * pow32(j)); @/
      /@ assert next: borrow{Pre}(a, b, j + 1) * pow32(j + 1) == borrow{Pre}(a, b, j + 1) * (4294967296 * pow32(j)); @/
      /@ assert now: limbs(a, j + 1) == limbs(a, j) + a[j] * pow32(j); @/
      /@ assert before: limbs{Pre}(a, j + 1) == limbs{Pre}(a, j) + limb{Pre}(a, j) * pow32(j); @/
      /@ assert other: limbs{Pre}(b, j + 1) == limbs{Pre}(b, j) + limb{Pre}(b, j) * pow32(j); @/
    }
  */
  //@ assert end: j == n;
  //@ assert last: borrow{Pre}(a, b, j) == borrowed;
  //@ assert product: borrow{Pre}(a, b, j) * pow32(j) == borrowed * pow32(n);
  //@ assert whole: limbs(a, n) == limbs{Pre}(a, n) - limbs{Pre}(b, n) + borrowed * pow32(n);
  return (uint32_t)borrowed;
}
