/* SPDX-License-Identifier: Apache-2.0 */
#include "../../check/verdict.h"
#include "asked.h"

/*@ requires ready: ready(t) && t->layout != SPW_LAYOUT_COUNT;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == dense_dims_of(t); */
/* level L2 */
static int64_t dense_dims_of(const spw_tensor *t)
{
  if (t->layout == SPW_COO) return t->values.array.ndim - 1;
  //@ assert rules: compressed_layout(t) && rule_3_4(t);
  return spw_dense_dims(t);
}

/*@ requires ready: ready(t) && \valid_read(w);
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == asked_index(t, w); */
/* level L2 */
static int64_t asked_index(const spw_tensor *t, const spw_conversion *w)
{
  if (w->index_dtype != SPW_DTYPE_NONE) return (int64_t)w->index_dtype;
  return (int64_t)t->layout == SPW_LAYOUT_COUNT ? (int64_t)SPW_INT64 : (int64_t)t->plain.array.dtype;
}

/*@ requires ready: ready(t) && \valid_read(w) && 0 <= i <= 1;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == asked_block(t, w, i); */
/* level L2 */
static int64_t asked_block(const spw_tensor *t, const spw_conversion *w, int64_t i)
{
  if (w->block_rows != 0) return i == 0 ? w->block_rows : w->block_columns;
  if (t->layout != SPW_BSR && t->layout != SPW_BSC) return 1;
  //@ assert rules: compressed_layout(t) && rule_3_4(t);
  return spw_block_size(t, i);
}

/*@ requires ready: ready(t) && \valid_read(w);
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == asked_dense(t, w); */
/* level L2 */
static int64_t asked_dense(const spw_tensor *t, const spw_conversion *w)
{
  if ((int64_t)t->layout == SPW_LAYOUT_COUNT) return w->dense_dims >= 0 ? w->dense_dims : 0;
  return dense_dims_of(t);
}

/* Of a compressed result: what COO has not. */
/*@ requires ready: ready(t) && ready(r) && \valid_read(w) && compressed_layout(r);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> r->compressed.array.dtype == asked_index(t, w) &&
      (0 <= w->batch_dims ==> batch_dims(r) == w->batch_dims) &&
      (blocked(r) ==> block_size(r, 0) == asked_block(t, w, 0) && block_size(r, 1) == asked_block(t, w, 1)); */
/* level L2 */
static int are_lines_as_asked(const spw_tensor *t, const spw_conversion *w, const spw_tensor *r)
{
  if ((int64_t)r->compressed.array.dtype != asked_index(t, w)) return 0;
  if (w->batch_dims >= 0 && spw_batch_dims(r) != w->batch_dims) return 0;
  if (r->layout != SPW_BSR && r->layout != SPW_BSC) return 1;
  //@ assert rules: rule_3_4(r);
  return spw_block_size(r, 0) == asked_block(t, w, 0) && spw_block_size(r, 1) == asked_block(t, w, 1);
}

/* level L2 */
int spw_is_as_asked(const spw_tensor *t, const spw_conversion *w, const spw_tensor *r)
{
  if (r->layout != w->layout || r->values.array.dtype != t->values.array.dtype) return 0;
  if ((int64_t)r->layout == SPW_LAYOUT_COUNT) return 1;
  //@ assert layouts: r->layout == SPW_COO || compressed_layout(r);
  if ((int64_t)r->plain.array.dtype != asked_index(t, w) || dense_dims_of(r) != asked_dense(t, w)) return 0;
  if (r->layout == SPW_COO) return r->coalesced == SPW_CLAIM_YES;
  return are_lines_as_asked(t, w, r);
}
