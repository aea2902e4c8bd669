/* SPDX-License-Identifier: Apache-2.0 */
/* Values, cell by cell, from anywhere to one place after another: as bits, in units of 1 to 16 bytes. */
#ifndef SPW_CUDA_GATHER_H
#define SPW_CUDA_GATHER_H

#include "conversion.h"
#include "stages.h"

#ifndef SPW_GATHER_UNITS
#define SPW_GATHER_UNITS 4 /* loads that one lane has under way */
#endif

/* Where unit u of the result comes from. */
SPW_DEVICE int64_t spw_gather_from(const spw_gather *a, int64_t u)
{
  const int64_t cell = a->inner == 1 ? u : u / a->inner;
  const int64_t source = a->order ? (int64_t)a->order[cell] : cell;
  return spw_strided_at(&a->cells, source) + spw_strided_at(&a->within, u - cell * a->inner);
}

/* Have all cells one unit, and one distance from each other? Then nothing has to be divided, and what is read waits for nothing
 * but the order: unit u is that number of steps from the first one. */
SPW_DEVICE int spw_gather_is_even(const spw_gather *a)
{
  return a->inner == 1 && a->cells.ndim == 1;
}

SPW_DEVICE int64_t spw_gather_even_from(const spw_gather *a, int64_t u)
{
  return a->order ? (int64_t)a->order[u] : u;
}

typedef struct spw_unit_16 {
  uint64_t half[2];
} spw_unit_16;

SPW_DEVICE int64_t spw_gather_units(const spw_gather *a)
{
  return a->counted ? a->units * a->stage.memory->nse : a->units;
}

#define SPW_LOAD_PLAIN(unit, from) (unit) = *(from)
#define SPW_LOAD_16(unit, from) spw_load_16(&(unit), from)

/* A warp takes SPW_GATHER_UNITS rows of 32 units at a time: their loads are under way together. */
#define SPW_GATHER(bytes, type, LOAD)                                                              \
  SPW_KERNEL(spw_gather_##bytes, spw_gather)                                                       \
  {                                                                                                \
    if (!spw_stage_begins(&a->stage)) return;                                                      \
    type *const out = (type *)(void *)a->out;                                                      \
    const int64_t row = (int64_t)gridDim.x * blockDim.x, units = spw_gather_units(a);              \
    const int even = spw_gather_is_even(a);                                                        \
    const int64_t step = even ? a->cells.strides[0] : 1;                                           \
    for (int64_t u = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; u < units;                    \
         u += row * SPW_GATHER_UNITS) {                                                            \
      type unit[SPW_GATHER_UNITS] = {0};                                                           \
      int64_t from[SPW_GATHER_UNITS] = {0};                                                        \
      SPW_UNROLL                                                                                   \
      for (int j = 0; j < SPW_GATHER_UNITS && even; j++)                                           \
        if (u + j * row < units) from[j] = spw_gather_even_from(a, u + j * row);                   \
      SPW_UNROLL                                                                                   \
      for (int j = 0; j < SPW_GATHER_UNITS && !even; j++)                                          \
        if (u + j * row < units) from[j] = spw_gather_from(a, u + j * row);                        \
      SPW_UNROLL                                                                                   \
      for (int j = 0; j < SPW_GATHER_UNITS; j++)                                                   \
        if (u + j * row < units) LOAD(unit[j], (const type *)(const void *)(a->in + from[j] * step)); \
      SPW_UNROLL                                                                                   \
      for (int j = 0; j < SPW_GATHER_UNITS; j++)                                                   \
        if (u + j * row < units) out[u + j * row] = unit[j];                                    \
    }                                                                                              \
    spw_stage_ends(&a->stage);                                                                     \
  }

SPW_GATHER(1, uint8_t, SPW_LOAD_PLAIN)
SPW_GATHER(2, uint16_t, SPW_LOAD_PLAIN)
SPW_GATHER(4, uint32_t, SPW_LOAD_PLAIN)
SPW_GATHER(8, uint64_t, SPW_LOAD_PLAIN)
SPW_GATHER(16, spw_unit_16, SPW_LOAD_16)

#endif
