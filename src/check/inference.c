/* SPDX-License-Identifier: Apache-2.0 */
#include "inference.h"
#include "../core/lemmas.h"

/*@ requires readable: tensor_readable(t);
    requires shape: compressed_layout(t) && compressed_shape(t);
    requires grid: is_grid(t, g);
    requires size: 0 <= g.batches && 0 <= g.C && 0 <= P;
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1; */
/* Does the product of the inferred size, batch shape, C * b0, P * b1 and the dense shape, fit? */
/* level L0 */
static int inferred_product_fits(const spw_tensor *t, spw_grid g, int64_t P)
{
  //@ assert ranks: rule_3_4(t) && rule_3_12(t);
  const int64_t dense_dims = spw_dense_dims(t);
  const int64_t *const shape = t->values.array.shape;
  //@ assert values: non_negative(t->values.array.shape, t->values.array.ndim);
  //@ ghost lem_suffix(t->values.array.shape, t->values.array.ndim - dense_dims, t->values.array.ndim);
  const int64_t dense = spw_product(shape + (t->values.array.ndim - dense_dims), dense_dims);
  if (g.batches == 0 || g.C == 0 || P == 0 || dense == 0) return 1;
  if (dense < 0) return 0;
  const int64_t b0 = spw_block_size(t, 0), b1 = spw_block_size(t, 1);
  //@ assert blocked: rule_3_13(t) && has_dims(t);
  //@ assert b0: 1 <= b0;
  //@ assert b1: 1 <= b1;
  int64_t product = g.batches;
  if (!spw_product_fits(product, g.C, INT64_MAX)) return 0;
  product = spw_mul_saturated(product, g.C);
  if (!spw_product_fits(product, P, INT64_MAX)) return 0;
  product = spw_mul_saturated(product, P);
  if (!spw_product_fits(product, b0, INT64_MAX)) return 0;
  product = spw_mul_saturated(product, b0);
  if (!spw_product_fits(product, b1, INT64_MAX)) return 0;
  product = spw_mul_saturated(product, b1);
  return spw_product_fits(product, dense, INT64_MAX);
}

#define SPW_TEMPLATE "../check/inference.inc"
#include "../core/each_index_type.h"
