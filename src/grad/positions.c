/* SPDX-License-Identifier: Apache-2.0 */
/* Where stored values lie, and values by their positions. */
#include "grad.h"

typedef struct walk {
  const spw_tensor *t;
  spw_numbers n;
  int64_t at[SPW_STRUCTURE_DIMS], number;
  spw_grad_visit *visit;
  void *context;
} walk;

static int64_t entry(const spw_index_array *a, int64_t place)
{
  return a->array.dtype == SPW_INT64 ? a->i64[place] : a->i32[place];
}

static int64_t place_of_batch(const spw_array *a, const int64_t *batch, int64_t dims)
{
  int64_t place = a->offset;
  for (int64_t d = 0; d < dims; d++) place += batch[d] * a->strides[d];
  return place;
}

/* The scalars of the dense part, from dense dimension d on. */
static void visit_dense(walk *w, int64_t d)
{
  if (d == w->t->ndim) {
    w->visit(w->context, w->at, w->number++);
    return;
  }
  for (w->at[d] = 0; w->at[d] < w->t->size[d]; w->at[d]++) visit_dense(w, d + 1);
}

static void visit_coo(walk *w)
{
  const spw_array *const a = &w->t->plain.array;
  for (int64_t k = 0; k < w->n.nse; k++) {
    for (int64_t d = 0; d < w->n.sparse_dims; d++)
      w->at[d] = entry(&w->t->plain, a->offset + d * a->strides[0] + k * a->strides[1]);
    visit_dense(w, w->n.sparse_dims);
  }
}

/* The elements of a block, or the one there is. */
static void visit_block(walk *w, int64_t row, int64_t column)
{
  const int64_t b = w->n.batch_dims;
  for (int64_t i = 0; i < w->n.block_rows; i++)
    for (int64_t j = 0; j < w->n.block_columns; j++) {
      w->at[b] = row * w->n.block_rows + i;
      w->at[b + 1] = column * w->n.block_columns + j;
      visit_dense(w, b + 2);
    }
}

static void visit_batch(walk *w)
{
  const bool by_column = w->t->layout == SPW_CSC || w->t->layout == SPW_BSC;
  const int64_t b = w->n.batch_dims, c = place_of_batch(&w->t->compressed.array, w->at, b);
  const int64_t p = w->n.nse > 0 ? place_of_batch(&w->t->plain.array, w->at, b) : 0;
  for (int64_t line = 0; line < w->n.compressed_size; line++)
    for (int64_t k = entry(&w->t->compressed, c + line); k < entry(&w->t->compressed, c + line + 1); k++) {
      const int64_t other = entry(&w->t->plain, p + k);
      visit_block(w, by_column ? other : line, by_column ? line : other);
    }
}

static void visit_batches(walk *w, int64_t d)
{
  if (d == w->n.batch_dims) {
    visit_batch(w);
    return;
  }
  for (w->at[d] = 0; w->at[d] < w->t->size[d]; w->at[d]++) visit_batches(w, d + 1);
}

void spw_grad_visit_positions(const spw_tensor *t, spw_grad_visit *visit, void *context)
{
  walk w = {.t = t, .visit = visit, .context = context};
  /* Beside an empty dimension, another one may be vast. */
  if (spw_numbers_of(t, &w.n) != SPW_OK || w.n.nse == 0 || w.n.dense_elements == 0 || w.n.batches == 0) return;
  if (t->layout == SPW_COO)
    visit_coo(&w);
  else
    visit_batches(&w, 0);
}

/* ---- Values by their positions ------------------------------------------------------------------ */

const spw_tensor *spw_grad_ordered(spw_composition *c, const spw_tensor *g, int number)
{
  if (!g || g->layout == SPW_DENSE || (g->layout == SPW_COO && g->coalesced == SPW_CLAIM_YES)) return g;
  return spw_compose_layout(c, g, SPW_COO, number);
}

static const char *value_at(const spw_value_array *values, int64_t place)
{
  return (const char *)values->data + place * spw_dtype_size(values->array.dtype);
}

static const char *find_dense(const spw_tensor *g, const int64_t *position)
{
  int64_t place = g->values.array.offset;
  for (int64_t d = 0; d < g->values.array.ndim; d++) place += position[d] * g->values.array.strides[d];
  return value_at(&g->values, place);
}

static int compare(const spw_tensor *g, int64_t k, const int64_t *position)
{
  const spw_array *const a = &g->plain.array;
  for (int64_t d = 0; d < a->shape[0]; d++) {
    const int64_t index = entry(&g->plain, a->offset + d * a->strides[0] + k * a->strides[1]);
    if (index != position[d]) return index < position[d] ? -1 : 1;
  }
  return 0;
}

const char *spw_grad_find(const spw_tensor *g, const int64_t *position)
{
  if (g->layout == SPW_DENSE) return find_dense(g, position);
  const spw_array *const v = &g->values.array;
  const int64_t dims = g->plain.array.shape[0];
  int64_t low = 0, high = g->plain.array.shape[1];
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (compare(g, middle, position) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == g->plain.array.shape[1] || compare(g, low, position) != 0) return NULL;
  int64_t place = v->offset + low * v->strides[0];
  for (int64_t d = 1; d < v->ndim; d++) place += position[dims + d - 1] * v->strides[d];
  return value_at(&g->values, place);
}
