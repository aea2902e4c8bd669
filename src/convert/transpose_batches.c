/* SPDX-License-Identifier: Apache-2.0 */
/* All batches of a tensor at once, read where they lie: that is what the theorem is about. Of lists it speaks of one batch. */
#include "transpose_batches.h"
#include "instances/transpose_batches.h"
#include "steps.h"
#include "values.h"
#include "../core/size.h"
#include "../view/members.h"

/* By the width of a cell: of as many bytes, aligned as its scalars are. */
static const struct kernel {
  int64_t bytes, alignment;
  void (*transpose)(const spw_swap *x);
  void (*list)(const spw_swap *x);
} kernels[] = {
    {1, 1, spw_swap_batches_u8, spw_list_columns_u8},         {2, 2, spw_swap_batches_u16, spw_list_columns_u16},
    {4, 4, spw_swap_batches_u32, spw_list_columns_u32},       {8, 8, spw_swap_batches_u64, spw_list_columns_u64},
    {8, 4, spw_swap_batches_pair32, spw_list_columns_pair32}, {16, 8, spw_swap_batches_pair64, spw_list_columns_pair64},
};

static const struct kernel *kernel_of(const spw_plan *plan)
{
  const int64_t alignment = (int64_t)spw_alignment(plan->dtype);
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
    if (kernels[i].bytes == plan->moved_bytes && kernels[i].alignment == alignment) return &kernels[i];
  return NULL;
}

bool spw_transposes_width(const spw_plan *plan)
{
  return kernel_of(plan) != NULL;
}

/* Those of the first batch are right for any, if not as fast. */
static spw_band_room bands_of(const spw_plan *plan, const spw_workspace *w, spw_grid g)
{
  const spw_index_array *const p = &plan->t->plain;
  const spw_band_room none = {.width = 1};
  if (!w->transpose.cells || g.batches == 0) return none;
  const int64_t first = spw_plain_start(g, 0);
  return p->array.dtype == SPW_INT64 ? spw_choose_bands_i64(p->i64 + first, g.nse, g.C, g.P, w->transpose)
                                     : spw_choose_bands_i32(p->i32 + first, g.nse, g.C, g.P, w->transpose);
}

static spw_swap transpose_of(const spw_plan *plan, const spw_workspace *w, const spw_target *out)
{
  const spw_index_array *const c = &plan->t->compressed, *const d = &plan->t->plain;
  const spw_grid grid = spw_grid_of(plan->t, plan->batches, plan->P);
  const spw_swap x = {.wide = d->array.dtype == SPW_INT64,
                      .c = spw_indices_at(c, 0),
                      .d = spw_indices_at(d, 0),
                      .c_length = c->array.length,
                      .d_length = d->array.length,
                      .grid = grid,
                      .payloads = out->source,
                      .cursor = w->cursor,
                      .bands = bands_of(plan, w, grid),
                      .compressed = spw_indices_data(plan->to.layout == SPW_COO ? w->ptr[0] : out->c),
                      .plain = spw_indices_data(out->p),
                      .out_payloads = out->values};
  return x;
}

static spw_status transpose_batches(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  const spw_status status = spw_take_count(plan, out, 0, plan->nse, refusal);
  if (status != SPW_OK) return status;
  const spw_swap x = transpose_of(plan, w, out);
  kernel_of(plan)->transpose(&x);
  return SPW_OK;
}

static spw_status transpose_to_list(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  const spw_status status = spw_take_count(plan, out, 0, spw_mul_saturated(plan->batches, plan->nse), refusal);
  if (status != SPW_OK) return status;
  const spw_swap x = transpose_of(plan, w, out);
  kernel_of(plan)->list(&x);
  return SPW_OK;
}

static void batches_room(const spw_plan *plan, spw_arena *arena, spw_workspace *w)
{
  spw_take_transpose(plan, arena, w, plan->nse, plan->moved_bytes);
}

static void list_room(const spw_plan *plan, spw_arena *arena, spw_workspace *w)
{
  batches_room(plan, arena, w);
  w->ptr[0] = spw_take_indices(arena, spw_add_saturated(plan->lines[1], 1), plan->wide);
}

const spw_step spw_step_transpose_batches = {
    "transpose batches", "compresses the other dimension of all batches in one sweep, and moves cells of the width they have",
    .run = transpose_batches, .room = batches_room};
const spw_step spw_step_transpose_to_list = {
    "transpose to list", "compresses rows of all batches in one sweep, and writes the coordinates of their elements down",
    .run = transpose_to_list, .room = list_room};
