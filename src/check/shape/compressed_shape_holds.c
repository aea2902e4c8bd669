/* SPDX-License-Identifier: Apache-2.0 */
/* The shape rules of the compressed layouts, a few at a time. */
#include "shape_tests.h"
#include "../../core/lemmas.h"

/*@ requires readable: tensor_readable(t) && compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==>
      rule_1_1(t) && rule_1_2(t) && rule_1_3(t) && rule_1_4(t) && rule_1_5(t); */
/* level L2 */
static int types_hold(const spw_tensor *t)
{
  const spw_dtype type = t->compressed.array.dtype, dtype = t->values.array.dtype;
  return (type == SPW_INT32 || type == SPW_INT64) && t->plain.array.dtype == type &&
         (t->index_dtype == SPW_DTYPE_NONE || t->index_dtype == type) &&
         dtype >= SPW_BOOL && dtype <= SPW_COMPLEX128 &&
         (t->dtype == SPW_DTYPE_NONE || t->dtype == dtype);
}

/*@ requires readable: tensor_readable(t) && compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==>
      rule_3_2(t) && rule_3_3(t) && rule_3_4(t) && (sized(t) ==> aligned(t)); */
/* level L2 */
static int ranks_hold(const spw_tensor *t)
{
  const int64_t batch_dims = t->compressed.array.ndim - 1;
  const int64_t block_dims = t->layout == SPW_BSR || t->layout == SPW_BSC ? 2 : 0;
  const int64_t dense_dims = t->values.array.ndim - batch_dims - 1 - block_dims;
  return batch_dims >= 0 && dense_dims >= 0 && t->plain.array.ndim == batch_dims + 1 &&
         (!t->has_size || t->ndim == batch_dims + 2 + dense_dims);
}

/*@ requires readable: tensor_readable(t) && compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> rule_3_12(t) && rule_3_14(t); */
/* level L2 */
static int members_inside(const spw_tensor *t)
{
  return spw_member_inside(&t->compressed.array) && spw_member_inside(&t->plain.array) &&
         spw_member_inside(&t->values.array) &&
         (!t->has_size || spw_entries_non_negative(t->size, t->ndim));
}

/* The batch shape, nse and the dense shape are the same everywhere. */
/*@ requires readable: tensor_readable(t) && compressed_layout(t);
    requires ranks: rule_3_2(t) && rule_3_3(t) && rule_3_4(t) && (sized(t) ==> aligned(t));
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> rule_3_9(t) && rule_3_10(t) &&
      (sized(t) ==> equal(t->size, t->compressed.array.shape, batch_dims(t))); */
/* level L2 */
static int shapes_agree(const spw_tensor *t)
{
  const int64_t batch_dims = t->compressed.array.ndim - 1;
  const int64_t *const batch = t->compressed.array.shape, *const values = t->values.array.shape;
  if (!spw_entries_equal(t->plain.array.shape, batch, batch_dims)) return 0;
  if (!spw_entries_equal(values, batch, batch_dims)) return 0;
  if (values[batch_dims] != t->plain.array.shape[batch_dims]) return 0;
  if (!t->has_size) return 1;
  const int64_t dense_dims = t->ndim - batch_dims - 2, dense = t->values.array.ndim - dense_dims;
  return spw_entries_equal(t->size, batch, batch_dims) &&
         spw_entries_equal(values + dense, t->size + (batch_dims + 2), dense_dims);
}

/* C, P and nse of a tensor with a size. */
/*@ requires readable: tensor_readable(t) && compressed_layout(t);
    requires type: is_index_type(index_type(t)) && max == index_max(index_type(t));
    requires size: aligned(t) && rule_3_3(t) && rule_3_12(t);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==>
      divides(t, 0) && divides(t, 1) && rule_1_6_compressed(t) && rule_3_8(t); */
/* level L2 */
static int given_sizes_fit(const spw_tensor *t, int64_t max)
{
  const int64_t last = t->compressed.array.ndim - 1;
  const int64_t dim = t->layout == SPW_CSR || t->layout == SPW_BSR ? 0 : 1;
  //@ assert dim: dim == compressed_dim(t) && 1 - dim == plain_dim(t);
  //@ assert signs: 0 <= t->size[last + dim] && 0 <= t->size[last + 1 - dim];
  const int64_t C = spw_blocks_along(t, dim), P = spw_blocks_along(t, 1 - dim);
  //@ assert both: C >= 0 && P >= 0 <==> divides(t, 0) && divides(t, 1);
  //@ assert C: C >= 0 ==> has_C(t) && C == C_of(t);
  //@ assert P: P >= 0 ==> has_blocks(t, plain_dim(t)) && P == blocks(t, plain_dim(t));
  return C >= 0 && C <= max && P >= 0 && P <= max && t->compressed.array.shape[last] - 1 == C &&
         t->plain.array.shape[last] <= max;
}

/* The same of a tensor without. */
/*@ requires readable: tensor_readable(t) && compressed_layout(t);
    requires type: is_index_type(index_type(t)) && max == index_max(index_type(t));
    requires ranks: !sized(t) && rule_3_2(t) && rule_3_3(t) && rule_3_12(t);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> rule_1_6_compressed(t) && rule_3_8(t); */
/* level L2 */
static int found_sizes_fit(const spw_tensor *t, int64_t max)
{
  const int64_t last = t->compressed.array.ndim - 1, offsets = t->compressed.array.shape[last];
  return offsets >= 1 && offsets - 1 <= max && t->plain.array.shape[last] <= max;
}

/*@ requires readable: tensor_readable(t) && compressed_layout(t);
    requires ranks: rule_3_4(t);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> rule_3_13(t); */
/* level L2 */
static int blocks_hold(const spw_tensor *t)
{
  const int64_t *const block = t->values.array.shape + t->compressed.array.ndim;
  return t->layout == SPW_CSR || t->layout == SPW_CSC || (block[0] >= 1 && block[1] >= 1);
}

/*@ requires readable: array_readable(a) && 1 <= a->ndim;
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==>
      (a->shape[a->ndim - 1] > 1 ==> a->strides[a->ndim - 1] == 1); */
/* level L2 */
static int contiguous(const spw_array *a)
{
  return a->shape[a->ndim - 1] <= 1 || a->strides[a->ndim - 1] == 1;
}

/* Rule 3.11, without a division in the usual case. */
/*@ requires entries: 0 <= n <= SPW_NDIM_MAX && \valid_read(size + (0 .. n - 1));
    requires signs: non_negative(size, n);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> product(size, n) <= INT64_MAX; */
/* level L2 */
static int product_fits(const int64_t *size, int64_t n)
{
  if (n == 2 && size[0] <= INT32_MAX && size[1] <= INT32_MAX) {
    //@ ghost lem_mul_order(size[0], INT32_MAX, size[1]);
    //@ assert none: product(size, 0) == 1;
    //@ assert one: product(size, 1) == product(size, 0) * size[0] == size[0];
    //@ assert both: product(size, 2) == product(size, 1) * size[1] <= INT32_MAX * size[1];
    return 1;
  }
  return spw_product(size, n) >= 0;
}

/*@ requires readable: tensor_readable(t) && compressed_layout(t);
    requires types: rule_1_1(t) && rule_1_3(t);
    requires ranks: rule_3_2(t) && rule_3_3(t) && rule_3_4(t) && (sized(t) ==> aligned(t));
    requires signs: rule_3_12(t);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> rule_1_6(t) && rule_3_8(t) && rule_3_11(t) && rule_3_13(t) &&
      (sized(t) ==> divides(t, 0) && divides(t, 1)); */
/* level L2 */
static int sizes_hold(const spw_tensor *t)
{
  const int64_t max = t->compressed.array.dtype == SPW_INT32 ? INT32_MAX : INT64_MAX;
  if (!blocks_hold(t)) return 0;
  if (!t->has_size) return found_sizes_fit(t, max);
  return given_sizes_fit(t, max) && product_fits(t->size, t->ndim);
}

/* level L2 */
int spw_compressed_shape_holds(const spw_tensor *t)
{
  if (!types_hold(t) || !ranks_hold(t) || !members_inside(t)) return 0;
  if (!shapes_agree(t) || !sizes_hold(t)) return 0;
  return contiguous(&t->compressed.array) && contiguous(&t->plain.array);
}
