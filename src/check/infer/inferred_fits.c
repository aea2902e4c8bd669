/* SPDX-License-Identifier: Apache-2.0 */
#include "inferred_fits.h"
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

/* Does the product of that size, batch shape, C * b0, P * b1 and the dense shape, fit? */
/*@ requires readable: tensor_readable(t);
    requires shape: compressed_layout(t) && compressed_shape(t);
    requires grid: is_grid(t, g);
    requires size: 0 <= g.batches && 0 <= g.C && 0 <= P;
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> inferred_product(t, P) <= INT64_MAX; */
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
  //@ assert meaning: inferred_product(t, P) <= INT64_MAX <==> g.batches * g.C * P * b0 * b1 * dense_product(t) <= INT64_MAX;
  //@ assert known: dense >= 0 ==> (inferred_product(t, P) <= INT64_MAX <==> g.batches * g.C * P * b0 * b1 * dense <= INT64_MAX);
  if (dense >= 0) return six_fit(g.batches, g.C, P, b0, b1, dense);
  //@ assert zero: g.batches == 0 || g.C == 0 || P == 0 ==> inferred_product(t, P) == 0;
  //@ assert rows: 0 < g.batches && 0 < g.C ==> 1 <= g.batches * g.C;
  //@ assert plain: 0 < g.batches && 0 < g.C && 0 < P ==> 1 <= g.batches * g.C * P;
  //@ assert row: 0 < g.batches && 0 < g.C && 0 < P ==> 1 <= g.batches * g.C * P * b0;
  //@ assert sparse: 0 < g.batches && 0 < g.C && 0 < P ==> 1 <= g.batches * g.C * P * b0 * b1;
  //@ assert large: 0 < g.batches && 0 < g.C && 0 < P ==> dense_product(t) <= g.batches * g.C * P * b0 * b1 * dense_product(t);
  //@ assert exact: inferred_product(t, P) <= INT64_MAX <==> g.batches == 0 || g.C == 0 || P == 0;
  return g.batches == 0 || g.C == 0 || P == 0;
}

/*@ ghost
  /@ requires 0 <= n && 1 <= block && n * block > limit && 0 <= limit;
     terminates \true; exits \false; assigns \nothing;
     ensures n > limit / block; @/
  void lem_more_than_fit(int64_t n, int64_t block, int64_t limit) {
    /@ assert quotient: (limit / block) * block <= limit; @/
    /@ assert few: n <= limit / block ==> n * block <= (limit / block) * block; @/
  }
*/

/* level L2 */
int spw_entry_fits(const spw_tensor *t, int64_t i, int64_t n)
{
  //@ assert blocks: rule_3_13(t) && rule_3_4(t) && has_dims(t) && 1 <= block_size(t, i);
  return spw_product_fits(n, spw_block_size(t, i), INT64_MAX);
}

/* one more condition on the inferred size: its entry along sparse dimension i, of n blocks, fits */
/*@ requires readable: tensor_readable(t);
    requires shape: compressed_layout(t) && compressed_shape(t);
    requires index: 0 <= i <= 1 && 0 <= n && 0 <= f.count;
    terminates \true; exits \false; assigns \nothing;
    ensures fits: n * block_size(t, i) <= INT64_MAX ==> \result == f;
    ensures state: n * block_size(t, i) > INT64_MAX ==> \result.state == SPW_VIOLATED && 1 <= \result.count;
    ensures first: n * block_size(t, i) > INT64_MAX && f.state == SPW_VIOLATED ==>
      \result.first == f.first && \result.first.rule == f.first.rule;
    ensures witness: n * block_size(t, i) > INT64_MAX && f.state != SPW_VIOLATED ==>
      \result.first.rule == SPW_RULE_3_11 && n > INT64_MAX / block_size(t, i) &&
      place(\result.first, SPW_MEMBER_SIZE, batch_dims(t) + i, n, INT64_MAX / block_size(t, i)); */
/* level L2 */
static spw_finding and_entry(const spw_tensor *t, spw_finding f, int64_t i, int64_t n)
{
  if (spw_entry_fits(t, i, n)) return f;
  //@ assert blocks: rule_3_13(t) && rule_3_4(t) && has_dims(t) && 1 <= block_size(t, i);
  const int64_t block = spw_block_size(t, i);
  //@ ghost lem_more_than_fit(n, block, INT64_MAX);
  return spw_and_violation(f, spw_at(SPW_RULE_3_11, SPW_MEMBER_SIZE, spw_batch_dims(t) + i, n, INT64_MAX / block));
}

/* level L2 */
spw_finding spw_inferred_product(const spw_tensor *t, spw_grid g, int64_t P)
{
  const int by_rows = spw_compressed_dim(t) == 0;
  const int64_t rows = by_rows ? g.C : P, columns = by_rows ? P : g.C;
  //@ assert dims: by_rows == 1 ? compressed_dim(t) == 0 && plain_dim(t) == 1 : compressed_dim(t) == 1 && plain_dim(t) == 0;
  //@ assert blocks: rows == inferred_blocks(t, P, 0) && columns == inferred_blocks(t, P, 1);
  //@ assert fit: entries_fit(t, P) <==> rows * block_size(t, 0) <= INT64_MAX && columns * block_size(t, 1) <= INT64_MAX;
  spw_finding f = and_entry(t, spw_holds(), 0, rows);
  //@ assert wide: f.state == SPW_HOLDS <==> rows * block_size(t, 0) <= INT64_MAX;
  f = and_entry(t, f, 1, columns);
  //@ assert exact: f.state == SPW_HOLDS <==> entries_fit(t, P);
  //@ assert first: f.state == SPW_VIOLATED ==> f.first.rule == SPW_RULE_3_11 && witness_inferred_3_11(t, P, f.first);
  if (f.state == SPW_VIOLATED) return f;
  return spw_and(f, inferred_product_fits(t, g, P), spw_at(SPW_RULE_3_11, SPW_MEMBER_SIZE, -1, INT64_MAX, INT64_MAX));
}
