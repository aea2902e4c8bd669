/* SPDX-License-Identifier: Apache-2.0 */
/* A file of a few hundred bytes can name more overlapping batches than anybody can wait for. */
#include "cli.h"

enum { LARGEST_WORK_LOG2 = 36 };

/* For factors >= 0; UINT64_MAX when the product does not fit, unless one is 0. */
static uint64_t times(uint64_t a, uint64_t b)
{
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* The number of batches, those counted once that both index arrays repeat with stride 0. */
static uint64_t distinct_batches(const spw_array *compressed, const spw_array *plain)
{
  uint64_t batches = 1;
  for (int64_t i = 0; i + 1 < compressed->ndim; i++) {
    if (compressed->shape[i] <= 0) return 0;
    if (compressed->strides[i] != 0 || plain->strides[i] != 0)
      batches = times(batches, (uint64_t)compressed->shape[i]);
  }
  return batches;
}

/* 0 for shapes that violate a rule anyway. */
static uint64_t work(const spw_tensor *tensor)
{
  const spw_array *compressed = &tensor->compressed.array, *plain = &tensor->plain.array;
  const int64_t last = plain->ndim - 1;
  if (plain->ndim < 1 || plain->shape[last] < 0) return 0;
  const uint64_t nse = (uint64_t)plain->shape[last];
  if (tensor->layout == SPW_COO)
    return plain->ndim != 2 || plain->shape[0] < 0 ? 0 : times((uint64_t)plain->shape[0] + 1, nse);
  if (compressed->ndim != plain->ndim || compressed->shape[last] < 0) return 0;
  return times(distinct_batches(compressed, plain), (uint64_t)compressed->shape[last] + nse);
}

/* Without a size the shape rules need one to be inferred, which is itself the work. A size without
 * dimensions stands in for it: it violates 3.1 or 6.3, and the other rules judge the members. */
static bool shape_rules_hold(const spw_tensor *tensor)
{
  spw_tensor probe = *tensor;
  probe.has_size = true;
  if (!tensor->has_size) probe.ndim = 0;
  spw_report report;
  if (spw_check(&probe, SPW_SHAPE, &report) != SPW_OK) return false;
  if (tensor->has_size) return report.valid;
  for (int i = 0; i < SPW_RULE_COUNT; i++)
    if (report.findings[i].state == SPW_VIOLATED && i != SPW_RULE_3_1 && i != SPW_RULE_6_3)
      return false;
  return true;
}

bool is_too_much_work(const spw_tensor *tensor)
{
  return work(tensor) > (uint64_t)1 << LARGEST_WORK_LOG2 && shape_rules_hold(tensor);
}
