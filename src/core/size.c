/* SPDX-License-Identifier: Apache-2.0 */
#include "lemmas.h"
#include "size.h"

/* level L2 */
int spw_product_fits(int64_t a, int64_t b, int64_t limit)
{
  if (a == 0) return 1;
  //@ assert division: (limit / a) * a <= limit < (limit / a + 1) * a;
  //@ assert low: b <= limit / a ==> b * a <= (limit / a) * a;
  //@ assert high: b >= limit / a + 1 ==> b * a >= (limit / a + 1) * a;
  return b <= limit / a;
}

/* level L2 */
int64_t spw_add_saturated(int64_t a, int64_t b)
{
  if (b > 0 && a > INT64_MAX - b) return INT64_MAX;
  if (b < 0 && a < INT64_MIN - b) return INT64_MIN;
  return a + b;
}

/* level L2 */
int64_t spw_sub_saturated(int64_t a, int64_t b)
{
  if (b > 0 && a < INT64_MIN + b) return INT64_MIN;
  if (b < 0 && a > INT64_MAX + b) return INT64_MAX;
  return a - b;
}

/* level L2 */
int64_t spw_mul_saturated(int64_t a, int64_t b)
{
  return spw_product_fits(a, b, INT64_MAX) ? a * b : INT64_MAX;
}

/*@ ghost
  /@ // factors of at least 1 never make a product smaller
     requires 0 <= m <= n && positive(shape, n) && product(shape, m) > INT64_MAX;
     terminates \true; exits \false; assigns \nothing;
     ensures product(shape, n) > INT64_MAX; @/
  void lem_product_grows(const int64_t *shape, int64_t m, int64_t n) {
    /@ loop invariant m <= i <= n && product(shape, i) > INT64_MAX;
       loop assigns i; loop variant n - i; @/
    for (int64_t i = m; i < n; i++) {
      /@ assert step: product(shape, i + 1) == product(shape, i) * shape[i]; @/
      /@ assert one: 1 <= shape[i]; @/
      /@ assert more: product(shape, i) * shape[i] >= product(shape, i) * 1; @/
    }
  }
*/

/* level L2 */
int64_t spw_product(const int64_t *shape, int64_t n)
{
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant none: positive(shape, i);
      loop assigns i;
      loop variant n - i; */
  for (int64_t i = 0; i < n; i++)
    if (shape[i] == 0) {
      //@ ghost lem_product_zero(shape, n);
      return 0;
    }
  int64_t result = 1;
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant exact: 1 <= result && result == product(shape, i);
      loop assigns i, result;
      loop variant n - i; */
  for (int64_t i = 0; i < n; i++) {
    //@ assert step: product(shape, i + 1) == product(shape, i) * shape[i];
    if (!spw_product_fits(result, shape[i], INT64_MAX)) {
      //@ ghost lem_product_grows(shape, i + 1, n);
      return -1;
    }
    //@ assert grows: 1 * shape[i] <= result * shape[i];
    result *= shape[i];
  }
  return result;
}

/* level L2 */
int64_t spw_position_of(const int64_t *shape, const int64_t *strides, int64_t n, int64_t flat)
{
  int64_t result = 0, rest = flat;
  //@ ghost lem_reach_sign(shape, strides, n);
  /*@ loop invariant range: 0 <= i <= n && 0 <= rest;
      loop invariant exact: result + position_of(shape, strides, i, rest)
                            == position_of(shape, strides, n, flat);
      loop invariant low: 0 <= result;
      loop invariant high: result + reach(shape, strides, i) <= reach(shape, strides, n);
      loop invariant reach: 0 <= reach(shape, strides, n) <= INT64_MAX;
      loop assigns i, result, rest;
      loop variant i; */
  for (int64_t i = n; i > 0; i--) {
    const int64_t size = shape[i - 1], stride = strides[i - 1];
    //@ assert positive: size > 0;
    const int64_t index = rest % size;
    //@ assert unfold: position_of(shape, strides, i, rest) == position_of(shape, strides, i - 1, rest / size) + index * stride;
    //@ assert unfold_reach: reach(shape, strides, i) == reach(shape, strides, i - 1) + (size - 1) * stride;
    //@ assert small: 0 <= index <= size - 1;
    //@ ghost lem_mul_order(index, size - 1, stride);
    //@ ghost lem_reach_sign(shape, strides, i - 1);
    result += index * stride;
    rest /= size;
  }
  return result;
}

/* level L2 */
int spw_inside_storage(const int64_t *shape, const int64_t *strides, int64_t n, int64_t offset, int64_t length)
{
  if (offset < 0) return 0;
  int empty = 0;
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant sign: non_negative(strides, i);
      loop invariant empty: empty == 0 || empty == 1;
      loop invariant zero: empty == 1 <==> has_zero(shape, i);
      loop assigns i, empty;
      loop variant n - i; */
  for (int64_t i = 0; i < n; i++) {
    if (strides[i] < 0) return 0;
    if (shape[i] == 0) empty = 1;
  }
  if (empty) return 1;
  //@ assert positive: positive(shape, n);
  //@ ghost lem_reach_sign(shape, strides, n);
  if (offset >= length) return 0;
  int64_t left = length - 1 - offset;
  /*@ loop invariant range: 0 <= i <= n && 0 <= left < length;
      loop invariant exact: left == length - 1 - offset - reach(shape, strides, i);
      loop assigns i, left;
      loop variant n - i; */
  for (int64_t i = 0; i < n; i++) {
    //@ assert step: reach(shape, strides, i + 1) == reach(shape, strides, i) + (shape[i] - 1) * strides[i];
    if (!spw_product_fits(shape[i] - 1, strides[i], left)) {
      //@ ghost lem_reach_grows(shape, strides, i + 1, n);
      return 0;
    }
    //@ ghost lem_mul_order(0, shape[i] - 1, strides[i]);
    left -= (shape[i] - 1) * strides[i];
  }
  return 1;
}
