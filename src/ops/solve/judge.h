/* SPDX-License-Identifier: Apache-2.0 */
/* The matrix that is judged. */
#ifndef SPW_OPS_SOLVE_JUDGE_H
#define SPW_OPS_SOLVE_JUDGE_H

#include "triangle.h"
#include "../../operand/number_at.h"
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

#endif
