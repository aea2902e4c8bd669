/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of a tensor, in order of storage, each to the sums of its line: within a line that is the ascending order
 * of columns, or of rows, in every layout. */
#include "reduce.h"
#include "../instances/instances.h"
#include "../multiply/pack.h"
#include "../../convert/indices.h"
#include "../../convert/values.h"

#include <string.h>

#define FOLD_LINES(type, name) case type: spw_fold_lines_##name(f, out); break;
#define BEGIN_FOLDS(type, name) case type: spw_begin_folds_##name(f); break;
#define FOLD_LIST(type, name) case type: spw_fold_list_##name(f); break;
#define FOLD_GROUPS(type, name) case type: spw_fold_dims_##name(f, out); break;
#define CONCLUDE_FOLDS(type, name) case type: spw_conclude_folds_##name(f, from, lines, out); break;

static void fold_lines(const spw_fold *f, spw_dtype dtype, void *out)
{
  switch (dtype) {
  case SPW_DTYPE_NONE: break;
  SPW_EACH_VALUE_TYPE(FOLD_LINES)
  }
}

static void begin_folds(const spw_fold *f, spw_dtype dtype)
{
  switch (dtype) {
  case SPW_DTYPE_NONE: break;
  SPW_EACH_VALUE_TYPE(BEGIN_FOLDS)
  }
}

static void fold_list(const spw_fold *f, spw_dtype dtype)
{
  switch (dtype) {
  case SPW_DTYPE_NONE: break;
  SPW_EACH_VALUE_TYPE(FOLD_LIST)
  }
}

static void conclude_folds(const spw_fold *f, spw_dtype dtype, int64_t from, int64_t lines, void *out)
{
  switch (dtype) {
  case SPW_DTYPE_NONE: break;
  SPW_EACH_VALUE_TYPE(CONCLUDE_FOLDS)
  }
}

static void fold_groups(const spw_dims_fold *f, spw_dtype dtype, void *out)
{
  switch (dtype) {
  case SPW_DTYPE_NONE: break;
  SPW_EACH_VALUE_TYPE(FOLD_GROUPS)
  }
}

/* ---- Lists that are made ------------------------------------------------------------------------- */

/* Elements are listed in the order of storage: their values lie one behind the other. */
typedef struct lister {
  const spw_reduce_plan *plan;
  spw_fold fold;
  const char *values; /* of the batch that is visited */
  int64_t taken;      /* values of it that are reduced */
  int64_t line[SPW_REDUCED_PART], inner[SPW_REDUCED_PART];
} lister;

static void take_listed(lister *l)
{
  spw_fold *const f = &l->fold;
  f->values = l->values + l->taken * l->plan->scalar;
  fold_list(f, l->plan->dtype);
  l->taken += f->n;
  f->n = 0;
}

static void list_element(lister *l, int64_t line, int64_t inner)
{
  l->line[l->fold.n] = line;
  l->inner[l->fold.n] = inner;
  if (++l->fold.n == SPW_REDUCED_PART) take_listed(l);
}

/* The matrix of a COO element is said by its indices. */
static void visit_cell(void *context, const int64_t *at, int64_t k)
{
  lister *const l = context;
  const spw_reduce_plan *const plan = l->plan;
  const spw_form *const form = &plan->form;
  const int64_t n = plan->batch_dims, row = at[n] * form->block[0], column = at[n + 1] * form->block[1];
  const bool by_column = plan->wanted.span == SPW_EACH_COLUMN;
  int64_t matrix = 0;
  (void)k;
  for (int64_t d = 0; form->layout == SPW_COO && d < n; d++) matrix = matrix * form->size[d] + at[d];
  for (int64_t i = 0; i < form->block[0]; i++)
    for (int64_t j = 0; j < form->block[1]; j++)
      list_element(l, matrix * plan->lines + (by_column ? column + j : row + i), matrix * plan->columns + column + j);
}

/* The cells of batch b. */
static void fold_cells(const spw_reduce_plan *plan, const spw_fold *fold, int64_t b)
{
  lister l = {.plan = plan, .fold = *fold, .values = fold->values};
  int64_t at[SPW_STRUCTURE_DIMS];
  l.fold.line = l.line;
  l.fold.inner = l.inner;
  l.fold.wide = true;
  l.fold.n = 0;
  if (plan->form.layout != SPW_COO) spw_batch_at(&plan->form, b, at);
  spw_visit_cells(&plan->form, at, visit_cell, &l);
  take_listed(&l);
}

/* ---- Batches ------------------------------------------------------------------------------------- */

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

/* Where the index arrays of batch b are. */
static void point_at_indices(const spw_reduce_plan *plan, int64_t b, spw_fold *f)
{
  const spw_tensor *const t = plan->a;
  const spw_array *const plain = &t->plain.array;
  if (plan->form.layout == SPW_COO) {
    const void *const rows = spw_indices_at(&t->plain, plain->offset);
    const void *const columns = spw_indices_at(&t->plain, plain->offset + plain->strides[0]);
    f->line = plan->wanted.span == SPW_EACH_COLUMN ? columns : rows;
    f->inner = columns;
  } else {
    f->compressed = spw_indices_at(&t->compressed, spw_batch_place(&t->compressed.array, plan->batch_dims, b));
    f->line = spw_indices_at(&t->plain, spw_batch_place(plain, plan->batch_dims, b));
  }
}

/* Batches b .. b + at_once - 1. */
static void reduce_batches(const spw_reduce_plan *plan, const spw_reduce_work *work, spw_fold f, int64_t b, char *out)
{
  const int64_t values = (f.whole ? 1 : plan->lines) * plan->width;
  if (plan->by_lines || plan->lists_given) point_at_indices(plan, b, &f);
  if (plan->by_lines) {
    fold_lines(&f, plan->dtype, out + b * values * plan->scalar);
    return;
  }
  if (plan->b) f.dense = dense_of(plan, work, b);
  if (f.counts) memset(f.counts, 0, (size_t)f.lines * sizeof *f.counts);
  begin_folds(&f, plan->dtype);
  if (plan->lists_given)
    fold_list(&f, plan->dtype);
  else
    fold_cells(plan, &f, b);
  for (int64_t i = 0; i < plan->at_once; i++)
    conclude_folds(&f, plan->dtype, i * plan->lines, plan->lines, out + (b + i) * values * plan->scalar);
}

/* Matrices of COO. */
static void reduce_groups(const spw_reduce_plan *plan, const spw_reduce_work *work, const void *values, void *out)
{
  const spw_grouping *const g = &plan->grouping;
  const spw_dims_fold f = {.how = (int)plan->wanted.kind, .values = values, .n = g->items, .scalars = 1, .width = 1, .per_item =
                           1,
                           .cells = spw_group_items(&plan->form, g, &work->groups), .levels = g->levels, .part = g->part,
                           .dense = true, .sums = work->sums};
  memset(out, 0, (size_t)(plan->room.values * plan->scalar));
  fold_groups(&f, plan->dtype, out);
}

void spw_reduce_all(const spw_reduce_plan *plan, const spw_reduce_work *work, void *out)
{
  const spw_value_array *const v = &plan->a->values;
  const spw_form *const form = &plan->form;
  if (plan->room.values == 0) return;
  if (plan->reads_nothing) {
    memset(out, 0, (size_t)(plan->room.values * plan->scalar));
    return;
  }
  if (plan->a_packed) spw_pack_values(v, work->a);
  const char *const cells = plan->a_packed ? work->a : spw_value_at(v, v->array.offset);
  if (plan->by_groups) {
    reduce_groups(plan, work, cells, out);
    return;
  }
  spw_fold f = {.kind = plan->wanted.kind,
                .wide = plan->a->plain.array.dtype == SPW_INT64,
                .whole = plan->wanted.span == SPW_EACH_MATRIX,
                .n = form->nse,
                .lines = plan->at_once * plan->lines,
                .columns = plan->at_once * plan->columns,
                .dense_lead = spw_lead_of(&plan->b_lines, plan->b_packed),
                .width = plan->width,
                .sums = work->sums,
                .counts = work->counts};
  const int64_t batches = form->layout == SPW_COO ? plan->at_once : form->batches;
  for (int64_t b = 0; b < batches; b += plan->at_once) {
    f.values = cells + b * form->nse * form->block[0] * form->block[1] * plan->scalar;
    reduce_batches(plan, work, f, b, out);
  }
}
