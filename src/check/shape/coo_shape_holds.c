/* SPDX-License-Identifier: Apache-2.0 */
/* The shape rules of COO. */
#include "shape_tests.h"

/*@ requires readable: tensor_readable(t) && t->layout == SPW_COO;
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> rule_1_3(t) && rule_1_4(t) && rule_1_5(t); */
/* level L2 */
static int types_hold(const spw_tensor *t)
{
  const spw_dtype type = t->plain.array.dtype, declared = t->index_dtype;
  const spw_dtype dtype = t->values.array.dtype;
  return (type == SPW_INT32 || type == SPW_INT64) &&
         (declared == SPW_DTYPE_NONE || declared == SPW_INT32 || declared == SPW_INT64) &&
         dtype >= SPW_BOOL && dtype <= SPW_COMPLEX128 &&
         (t->dtype == SPW_DTYPE_NONE || t->dtype == dtype);
}

/*@ requires readable: tensor_readable(t) && t->layout == SPW_COO;
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> rule_3_12(t) && rule_3_14(t); */
/* level L2 */
static int members_inside(const spw_tensor *t)
{
  return spw_member_inside(&t->plain.array) && spw_member_inside(&t->values.array) &&
         (!t->has_size || spw_entries_non_negative(t->size, t->ndim));
}

/*@ requires readable: tensor_readable(t) && t->layout == SPW_COO;
    requires signs: rule_3_12(t);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> rule_6_1(t) && rule_6_2(t) && rule_6_3(t); */
/* level L2 */
static int ranks_hold(const spw_tensor *t)
{
  return t->plain.array.ndim == 2 && t->values.array.ndim >= 1 &&
         t->values.array.shape[0] == t->plain.array.shape[1] &&
         (!t->has_size || t->ndim - (t->values.array.ndim - 1) == t->plain.array.shape[0]);
}

/* Does none of n entries exceed max? */
/*@ requires entries: 0 <= n <= SPW_NDIM_MAX && \valid_read(a + (0 .. n - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> \forall integer i; 0 <= i < n ==> a[i] <= max; */
/* level L2 */
static int at_most(const int64_t *a, int64_t n, int64_t max)
{
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant small: \forall integer k; 0 <= k < i ==> a[k] <= max;
      loop assigns i;
      loop variant n - i; */
  for (int64_t i = 0; i < n; i++)
    if (a[i] > max) return 0;
  return 1;
}

/*@ requires readable: tensor_readable(t) && t->layout == SPW_COO;
    requires types: rule_1_3(t);
    requires ranks: rule_6_1(t) && rule_6_2(t) && rule_6_3(t) && rule_3_12(t);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> rule_1_6(t) && rule_6_4(t) && rule_3_11(t); */
/* level L2 */
static int sizes_hold(const spw_tensor *t)
{
  const int64_t max = t->plain.array.dtype == SPW_INT32 ? INT32_MAX : INT64_MAX;
  if (t->plain.array.shape[1] > max) return 0;
  if (!t->has_size) return 1;
  const int64_t dense_dims = t->values.array.ndim - 1, sparse_dim = t->ndim - dense_dims;
  //@ assert aligned: coo_aligned(t) && sparse_dim == sparse_dim(t);
  const int small = at_most(t->size, sparse_dim, max);
  //@ assert small: small == 1 <==> rule_1_6(t);
  /* without entries the size may be null, to which nothing can be added */
  const int same = dense_dims == 0 || spw_entries_equal(t->values.array.shape + 1, t->size + sparse_dim, dense_dims);
  //@ assert same: same == 1 <==> rule_6_4(t);
  return small && same && spw_product(t->size, t->ndim) >= 0;
}

/* level L2 */
int spw_coo_shape_holds(const spw_tensor *t)
{
  return types_hold(t) && members_inside(t) && ranks_hold(t) && sizes_hold(t);
}
