/* SPDX-License-Identifier: Apache-2.0 */
#include "inference.h"
#include "../../core/lemmas.h"

/*@ requires sign: 0 <= a && 0 <= b && 0 <= c && 0 <= d && 0 <= e && 0 <= f;
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> a * b * c * d * e * f <= INT64_MAX; */
/* level L2 */
static int six_fit(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f)
{
  const int64_t factors[] = {a, b, c, d, e, f};
  //@ assert two: product(&factors[0], 2) == a * b;
  //@ assert four: product(&factors[0], 4) == a * b * c * d;
  //@ assert six: product(&factors[0], 6) == a * b * c * d * e * f;
  return spw_product(factors, 6) >= 0;
}

/* Does the product of the inferred size, batch shape, C * b0, P * b1 and the dense shape, fit? */
/*@ requires readable: tensor_readable(t);
    requires shape: compressed_layout(t) && compressed_shape(t);
    requires grid: is_grid(t, g);
    requires size: 0 <= g.batches && 0 <= g.C && 0 <= P;
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> inferred_fits(t, P); */
/* level L2 */
static int inferred_product_fits(const spw_tensor *t, spw_grid g, int64_t P)
{
  //@ assert ranks: rule_3_4(t) && rule_3_12(t);
  const int64_t dense_dims = spw_dense_dims(t);
  const int64_t *const shape = t->values.array.shape;
  //@ assert values: non_negative(t->values.array.shape, t->values.array.ndim);
  //@ ghost lem_suffix(t->values.array.shape, t->values.array.ndim - dense_dims, t->values.array.ndim);
  const int64_t dense = spw_product(shape + (t->values.array.ndim - dense_dims), dense_dims);
  const int64_t b0 = spw_block_size(t, 0), b1 = spw_block_size(t, 1);
  //@ assert blocked: rule_3_13(t) && has_dims(t);
  //@ assert blocks: 1 <= b0 && 1 <= b1;
  //@ assert dense: dense < 0 ==> dense_product(t) > INT64_MAX;
  //@ assert fits: dense >= 0 ==> dense_product(t) == dense;
  //@ assert grid: g.batches == batch_product(t) && g.C == inferred_C(t);
  //@ assert sizes: b0 == block_size(t, 0) && b1 == block_size(t, 1);
  //@ assert product: inferred_product(t, P) == g.batches * g.C * P * b0 * b1 * dense_product(t);
  //@ assert meaning: inferred_fits(t, P) <==> g.batches * g.C * P * b0 * b1 * dense_product(t) <= INT64_MAX;
  //@ assert known: dense >= 0 ==> (inferred_fits(t, P) <==> g.batches * g.C * P * b0 * b1 * dense <= INT64_MAX);
  if (dense >= 0) return six_fit(g.batches, g.C, P, b0, b1, dense);
  //@ assert zero: g.batches == 0 || g.C == 0 || P == 0 ==> inferred_product(t, P) == 0;
  //@ assert rows: 0 < g.batches && 0 < g.C ==> 1 <= g.batches * g.C;
  //@ assert plain: 0 < g.batches && 0 < g.C && 0 < P ==> 1 <= g.batches * g.C * P;
  //@ assert row: 0 < g.batches && 0 < g.C && 0 < P ==> 1 <= g.batches * g.C * P * b0;
  //@ assert sparse: 0 < g.batches && 0 < g.C && 0 < P ==> 1 <= g.batches * g.C * P * b0 * b1;
  //@ assert large: 0 < g.batches && 0 < g.C && 0 < P ==> dense_product(t) <= g.batches * g.C * P * b0 * b1 * dense_product(t);
  //@ assert exact: inferred_fits(t, P) <==> g.batches == 0 || g.C == 0 || P == 0;
  return g.batches == 0 || g.C == 0 || P == 0;
}

#define SPW_TEMPLATE "../check/infer/inference.inc"
#include "../../core/each_index_type.h"
