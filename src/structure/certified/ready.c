/* SPDX-License-Identifier: Apache-2.0 */
#include "../../check/verdict.h"
#include "ready.h"
#include "types.h"
#include "../../core/entries.h"
#include "../../view/values_given.h"

/*@ requires honest: honest_entries(p, n);
    terminates \true; exits \false; assigns \nothing;
    ensures given: \result == 1 <==> usable_entries(p, n);
    ensures readable: \result == 1 ==> 0 <= n <= SPW_NDIM_MAX && \valid_read(p + (0 .. n - 1));
    ensures verdict: \result == 0 || \result == 1; */
/* level L2 */
static int are_given(const int64_t *p, int64_t n)
{
  return n >= 0 && n <= SPW_NDIM_MAX && (n == 0 || p != NULL);
}

/*@ requires honest: \valid_read(a) && honest_array(a);
    terminates \true; exits \false; assigns \nothing;
    ensures given: \result == 1 <==> usable_array(a);
    ensures readable: \result == 1 ==> array_readable(a);
    ensures verdict: \result == 0 || \result == 1; */
/* level L2 */
static int is_array_given(const spw_array *a)
{
  return a->length >= 0 && are_given(a->shape, a->ndim) == 1 && are_given(a->strides, a->ndim) == 1;
}

/*@ requires honest: \valid_read(t) && (t->has_size == 1 ==> honest_entries(t->size, t->ndim)) && array_readable(&t->values.array);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> (sized(t) ==> t->ndim == t->values.array.ndim && usable_entries(t->size, t->ndim) &&
      equal(t->size, t->values.array.shape, t->ndim)); */
/* level L2 */
static int has_that_size(const spw_tensor *t)
{
  if (!t->has_size) return 1;
  if (t->ndim != t->values.array.ndim || are_given(t->size, t->ndim) != 1) return 0;
  return spw_entries_equal(t->size, t->values.array.shape, t->ndim);
}

/*@ requires honest: honest_operand(t) && dense_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> dense_valid(t);
    ensures readable: \result == 1 ==> array_readable(&t->values.array); */
/* level L2 */
static int is_dense_valid(const spw_tensor *t)
{
  const spw_array *const a = &t->values.array;
  if (is_array_given(a) != 1 || spw_values_given(&t->values) != 1 || spw_payload_width(a->dtype) == 0) return 0;
  if (t->dtype != SPW_DTYPE_NONE && t->dtype != a->dtype) return 0;
  if (spw_entries_non_negative(a->shape, a->ndim) != 1 || spw_product(a->shape, a->ndim) < 0) return 0;
  if (spw_inside_storage(a->shape, a->strides, a->ndim, a->offset, a->length) != 1) return 0;
  return has_that_size(t);
}

/* level L2 */
int spw_is_whole(const spw_tensor *t)
{
  if ((int64_t)t->layout == SPW_LAYOUT_COUNT) return is_dense_valid(t);
  if (spw_usable(t) != 1) return 0;
  //@ ghost lem_readable(t);
  const spw_verdict v = spw_verdict_of(t, SPW_CANONICAL, 1);
  return v.status == SPW_OK && v.valid == 1;
}

/* level L1 */
int spw_is_ready(const spw_tensor *t)
{
  if ((int64_t)t->layout == SPW_LAYOUT_COUNT) return is_dense_valid(t);
  if (!t->has_size) return 0;
  //@ ghost lem_readable(t);
  return 1;
}
