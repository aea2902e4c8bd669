/* SPDX-License-Identifier: Apache-2.0 */
/* The size that a tensor's members imply, written out. */
#include "../../view/usable_lemmas.h"
#include "../shape/shape_rules.h"
#include "inferred_size.h"
#include "missing_size.h"

#define SPW_TEMPLATE "../check/infer/infer_size.inc"
#include "../../core/each_index_type.h"

/*@ ghost
  /@ // a tensor that is valid implies a size
     requires \valid_read(t) && !sized(t) && shape_valid(t) && readable_indices(&t->plain);
     terminates \true; exits \false; assigns \nothing;
     ensures structure_valid(t) ==> natural_indices(t) && inferred_size_fits(t); @/
  void lem_implied(const spw_tensor *t) {
    /@ assert type: rule_1_3(t) && (t->layout != SPW_COO ==> t->compressed.array.dtype == t->plain.array.dtype); @/
    if (t->plain.array.dtype == SPW_INT32) {
      lem_valid_plain_i32(t, t->plain.i32);
      lem_valid_columns_i32(t, t->plain.i32);
    } else {
      lem_valid_plain_i64(t, t->plain.i64);
      lem_valid_columns_i64(t, t->plain.i64);
    }
  }
*/

/* How many entries the size has, -1 for more than `capacity`. */
/*@ requires readable: tensor_readable(t) && shape_valid(t) && 0 <= capacity;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: inferred_ndim(t) <= capacity ==> \result == inferred_ndim(t) && 0 <= \result;
    ensures none: inferred_ndim(t) > capacity ==> \result == -1; */
/* level L2 */
static int64_t ndim_within(const spw_tensor *t, int64_t capacity)
{
  //@ assert coo: t->layout == SPW_COO ==> rule_3_12(t) && rule_6_1(t) && rule_6_2(t);
  //@ assert sign: t->layout == SPW_COO ==> non_negative(t->plain.array.shape, 2);
  //@ assert compressed: t->layout != SPW_COO ==> rule_3_2(t) && rule_3_4(t) && has_dims(t);
  const int coo = t->layout == SPW_COO;
  const int64_t sparse = coo ? t->plain.array.shape[0] : spw_batch_dims(t) + 2;
  const int64_t dense = coo ? t->values.array.ndim - 1 : spw_dense_dims(t);
  //@ assert sum: 0 <= sparse && 0 <= dense && inferred_ndim(t) == sparse + dense;
  return sparse > capacity - dense ? -1 : sparse + dense;
}

/* What has been asked for in good form, of a tensor without a size. */
/*@ requires tensor: honest(t) && usable(t) && !sized(t);
    requires outputs: 0 <= capacity && \valid(size + (0 .. capacity - 1)) && \valid(ndim);
    requires apart: apart(t, size, capacity) && \separated(ndim, size + (0 .. capacity - 1));
    terminates \true; exits \false;
    assigns size[0 .. capacity - 1], *ndim;
    ensures answer: infers{Pre}(\result, t, capacity);
    ensures ndim: \result == SPW_OK ==> *ndim == \old(inferred_ndim(t)) && 0 <= *ndim <= capacity;
    ensures size: \result == SPW_OK ==> \forall integer i; 0 <= i < *ndim ==> inferred_entry{Pre}(t, i, size[i]);
    ensures rest: \result == SPW_OK ==> \forall integer i; *ndim <= i < capacity ==> size[i] == \old(size[i]);
    ensures untouched: \result != SPW_OK ==>
      *ndim == \old(*ndim) && \forall integer i; 0 <= i < capacity ==> size[i] == \old(size[i]);
    ensures valid: \old(!batches_overflow(t) && structure_valid(t) && inferred_ndim(t) <= capacity) ==>
      \result == SPW_OK; */
/* level L2 */
static spw_status infer(const spw_tensor *t, int64_t *size, int64_t capacity, int64_t *ndim)
{
  //@ ghost lem_readable(t);
  if (!spw_shape_holds(t)) return SPW_EINVALID;
  //@ ghost lem_implied(t);
  const int64_t n = ndim_within(t, capacity);
  if (n < 0) return SPW_EINVAL;
  //@ assert count: n == inferred_ndim(t) && 0 <= n <= capacity;
  //@ assert room: \valid(size + (0 .. inferred_ndim(t) - 1));
  /*@ assert apart_dense: \separated(size + (0 .. n - 1),
        t->values.array.shape + (0 .. t->values.array.ndim - 1)); */
  /*@ assert apart_batch: t->layout != SPW_COO ==> \separated(size + (0 .. n - 1),
        t->compressed.array.shape + (0 .. t->compressed.array.ndim - 1)); */
  /*@ assert apart_i32: t->plain.array.dtype == SPW_INT32 ==>
        \separated(size + (0 .. n - 1), t->plain.i32 + (0 .. t->plain.array.length - 1)); */
  /*@ assert apart_i64: t->plain.array.dtype == SPW_INT64 ==>
        \separated(size + (0 .. n - 1), t->plain.i64 + (0 .. t->plain.array.length - 1)); */
  //@ assert apart: apart(t, size, n);
  const spw_status status = t->layout == SPW_COO ? spw_infer_coo(t, size) : spw_infer_compressed(t, size);
  //@ assert rest: \forall integer i; n <= i < capacity ==> size[i] == \at(size[i], Pre);
  //@ assert unchanged: status != SPW_OK ==> \forall integer i; 0 <= i < n ==> size[i] == \at(size[i], Pre);
  if (status != SPW_OK) return status;
  //@ ghost Inferred: ;
  *ndim = n;
  //@ assert ndim: *ndim == n;
  //@ assert beside: \forall integer i; 0 <= i < capacity ==> size[i] == \at(size[i], Inferred);
  return SPW_OK;
}

/*@ requires tensor: tensor != \null ==> honest(tensor) && !sized(tensor);
    requires outputs: (size != \null && 0 <= capacity ==> \valid(size + (0 .. capacity - 1))) &&
      (ndim != \null ==> \valid(ndim));
    requires apart: tensor != \null && size != \null && ndim != \null && 0 <= capacity ==>
      apart(tensor, size, capacity) && \separated(ndim, size + (0 .. capacity - 1));
    terminates \true; exits \false;
    assigns size[0 .. capacity - 1], *ndim;
    ensures misuse: tensor == \null || size == \null || ndim == \null || capacity < 0 ==> \result == SPW_EINVAL;
    ensures unusable: tensor != \null && \old(!usable(tensor)) ==> \result == SPW_EINVAL;
    ensures answer: \old(tensor != \null && size != \null && ndim != \null && 0 <= capacity && usable(tensor)) ==>
      infers{Pre}(\result, tensor, capacity);
    ensures ndim: \result == SPW_OK ==> 0 <= *ndim <= capacity && *ndim == \old(inferred_ndim(tensor));
    ensures size: \result == SPW_OK ==> \forall integer i; 0 <= i < *ndim ==> inferred_entry{Pre}(tensor, i, size[i]);
    ensures rest: \result == SPW_OK ==> \forall integer i; *ndim <= i < capacity ==> size[i] == \old(size[i]);
    ensures untouched: \result != SPW_OK && size != \null ==>
      \forall integer i; 0 <= i < capacity ==> size[i] == \old(size[i]);
    ensures untouched_ndim: \result != SPW_OK && ndim != \null ==> *ndim == \old(*ndim);
    ensures valid: \old(tensor != \null && size != \null && ndim != \null && usable(tensor) &&
      !batches_overflow(tensor) && structure_valid(tensor) && inferred_ndim(tensor) <= capacity) && 0 <= capacity ==>
      \result == SPW_OK; */
/* level L2 */
spw_status spw_infer_missing_size(const spw_tensor *tensor, int64_t *size, int64_t capacity, int64_t *ndim)
{
  if (tensor == NULL || size == NULL || ndim == NULL || capacity < 0) return SPW_EINVAL;
  if (!spw_usable(tensor)) return SPW_EINVAL;
  return infer(tensor, size, capacity, ndim);
}
