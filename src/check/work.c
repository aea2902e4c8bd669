/* SPDX-License-Identifier: Apache-2.0 */
/* How much work a tensor is, before it is done. */
#include "../view/usable_lemmas.h"
#include "shape/shape_rules.h"
#include "verdict.h"
#include "../../spec/acsl/work.acsl"

/*@ ghost
  /@ requires 0 <= n && 0 <= a && 0 <= sum;
     requires sum == saturated(a + b) && 0 <= b && steps == saturated(n * sum);
     terminates \true; exits \false; assigns \nothing;
     ensures steps == saturated(n * (a + b)); @/
  void lem_saturated_twice(int64_t n, int64_t a, int64_t b, int64_t sum, int64_t steps) {
    /@ assert less: a + b <= INT64_MAX ==> sum == a + b; @/
    /@ assert none: n == 0 ==> steps == 0 && n * (a + b) == 0; @/
    /@ assert more: 1 <= n && INT64_MAX < a + b ==> sum == INT64_MAX && INT64_MAX <= n * sum; @/
    /@ assert beyond: 1 <= n && INT64_MAX < a + b ==> INT64_MAX < n * (a + b); @/
  }
*/

/* Of a tensor whose batches can be numbered. */
/*@ requires readable: tensor_readable(t);
    requires shape: compressed_layout(t) && compressed_shape(t);
    requires batches: batches == batch_product(t) && 0 <= batches;
    terminates \true; exits \false; assigns \nothing;
    ensures sign: 0 <= \result;
    ensures once: one_batch(t) ==> \result == saturated(batch_indices(t));
    ensures all: !one_batch(t) ==>
      \result == saturated(batch_product(t) * batch_indices(t)); */
/* level L2 */
static int64_t compressed_work(const spw_tensor *t, int64_t batches)
{
  const spw_grid g = spw_grid_of(t, batches, 0);
  const int64_t once = spw_add_saturated(g.C + 1, g.nse);
  //@ assert sum: g.C + 1 + g.nse == batch_indices(t) && once == saturated(batch_indices(t)) && 0 <= once;
  if (batches > 0 && spw_batches_shared(g)) {
    //@ assert shared: one_batch(t);
    return once;
  }
  //@ assert apart: !one_batch(t);
  const int64_t steps = spw_mul_saturated(batches, once);
  //@ ghost lem_saturated_twice(batches, g.C + 1, g.nse, once, steps);
  //@ assert all: steps == saturated(batch_product(t) * batch_indices(t));
  return steps;
}

/*@ requires readable: tensor_readable(t);
    requires shape: t->layout == SPW_COO && coo_shape(t);
    terminates \true; exits \false; assigns \nothing;
    ensures sign: 0 <= \result;
    ensures once: one_column(t) ==> \result == sparse_dim(t);
    ensures all: !one_column(t) ==> \result == saturated(sparse_dim(t) * coo_nse(t)); */
/* level L2 */
static int64_t coo_work(const spw_tensor *t)
{
  const spw_columns g = spw_columns_of(t);
  if (g.stride == 0 && g.nse > 0) return g.sparse_dim;
  //@ assert apart: !one_column(t) && g.sparse_dim == sparse_dim(t) && g.nse == coo_nse(t);
  return spw_mul_saturated(g.sparse_dim, g.nse);
}

/* The work, -1 for more batches than int64 can number. */
/*@ requires readable: tensor_readable(t);
    requires level: known_level(level);
    terminates \true; exits \false; assigns \nothing;
    ensures overflow: \result < 0 <==> level != SPW_SHAPE && batches_overflow(t);
    ensures none: no_work(t, level) ==> \result == 0;
    ensures coo_once: !no_work(t, level) && t->layout == SPW_COO && one_column(t) ==> \result == sparse_dim(t);
    ensures coo_all: !no_work(t, level) && t->layout == SPW_COO && !one_column(t) ==>
      \result == saturated(sparse_dim(t) * coo_nse(t));
    ensures once: \result >= 0 && !no_work(t, level) && t->layout != SPW_COO && one_batch(t) ==>
      \result == saturated(batch_indices(t));
    ensures all: \result >= 0 && !no_work(t, level) && t->layout != SPW_COO && !one_batch(t) ==>
      \result == saturated(batch_product(t) * batch_indices(t)); */
/* level L2 */
static int64_t work_of(const spw_tensor *t, spw_level level)
{
  if (level == SPW_SHAPE || !spw_shape_holds(t)) return 0;
  if (t->layout == SPW_COO) return coo_work(t);
  //@ assert ranks: rule_3_2(t) && rule_3_12(t);
  const int64_t batches = spw_product(t->compressed.array.shape, spw_batch_dims(t));
  return batches < 0 ? -1 : compressed_work(t, batches);
}

/*@ requires output: steps != \null ==> \valid(steps);
    requires tensor: tensor != \null ==> honest(tensor);
    terminates \true; exits \false;
    assigns *steps;
    ensures misused: steps == \null ==> \result == SPW_EINVAL;
    ensures status: steps != \null ==> answers{Pre}(\result, tensor, level);
    ensures untouched: steps != \null && \result != SPW_OK ==> *steps == \old(*steps);
    ensures none: \result == SPW_OK && no_work{Pre}(tensor, level) ==> *steps == 0;
    ensures coo_once: \result == SPW_OK && !no_work{Pre}(tensor, level) && \old(tensor->layout) == SPW_COO &&
      one_column{Pre}(tensor) ==> *steps == sparse_dim{Pre}(tensor);
    ensures coo_all: \result == SPW_OK && !no_work{Pre}(tensor, level) && \old(tensor->layout) == SPW_COO &&
      !one_column{Pre}(tensor) ==> *steps == saturated(sparse_dim{Pre}(tensor) * coo_nse{Pre}(tensor));
    ensures once: \result == SPW_OK && !no_work{Pre}(tensor, level) && \old(tensor->layout) != SPW_COO &&
      one_batch{Pre}(tensor) ==> *steps == saturated(batch_indices{Pre}(tensor));
    ensures all: \result == SPW_OK && !no_work{Pre}(tensor, level) && \old(tensor->layout) != SPW_COO &&
      !one_batch{Pre}(tensor) ==> *steps == saturated(batch_product{Pre}(tensor) * batch_indices{Pre}(tensor)); */
/* level L2 */
spw_status spw_work(const spw_tensor *tensor, spw_level level, int64_t *steps)
{
  if (steps == NULL || !spw_is_level(level) || !spw_usable(tensor)) return SPW_EINVAL;
  //@ ghost lem_readable(tensor);
  const int64_t work = work_of(tensor, level);
  if (work < 0) return SPW_EOVERFLOW;
  *steps = work;
  return SPW_OK;
}
