/* SPDX-License-Identifier: Apache-2.0 */
/* Public helpers for callers who build shapes and show places. */
#include "../core/lemmas.h"
#include "../core/entries.h"

/*@ predicate shape_given{L}(integer ndim, int64_t *shape, int64_t *out) =
      0 <= ndim <= SPW_NDIM_MAX && (ndim > 0 ==> shape != \null && out != \null && non_negative(shape, ndim)); */

/*@ requires entries: 0 < ndim <= SPW_NDIM_MAX ==> (shape != \null ==> \valid_read(shape + (0 .. ndim - 1))) &&
      (strides != \null ==> \valid(strides + (0 .. ndim - 1)));
    requires apart: 0 < ndim <= SPW_NDIM_MAX && shape != \null && strides != \null ==>
      \separated(shape + (0 .. ndim - 1), strides + (0 .. ndim - 1));
    terminates \true; exits \false;
    assigns strides[0 .. ndim - 1];
    ensures status: \result == SPW_OK || \result == SPW_EINVAL || \result == SPW_EOVERFLOW;
    ensures invalid: \result != SPW_EINVAL <==> \old(shape_given(ndim, shape, strides));
    ensures overflow: \result == SPW_EOVERFLOW <==> \old(shape_given(ndim, shape, strides)) &&
      \exists integer i; 0 <= i < ndim && \old(row_stride(shape, ndim, i)) > INT64_MAX;
    ensures strides: \result == SPW_OK ==> \forall integer i; 0 <= i < ndim ==> strides[i] == \old(row_stride(shape, ndim, i));
    ensures untouched: \result != SPW_OK && 0 < ndim <= SPW_NDIM_MAX && strides != \null ==>
      \forall integer i; 0 <= i < ndim ==> strides[i] == \old(strides[i]); */
/* level L2 */
spw_status spw_row_major_strides(int64_t ndim, const int64_t *shape, int64_t *strides)
{
  if (ndim < 0 || ndim > SPW_NDIM_MAX) return SPW_EINVAL;
  if (ndim == 0) return SPW_OK;
  if (shape == NULL || strides == NULL) return SPW_EINVAL;
  if (!spw_entries_non_negative(shape, ndim)) return SPW_EINVAL;
  int64_t stride = 1;
  /*@ loop invariant range: 1 <= i <= ndim;
      loop invariant exact: 0 <= stride && stride == row_stride(shape, ndim, i - 1);
      loop invariant fit: \forall integer j; i - 1 <= j < ndim ==> 0 <= row_stride(shape, ndim, j) <= INT64_MAX;
      loop assigns i, stride;
      loop variant i; */
  for (int64_t i = ndim; i > 1; i--) {
    //@ assert unfold: row_stride(shape, ndim, i - 2) == stride * shape[i - 1];
    if (!spw_product_fits(stride, shape[i - 1], INT64_MAX)) return SPW_EOVERFLOW;
    //@ ghost lem_mul_order(0, stride, shape[i - 1]);
    stride *= shape[i - 1];
  }
  strides[ndim - 1] = 1;
  /*@ loop invariant range: 1 <= i <= ndim;
      loop invariant exact: \forall integer j; i - 1 <= j < ndim ==> strides[j] == row_stride{Pre}(shape, ndim, j);
      loop invariant kept: \forall integer j; 0 <= j < ndim ==> shape[j] == \at(shape[j], Pre);
      loop assigns i, strides[0 .. ndim - 2];
      loop variant i; */
  for (int64_t i = ndim; i > 1; i--) {
    //@ assert unfold: row_stride{Pre}(shape, ndim, i - 2) == strides[i - 1] * shape[i - 1];
    strides[i - 2] = strides[i - 1] * shape[i - 1];
  }
  return SPW_OK;
}

/*@ requires entries: 0 < ndim <= SPW_NDIM_MAX ==> (shape != \null ==> \valid_read(shape + (0 .. ndim - 1))) &&
      (index != \null ==> \valid(index + (0 .. ndim - 1)));
    requires apart: 0 < ndim <= SPW_NDIM_MAX && shape != \null && index != \null ==>
      \separated(shape + (0 .. ndim - 1), index + (0 .. ndim - 1));
    terminates \true; exits \false;
    assigns index[0 .. ndim - 1];
    ensures status: \result == SPW_OK || \result == SPW_EINVAL;
    ensures valid: \result == SPW_OK <==> \old(shape_given(ndim, shape, index)) && 0 <= flat < \old(product(shape, ndim));
    ensures index: \result == SPW_OK ==> \forall integer i; 0 <= i < ndim ==>
      index[i] == \old(rest_of(shape, ndim, i + 1, flat)) % \old(shape[i]);
    ensures untouched: \result != SPW_OK && 0 < ndim <= SPW_NDIM_MAX && index != \null ==>
      \forall integer i; 0 <= i < ndim ==> index[i] == \old(index[i]); */
/* level L2 */
spw_status spw_unravel(int64_t flat, int64_t ndim, const int64_t *shape, int64_t *index)
{
  if (ndim < 0 || ndim > SPW_NDIM_MAX || flat < 0) return SPW_EINVAL;
  if (ndim == 0) return flat == 0 ? SPW_OK : SPW_EINVAL;
  if (shape == NULL || index == NULL) return SPW_EINVAL;
  if (!spw_entries_non_negative(shape, ndim)) return SPW_EINVAL;
  const int64_t count = spw_product(shape, ndim);
  if (count >= 0 && flat >= count) return SPW_EINVAL;
  //@ ghost lem_product_positive(shape, ndim);
  int64_t rest = flat;
  /*@ loop invariant range: 0 <= i <= ndim && 0 <= rest;
      loop invariant shape: positive(shape, ndim);
      loop invariant kept: \forall integer j; 0 <= j < ndim ==> shape[j] == \at(shape[j], Pre);
      loop invariant rest: rest == rest_of{Pre}(shape, ndim, i, flat);
      loop invariant index: \forall integer j; i <= j < ndim ==>
        index[j] == rest_of{Pre}(shape, ndim, j + 1, flat) % \at(shape[j], Pre);
      loop assigns i, rest, index[0 .. ndim - 1];
      loop variant i; */
  for (int64_t i = ndim; i > 0; i--) {
    //@ assert unfold: rest_of{Pre}(shape, ndim, i - 1, flat) == rest / shape[i - 1];
    //@ assert positive: shape[i - 1] > 0;
    index[i - 1] = rest % shape[i - 1];
    //@ assert kept: positive(shape, ndim);
    rest /= shape[i - 1];
  }
  return SPW_OK;
}
