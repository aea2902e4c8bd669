/* SPDX-License-Identifier: Apache-2.0 */
/* What the check kernels are given, for both index types. Everything here was judged on the host
 * (all shape rules hold); what the index arrays contain is not known at all. */
#ifndef SPW_CUDA_ARGUMENTS_H
#define SPW_CUDA_ARGUMENTS_H

#include "words.h"

#define SPW_CUDA_DIMS 64

/* The batches that differ: dimensions of one entry, or along which nothing moves, are left out. */
typedef struct spw_batches {
  int64_t count;
  int ndim;
  int64_t shape[SPW_CUDA_DIMS], c_strides[SPW_CUDA_DIMS], p_strides[SPW_CUDA_DIMS];
} spw_batches;

/* Storage position of a batch. */
SPW_DEVICE int64_t spw_batch_start(const spw_batches *b, const int64_t *strides, int64_t batch)
{
  int64_t start = 0;
  for (int d = b->ndim - 1; d >= 0; d--) {
    start += batch % b->shape[d] * strides[d];
    batch /= b->shape[d];
  }
  return start;
}

/* The part [begin, end) of `items` that is number `share` of `shares`. */
typedef struct spw_part {
  int64_t begin, end;
} spw_part;

SPW_DEVICE spw_part spw_share_of(int64_t items, int64_t shares, int64_t share)
{
  const int64_t each = items / shares, more = items % shares;
  spw_part part;
  part.begin = each * share + (share < more ? share : more);
  part.end = part.begin + each + (share < more ? 1 : 0);
  return part;
}

/* With these one comparison says that an index is negative or too large. */
typedef uint32_t spw_unsigned_i32;
typedef uint64_t spw_unsigned_i64;

#define SPW_TEMPLATE "../../cuda/kernels/arguments.inc"
#include "../../src/core/each_index_type.h"

#endif
