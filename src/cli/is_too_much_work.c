/* SPDX-License-Identifier: Apache-2.0 */
/* A file of a few hundred bytes can name more overlapping batches than anybody can wait for. */
#include "cli.h"

enum { LARGEST_WORK_LOG2 = 33 };

/* For factors >= 0; UINT64_MAX when the product does not fit, unless one is 0. */
static uint64_t times(uint64_t a, uint64_t b)
{
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* The number of batches; all that share their index arrays, every batch stride 0, count as one.
 * The strides of plain indices matter only where there are any. */
static uint64_t distinct_batches(const spw_array *compressed, const spw_array *plain, uint64_t nse)
{
  uint64_t batches = 1;
  bool shared = true;
  for (int64_t i = 0; i + 1 < compressed->ndim; i++) {
    if (compressed->shape[i] <= 0) return 0;
    batches = times(batches, (uint64_t)compressed->shape[i]);
    shared = shared && compressed->strides[i] == 0 && (nse == 0 || plain->strides[i] == 0);
  }
  return shared ? 1 : batches;
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
  return times(distinct_batches(compressed, plain, nse), (uint64_t)compressed->shape[last] + nse);
}

static bool shape_rules_hold(const spw_tensor *tensor)
{
  spw_report report;
  return spw_check(tensor, SPW_SHAPE, &report) == SPW_OK && report.valid;
}

bool is_too_much_work(const spw_tensor *tensor)
{
  return work(tensor) > (uint64_t)1 << LARGEST_WORK_LOG2 && shape_rules_hold(tensor);
}
