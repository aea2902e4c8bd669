/* SPDX-License-Identifier: Apache-2.0 */
#include "groups.h"
#include "../../convert/plan.h"
#include "../../core/size.h"

#include <string.h>

static int64_t items_of(const spw_form *f)
{
  const int64_t cells = f->layout == SPW_COO ? f->nse : spw_mul_saturated(f->batches, f->nse);
  return spw_mul_saturated(cells, spw_mul_saturated(f->block[0], f->block[1]));
}

/* The last ones are reduced, and elements are in order. */
static bool in_order(const spw_form *f, const bool *reduced)
{
  if (f->layout != SPW_COO || f->t->coalesced != SPW_CLAIM_YES) return false;
  for (int64_t d = 1; d < f->leading; d++)
    if (reduced[d - 1] && !reduced[d]) return false;
  return true;
}

/* The key of a position among all reduced dimensions. */
static int64_t number_places(const spw_form *form, const bool *reduced, spw_grouping *g)
{
  int64_t key = 1;
  for (int64_t d = form->leading - 1; d >= 0; d--)
    if (reduced[d]) {
      g->factor[d] = key;
      key = spw_mul_saturated(key, form->size[d]);
    }
  return key;
}

bool spw_groups_of(const spw_form *form, const bool *reduced, spw_keys keys, spw_grouping *g)
{
  const bool levels = keys == SPW_KEYS_OF_LEVELS;
  int64_t key = 1, last = -1, first = form->leading;
  memset(g, 0, sizeof *g);
  g->items = items_of(form);
  g->ascends = in_order(form, reduced);
  g->levels = 1;
  g->part[0] = 1;
  if (g->items == 0) return true;
  for (int64_t d = 0; d < form->leading; d++)
    if (reduced[d]) {
      last = d;
      if (d < first) first = d;
    }
  /* Sizes of what has items are not 0. */
  if (keys == SPW_KEYS_OF_PLACES) key = number_places(form, reduced, g);
  for (int64_t d = last - 1; d >= 0 && levels; d--)
    if (reduced[d]) {
      g->factor[d] = key;
      key = spw_mul_saturated(key, form->size[d]);
      g->levels++;
    }
  g->part[0] = key;
  int64_t l = 1;
  for (int64_t d = first; d < last && levels; d++)
    if (reduced[d]) g->part[l++] = g->factor[d];
  for (int64_t d = form->leading - 1; d >= 0; d--)
    if (!reduced[d]) {
      g->factor[d] = key;
      key = spw_mul_saturated(key, form->size[d]);
    }
  g->keys = key;
  return key != INT64_MAX;
}

spw_group_work spw_take_groups(const spw_grouping *g, spw_arena *arena)
{
  spw_group_work w = {NULL, NULL};
  w.cells = spw_take(arena, g->items, sizeof(spw_cell));
  if (!g->ascends) w.room = spw_take(arena, g->items, sizeof(spw_cell));
  return w;
}

/* ---- Keys ---------------------------------------------------------------------------------------- */

/* Dimension by dimension: the rows of indices may lie side by side. */
static void key_columns(const spw_form *f, const spw_grouping *g, spw_cell *cells)
{
  const spw_array *const a = &f->t->plain.array;
  for (int64_t k = 0; k < f->nse; k++) {
    cells[k].key = 0;
    cells[k].payload = (uint64_t)k;
  }
  for (int64_t d = 0; d < f->leading; d++) {
    const int64_t start = a->offset + d * a->strides[0], stride = a->strides[1];
    const uint64_t factor = (uint64_t)g->factor[d];
    if (factor == 0) continue;
    if (f->t->plain.array.dtype == SPW_INT64)
      for (int64_t k = 0; k < f->nse; k++) cells[k].key += factor * (uint64_t)f->t->plain.i64[start + k * stride];
    else
      for (int64_t k = 0; k < f->nse; k++) cells[k].key += factor * (uint64_t)f->t->plain.i32[start + k * stride];
  }
}

typedef struct keying {
  const spw_form *form;
  const spw_grouping *g;
  spw_cell *next;
  uint64_t item;
} keying;

static void key_cell(void *context, const int64_t *at, int64_t k)
{
  keying *const y = context;
  const spw_form *const f = y->form;
  const int64_t *const factor = y->g->factor, n = f->batch_dims;
  uint64_t key = 0;
  (void)k;
  for (int64_t d = 0; d < n; d++) key += (uint64_t)factor[d] * (uint64_t)at[d];
  for (int64_t i = 0; i < f->block[0]; i++)
    for (int64_t j = 0; j < f->block[1]; j++) {
      y->next->key = key + (uint64_t)factor[n] * (uint64_t)(at[n] * f->block[0] + i) +
                     (uint64_t)factor[n + 1] * (uint64_t)(at[n + 1] * f->block[1] + j);
      y->next++->payload = y->item++;
    }
}

static void key_batches(const spw_form *f, const spw_grouping *g, spw_cell *cells)
{
  keying y = {f, g, cells, 0};
  int64_t at[SPW_STRUCTURE_DIMS];
  for (int64_t b = 0; b < f->batches; b++) {
    spw_batch_at(f, b, at);
    spw_visit_cells(f, at, key_cell, &y);
  }
}

static int bits_of(int64_t keys)
{
  int bits = 0;
  for (uint64_t most = (uint64_t)(keys - 1); most > 0; most >>= 1) bits++;
  return bits;
}

const spw_cell *spw_group_items(const spw_form *form, const spw_grouping *g, const spw_group_work *work)
{
  if (g->items == 0) return work->cells;
  if (form->layout == SPW_COO)
    key_columns(form, g, work->cells);
  else
    key_batches(form, g, work->cells);
  if (g->ascends || spw_cells_ascend(work->cells, g->items)) return work->cells;
  return spw_sort_cells(work->cells, work->room, g->items, 0, bits_of(g->keys)) ? work->room : work->cells;
}

int64_t spw_count_groups(const spw_cell *cells, int64_t n, int64_t part)
{
  const uint64_t by = (uint64_t)part;
  int64_t count = n > 0;
  for (int64_t i = 1; i < n; i++)
    if (cells[i].key != cells[i - 1].key) count += part == 1 || cells[i].key / by != cells[i - 1].key / by;
  return count;
}
