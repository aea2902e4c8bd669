/* SPDX-License-Identifier: Apache-2.0 */
/* How much work a tensor is, before it is done. */
#include "../view/usable_lemmas.h"
#include "shape/shape_rules.h"
#include "verdict.h"
#include "../../spec/acsl/work.acsl"

/*@ ghost
  /@ requires 0 <= n && 0 <= a && 0 <= b;
     terminates \true; exits \false; assigns \nothing;
     ensures saturated(n * saturated(a + b)) == saturated(n * (a + b)); @/
  void lem_saturated_twice(int64_t n, int64_t a, int64_t b) {
    /@ assert more: 1 <= n && INT64_MAX < a + b ==> INT64_MAX <= n * INT64_MAX && INT64_MAX < n * (a + b); @/
  }
*/

/* Of a tensor whose batches can be numbered. */
/*@ requires readable: tensor_readable(t);
    requires shape: compressed_layout(t) && compressed_shape(t);
    requires batches: batches == batch_product(t) && 0 <= batches;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: compressed_work(t, \result) && 0 <= \result; */
/* level L2 */
static int64_t compressed_work(const spw_tensor *t, int64_t batches)
{
  const spw_grid g = spw_grid_of(t, batches, 0);
  const int shared = spw_batches_shared(g);
  //@ assert one: shared == 1 <==> one_for_all(t);
  const int64_t looked_at = shared && batches > 0 ? 1 : batches;
  const int64_t a_batch = spw_add_saturated(g.C + 1, g.nse);
  //@ assert sum: a_batch == saturated(a_batch(t)) && 0 <= a_batch;
  //@ ghost lem_saturated_twice(looked_at, g.C + 1, g.nse);
  const int64_t steps = spw_mul_saturated(looked_at, a_batch);
  //@ assert whole: g.C + 1 + g.nse == a_batch(t);
  //@ assert once: steps == saturated(looked_at * a_batch(t));
  return steps;
}

/*@ requires readable: tensor_readable(t);
    requires shape: t->layout == SPW_COO && coo_shape(t);
    terminates \true; exits \false; assigns \nothing;
    ensures exact: coo_work(t, \result) && 0 <= \result; */
/* level L2 */
static int64_t coo_work(const spw_tensor *t)
{
  const spw_columns g = spw_columns_of(t);
  return spw_mul_saturated(g.sparse_dim, g.stride == 0 && g.nse > 0 ? 1 : g.nse);
}

/* The work, -1 for more batches than int64 can number. */
/*@ requires readable: tensor_readable(t);
    requires level: known_level(level);
    terminates \true; exits \false; assigns \nothing;
    ensures overflow: \result < 0 <==> level != SPW_SHAPE && batches_overflow(t);
    ensures exact: \result >= 0 ==> is_work(t, level, \result); */
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
    ensures exact: \result == SPW_OK ==> is_work{Pre}(tensor, level, *steps); */
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
