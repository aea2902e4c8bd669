/* SPDX-License-Identifier: Apache-2.0 */
#include "target.h"
#include "values.h"

#include <string.h>

spw_status spw_take_count(const spw_plan *plan, spw_target *out, int64_t b, int64_t n, spw_refusal *refusal)
{
  if (b == 0) {
    if (n < 0 || n > plan->cap) return SPW_EINVAL;
    const spw_status status = spw_fits_index(plan, n, refusal);
    if (status == SPW_OK) out->nse = n;
    return status;
  }
  return n == out->nse ? SPW_OK : spw_refuse(refusal, SPW_OBSTACLE_BATCHES, 0, b, out->nse, n);
}

spw_status spw_refuse_other(const spw_target *out, spw_indices ptr, int64_t C, int64_t first, int64_t b, spw_refusal *refusal)
{
  const int64_t own = spw_get_index(ptr, C), count = spw_get_index(ptr, (b + 1) * C) - spw_get_index(ptr, b * C);
  if (first > 0 && own != out->nse) return spw_refuse(refusal, SPW_OBSTACLE_BATCHES, 0, first, out->nse, own);
  return spw_refuse(refusal, SPW_OBSTACLE_BATCHES, 0, first + b, own, count);
}

void spw_copy_cell(const spw_plan *plan, const spw_target *out, uint64_t payload, char *to)
{
  if (plan->payload == SPW_BITS32) {
    const uint32_t word = (uint32_t)payload;
    memcpy(to, &word, sizeof word);
  } else if (plan->payload == SPW_BITS64) {
    memcpy(to, &payload, sizeof payload);
  } else {
    memcpy(to, out->source + (int64_t)payload * plan->moved_bytes, (size_t)plan->moved_bytes);
  }
}
