/* SPDX-License-Identifier: Apache-2.0 */
/* Which cells are stored, as bits: one read of the values, after which all else is told by the bits.
 * A warp takes a tile, SPW_MARK_CELLS cells of one batch. */
#ifndef SPW_CUDA_MARKS_H
#define SPW_CUDA_MARKS_H

#include "gather.h"
#include "scan.h"

/* The warps of a launch, and which of them this is. */
#define SPW_WARPS ((int64_t)gridDim.x * (blockDim.x / SPW_WARP_LANES))
#define SPW_WARP ((int64_t)blockIdx.x * (blockDim.x / SPW_WARP_LANES) + threadIdx.x / SPW_WARP_LANES)

/* How many words of a tile have cells, of which there are `cells` from where it begins. */
SPW_DEVICE unsigned spw_words_of(int64_t cells)
{
  return cells < SPW_MARK_CELLS ? (unsigned)(cells + 31) / 32 : SPW_MARK_WORDS;
}

/* The same where a tile may be there for more cells than there are. */
SPW_DEVICE unsigned spw_words_left(int64_t cells)
{
  return cells > 0 ? spw_words_of(cells) : 0;
}

/* How many of the cells before number m of a tile are stored: of any m from 0 to SPW_MARK_CELLS. `word` is a lane's own,
 * `before` what is stored before it, `all` what the tile has. All 32 lanes call. */
SPW_DEVICE unsigned spw_stored_before(unsigned word, unsigned before, unsigned all, int64_t m)
{
  const int inside = m >= 0 && m < SPW_MARK_CELLS;
  const unsigned at = inside ? (unsigned)m / 32 : 0;
  const unsigned there = __shfl_sync(SPW_ALL_LANES, word, at), sum = __shfl_sync(SPW_ALL_LANES, before, at);
  return inside ? sum + (unsigned)__popc(there & ((1u << (unsigned)m % 32) - 1)) : all;
}

/* How many cells each batch has. */
#define SPW_CELLS_KNOWN(a) ((a)->cells)
#define SPW_CELLS_TOLD(a) ((a)->values.stage.memory->nse)

/* The mask is that of 8 bytes from where a cell begins. */
#define SPW_IS_STORED(bytes, type)                                                                 \
  SPW_DEVICE int spw_is_stored_##bytes(const spw_marking *a, int64_t n, type unit)                 \
  {                                                                                                \
    if (unit & (type)a->mask) return 1;                                                            \
    for (int64_t u = 1; u < a->values.inner; u++) {                                                \
      unit = *(const type *)(const void *)(a->values.in + spw_gather_from(&a->values, n * a->values.inner + u)); \
      if (unit & (type)(a->mask >> (unsigned)(8 * (u * bytes % 8)))) return 1;                     \
    }                                                                                              \
    return 0;                                                                                      \
  }

/* A lane has SPW_GATHER_UNITS loads under way. */
#define SPW_MARK(name, bytes, type, CELLS, WORDS)                                                  \
  SPW_KERNEL(spw_##name##_##bytes, spw_marking)                                                    \
  {                                                                                                \
    if (!spw_stage_begins(&a->values.stage)) return;                                               \
    const int even = spw_gather_is_even(&a->values);                                               \
    const int64_t step = even ? a->values.cells.strides[0] : 1;                                    \
    for (int64_t t = SPW_WARP; t < a->batches * a->tiles; t += SPW_WARPS) {                        \
      const int64_t batch = t / a->tiles, begin = (t - batch * a->tiles) * SPW_MARK_CELLS + SPW_LANE; \
      const unsigned words = WORDS(CELLS(a) - (begin - SPW_LANE));                                 \
      unsigned mine = 0;                                                                           \
      for (unsigned w = 0; w < words; w += SPW_GATHER_UNITS) {                                     \
        type unit[SPW_GATHER_UNITS] = {0};                                                         \
        const int64_t first = begin + (int64_t)w * SPW_WARP_LANES, cell = batch * CELLS(a) + first; \
        const int64_t left = a->mask ? CELLS(a) - first : 0; /* what has no value is not read */   \
        int64_t from[SPW_GATHER_UNITS] = {0};                                                      \
        SPW_UNROLL                                                                                 \
        for (int64_t j = 0; j < SPW_GATHER_UNITS && even; j++)                                     \
          if (j * SPW_WARP_LANES < left) from[j] = spw_gather_even_from(&a->values, cell + j * SPW_WARP_LANES); \
        SPW_UNROLL                                                                                 \
        for (int64_t j = 0; j < SPW_GATHER_UNITS && !even; j++)                                    \
          if (j * SPW_WARP_LANES < left)                                                           \
            from[j] = spw_gather_from(&a->values, (cell + j * SPW_WARP_LANES) * a->values.inner);  \
        SPW_UNROLL                                                                                 \
        for (int64_t j = 0; j < SPW_GATHER_UNITS; j++)                                             \
          if (j * SPW_WARP_LANES < left) unit[j] = *(const type *)(const void *)(a->values.in + from[j] * step); \
        SPW_UNROLL                                                                                 \
        for (unsigned j = 0; j < SPW_GATHER_UNITS; j++) {                                          \
          const int64_t n = begin + (w + j) * SPW_WARP_LANES;                                      \
          const int stored = n < CELLS(a) && spw_is_stored_##bytes(a, batch * CELLS(a) + n, unit[j]); \
          const unsigned word = __ballot_sync(SPW_ALL_LANES, stored);                              \
          if (SPW_LANE == w + j) mine = word;                                                      \
        }                                                                                          \
      }                                                                                            \
      a->marks[t * SPW_MARK_WORDS + SPW_LANE] = mine;                                              \
      const spw_word count = spw_warp_sum((spw_word)__popc(mine));                                 \
      if (SPW_LANE == 0) a->counts[t] = count;                                                     \
    }                                                                                              \
    spw_stage_ends(&a->values.stage);                                                              \
  }

#define SPW_MARKS(bytes, type)                                                                     \
  SPW_IS_STORED(bytes, type)                                                                       \
  SPW_MARK(mark, bytes, type, SPW_CELLS_KNOWN, spw_words_of)                                       \
  SPW_MARK(mark_told, bytes, type, SPW_CELLS_TOLD, spw_words_left)

SPW_MARKS(1, uint8_t)
SPW_MARKS(2, uint16_t)
SPW_MARKS(4, uint32_t)
SPW_MARKS(8, uint64_t)

/* How many cells are before a batch. */
SPW_DEVICE spw_word spw_batch_begin(const spw_settling *a, int64_t batch)
{
  const spw_word tile = a->bounds ? a->bounds[batch] : (spw_word)(batch * a->tiles);
  return a->starts ? a->starts[tile] : tile;
}

SPW_DEVICE spw_word spw_batch_count(const spw_settling *a, int64_t batch)
{
  return spw_batch_begin(a, batch + 1) - spw_batch_begin(a, batch);
}

/* One block. */
SPW_KERNEL(spw_settle, spw_settling)
{
  SPW_SHARED(spw_word, shared, 32);
  SPW_SHARED(spw_word, other, 1);
  if (!spw_stage_begins(&a->stage)) return;
  const spw_word nse = spw_batch_count(a, 0);
  spw_word least = SPW_WORD_NONE;
  for (int64_t b = threadIdx.x; b < a->batches && least == SPW_WORD_NONE; b += blockDim.x)
    if (spw_batch_count(a, b) != nse) least = (spw_word)b;
  least = spw_block_min(least, shared);
  if (threadIdx.x == 0) {
    other[0] = least;
    if (least == SPW_WORD_NONE) {
      a->stage.memory->nse = (int64_t)nse;
    } else {
      a->stage.memory->place = 0;
      a->stage.memory->other = (int64_t)least;
      a->stage.memory->lhs = (int64_t)nse;
      a->stage.memory->rhs = (int64_t)spw_batch_count(a, (int64_t)least);
    }
  }
  __syncthreads();
  if (other[0] != SPW_WORD_NONE) return;
  spw_stage_ends(&a->stage);
}

#define SPW_TEMPLATE "../../cuda/kernels/collect.inc"
#include "../../src/core/each_index_type.h"

#endif
