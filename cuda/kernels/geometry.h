/* SPDX-License-Identifier: Apache-2.0 */
/* How kernels are launched, and how a workspace is divided: host code that plans of all capabilities share. */
#ifndef SPW_CUDA_GEOMETRY_H
#define SPW_CUDA_GEOMETRY_H

#include <stddef.h>
#include <stdint.h>

/* At most `blocks` blocks of `threads` threads. */
typedef struct spw_geometry {
  unsigned blocks, threads;
} spw_geometry;

static inline unsigned spw_blocks_for(spw_geometry g, int64_t items)
{
  const int64_t needed = items / g.threads + 1;
  return needed < g.blocks ? (unsigned)needed : g.blocks;
}

/* A workspace, piece after piece, each at a multiple of 16 bytes: what a caller gives lies at one. */
typedef struct spw_carver {
  size_t bytes;
  int too_large; /* more than size_t can number */
} spw_carver;

/* Where the next `count` elements of `size` bytes begin. */
static inline size_t spw_carve(spw_carver *w, int64_t count, size_t size)
{
  const size_t at = w->bytes;
  size_t bytes;
  if (count < 0 || __builtin_mul_overflow((size_t)count, size, &bytes) ||
      __builtin_add_overflow(bytes, (size_t)15, &bytes) ||
      __builtin_add_overflow(at, bytes / 16 * 16, &w->bytes))
    w->too_large = 1;
  return at;
}

#endif
