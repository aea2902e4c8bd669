/* SPDX-License-Identifier: Apache-2.0 */
/* All batches of a tensor at once, read where they lie: that is what the theorem is about. */
#include "swap_batches.h"
#include "instances/swap_batches.h"
#include "steps.h"
#include "values.h"
#include "../view/members.h"

/* By the width of a cell: of as many bytes, aligned as its scalars are. */
static const struct kernel {
  int64_t bytes, alignment;
  void (*swap)(const spw_swap *x);
} kernels[] = {
    {1, 1, spw_swap_batches_u8},      {2, 2, spw_swap_batches_u16},   {4, 4, spw_swap_batches_u32},
    {8, 8, spw_swap_batches_u64},     {8, 4, spw_swap_batches_pair32}, {16, 8, spw_swap_batches_pair64},
};

static const struct kernel *kernel_of(const spw_plan *plan)
{
  const int64_t alignment = (int64_t)spw_alignment(plan->dtype);
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
    if (kernels[i].bytes == plan->moved_bytes && kernels[i].alignment == alignment) return &kernels[i];
  return NULL;
}

bool spw_swaps_batches(const spw_plan *plan)
{
  if (!spw_is_compressed(plan->t->layout) || !spw_is_compressed(plan->to.layout) || plan->made || spw_holds_nothing(plan))
    return false;
  const spw_steps s = spw_steps_of(plan);
  return s.swap && !s.explode && !s.collect && plan->t->plain.array.dtype == plan->to.index_dtype &&
         spw_swap_starts(plan->nse, s.lines[1], plan->threads) == 0 && kernel_of(plan);
}

spw_status spw_convert_swapped(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  const spw_status status = spw_take_count(plan, out, 0, plan->nse, refusal);
  if (status != SPW_OK) return status;
  const spw_swap x = {.t = plan->t,
                      .grid = spw_grid_of(plan->t, plan->batches, plan->P),
                      .payloads = out->source,
                      .cursor = w->cursor,
                      .compressed = spw_indices_data(out->c),
                      .plain = spw_indices_data(out->p),
                      .out_payloads = out->values};
  kernel_of(plan)->swap(&x);
  return SPW_OK;
}
