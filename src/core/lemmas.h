/* SPDX-License-Identifier: Apache-2.0 */
/* Lemma functions about sizes: ghost code whose loop is an induction that provers do not find. They
 * exist for the proofs only; a compiler sees comments. */
#ifndef SPW_CORE_LEMMAS_H
#define SPW_CORE_LEMMAS_H

#include <stdint.h>

#include "../../spec/acsl/sizes.acsl"

/*@ ghost
  /@ requires 0 <= a <= b && 0 <= c;
     terminates \true; exits \false; assigns \nothing;
     ensures 0 <= a * c <= b * c; @/
  void lem_mul_order(int64_t a, int64_t b, int64_t c) {
    /@ assert 0 <= (b - a) * c; @/
  }
*/

/*@ ghost
  /@ requires 0 <= n && non_negative(shape, n);
     terminates \true; exits \false; assigns \nothing;
     ensures has_zero(shape, n) ==> product(shape, n) == 0; @/
  void lem_product_zero(const int64_t *shape, int64_t n) {
    /@ loop invariant 0 <= i <= n;
       loop invariant has_zero(shape, i) ==> product(shape, i) == 0;
       loop assigns i; loop variant n - i; @/
    for (int64_t i = 0; i < n; i++) {
      /@ assert step: product(shape, i + 1) == product(shape, i) * shape[i]; @/
      /@ assert shape[i] == 0 ==> product(shape, i + 1) == 0; @/
      /@ assert split: has_zero(shape, i + 1) ==> (has_zero(shape, i) || shape[i] == 0); @/
    }
  }
*/

/*@ ghost
  /@ requires 0 <= n && positive(shape, n) && non_negative(strides, n);
     terminates \true; exits \false; assigns \nothing;
     ensures 0 <= reach(shape, strides, n); @/
  void lem_reach_sign(const int64_t *shape, const int64_t *strides, int64_t n) {
    /@ loop invariant 0 <= i <= n && 0 <= reach(shape, strides, i);
       loop assigns i; loop variant n - i; @/
    for (int64_t i = 0; i < n; i++) {
      /@ assert step: reach(shape, strides, i + 1) == reach(shape, strides, i) + (shape[i] - 1) * strides[i]; @/
      /@ assert term: 0 <= (shape[i] - 1) * strides[i]; @/
    }
  }
*/

/*@ ghost
  /@ requires 0 <= m <= n && positive(shape, n) && non_negative(strides, n);
     terminates \true; exits \false; assigns \nothing;
     ensures reach(shape, strides, m) <= reach(shape, strides, n); @/
  void lem_reach_grows(const int64_t *shape, const int64_t *strides, int64_t m, int64_t n) {
    /@ loop invariant m <= i <= n && reach(shape, strides, m) <= reach(shape, strides, i);
       loop assigns i; loop variant n - i; @/
    for (int64_t i = m; i < n; i++) {
      /@ assert step: reach(shape, strides, i + 1) == reach(shape, strides, i) + (shape[i] - 1) * strides[i]; @/
      /@ assert term: 0 <= (shape[i] - 1) * strides[i]; @/
    }
  }
*/

/*@ ghost
  /@ requires 0 <= n && equal(a, b, n);
     terminates \true; exits \false; assigns \nothing;
     ensures reach(a, strides, n) == reach(b, strides, n); @/
  void lem_reach_equal(const int64_t *a, const int64_t *b, const int64_t *strides, int64_t n) {
    /@ loop invariant 0 <= i <= n && reach(a, strides, i) == reach(b, strides, i);
       loop assigns i; loop variant n - i; @/
    for (int64_t i = 0; i < n; i++) {
      /@ assert step_a: reach(a, strides, i + 1) == reach(a, strides, i) + (a[i] - 1) * strides[i]; @/
      /@ assert step_b: reach(b, strides, i + 1) == reach(b, strides, i) + (b[i] - 1) * strides[i]; @/
    }
  }
*/

/*@ ghost
  /@ // a positive product has positive factors
     requires 0 <= n && non_negative(shape, n) && product(shape, n) > 0;
     terminates \true; exits \false; assigns \nothing;
     ensures positive(shape, n); @/
  void lem_product_positive(const int64_t *shape, int64_t n) {
    lem_product_zero(shape, n);
    /@ assert none: !has_zero(shape, n); @/
    /@ assert not_zero: \forall integer i; 0 <= i < n ==> shape[i] != 0; @/
  }
*/

/*@ ghost
  /@ // the entries from m on
     requires 0 <= m <= n && non_negative(shape, n);
     terminates \true; exits \false; assigns \nothing;
     ensures non_negative(shape + m, n - m); @/
  void lem_suffix(const int64_t *shape, int64_t m, int64_t n) {
    /@ assert \forall integer i; 0 <= i < n - m ==> 0 <= shape[m + i]; @/
  }
*/

#endif
