/* SPDX-License-Identifier: Apache-2.0 */
#include "shape/shape_tests.h"
#include "verdict.h"
#include "fast/count_columns.h"

/* of a tensor whose shape rules hold */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures \result.status == SPW_OK && \result.valid == valid && \result.shape == 1; */
/* level L2 */
static spw_verdict answer(int valid, int64_t P)
{
  const spw_verdict v = {SPW_OK, valid, 1, P};
  return v;
}

/*@ terminates \true; exits \false; assigns \nothing;
    ensures \result.status == SPW_EOVERFLOW && \result.valid == 0 && \result.shape == 1; */
/* level L2 */
static spw_verdict too_many_batches(void)
{
  const spw_verdict v = {SPW_EOVERFLOW, 0, 1, -1};
  return v;
}

/* level L2 */
int64_t spw_given_plain_size(const spw_tensor *t)
{
  if (!t->has_size) return -1;
  const int64_t dim = t->layout == SPW_CSR || t->layout == SPW_BSR ? 1 : 0;
  //@ assert dim: dim == plain_dim(t) && aligned(t) && divides(t, dim);
  //@ assert sign: 0 <= t->size[batch_dims(t) + dim];
  return spw_blocks_along(t, dim);
}

#define SPW_TEMPLATE "../check/infer/one_grid.inc"
#include "../core/each_index_type.h"

#define SPW_TEMPLATE "../check/verdict.inc"
#include "../core/each_index_type.h"

/*@ requires readable: tensor_readable(t) && readable_indices(&t->plain);
    requires shape: t->layout == SPW_COO && coo_shape(t);
    requires level: level == SPW_STRUCTURE || level == SPW_CANONICAL;
    terminates \true; exits \false; assigns \nothing;
    ensures flag: \result.valid == 0 || \result.valid == 1;
    ensures status: \result.status == SPW_OK && \result.shape == 1;
    ensures structure: level == SPW_STRUCTURE ==>
      (\result.valid == 1 <==> structure_valid(t));
    ensures canonical: level == SPW_CANONICAL ==>
      (\result.valid == 1 <==> tensor_valid(t)); */
/* level L2 */
static spw_verdict coo_verdict(const spw_tensor *t, spw_level level)
{
  //@ assert type: rule_1_3(t);
  return t->plain.array.dtype == SPW_INT32 ? coo_verdict_i32(t, level) : coo_verdict_i64(t, level);
}

/*@ requires readable: tensor_readable(t) && readable_indices(&t->plain) &&
      readable_indices(&t->compressed);
    requires shape: compressed_layout(t) && compressed_shape(t);
    requires level: level == SPW_STRUCTURE || level == SPW_CANONICAL;
    terminates \true; exits \false; assigns \nothing;
    ensures flag: \result.valid == 0 || \result.valid == 1;
    ensures status: \result.status == SPW_OK || \result.status == SPW_EOVERFLOW;
    ensures shape: \result.shape == 1;
    ensures overflow: \result.status == SPW_EOVERFLOW <==> batches_overflow(t);
    ensures structure: \result.status == SPW_OK && level == SPW_STRUCTURE ==>
      (\result.valid == 1 <==> structure_valid(t));
    ensures canonical: \result.status == SPW_OK && level == SPW_CANONICAL ==>
      (\result.valid == 1 <==> tensor_valid(t)); */
/* level L2 */
static spw_verdict compressed_verdict(const spw_tensor *t, spw_level level, int threads)
{
  //@ assert type: rule_1_1(t) && rule_1_3(t);
  return t->compressed.array.dtype == SPW_INT32 ? compressed_verdict_i32(t, level, threads)
                                                : compressed_verdict_i64(t, level, threads);
}

/* level L2 */
int spw_is_level(spw_level level)
{
  return level == SPW_SHAPE || level == SPW_STRUCTURE || level == SPW_CANONICAL;
}

/* level L2 */
spw_verdict spw_verdict_of(const spw_tensor *t, spw_level level, int threads)
{
  const spw_verdict misshapen = {SPW_OK, 0, 0, -1};
  if (!spw_shape_holds(t)) return misshapen;
  if (t->layout == SPW_COO)
    return level == SPW_SHAPE ? answer(1, -1) : coo_verdict(t, level);
  //@ assert rules: rule_3_1(t) && rule_3_12(t);
  return level == SPW_SHAPE ? answer(1, spw_given_plain_size(t))
                            : compressed_verdict(t, level, threads);
}
