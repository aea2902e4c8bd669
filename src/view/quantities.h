/* SPDX-License-Identifier: Apache-2.0 */
/* The quantities that the shape rules speak of. */
#ifndef SPW_VIEW_QUANTITIES_H
#define SPW_VIEW_QUANTITIES_H

#include "../core/size.h"
#include "../../spec/acsl/quantities.acsl"

/* A number, where one can be told. */
typedef struct spw_number {
  int known;
  int64_t value;
} spw_number;

/*@ requires readable: tensor_readable(t);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> blocked(t); */
int spw_blocked(const spw_tensor *t);

/* B, -1 when unknown */
/*@ requires readable: tensor_readable(t) && compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == batch_dims(t) && -1 <= \result < SPW_NDIM_MAX; */
int64_t spw_batch_dims(const spw_tensor *t);

/* K, -1 when unknown */
/*@ requires readable: tensor_readable(t) && compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures known: \result >= 0 <==> has_dims(t);
    ensures exact: \result >= 0 ==> \result == dense_dims(t) && \result <= SPW_NDIM_MAX;
    ensures range: -1 <= \result; */
int64_t spw_dense_dims(const spw_tensor *t);

/* Does the size have B + 2 + K entries? */
/*@ requires readable: tensor_readable(t) && compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> aligned(t); */
int spw_aligned(const spw_tensor *t);

/* b0 (i == 0) or b1 (i == 1) */
/*@ requires readable: tensor_readable(t) && compressed_layout(t);
    requires index: 0 <= i <= 1 && has_dims(t);
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == block_size(t, i); */
int64_t spw_block_size(const spw_tensor *t, int64_t i);

/* rows (i == 0) or columns (i == 1), in blocks */
/*@ requires readable: tensor_readable(t) && compressed_layout(t);
    requires index: 0 <= i <= 1;
    terminates \true; exits \false; assigns \nothing;
    ensures known: \result.known == 1 <==> has_blocks(t, i);
    ensures flag: \result.known == 0 || \result.known == 1;
    ensures exact: \result.known == 1 ==> \result.value == blocks(t, i) && 0 <= \result.value; */
spw_number spw_blocks(const spw_tensor *t, int64_t i);

/* 0 (rows) or 1 (columns) */
/*@ requires readable: tensor_readable(t);
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == compressed_dim(t) && 0 <= \result <= 1; */
int64_t spw_compressed_dim(const spw_tensor *t);

/* C */
/*@ requires readable: tensor_readable(t) && compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures known: \result.known == 1 <==> has_C(t);
    ensures flag: \result.known == 0 || \result.known == 1;
    ensures exact: \result.known == 1 ==> \result.value == C_of(t) && 0 <= \result.value; */
spw_number spw_compressed_size(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == index_type(t); */
spw_dtype spw_index_type(const spw_tensor *t);

/*@ terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> is_index_type(dtype); */
int spw_is_index_type(spw_dtype dtype);

/*@ terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == index_max(dtype); */
int64_t spw_index_max(spw_dtype dtype);

/* Does a COO size have sparse_dim + dense_dim entries? */
/*@ requires readable: tensor_readable(t);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> coo_aligned(t); */
int spw_coo_aligned(const spw_tensor *t);

#endif
