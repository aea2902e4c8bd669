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

/* level L2 */
spw_grid spw_grid_of(const spw_tensor *t, int64_t batches, int64_t P)
{
  const int64_t batch_dims = spw_batch_dims(t);
  //@ assert ranks: rule_3_2(t) && rule_3_3(t) && rule_3_8(t) && rule_3_9(t);
  //@ assert signs: rule_3_12(t);
  //@ assert strides: rule_3_5(t) && rule_3_6(t);
  //@ assert storage: rule_3_14(t);
  //@ assert c_inside: inside_storage(t->compressed.array.shape, t->compressed.array.strides, batch_dims + 1, t->compressed.array.offset, t->compressed.array.length);
  //@ assert p_inside: inside_storage(t->plain.array.shape, t->plain.array.strides, batch_dims + 1, t->plain.array.offset, t->plain.array.length);
  const spw_number C = spw_compressed_size(t);
  //@ assert c_size: C.known == 1 && t->compressed.array.shape[batch_dims] == C.value + 1;
  //@ assert c_last: 1 <= t->compressed.array.shape[batch_dims];
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
      .C = C.value,
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
    }
  */
  return g;
}

/* level L2 */
spw_columns spw_columns_of(const spw_tensor *t)
{
  const spw_array *const a = &t->plain.array;
  //@ assert storage: rule_3_14(t) && rule_6_1(t);
  //@ assert inside: inside_storage(a->shape, a->strides, 2, a->offset, a->length);
  //@ assert signs: rule_3_12(t) && non_negative(a->shape, 2) && non_negative(a->strides, 2);
  //@ assert sign_0: 0 <= a->shape[0] && 0 <= a->strides[0];
  //@ assert sign_1: 0 <= a->shape[1] && 0 <= a->strides[1];
  //@ assert unfold_0: reach(a->shape, a->strides, 0) == 0;
  const int empty = a->shape[0] == 0 || a->shape[1] == 0;
  //@ assert none: !empty ==> !has_zero(a->shape, 2);
  //@ assert unfold: !empty ==> reach(a->shape, a->strides, 2) == reach(a->shape, a->strides, 1) + (a->shape[1] - 1) * a->strides[1];
  //@ assert unfold_1: reach(a->shape, a->strides, 1) == reach(a->shape, a->strides, 0) + (a->shape[0] - 1) * a->strides[0];
  const spw_columns g = {
      .sparse_dim = a->shape[0],
      .nse = a->shape[1],
      .start = empty ? 0 : a->offset,
      .dim_stride = a->strides[0],
      .stride = a->strides[1],
  };
  return g;
}
