/* SPDX-License-Identifier: Apache-2.0 */
/* Is the operand of a conversion valid? */
#include "plan.h"
#include "values.h"
#include "../core/size.h"
#include "../view/usable.h"
#include "../view/values_given.h"

static spw_status invalid(spw_refusal *refusal, spw_violation violation)
{
  const spw_refusal r = {SPW_OBSTACLE_RULE, violation, -1, -1, -1, -1, 0};
  if (refusal) *refusal = r;
  return SPW_EINVALID;
}

static spw_violation of_values(spw_rule rule, int64_t position, int64_t lhs, int64_t rhs)
{
  const spw_violation v = {rule, SPW_MEMBER_VALUES, 0, position, lhs, rhs};
  return v;
}

/* The first negative of n entries; -1. */
static int64_t first_negative(const int64_t *entries, int64_t n)
{
  for (int64_t d = 0; d < n; d++)
    if (entries[d] < 0) return d;
  return -1;
}

spw_violation spw_dense_violation(const spw_array *a)
{
  if (spw_dtype_size(a->dtype) == 0) return of_values(SPW_RULE_1_5, -1, (int64_t)a->dtype, SPW_COMPLEX128);
  const int64_t shape = first_negative(a->shape, a->ndim), stride = first_negative(a->strides, a->ndim);
  if (shape >= 0) return of_values(SPW_RULE_3_12, shape, a->shape[shape], 0);
  if (spw_product(a->shape, a->ndim) < 0) return of_values(SPW_RULE_3_11, -1, INT64_MAX, INT64_MAX);
  if (stride >= 0) return of_values(SPW_RULE_3_14, stride, a->strides[stride], 0);
  if (!spw_inside_storage(a->shape, a->strides, a->ndim, a->offset, a->length))
    return of_values(SPW_RULE_3_14, -1, a->offset, a->length);
  return of_values(SPW_RULE_NONE, -1, 0, 0);
}

/* And of what the tensor says of it, its type before and its size behind them. */
static spw_violation dense_tensor_violation(const spw_tensor *t)
{
  const spw_array *a = &t->values.array;
  if (t->dtype != SPW_DTYPE_NONE && t->dtype != a->dtype)
    return of_values(SPW_RULE_1_4, -1, (int64_t)a->dtype, (int64_t)t->dtype);
  const spw_violation v = spw_dense_violation(a);
  if (v.rule != SPW_RULE_NONE || !t->has_size) return v;
  if (t->ndim != a->ndim) return of_values(SPW_RULE_3_12, -1, a->ndim, t->ndim);
  for (int64_t d = 0; d < a->ndim; d++)
    if (a->shape[d] != t->size[d]) return of_values(SPW_RULE_3_12, d, a->shape[d], t->size[d]);
  return v;
}

/* The other members of a dense array may be anything. Only what a COO tensor is asked for is written: to clear the rest takes
 * longer than to judge it. */
static bool dense_usable(const spw_tensor *t)
{
  static const spw_array none = {0};
  spw_tensor values;
  values.layout = SPW_COO;
  values.has_size = t->has_size;
  values.ndim = t->ndim;
  values.size = t->size;
  values.plain.array = none;
  values.values = t->values;
  return spw_usable(&values);
}

spw_status spw_convert_judge(const spw_tensor *tensor, bool canonicalize, int threads, spw_refusal *refusal)
{
  const bool usable = tensor->layout == SPW_DENSE ? dense_usable(tensor) : spw_usable(tensor);
  if (!usable || !spw_values_given(&tensor->values)) return SPW_EINVAL;
  spw_violation v;
  if (tensor->layout == SPW_DENSE) {
    v = dense_tensor_violation(tensor);
    return v.rule == SPW_RULE_NONE ? SPW_OK : invalid(refusal, v);
  }
  const bool made = canonicalize && spw_is_compressed(tensor->layout);
  const spw_level level = made ? SPW_STRUCTURE : SPW_CANONICAL;
  bool valid = false;
  spw_status status = spw_is_valid_parallel(tensor, level, threads, &valid);
  if (status != SPW_OK || valid) return status;
  status = spw_first_violation(tensor, level, &v);
  return status == SPW_OK ? invalid(refusal, v) : status;
}

spw_status spw_convert_judge_all(const spw_tensor *const *operands, int64_t count, spw_refusal *refusal)
{
  for (int64_t i = 0; i < count; i++) {
    const spw_status status = spw_convert_judge(operands[i], false, 1, refusal);
    if (status == SPW_EINVALID && refusal) refusal->other = i;
    if (status != SPW_OK) return status;
  }
  return SPW_OK;
}
