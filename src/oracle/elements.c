/* SPDX-License-Identifier: Apache-2.0 */
#include "elements.h"
#include "../core/size.h"

static int64_t index_at(const spw_index_array *a, int64_t place)
{
  return a->array.dtype == SPW_INT32 ? a->i32[place] : a->i64[place];
}

/* Element k of a batch of an array whose last dimension it is. */
static int64_t place_in_batch(const spw_array *a, int64_t batch_dims, int64_t batch, int64_t k)
{
  return a->offset + spw_position_of(a->shape, a->strides, batch_dims, batch) + k * a->strides[batch_dims];
}

static bool has_lines_of_rows(const spw_tensor *t)
{
  return t->layout == SPW_CSR || t->layout == SPW_BSR;
}

/* ---- The size -------------------------------------------------------------------------------- */

static spw_status take_size(const spw_tensor *t, int64_t *size, int64_t *ndim)
{
  if (!t->has_size) return spw_infer_size(t, size, SPW_JUDGED_DIMS, ndim) == SPW_OK ? SPW_OK : SPW_EUNSUPPORTED;
  if (t->ndim > SPW_JUDGED_DIMS) return SPW_EUNSUPPORTED;
  *ndim = t->ndim;
  for (int64_t d = 0; d < t->ndim; d++) size[d] = t->size[d];
  return SPW_OK;
}

spw_status spw_matrices_of(const spw_tensor *t, spw_matrices *m)
{
  int64_t ndim = 0;
  if (t->layout > SPW_BSC || spw_numbers_of(t, &m->n) != SPW_OK || m->n.dense_dims != 0) return SPW_EUNSUPPORTED;
  const spw_numbers n = m->n;
  if (take_size(t, m->size, &ndim) != SPW_OK || ndim < 2) return SPW_EUNSUPPORTED;
  m->batch_dims = ndim - 2;
  m->columns = m->size[ndim - 1];
  m->rows = spw_product(m->size, ndim - 1);
  const int64_t factors[4] = {n.batches, n.nse, n.block_rows, n.block_columns};
  m->elements = spw_product(factors, 4);
  return m->rows < 0 || m->elements < 0 ? SPW_ERANGE : SPW_OK;
}

/* ---- The walk -------------------------------------------------------------------------------- */

static int64_t lines_of(const spw_walk *w)
{
  return w->t->compressed.array.shape[w->n.batch_dims] - 1;
}

/* To the beginning of the line that w stands at. */
static void enter_line(spw_walk *w)
{
  const spw_array *c = &w->t->compressed.array;
  w->k = index_at(&w->t->compressed, place_in_batch(c, w->n.batch_dims, w->batch, w->line));
  w->end = index_at(&w->t->compressed, place_in_batch(c, w->n.batch_dims, w->batch, w->line + 1));
}

spw_walk spw_walk_start(const spw_tensor *t, const spw_matrices *m)
{
  spw_walk w = {.t = t, .n = m->n, .m = m};
  /* Where nothing is stored there may be more batches than anybody can walk over. */
  if (m->elements == 0) w.n.batches = 0;
  if (t->layout == SPW_COO) w.end = w.n.nse;
  else if (w.n.batches > 0 && lines_of(&w) > 0) enter_line(&w);
  return w;
}

/* Batches of COO are its leading sparse dimensions. */
static bool next_of_coo(spw_walk *w, spw_element *e)
{
  const spw_array *a = &w->t->plain.array;
  if (w->k >= w->end) return false;
  e->row = 0;
  for (int64_t d = 0; d < w->n.sparse_dims; d++) {
    const int64_t index = index_at(&w->t->plain, a->offset + d * a->strides[0] + w->k * a->strides[1]);
    if (d == w->n.sparse_dims - 1) e->column = index;
    else e->row = e->row * w->m->size[d] + index;
  }
  e->place = w->t->values.array.offset + w->k * w->t->values.array.strides[0];
  w->k++;
  return true;
}

/* To a line that has something left; false behind the last one. */
static bool find_line(spw_walk *w)
{
  const int64_t lines = lines_of(w);
  if (lines <= 0 || w->batch >= w->n.batches) return false;
  while (w->k >= w->end) {
    if (++w->line == lines) {
      w->line = 0;
      if (++w->batch == w->n.batches) return false;
    }
    enter_line(w);
  }
  return true;
}

static void element_here(const spw_walk *w, spw_element *e)
{
  const spw_array *values = &w->t->values.array, *p = &w->t->plain.array;
  const int64_t B = w->n.batch_dims, b0 = w->n.block_rows, b1 = w->n.block_columns;
  const int64_t plain = index_at(&w->t->plain, place_in_batch(p, B, w->batch, w->k));
  const int64_t i = w->inside / b1, j = w->inside % b1;
  const int64_t row = has_lines_of_rows(w->t) ? w->line : plain, column = has_lines_of_rows(w->t) ? plain : w->line;
  e->row = w->batch * w->m->size[w->m->batch_dims] + row * b0 + i;
  e->column = column * b1 + j;
  e->place = place_in_batch(values, B, w->batch, w->k);
  if (w->t->layout == SPW_BSR || w->t->layout == SPW_BSC) e->place += i * values->strides[B + 1] + j * values->strides[B + 2];
}

bool spw_walk_next(spw_walk *w, spw_element *e)
{
  if (w->t->layout == SPW_COO) return next_of_coo(w, e);
  if (!find_line(w)) return false;
  element_here(w, e);
  if (++w->inside == w->n.block_rows * w->n.block_columns) {
    w->inside = 0;
    w->k++;
  }
  return true;
}
