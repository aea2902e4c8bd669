/* SPDX-License-Identifier: Apache-2.0 */
#include "../../core/lemmas.h"
#include "inferred_size.h"

#define SPW_TEMPLATE "../check/infer/one_grid.inc"
#include "../../core/each_index_type.h"

/* The entries of a compressed tensor's size along its sparse dimensions, or why there are none. */
typedef struct spw_sparse_size {
  spw_status status;
  int64_t rows;
  int64_t columns;
} spw_sparse_size;

/*@ terminates \true; exits \false; assigns \nothing;
    ensures status: \result.status == status; */
/* level L2 */
static spw_sparse_size no_size(spw_status status)
{
  const spw_sparse_size none = {status, -1, -1};
  return none;
}

/* The entries that C compressed and P plain blocks make. */
/*@ requires readable: tensor_readable(t);
    requires shape: compressed_layout(t) && compressed_shape(t);
    requires sizes: C == inferred_C(t) && 0 <= C && 0 <= P;
    terminates \true; exits \false; assigns \nothing;
    ensures status: \result.status == SPW_OK || \result.status == SPW_ERANGE;
    ensures fits: \result.status == SPW_OK <==> entries_fit(t, P);
    ensures rows: \result.status == SPW_OK ==> \result.rows == sparse_entry(t, P, 0);
    ensures columns: \result.status == SPW_OK ==> \result.columns == sparse_entry(t, P, 1); */
/* level L2 */
static spw_sparse_size entries_of(const spw_tensor *t, int64_t C, int64_t P)
{
  const int by_rows = spw_compressed_dim(t) == 0;
  const int64_t rows = by_rows ? C : P, columns = by_rows ? P : C;
  //@ assert blocks: rows == inferred_blocks(t, P, 0) && columns == inferred_blocks(t, P, 1);
  if (!spw_entry_fits(t, 0, rows) || !spw_entry_fits(t, 1, columns)) return no_size(SPW_ERANGE);
  //@ assert dims: rule_3_13(t) && has_dims(t);
  const int64_t b0 = spw_block_size(t, 0), b1 = spw_block_size(t, 1);
  //@ assert positive: 1 <= b0 && 1 <= b1;
  //@ ghost lem_mul_order(0, rows, b0);
  //@ ghost lem_mul_order(0, columns, b1);
  const spw_sparse_size s = {SPW_OK, rows * b0, columns * b1};
  return s;
}

/* Batch shape, rows and columns, dense shape. */
/*@ requires dims: 0 <= batch_dims <= SPW_NDIM_MAX && 0 <= dense_dims <= SPW_NDIM_MAX;
    requires memory: \valid_read(batch + (0 .. batch_dims - 1)) && \valid_read(dense + (0 .. dense_dims - 1)) &&
      \valid(size + (0 .. batch_dims + dense_dims + 1));
    requires apart: \separated(size + (0 .. batch_dims + dense_dims + 1), batch + (0 .. batch_dims - 1));
    requires dense_apart: \separated(size + (0 .. batch_dims + dense_dims + 1), dense + (0 .. dense_dims - 1));
    terminates \true; exits \false;
    assigns size[0 .. batch_dims + dense_dims + 1];
    ensures batch: \forall integer i; 0 <= i < batch_dims ==> size[i] == \old(batch[i]);
    ensures sparse: size[batch_dims] == sparse.rows && size[batch_dims + 1] == sparse.columns;
    ensures dense: \forall integer i; batch_dims + 2 <= i < batch_dims + 2 + dense_dims ==>
      size[i] == \old(dense[i - batch_dims - 2]); */
/* level L2 */
static void write_compressed(const int64_t *batch, int64_t batch_dims, spw_sparse_size sparse, const int64_t *dense,
                             int64_t dense_dims, int64_t *size)
{
  spw_copy_entries(batch, batch_dims, size, 0);
  //@ assert batch: \forall integer i; 0 <= i < batch_dims ==> size[i] == \at(batch[i], Pre);
  size[batch_dims] = sparse.rows;
  size[batch_dims + 1] = sparse.columns;
  //@ assert kept: \forall integer i; 0 <= i < dense_dims ==> dense[i] == \at(dense[i], Pre);
  spw_copy_entries(dense, dense_dims, size, batch_dims + 2);
}

#define SPW_TEMPLATE "../check/infer/infer_compressed.inc"
#include "../../core/each_index_type.h"

/* level L2 */
spw_status spw_infer_compressed(const spw_tensor *t, int64_t *size)
{
  //@ assert rules: rule_1_1(t) && rule_1_3(t) && rule_3_2(t) && rule_3_4(t) && has_dims(t);
  //@ assert kind: \forall integer i, e; compressed_entry(t, i, e) ==> inferred_entry(t, i, e);
  const spw_sparse_size sparse = t->compressed.array.dtype == SPW_INT32 ? sparse_size_of_i32(t) : sparse_size_of_i64(t);
  const int64_t batch_dims = spw_batch_dims(t), dense_dims = spw_dense_dims(t);
  const int64_t *const dense = t->values.array.shape + (t->values.array.ndim - dense_dims);
  if (sparse.status != SPW_OK) return sparse.status;
  //@ assert dims: 0 <= batch_dims == batch_dims(t) && 0 <= dense_dims == dense_dims(t);
  //@ assert readable: array_readable(&t->compressed.array) && array_readable(&t->values.array);
  //@ assert batch_readable: \valid_read(t->compressed.array.shape + (0 .. batch_dims - 1));
  //@ assert dense_readable: \valid_read(dense + (0 .. dense_dims - 1));
  //@ assert room: \valid(size + (0 .. batch_dims + dense_dims + 1));
  write_compressed(t->compressed.array.shape, batch_dims, sparse, dense, dense_dims, size);
  //@ assert batch: \forall integer i; 0 <= i < batch_dims ==> compressed_entry{Pre}(t, i, size[i]);
  //@ assert rows: compressed_entry{Pre}(t, batch_dims, size[batch_dims]);
  //@ assert columns: compressed_entry{Pre}(t, batch_dims + 1, size[batch_dims + 1]);
  /*@ assert dense: \forall integer i; batch_dims + 2 <= i < batch_dims + 2 + dense_dims ==>
        compressed_entry{Pre}(t, i, size[i]); */
  /*@ assert sparse: \forall integer i; batch_dims <= i < batch_dims + 2 ==>
        compressed_entry{Pre}(t, i, size[i]); */
  /*@ assert each: \forall integer i; 0 <= i < batch_dims + 2 + dense_dims ==>
        compressed_entry{Pre}(t, i, size[i]); */
  //@ assert count: \at(inferred_ndim(t), Pre) == batch_dims + 2 + dense_dims;
  return SPW_OK;
}
