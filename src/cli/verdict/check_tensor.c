/* SPDX-License-Identifier: Apache-2.0 */
/* The checker, for dense arrays too. */
#include "verdict.h"

#include <stdlib.h>

static bool is_about_dense(spw_rule rule)
{
  return rule == SPW_RULE_1_4 || rule == SPW_RULE_1_5 || rule == SPW_RULE_3_11 || rule == SPW_RULE_3_12
         || rule == SPW_RULE_3_14;
}

/* Back from the array that has one dimension more in front, and whose other ones are a size, too: each negative one of them
 * was counted twice. */
static void tell_of_dense(spw_report *report)
{
  report->batches = report->nse = -1;
  report->findings[SPW_RULE_3_12].count /= 2;
  for (int i = 0; i < SPW_RULE_COUNT; i++) {
    spw_finding *finding = &report->findings[i];
    if (!is_about_dense((spw_rule)i)) finding->state = SPW_NOT_APPLICABLE;
    if (finding->first.member == SPW_MEMBER_VALUES && finding->first.position > 0) finding->first.position--;
  }
}

/* As COO without a sparse dimension, whose one element is all of the array: of its rules only those of the
 * array itself can be broken. */
static spw_status check_dense(const spw_tensor *tensor, spw_level level, spw_report *report)
{
  static const int64_t no_indices[] = {0, 1}, no_strides[] = {1, 1};
  const spw_array *array = &tensor->values.array;
  const size_t ndim = (size_t)array->ndim;
  int64_t *shape = allocate(ndim + 1, sizeof *shape), *strides = allocate(ndim + 1, sizeof *strides);
  shape[0] = 1;
  for (size_t d = 0; d < ndim; d++) {
    shape[d + 1] = array->shape[d];
    strides[d + 1] = array->strides[d];
  }
  spw_tensor whole = *tensor;
  whole.layout = SPW_COO;
  whole.has_size = true;
  whole.ndim = array->ndim;
  whole.size = array->shape;
  whole.index_dtype = SPW_DTYPE_NONE;
  whole.coalesced = SPW_CLAIM_NONE;
  whole.plain = (spw_index_array){.array = {SPW_INT64, 2, no_indices, no_strides, 0, 0}};
  whole.values.array.ndim++;
  whole.values.array.shape = shape;
  whole.values.array.strides = strides;
  const spw_status status = spw_check(&whole, level, report);
  if (status == SPW_OK) tell_of_dense(report);
  free(shape);
  free(strides);
  return status;
}

spw_status check_tensor(const spw_tensor *tensor, spw_level level, spw_report *report)
{
  return tensor->layout == SPW_DENSE ? check_dense(tensor, level, report) : spw_check(tensor, level, report);
}
