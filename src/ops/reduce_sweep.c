/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of a tensor, in order of storage, each to the sums of its line: within a line that is the ascending order
 * of columns, or of rows, in every layout. */
#include "reduce.h"
#include "instances/instances.h"
#include "pack.h"
#include "../convert/values.h"

#include <string.h>

#define REDUCE_CELLS(type, name) case type: spw_reduce_cells_##name(p); break;

static void reduce_cells(const spw_reduced_cells *p, spw_dtype dtype)
{
  switch (dtype) {
  case SPW_DTYPE_NONE: break;
  SPW_EACH_VALUE_TYPE(REDUCE_CELLS)
  }
}

#define FINISH_LINES(type, name) case type: spw_finish_lines_##name(p, from, lines, whole, out); break;

static void finish_lines(const spw_reduced_cells *p, spw_dtype dtype, int64_t from, int64_t lines, bool whole, void *out)
{
  switch (dtype) {
  case SPW_DTYPE_NONE: break;
  SPW_EACH_VALUE_TYPE(FINISH_LINES)
  }
}

typedef struct sweep {
  const spw_reduce_plan *plan;
  spw_reduced_cells cells;
  int64_t batch; /* of the cells that are visited, where the layout has batches */
} sweep;

static void take_cells(sweep *w)
{
  reduce_cells(&w->cells, w->plan->dtype);
  w->cells.n = 0;
}

/* The matrix of a COO element is said by its indices. */
static void visit_cell(void *context, const int64_t *at, int64_t k)
{
  sweep *const w = context;
  const spw_reduce_plan *const plan = w->plan;
  const spw_form *const form = &plan->form;
  spw_reduced_cells *const cells = &w->cells;
  const int64_t n = plan->batch_dims, row = at[n] * form->block[0], column = at[n + 1] * form->block[1];
  const bool coo = form->layout == SPW_COO;
  int64_t matrix = 0;
  for (int64_t d = 0; coo && d < n; d++) matrix = matrix * form->size[d] + at[d];
  cells->cell[cells->n] = (coo ? 0 : w->batch * form->nse) + k;
  cells->line[cells->n] = matrix * plan->lines + (plan->wanted.span == SPW_EACH_COLUMN ? column : row);
  cells->inner[cells->n] = matrix * plan->columns + column;
  if (++cells->n == SPW_REDUCED_PART) take_cells(w);
}

static const void *dense_of(const spw_reduce_plan *plan, const spw_reduce_work *work, int64_t b)
{
  const spw_dense_lines *const l = &plan->b_lines;
  const spw_value_array *const v = &plan->b->values;
  if (!plan->b_packed) return spw_value_at(v, spw_batch_place(&v->array, plan->batch_dims, b));
  for (int64_t i = 0; i < plan->at_once; i++)
    spw_pack_lines(spw_value_at(v, spw_batch_place(&v->array, plan->batch_dims, b + i)), l, plan->scalar,
                   work->b + i * l->lines * l->width * plan->scalar);
  return work->b;
}

/* Batches b .. b + at_once - 1. */
static void reduce_batches(sweep *w, const spw_reduce_work *work, int64_t b, char *out)
{
  const spw_reduce_plan *const plan = w->plan;
  const bool whole = plan->wanted.span == SPW_EACH_MATRIX;
  const int64_t values = (whole ? 1 : plan->lines) * plan->width;
  int64_t at[SPW_STRUCTURE_DIMS];
  memset(work->counts, 0, (size_t)(plan->at_once * plan->lines) * sizeof *work->counts);
  if (plan->b) w->cells.dense = dense_of(plan, work, b);
  w->batch = b;
  if (plan->form.layout != SPW_COO) spw_batch_at(&plan->form, b, at);
  spw_visit_cells(&plan->form, at, visit_cell, w);
  take_cells(w);
  for (int64_t i = 0; i < plan->at_once; i++)
    finish_lines(&w->cells, plan->dtype, i * plan->lines, plan->lines, whole, out + (b + i) * values * plan->scalar);
}

void spw_reduce_all(const spw_reduce_plan *plan, const spw_reduce_work *work, void *out)
{
  const spw_value_array *const v = &plan->a->values;
  const bool by_column = plan->wanted.span == SPW_EACH_COLUMN;
  if (plan->room.values == 0) return;
  if (work->bytes == 0) { /* nothing is stored */
    memset(out, 0, (size_t)(plan->room.values * plan->scalar));
    return;
  }
  if (plan->a_packed) spw_pack_values(v, work->a);
  sweep w = {.plan = plan,
             .cells = {.kind = plan->wanted.kind,
                       .values = plan->a_packed ? work->a : spw_value_at(v, v->array.offset),
                       .height = plan->form.block[0],
                       .length = plan->form.block[1],
                       .down = by_column ? 0 : 1,
                       .across = by_column ? 1 : 0,
                       .dense_lead = spw_lead_of(&plan->b_lines, plan->b_packed),
                       .width = plan->width,
                       .sums = work->sums,
                       .counts = work->counts}};
  const int64_t batches = plan->form.layout == SPW_COO ? plan->at_once : plan->form.batches;
  for (int64_t b = 0; b < batches; b += plan->at_once) reduce_batches(&w, work, b, out);
}
