/* SPDX-License-Identifier: Apache-2.0 */
/* Indices of either type. Loops over them are written once; a compiler takes the choice out of the loop. */
#ifndef SPW_CONVERT_INDICES_H
#define SPW_CONVERT_INDICES_H

#include "../sparsewright.h"

/* To write to: exactly one of the two is used. */
typedef struct spw_indices {
  int32_t *i32;
  int64_t *i64;
  bool wide;
} spw_indices;

/* Do all batches of an array lie at one place? The stride of a dimension that has one entry may be anything (3.14). */
static inline bool spw_batches_stay(const spw_array *a, int64_t batch_dims)
{
  for (int64_t d = 0; d < batch_dims; d++)
    if (a->shape[d] > 1 && a->strides[d] != 0) return false;
  return true;
}

static inline int64_t spw_index_at(const spw_index_array *a, int64_t at)
{
  return a->array.dtype == SPW_INT64 ? a->i64[at] : a->i32[at];
}

static inline void spw_put_index(spw_indices a, int64_t at, int64_t index)
{
  if (a.wide)
    a.i64[at] = index;
  else
    a.i32[at] = (int32_t)index;
}

static inline int64_t spw_get_index(spw_indices a, int64_t at)
{
  return a.wide ? a.i64[at] : a.i32[at];
}

/* Those of a tensor from a place on; nothing is added to a null pointer. */
static inline const void *spw_indices_at(const spw_index_array *a, int64_t place)
{
  if (a->array.dtype == SPW_INT64) return place == 0 ? a->i64 : a->i64 + place;
  return place == 0 ? (const void *)a->i32 : a->i32 + place;
}

static inline void *spw_indices_data(spw_indices a)
{
  return a.wide ? (void *)a.i64 : a.i32;
}

/* From place `at` on; nothing is added to a null pointer. */
static inline spw_indices spw_indices_from(spw_indices a, int64_t at)
{
  if (at == 0) return a;
  if (a.wide)
    a.i64 += at;
  else
    a.i32 += at;
  return a;
}

#endif
