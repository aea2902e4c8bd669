/* SPDX-License-Identifier: Apache-2.0 */
#include "form.h"
#include "../convert/indices.h"
#include "../convert/plan.h"

spw_status spw_form_of(const spw_operand *o, spw_form *form)
{
  const spw_tensor *const t = o->t;
  const spw_conversion same = {.layout = t->layout, .batch_dims = -1, .dense_dims = -1};
  spw_plan plan;
  if (t->values.array.ndim > SPW_STRUCTURE_DIMS + 1 || (t->layout == SPW_COO && t->plain.array.shape[0] > SPW_STRUCTURE_DIMS))
    return SPW_EUNSUPPORTED;
  const spw_status status = spw_plan_make(o, &same, &plan, NULL);
  if (status != SPW_OK) return status;
  if (plan.ndim > SPW_STRUCTURE_DIMS) return SPW_EUNSUPPORTED;
  const spw_form f = {.t = t,
                      .layout = t->layout,
                      .ndim = plan.ndim,
                      .leading = plan.sparse_dims,
                      .batch_dims = spw_is_compressed(t->layout) ? plan.sparse_dims - 2 : 0,
                      .dense_dims = plan.dense_dims,
                      .block = {plan.block[0], plan.block[1]},
                      .batches = plan.batches,
                      .C = plan.C,
                      .nse = plan.nse};
  *form = f;
  for (int64_t d = 0; d < plan.ndim; d++) form->size[d] = spw_size_entry(&plan, d);
  return SPW_OK;
}

spw_status spw_form_read(const spw_tensor *t, spw_form *form)
{
  spw_operand o;
  const spw_status status = spw_operand_read(t, &o);
  return status == SPW_OK ? spw_form_of(&o, form) : status;
}

int64_t spw_form_block(const spw_form *form, int64_t d)
{
  const int64_t sparse = d - form->batch_dims;
  return spw_has_blocks(form->layout) && (sparse == 0 || sparse == 1) ? form->block[sparse] : 1;
}

void spw_batch_at(const spw_form *form, int64_t b, int64_t *at)
{
  for (int64_t d = form->batch_dims - 1; d >= 0; d--) {
    at[d] = b % form->size[d];
    b /= form->size[d];
  }
}

/* Of an array that has elements: the strides of another one may be any numbers. */
static int64_t start_of(const spw_array *a, int64_t batch_dims, const int64_t *batch)
{
  int64_t start = a->offset;
  for (int64_t d = 0; d < batch_dims; d++) start += batch[d] * a->strides[d];
  return start;
}

spw_lines spw_lines_of(const spw_form *form, const int64_t *batch)
{
  const spw_tensor *const t = form->t;
  const spw_lines lines = {.c = spw_is_compressed(form->layout) ? start_of(&t->compressed.array, form->batch_dims, batch) : 0,
                           .p = form->nse > 0 ? start_of(&t->plain.array, form->batch_dims, batch) : 0};
  return lines;
}

static void visit_lines(const spw_form *f, int64_t *at, spw_visit *visit, void *context)
{
  const spw_lines lines = spw_lines_of(f, at);
  const int64_t major = f->batch_dims + spw_major_of(f->layout), minor = 2 * f->batch_dims + 1 - major;
  int64_t lo = spw_index_at(&f->t->compressed, lines.c);
  for (int64_t i = 0; i < f->C; i++) {
    const int64_t hi = spw_index_at(&f->t->compressed, lines.c + i + 1);
    at[major] = i;
    for (int64_t k = lo; k < hi; k++) {
      at[minor] = spw_index_at(&f->t->plain, lines.p + k);
      visit(context, at, k);
    }
    lo = hi;
  }
}

static void visit_columns(const spw_form *f, int64_t *at, spw_visit *visit, void *context)
{
  const spw_array *a = &f->t->plain.array;
  for (int64_t k = 0; k < f->nse; k++) {
    for (int64_t d = 0; d < f->leading; d++)
      at[d] = spw_index_at(&f->t->plain, a->offset + d * a->strides[0] + k * a->strides[1]);
    visit(context, at, k);
  }
}

void spw_visit_cells(const spw_form *form, int64_t *at, spw_visit *visit, void *context)
{
  if (form->nse == 0) return;
  if (form->layout == SPW_COO)
    visit_columns(form, at, visit, context);
  else
    visit_lines(form, at, visit, context);
}

int64_t spw_cell_start(const spw_form *form, const int64_t *batch, int64_t k)
{
  const spw_array *values = &form->t->values.array;
  return start_of(values, form->batch_dims, batch) + k * values->strides[form->batch_dims];
}

spw_value_array spw_batch_values(const spw_form *form, int64_t start)
{
  spw_value_array one = form->t->values;
  one.array.ndim -= form->batch_dims;
  one.array.shape += form->batch_dims;
  one.array.strides += form->batch_dims;
  one.array.offset = start;
  return one;
}

bool spw_form_shared(const spw_form *form)
{
  const int64_t dims = form->batch_dims;
  return dims == 0 || (spw_batches_stay(&form->t->compressed.array, dims) && spw_batches_stay(&form->t->plain.array, dims));
}
