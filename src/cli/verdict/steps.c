/* SPDX-License-Identifier: Apache-2.0 */
/* How much work a tensor is. A file of a few hundred bytes can name more overlapping batches than
 * anybody can wait for, so that the work is known, and limited, before it begins. */
#include "verdict.h"

/* For factors >= 0; INT64_MAX when the product does not fit, unless one is 0. */
static int64_t times(int64_t a, int64_t b)
{
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

static int64_t plus(int64_t a, int64_t b)
{
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

/* The number of batches; all that share their index arrays, every batch stride 0, count as one.
 * The strides of plain indices matter only where there are any. */
static int64_t distinct_batches(const spw_array *compressed, const spw_array *plain, int64_t nse)
{
  int64_t batches = 1;
  bool shared = true;
  for (int64_t i = 0; i + 1 < compressed->ndim; i++) {
    if (compressed->shape[i] <= 0) return 0;
    batches = times(batches, compressed->shape[i]);
    shared = shared && compressed->strides[i] == 0 && (nse == 0 || plain->strides[i] == 0);
  }
  return shared ? 1 : batches;
}

/* 0 for shapes that violate a rule anyway. */
static int64_t elements(const spw_tensor *tensor)
{
  const spw_array *compressed = &tensor->compressed.array, *plain = &tensor->plain.array;
  const int64_t last = plain->ndim - 1;
  if (plain->ndim < 1 || plain->shape[last] < 0) return 0;
  const int64_t nse = plain->shape[last];
  if (tensor->layout == SPW_COO)
    return plain->ndim != 2 || plain->shape[0] < 0 ? 0 : times(plus(plain->shape[0], 1), nse);
  if (compressed->ndim != plain->ndim || compressed->shape[last] < 0) return 0;
  return times(distinct_batches(compressed, plain, nse), plus(compressed->shape[last], nse));
}

static bool shape_rules_hold(const spw_tensor *tensor)
{
  spw_report report;
  return spw_check(tensor, SPW_SHAPE, &report) == SPW_OK && report.valid;
}

int64_t steps_of_check(const spw_tensor *tensor, spw_level level)
{
  if (level == SPW_SHAPE) return 0;
  const int64_t most = elements(tensor);
  return most > 0 && shape_rules_hold(tensor) ? most : 0;
}
