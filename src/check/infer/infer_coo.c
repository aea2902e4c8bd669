/* SPDX-License-Identifier: Apache-2.0 */
#include "../../core/lemmas.h"
#include "inferred_size.h"

/*@ ghost
  /@ requires columns_inside(g, length) && 0 <= d < g.sparse_dim;
     terminates \true; exits \false; assigns \nothing;
     ensures \forall integer k; 0 <= k < g.nse ==> 0 <= g.start + d * g.dim_stride + k * g.stride < length; @/
  void lem_entries_inside(spw_columns g, int64_t length, int64_t d) {
    lem_mul_order(d, g.sparse_dim - 1, g.dim_stride);
    /@ assert columns: \forall integer k; 0 <= k < g.nse ==> 0 <= (g.nse - 1 - k) * g.stride; @/
    /@ assert sign: \forall integer k; 0 <= k < g.nse ==> 0 <= k * g.stride <= (g.nse - 1) * g.stride; @/
  }
*/

/* The extent of a line whose largest index is `last` has to fit besides. A function of its own, because no
 * int32 is so large. */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures beyond: last == INT64_MAX ==> \result == SPW_ERANGE;
    ensures fits: last != INT64_MAX ==> \result == status; */
/* level L2 */
static spw_status with_extent(spw_status status, int64_t last)
{
  return last == INT64_MAX ? SPW_ERANGE : status;
}

#define SPW_TEMPLATE "../check/infer/infer_coo.inc"
#include "../../core/each_index_type.h"

/* level L2 */
spw_status spw_infer_coo(const spw_tensor *t, int64_t *size)
{
  //@ assert type: rule_1_3(t);
  //@ assert kind: \forall integer i, e; coo_entry(t, i, e) ==> inferred_entry(t, i, e);
  return t->plain.array.dtype == SPW_INT32 ? infer_coo_i32(t, size) : infer_coo_i64(t, size);
}
