/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of index arrays whose shape rules hold, and the lines that elements lie in. */
#include "text.h"

spw_entries spw_entries_of_batch(const spw_index_array *indices, int64_t batch)
{
  const spw_array *const a = &indices->array;
  const int64_t last = a->ndim - 1;
  spw_entries entries = {indices, a->offset, a->strides[last], a->shape[last]};
  int64_t behind = 1;
  for (int64_t d = 0; d < last; d++) behind *= a->shape[d];
  for (int64_t d = 0; d < last; d++) {
    behind /= a->shape[d];
    entries.first += batch / behind * a->strides[d];
    batch %= behind;
  }
  return entries;
}

spw_entries spw_entries_of_row(const spw_index_array *indices, int64_t row)
{
  const spw_array *const a = &indices->array;
  return (spw_entries){indices, a->offset + row * a->strides[0], a->strides[1], a->shape[1]};
}

int64_t spw_entry(const spw_entries *entries, int64_t position)
{
  const int64_t at = entries->first + position * entries->stride;
  return entries->indices->array.dtype == SPW_INT32 ? entries->indices->i32[at] : entries->indices->i64[at];
}

int64_t spw_line_of(const spw_tensor *tensor, int64_t batch, int64_t position)
{
  const spw_entries starts = spw_entries_of_batch(&tensor->compressed, batch);
  const int64_t nse = tensor->plain.array.shape[tensor->plain.array.ndim - 1];
  int64_t line = -1, before = spw_entry(&starts, 0);
  bool holds = before == 0;
  for (int64_t i = 1; holds && i < starts.count; i++) {
    const int64_t start = spw_entry(&starts, i);
    holds = before <= start && start <= nse;
    if (before <= position && position < start) line = i - 1;
    before = start;
  }
  return holds && before == nse ? line : -1;
}
