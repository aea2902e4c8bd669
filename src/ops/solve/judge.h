/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of floating and complex types, for the judges. */
#ifndef SPW_OPS_SOLVE_JUDGE_H
#define SPW_OPS_SOLVE_JUDGE_H

#include "triangle.h"
#include "../../oracle/quotient.h"
#include "../../oracle/rows.h"

/* Duplicates of a COO matrix are combined in the arena; where that has no base yet, room for it is taken, and *a stays. */
static inline spw_status spw_judge_combined(const spw_tensor **a, spw_specified *combined, spw_arena *arena, spw_refusal *refusal)
{
  const bool asks = !arena->base;
  spw_status status = SPW_OK;
  if ((*a)->layout != SPW_COO) return SPW_OK;
  if (asks) status = spw_specified_size(*a, SPW_COMBINE_SUM, SPW_INT64, combined, refusal);
  if (status == SPW_OK) status = spw_specified_make(*a, combined, arena, refusal);
  if (status == SPW_OK && !asks) *a = combined->t;
  return status;
}

/* Both parts of the number at a place of the storage; the imaginary one of a real type is 0. */
static inline void spw_number_at(const spw_value_array *v, int64_t place, bool conjugate, double x[2])
{
  const spw_dtype dtype = v->array.dtype;
  const bool narrow = dtype == SPW_FLOAT32 || dtype == SPW_COMPLEX64, complex = dtype >= SPW_COMPLEX64;
  const char *const at = (const char *)v->data + place * spw_dtype_size(dtype);
  x[1] = 0;
  for (int part = 0; part < (complex ? 2 : 1); part++) {
    float single;
    if (narrow) {
      __builtin_memcpy(&single, at + 4 * part, 4);
      x[part] = (double)single;
    } else {
      __builtin_memcpy(&x[part], at + 8 * part, 8);
    }
  }
  if (conjugate) x[1] = -x[1];
}

#endif
