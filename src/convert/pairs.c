/* SPDX-License-Identifier: Apache-2.0 */
#include "combine.h"
#include "pairs.h"
#include "share.h"

/* A list of cells that are written down. */
typedef struct emission {
  const spw_cell *cells;
  int64_t n, count; /* of cells, and of their positions */
  int64_t from, to; /* the cells that are written down now */
  int64_t at;       /* and where the first of them goes */
  int bits;
  uint64_t mask;       /* of the minor coordinate */
  spw_combine how;
  spw_dtype dtype;
  int64_t lines;       /* of a compressed result */
} emission;

#define SPW_VALUE_TEMPLATE "../convert/pairs.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE

void spw_fill_pairs(const spw_plan *plan, const spw_target *out, const spw_pairs *pairs, spw_cell *cells)
{
  const bool wide = pairs->x->array.dtype == SPW_INT64;
  const int64_t parts = spw_parts_of_work(pairs->n, plan->threads);
  const void *const values = plan->payload == SPW_PLACES ? NULL : out->source;
  if (plan->payload == SPW_BITS32) {
    if (wide)
      fill_i64_u32(pairs->x->i64, pairs, parts, values, cells);
    else
      fill_i32_u32(pairs->x->i32, pairs, parts, values, cells);
  } else if (wide)
    fill_i64_u64(pairs->x->i64, pairs, parts, values, cells);
  else
    fill_i32_u64(pairs->x->i32, pairs, parts, values, cells);
}

bool spw_can_emit_pairs(const spw_plan *plan)
{
  if (plan->to.layout != SPW_COO && plan->to.layout != SPW_CSR && plan->to.layout != SPW_CSC) return false;
  if (plan->ordered || plan->to.duplicates == SPW_COMBINE_FIRST || plan->to.duplicates == SPW_COMBINE_LAST) return true;
  return plan->to.duplicates == SPW_COMBINE_SUM && plan->payload != SPW_PLACES;
}

/* How many elements are written. */
static int64_t emit(const spw_plan *plan, const emission *e, const spw_target *out, void *to)
{
  const bool words = plan->payload == SPW_BITS32, wide = out->p.wide;
  if (plan->to.layout == SPW_COO && words)
    return wide ? emit_rows_i64_u32(e, out->p.i64, to) : emit_rows_i32_u32(e, out->p.i32, to);
  if (plan->to.layout == SPW_COO)
    return wide ? emit_rows_i64_u64(e, out->p.i64, to) : emit_rows_i32_u64(e, out->p.i32, to);
  if (words)
    return wide ? emit_lines_i64_u32(e, out->c.i64, out->p.i64, to) : emit_lines_i32_u32(e, out->c.i32, out->p.i32, to);
  return wide ? emit_lines_i64_u64(e, out->c.i64, out->p.i64, to) : emit_lines_i32_u64(e, out->c.i32, out->p.i32, to);
}

/* How many positions begin among the cells from .. to - 1. */
static int64_t count_distinct(const spw_cell *cells, int64_t from, int64_t to)
{
  int64_t count = from == 0 && to > 0;
  for (int64_t k = from == 0 ? 1 : from; k < to; k++) count += cells[k].key != cells[k - 1].key;
  return count;
}

/* Where part t begins: with the first cell of a position, which so is the work of one thread. */
static int64_t part_of_cells(const spw_cell *cells, int64_t n, int64_t t, int64_t parts)
{
  int64_t k = spw_part_at(n, t, parts);
  while (k > 0 && k < n && cells[k].key == cells[k - 1].key) k++;
  return k;
}

/* starts[t]: the place of part t's first cell in the result; starts[parts]: how many are in it. */
static void place_parts(const spw_cell *cells, int64_t n, int64_t parts, int64_t *starts)
{
  SPW_SHARE
  for (int64_t t = 0; t < parts; t++)
    starts[t + 1] = count_distinct(cells, part_of_cells(cells, n, t, parts), part_of_cells(cells, n, t + 1, parts));
  starts[0] = 0;
  for (int64_t t = 0; t < parts; t++) starts[t + 1] += starts[t];
}

static int64_t emit_parts(const spw_plan *plan, const emission *all, const int64_t *starts, int64_t parts, const spw_target *out,
                          void *to)
{
  if (parts == 1) return emit(plan, all, out, to);
  SPW_SHARE
  for (int64_t t = 0; t < parts; t++) {
    emission e = *all;
    e.from = part_of_cells(e.cells, e.n, t, parts);
    e.to = part_of_cells(e.cells, e.n, t + 1, parts);
    e.at = starts[t];
    if (e.from < e.to) emit(plan, &e, out, to);
  }
  return starts[parts];
}

spw_status spw_emit_pairs(const spw_plan *plan, const spw_workspace *w, spw_target *out, const spw_cell *cells,
                          const spw_pairs *pairs, spw_refusal *refusal)
{
  /* Where the second coordinates go depends on their number, and so may whether there is room at all. */
  const bool counted = plan->to.layout == SPW_COO || pairs->n > plan->cap;
  const int64_t parts = w->starts ? spw_parts_of_work(pairs->n, plan->threads) : 1;
  if (parts > 1) place_parts(cells, pairs->n, parts, w->starts);
  int64_t count = pairs->n;
  if (counted && !plan->ordered) count = parts > 1 ? w->starts[parts] : count_distinct(cells, 0, pairs->n);
  if (count > plan->cap) return SPW_EINVAL;
  const emission e = {cells, pairs->n, count, 0, pairs->n, 0, pairs->bits, ((uint64_t)1 << pairs->bits) - 1,
                      plan->to.duplicates, plan->dtype, plan->out_C};
  out->nse = emit_parts(plan, &e, w->starts, parts, out, count > 0 ? spw_payload_to(plan, w, out, 0) : NULL);
  return spw_fits_index(plan, out->nse, refusal);
}
