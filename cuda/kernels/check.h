/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of the check, for both index types: per tensor at most three launches,
 *   range    where the size is to be inferred
 *   verdict  one pass over everything; its last block writes that the tensor is valid, if it is
 *   find     returns at once when it is valid, else finds the first violation and writes it */
#ifndef SPW_CUDA_CHECK_H
#define SPW_CUDA_CHECK_H

#include "arguments.h"
#include "offer.h"
#include "reduce.h"
#include "split.h"

#define SPW_CHECK_THREADS 256 /* at most, and whole warps */
#define SPW_CHECK_BLOCKS 3    /* of so many threads, at a time on a multiprocessor: each warp then has one share of the work */
#ifndef SPW_TILE_VECTORS
#define SPW_TILE_VECTORS 4 /* 16-byte loads that one lane has under way */
#endif

#define SPW_TEMPLATE "../../cuda/kernels/check.inc"
#include "../../src/core/each_index_type.h"

/* X(name) for each kernel. */
#define SPW_CHECK_KERNELS_OF(X, suffix)                                                            \
  X(spw_range_compressed_##suffix)                                                                 \
  X(spw_verdict_compressed_##suffix)                                                               \
  X(spw_find_compressed_##suffix)                                                                  \
  X(spw_range_coordinates_##suffix)                                                                \
  X(spw_verdict_coordinates_##suffix)                                                              \
  X(spw_find_coordinates_##suffix)
#define SPW_CHECK_KERNELS(X) SPW_CHECK_KERNELS_OF(X, i32) SPW_CHECK_KERNELS_OF(X, i64)

#endif
