/* SPDX-License-Identifier: Apache-2.0 */
/* Public helpers for callers who build shapes and show places. */
#include "../core/lemmas.h"
#include "finding.h"

/*@ requires entries: 0 < ndim <= SPW_NDIM_MAX ==> (shape != \null ==> \valid_read(shape + (0 .. ndim - 1))) &&
      (strides != \null ==> \valid(strides + (0 .. ndim - 1)));
    requires apart: 0 < ndim <= SPW_NDIM_MAX && shape != \null && strides != \null ==>
      \separated(shape + (0 .. ndim - 1), strides + (0 .. ndim - 1));
    terminates \true; exits \false;
    assigns strides[0 .. ndim - 1];
    ensures status: \result == SPW_OK || \result == SPW_EINVAL || \result == SPW_EOVERFLOW;
    ensures misuse: \result != SPW_OK ==> \forall integer i; 0 <= i < ndim && strides != \null && ndim <= SPW_NDIM_MAX ==> strides[i] == \old(strides[i]); */
/* level L1 */
spw_status spw_row_major_strides(int64_t ndim, const int64_t *shape, int64_t *strides)
{
  if (ndim < 0 || ndim > SPW_NDIM_MAX) return SPW_EINVAL;
  if (ndim == 0) return SPW_OK;
  if (shape == NULL || strides == NULL) return SPW_EINVAL;
  if (spw_negatives(shape, ndim).count > 0) return SPW_EINVAL;
  //@ ghost lem_suffix(shape, 1, ndim);
  if (spw_product(shape + 1, ndim - 1) < 0) return SPW_EOVERFLOW;
  int64_t stride = 1;
  /*@ loop invariant range: 0 <= i <= ndim;
      loop invariant sign: 0 <= stride;
      loop invariant shape: non_negative(shape, ndim);
      loop assigns i, stride, strides[0 .. ndim - 1];
      loop variant i; */
  for (int64_t i = ndim; i > 0; i--) {
    strides[i - 1] = stride;
    //@ assert kept: non_negative(shape, ndim);
    stride = spw_mul_saturated(stride, shape[i - 1]);
  }
  return SPW_OK;
}

/*@ requires entries: 0 < ndim <= SPW_NDIM_MAX ==> (shape != \null ==> \valid_read(shape + (0 .. ndim - 1))) &&
      (index != \null ==> \valid(index + (0 .. ndim - 1)));
    requires apart: 0 < ndim <= SPW_NDIM_MAX && shape != \null && index != \null ==>
      \separated(shape + (0 .. ndim - 1), index + (0 .. ndim - 1));
    terminates \true; exits \false;
    assigns index[0 .. ndim - 1];
    ensures status: \result == SPW_OK || \result == SPW_EINVAL; */
/* level L1 */
spw_status spw_unravel(int64_t flat, int64_t ndim, const int64_t *shape, int64_t *index)
{
  if (ndim < 0 || ndim > SPW_NDIM_MAX || flat < 0) return SPW_EINVAL;
  if (ndim == 0) return flat == 0 ? SPW_OK : SPW_EINVAL;
  if (shape == NULL || index == NULL) return SPW_EINVAL;
  if (spw_negatives(shape, ndim).count > 0) return SPW_EINVAL;
  const int64_t count = spw_product(shape, ndim);
  if (count >= 0 && flat >= count) return SPW_EINVAL;
  //@ ghost lem_product_positive(shape, ndim);
  int64_t rest = flat;
  /*@ loop invariant range: 0 <= i <= ndim && 0 <= rest;
      loop invariant shape: positive(shape, ndim);
      loop assigns i, rest, index[0 .. ndim - 1];
      loop variant i; */
  for (int64_t i = ndim; i > 0; i--) {
    index[i - 1] = rest % shape[i - 1];
    //@ assert kept: positive(shape, ndim);
    rest /= shape[i - 1];
  }
  return SPW_OK;
}
