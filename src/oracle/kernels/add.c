/* SPDX-License-Identifier: Apache-2.0 */
#include "limbs.h"

/* level L2 */
uint32_t spw_limbs_add(uint32_t *sum, int64_t n, const uint32_t *digits, int64_t count)
{
  uint64_t carried = 0;
  int64_t i = 0;
  /*@ loop invariant range: 0 <= i <= count;
      loop invariant carried: carried == carry{Pre}(sum, digits, count, i) && 0 <= carried <= 1;
      loop invariant digits: \forall integer k; 0 <= k < count ==> digits[k] == limb{Pre}(digits, k);
      loop invariant rest: \forall integer k; i <= k < n ==> sum[k] == limb{Pre}(sum, k);
      loop invariant done: \forall integer k; 0 <= k < i ==>
        sum[k] + carry{Pre}(sum, digits, count, k + 1) * 4294967296 ==
        limb{Pre}(sum, k) + limb_or_0{Pre}(digits, count, k) + carry{Pre}(sum, digits, count, k);
      loop assigns i, carried, sum[0 .. count - 1];
      loop variant count - i; */
  for (; i < count; i++) {
    carried += (uint64_t)sum[i] + digits[i];
    //@ assert step: carry{Pre}(sum, digits, count, i + 1) == carried / 4294967296;
    sum[i] = (uint32_t)(carried % SPW_LIMB_BASE);
    carried /= SPW_LIMB_BASE;
  }
  /*@ loop invariant range: count <= i <= n;
      loop invariant carried: carried == carry{Pre}(sum, digits, count, i) && 0 <= carried <= 1;
      loop invariant rest: \forall integer k; i <= k < n ==> sum[k] == limb{Pre}(sum, k);
      loop invariant done: \forall integer k; 0 <= k < i ==>
        sum[k] + carry{Pre}(sum, digits, count, k + 1) * 4294967296 ==
        limb{Pre}(sum, k) + limb_or_0{Pre}(digits, count, k) + carry{Pre}(sum, digits, count, k);
      loop assigns i, carried, sum[count .. n - 1];
      loop variant n - i; */
  for (; i < n && carried > 0; i++) {
    carried += sum[i];
    //@ assert step: carry{Pre}(sum, digits, count, i + 1) == carried / 4294967296;
    sum[i] = (uint32_t)(carried % SPW_LIMB_BASE);
    carried /= SPW_LIMB_BASE;
  }
  /*@ ghost
    /@ loop invariant range: 0 <= j <= n;
       loop invariant small: 0 <= carry{Pre}(sum, digits, count, j) <= 1;
       loop invariant none: i <= j ==> carry{Pre}(sum, digits, count, j) == carried;
       loop invariant exact: j <= count ==> limbs(sum, j) + carry{Pre}(sum, digits, count, j) * pow32(j) ==
         limbs{Pre}(sum, j) + limbs{Pre}(digits, j);
       loop invariant beyond: count <= j ==> limbs(sum, j) + carry{Pre}(sum, digits, count, j) * pow32(j) ==
         limbs{Pre}(sum, j) + limbs{Pre}(digits, count);
       loop assigns j; loop variant n - j; @/
    for (int64_t j = 0; j < n; j++) {
      /@ assert power: pow32(j + 1) == 4294967296 * pow32(j); @/
      /@ assert digit: sum[j] == limb{Pre}(sum, j) + limb_or_0{Pre}(digits, count, j) + carry{Pre}(sum, digits, count, j) -
           carry{Pre}(sum, digits, count, j + 1) * 4294967296; @/
      /@ assert split: sum[j] * pow32(j) == limb{Pre}(sum, j) * pow32(j) + limb_or_0{Pre}(digits, count, j) * pow32(j) +
           carry{Pre}(sum, digits, count, j) * pow32(j) - carry{Pre}(sum, digits, count, j + 1) * (4294967296 * pow32(j)); @/
      /@ assert next: carry{Pre}(sum, digits, count, j + 1) * pow32(j + 1) ==
           carry{Pre}(sum, digits, count, j + 1) * (4294967296 * pow32(j)); @/
      /@ assert other: j < count ==> limbs{Pre}(digits, j + 1) == limbs{Pre}(digits, j) + limb{Pre}(digits, j) * pow32(j); @/
      /@ assert within: j < count ==> limb_or_0{Pre}(digits, count, j) * pow32(j) == limb{Pre}(digits, j) * pow32(j); @/
      /@ assert beyond: j >= count ==> limb_or_0{Pre}(digits, count, j) * pow32(j) == 0; @/
      /@ assert unfold: carry{Pre}(sum, digits, count, j + 1) ==
           (limb{Pre}(sum, j) + limb_or_0{Pre}(digits, count, j) + carry{Pre}(sum, digits, count, j)) / 4294967296; @/
      /@ assert now: limbs(sum, j + 1) == limbs(sum, j) + sum[j] * pow32(j); @/
      /@ assert before: limbs{Pre}(sum, j + 1) == limbs{Pre}(sum, j) + limb{Pre}(sum, j) * pow32(j); @/
    }
  */
  //@ assert last: carry{Pre}(sum, digits, count, n) == carried;
  //@ assert whole: limbs(sum, n) + carried * pow32(n) == limbs{Pre}(sum, n) + limbs{Pre}(digits, count);
  return (uint32_t)carried;
}
