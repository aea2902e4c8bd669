/* SPDX-License-Identifier: Apache-2.0 */
#include "members.h"
#include "../core/lemmas.h"

/*@ ghost
  /@ // an array of n + 1 dimensions, contiguous along the last, that lies inside its storage
     requires 0 <= n < SPW_NDIM_MAX && \valid_read(shape + (0 .. n)) && \valid_read(strides + (0 .. n));
     requires positive(shape, n) && 1 <= shape[n] && (shape[n] > 1 ==> strides[n] == 1);
     requires inside_storage(shape, strides, n + 1, offset, length);
     terminates \true; exits \false; assigns \nothing;
     ensures sign: 0 <= reach(shape, strides, n) && 0 <= offset;
     ensures bound: offset + reach(shape, strides, n) + shape[n] - 1 < length; @/
  void lem_last_contiguous(const int64_t *shape, const int64_t *strides, int64_t n, int64_t offset, int64_t length) {
    lem_reach_sign(shape, strides, n);
    /@ assert none: !has_zero(shape, n + 1); @/
    /@ assert unfold: reach(shape, strides, n + 1) == reach(shape, strides, n) + (shape[n] - 1) * strides[n]; @/
    /@ assert one: shape[n] == 1 ==> (shape[n] - 1) * strides[n] == 0; @/
    /@ assert unit: strides[n] == 1 ==> (shape[n] - 1) * strides[n] == shape[n] - 1; @/
    /@ assert last: (shape[n] - 1) * strides[n] == shape[n] - 1; @/
  }
*/

/*@ ghost
  /@ requires 0 <= n && \valid_read(shape + (0 .. n)) && \valid_read(strides + (0 .. n));
     requires inside_storage(shape, strides, n + 1, offset, length);
     terminates \true; exits \false; assigns \nothing;
     ensures non_negative(strides, n) && 0 <= strides[n] && 0 <= offset; @/
  void lem_inside(const int64_t *shape, const int64_t *strides, int64_t n, int64_t offset, int64_t length) {
  }
*/

/*@ ghost
  /@ // an array of two dimensions inside its storage
     requires \valid_read(shape + (0 .. 1)) && \valid_read(strides + (0 .. 1));
     requires non_negative(shape, 2) && inside_storage(shape, strides, 2, offset, length);
     requires dims == shape[0] && nse == shape[1] && dim_stride == strides[0] && stride == strides[1];
     terminates \true; exits \false; assigns \nothing;
     ensures sign: 0 <= dims && 0 <= nse && 0 <= dim_stride && 0 <= stride && 0 <= offset;
     ensures bound: 0 < dims && 0 < nse ==> offset + (dims - 1) * dim_stride + (nse - 1) * stride < length; @/
  void lem_two_dims(const int64_t *shape, const int64_t *strides, int64_t offset, int64_t length,
                    int64_t dims, int64_t nse, int64_t dim_stride, int64_t stride) {
    /@ assert zero: reach(shape, strides, 0) == 0; @/
    /@ assert one: reach(shape, strides, 1) == reach(shape, strides, 0) + (shape[0] - 1) * strides[0]; @/
    /@ assert two: reach(shape, strides, 2) == reach(shape, strides, 1) + (shape[1] - 1) * strides[1]; @/
    /@ assert none: 0 < shape[0] && 0 < shape[1] ==> !has_zero(shape, 2); @/
  }
*/

/*@ ghost
  /@ requires 0 <= n && non_negative(shape, n + 1);
     terminates \true; exits \false; assigns \nothing;
     ensures non_negative(shape, n) && 0 <= shape[n]; @/
  void lem_signs(const int64_t *shape, int64_t n) {
  }
*/

/*@ ghost
  /@ // there are C + 1 compressed indices
     requires tensor_readable(t) && compressed_layout(t) && rule_3_8(t);
     terminates \true; exits \false; assigns \nothing;
     ensures 1 <= t->compressed.array.shape[batch_dims(t)]; @/
  void lem_offsets(const spw_tensor *t) {
    /@ assert quotient: \forall integer a, b; 0 <= a && 1 <= b ==> 0 <= a / b; @/
    /@ assert sized: sized(t) ==> 0 <= blocks(t, compressed_dim(t)); @/
  }
*/

/* level L2 */
spw_grid spw_grid_of(const spw_tensor *t, int64_t batches, int64_t P)
{
  const int64_t batch_dims = spw_batch_dims(t);
  //@ assert readable: array_readable(&t->compressed.array) && array_readable(&t->plain.array);
  //@ assert readable_1: \valid_read(t->compressed.array.shape + (0 .. batch_dims - 1));
  //@ assert readable_2: \valid_read(t->compressed.array.strides + (0 .. batch_dims - 1));
  //@ assert ranks: rule_3_2(t) && rule_3_3(t) && rule_3_8(t) && rule_3_9(t);
  //@ assert signs: rule_3_12(t);
  //@ assert strides: rule_3_5(t) && rule_3_6(t);
  //@ assert storage: rule_3_14(t);
  //@ assert ndims: t->compressed.array.ndim == batch_dims + 1 && t->plain.array.ndim == batch_dims + 1;
  //@ assert c_member: member_inside(&t->compressed.array);
  //@ assert p_member: member_inside(&t->plain.array);
  //@ assert c_inside: inside_storage(t->compressed.array.shape, t->compressed.array.strides, batch_dims + 1, t->compressed.array.offset, t->compressed.array.length);
  //@ assert p_inside: inside_storage(t->plain.array.shape, t->plain.array.strides, batch_dims + 1, t->plain.array.offset, t->plain.array.length);
  //@ ghost lem_offsets(t);
  //@ ghost lem_inside(t->compressed.array.shape, t->compressed.array.strides, batch_dims, t->compressed.array.offset, t->compressed.array.length);
  //@ ghost lem_inside(t->plain.array.shape, t->plain.array.strides, batch_dims, t->plain.array.offset, t->plain.array.length);
  //@ assert c_last: 1 <= t->compressed.array.shape[batch_dims];
  //@ ghost lem_signs(t->compressed.array.shape, batch_dims);
  //@ ghost lem_signs(t->plain.array.shape, batch_dims);
  //@ assert c_sign: non_negative(t->compressed.array.shape, batch_dims);
  //@ assert p_sign: 0 <= t->plain.array.shape[batch_dims];
  //@ assert same: equal(t->plain.array.shape, t->compressed.array.shape, batch_dims);
  const spw_grid g = {
      .batches = batches,
      .ndim = batch_dims,
      .shape = t->compressed.array.shape,
      .c_strides = t->compressed.array.strides,
      .p_strides = t->plain.array.strides,
      .c_offset = t->compressed.array.offset,
      .p_offset = t->plain.array.offset,
      .C = t->compressed.array.shape[batch_dims] - 1,
      .P = P,
      .nse = t->plain.array.shape[batch_dims],
  };
  /*@ ghost
    if (batches > 0) {
      lem_product_positive(g.shape, batch_dims);
      /@ assert positive: positive(t->plain.array.shape, batch_dims); @/
      lem_last_contiguous(g.shape, g.c_strides, batch_dims, g.c_offset, t->compressed.array.length);
      lem_reach_equal(t->plain.array.shape, g.shape, g.p_strides, batch_dims);
      lem_reach_sign(g.shape, g.p_strides, batch_dims);
      if (g.nse > 0)
        lem_last_contiguous(t->plain.array.shape, g.p_strides, batch_dims, g.p_offset, t->plain.array.length);
      /@ assert offsets: 0 <= g.c_offset && 0 <= g.p_offset; @/
      /@ assert reach_c: g.c_offset + reach(g.shape, g.c_strides, batch_dims) + g.C < t->compressed.array.length; @/
      /@ assert reach_p: g.nse > 0 ==> g.p_offset + reach(g.shape, g.p_strides, batch_dims) + g.nse <= t->plain.array.length; @/
    }
  */
  //@ assert sizes: 0 <= g.ndim <= SPW_NDIM_MAX && 0 <= g.batches && 0 <= g.C < INT64_MAX && 0 <= g.P && 0 <= g.nse;
  //@ assert readable_c: \valid_read(g.shape + (0 .. g.ndim - 1)) && \valid_read(g.c_strides + (0 .. g.ndim - 1));
  //@ assert readable_p: \valid_read(g.p_strides + (0 .. g.ndim - 1));
  //@ assert inside_c: g.batches > 0 ==> positive(g.shape, g.ndim) && non_negative(g.c_strides, g.ndim) && 0 <= g.c_offset && 0 <= reach(g.shape, g.c_strides, g.ndim);
  //@ assert inside_p: g.batches > 0 ==> non_negative(g.p_strides, g.ndim) && 0 <= g.p_offset && 0 <= reach(g.shape, g.p_strides, g.ndim);
  //@ assert bound_c: g.batches > 0 ==> g.c_offset + reach(g.shape, g.c_strides, g.ndim) + g.C < t->compressed.array.length;
  //@ assert bound_p: g.batches > 0 && g.nse > 0 ==> g.p_offset + reach(g.shape, g.p_strides, g.ndim) + g.nse <= t->plain.array.length;
  return g;
}

/* level L2 */
spw_columns spw_columns_of(const spw_tensor *t)
{
  const spw_array *const a = &t->plain.array;
  //@ assert storage: rule_3_14(t) && rule_6_1(t) && rule_3_12(t);
  const int64_t dims = a->shape[0], nse = a->shape[1], dim_stride = a->strides[0], stride = a->strides[1];
  //@ assert inside: inside_storage(a->shape, a->strides, 2, a->offset, a->length) && non_negative(a->shape, 2);
  //@ ghost lem_two_dims(a->shape, a->strides, a->offset, a->length, dims, nse, dim_stride, stride);
  const int empty = dims == 0 || nse == 0;
  const spw_columns g = {
      .sparse_dim = dims,
      .nse = nse,
      .start = empty ? 0 : a->offset,
      .dim_stride = dim_stride,
      .stride = stride,
  };
  //@ assert reach: 0 < dims && 0 < nse ==> a->offset + (dims - 1) * dim_stride + (nse - 1) * stride < a->length;
  return g;
}
