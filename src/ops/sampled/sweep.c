/* SPDX-License-Identifier: Apache-2.0 */
/* The values at stored positions. The kernel knows rows of CSR: of the other layouts, what stands side by side in a row is
 * handed to it as a matrix of one row. */
#include "sampled.h"
#include "../multiply/pack.h"
#include "../instances/instances.h"
#include "../../convert/plan.h"
#include "../../convert/values.h"
#include "../../core/size.h"

#define SAMPLE_ROWS(type, name) case type: spw_sample_rows_##name(q); break;

static void sample_rows(const spw_sampled_rows *q, spw_dtype dtype)
{
  switch (dtype) {
  case SPW_DTYPE_NONE: break;
  SPW_EACH_VALUE_TYPE(SAMPLE_ROWS)
  }
}

typedef struct sweep {
  const spw_sampled_plan *plan;
  const spw_sampled_work *work;
  const char *s; /* all values, in order */
  char *out;
  int64_t batch; /* of the cells that are visited, where the layout has batches */
} sweep;

/* ---- Dense operands ---------------------------------------------------------------------------- */

/* Batch b becomes copy number `place`. */
static void pack_batch(const spw_sampled_plan *plan, const spw_tensor *t, const spw_dense_lines *lines, int64_t b, int64_t place,
                       char *packed)
{
  spw_pack_lines(spw_value_at(&t->values, spw_batch_place(&t->values.array, plan->batch_dims, b)), lines, plan->scalar,
                 packed + place * lines->lines * lines->width * plan->scalar);
}

/* Of the batches from .. to - 1, which the workspace has room for: of operands that are read where they are, batches may be any
 * number. */
static void pack_dense(const sweep *w, int64_t from, int64_t to)
{
  const spw_sampled_plan *const plan = w->plan;
  if (!plan->a_packed && !plan->b_packed) return;
  for (int64_t b = from; b < to; b++) {
    if (plan->a_packed) pack_batch(plan, plan->a, &plan->a_lines, b, b - from, w->work->a);
    if (plan->b_packed) pack_batch(plan, plan->b, &plan->b_lines, b, b - from, w->work->b);
  }
}

/* Batch b of an operand, which is copy number `place` where it is packed. */
static const char *dense_at(const spw_sampled_plan *plan, const spw_tensor *t, const spw_dense_lines *lines, const char *packed,
                            int64_t b, int64_t place)
{
  if (plan->reads_nothing || lines->lines == 0 || lines->width == 0) return NULL;
  if (packed) return packed + place * lines->lines * lines->width * plan->scalar;
  return spw_value_at(&t->values, spw_batch_place(&t->values.array, plan->batch_dims, b));
}

static spw_sampled_rows rows_of_batch(const sweep *w, int64_t b, int64_t place)
{
  const spw_sampled_plan *const plan = w->plan;
  const spw_sampled_rows q = {.columns = plan->columns,
                              .depth = plan->depth,
                              .a = dense_at(plan, plan->a, &plan->a_lines, w->work->a, b, place),
                              .b = dense_at(plan, plan->b, &plan->b_lines, w->work->b, b, place),
                              .a_lead = spw_lead_of(&plan->a_lines, plan->a_packed),
                              .b_across = plan->b_across,
                              .b_down = plan->b_down,
                              .mode = plan->mode,
                              .reads_nothing = plan->reads_nothing,
                              .alpha = plan->how.alpha ? plan->alpha : NULL,
                              .beta = plan->how.beta ? plan->beta : NULL};
  return q;
}

/* ---- Pieces of rows ------------------------------------------------------------------------------ */

enum { PIECE = 64 };

/* `length` elements of a row from a column on, whose values begin at element `at`. */
static void sample_piece(const sweep *w, spw_sampled_rows q, int64_t row, int64_t column, int64_t length, int64_t at)
{
  const int64_t scalar = w->plan->scalar;
  int64_t columns[PIECE];
  q.wide = true;
  q.rows = 1;
  if (q.a) q.a = (const char *)q.a + row * q.a_lead * scalar;
  for (int64_t done = 0; done < length; done += q.nse) {
    q.nse = length - done < PIECE ? length - done : PIECE;
    const int64_t starts[] = {0, q.nse};
    for (int64_t j = 0; j < q.nse; j++) columns[j] = column + done + j;
    q.compressed = starts;
    q.plain = columns;
    q.s = w->s + (at + done) * scalar;
    q.out = w->out + (at + done) * scalar;
    sample_rows(&q, w->plan->dtype);
  }
}

/* Cells are blocks, or elements. */
static void sample_cell(void *context, const int64_t *at, int64_t k)
{
  const sweep *const w = context;
  const spw_sampled_plan *const plan = w->plan;
  const spw_form *const form = &plan->form;
  const int64_t n = plan->batch_dims, height = form->block[0], length = form->block[1];
  const bool coo = form->layout == SPW_COO;
  int64_t batch = w->batch;
  if (coo) {
    batch = 0;
    for (int64_t d = 0; d < n; d++) batch = batch * form->size[d] + at[d];
  }
  const spw_sampled_rows q = rows_of_batch(w, batch, coo ? batch : 0);
  const int64_t cell = (coo ? 0 : w->batch * form->nse) + k;
  for (int64_t i = 0; i < height; i++)
    sample_piece(w, q, at[n] * height + i, at[n + 1] * length, length, (cell * height + i) * length);
}

/* ---- Rows of CSR --------------------------------------------------------------------------------- */

static const void *indices_from(const spw_index_array *a, int64_t place)
{
  return a->array.dtype == SPW_INT64 ? (const void *)(a->i64 + place) : a->i32 + place;
}

static void sample_csr(const sweep *w, int64_t b)
{
  const spw_sampled_plan *const plan = w->plan;
  const spw_tensor *const s = plan->s;
  const int64_t at = b * plan->form.nse * plan->scalar;
  spw_sampled_rows q = rows_of_batch(w, b, 0);
  q.wide = s->plain.array.dtype == SPW_INT64;
  q.compressed = indices_from(&s->compressed, spw_batch_place(&s->compressed.array, plan->batch_dims, b));
  q.plain = indices_from(&s->plain, spw_batch_place(&s->plain.array, plan->batch_dims, b));
  q.rows = plan->rows;
  q.nse = plan->form.nse;
  q.s = w->s + at;
  q.out = w->out + at;
  sample_rows(&q, plan->dtype);
}

/* ---- All ------------------------------------------------------------------------------------------- */

static void sample_batch(sweep *w)
{
  const spw_form *const form = &w->plan->form;
  int64_t at[SPW_STRUCTURE_DIMS];
  spw_batch_at(form, w->batch, at);
  pack_dense(w, w->batch, w->batch + 1);
  if (form->layout == SPW_CSR)
    sample_csr(w, w->batch);
  else
    spw_visit_cells(form, at, sample_cell, w);
}

void spw_sample(const spw_sampled_plan *plan, const spw_sampled_work *work, char *out)
{
  const spw_value_array *const s = &plan->s->values;
  sweep w = {.plan = plan, .work = work, .out = out};
  int64_t at[SPW_STRUCTURE_DIMS];
  if (plan->room.values == 0) return;
  if (plan->s_packed) spw_pack_values(s, work->s);
  w.s = plan->s_packed ? work->s : spw_value_at(s, s->array.offset);
  if (plan->s->layout == SPW_COO) {
    pack_dense(&w, 0, plan->batches);
    spw_visit_cells(&plan->form, at, sample_cell, &w);
    return;
  }
  for (w.batch = 0; w.batch < plan->form.batches; w.batch++) sample_batch(&w);
}
