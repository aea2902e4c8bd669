/* SPDX-License-Identifier: Apache-2.0 */
/* The public calls of products with dense operands: plan, lay out the workspace, multiply batch for batch. */
#include "pack.h"
#include "product.h"
#include "../../convert/arena.h"
#include "../../convert/indices.h"
#include "../../operand/overlap.h"
#include "../../convert/plan.h"
#include "../../convert/share.h"
#include "../../convert/values.h"
#include "../../core/size.h"

#include <string.h>

/* ---- Workspace ------------------------------------------------------------------------------- */

typedef struct workspace {
  char *values, *dense, *out, *sums;
  int64_t *rows, *columns;
  int64_t bytes; /* INT64_MAX beyond */
} workspace;

/* A COO tensor is one matrix, whose batches lie on its diagonal. */
static bool is_flat(const spw_product_plan *plan)
{
  return plan->sparse->layout == SPW_COO;
}

static int64_t at_once(const spw_product_plan *plan)
{
  return is_flat(plan) ? plan->batches : 1;
}

/* What the operands are read in, where they are. */
static void lay_out_operands(const spw_product_plan *plan, spw_arena *arena, workspace *w)
{
  const int64_t n = at_once(plan);
  if (plan->reads_nothing) return;
  if (plan->values_packed)
    w->values = spw_take(arena, plan->nse, spw_mul_saturated(plan->cell, plan->scalar));
  if (plan->indices_packed) {
    w->rows = spw_take(arena, plan->nse, 8);
    w->columns = spw_take(arena, plan->nse, 8);
  }
  if (plan->dense_packed)
    w->dense = spw_take(arena, spw_mul_saturated(n, plan->inner), spw_mul_saturated(plan->width, plan->scalar));
  if (spw_spreads(plan->layout))
    w->sums = spw_take(arena, spw_mul_saturated(n, plan->rows),
                       (plan->width < SPREAD ? plan->width : SPREAD) * spw_sum_size(plan->dtype));
}

static bool needs_work(const spw_product_plan *plan)
{
  const bool reads = plan->values_packed || plan->indices_packed || plan->dense_packed || spw_spreads(plan->layout);
  return !plan->writes_nothing && (plan->out_packed || (reads && !plan->reads_nothing));
}

static workspace lay_out(const spw_product_plan *plan, char *base)
{
  workspace w = {0};
  spw_arena arena = {base, 0};
  if (!needs_work(plan)) return w;
  lay_out_operands(plan, &arena, &w);
  if (plan->out_packed)
    w.out = spw_take(&arena, spw_mul_saturated(at_once(plan), plan->rows), spw_mul_saturated(plan->width, plan->scalar));
  w.bytes = arena.used;
  return w;
}

/* ---- One batch, or all of a COO tensor ------------------------------------------------------- */

static void point_at_indices(const spw_product_plan *plan, const workspace *w, int64_t b, spw_line_product *p)
{
  const spw_tensor *const s = plan->sparse;
  const spw_array *const plain = &s->plain.array;
  if (plan->indices_packed) {
    spw_pack_indices(plan, w->rows, w->columns);
    p->row_indices = w->rows;
    p->plain = w->columns;
  } else if (s->layout == SPW_COO) {
    const bool any = plan->nse > 0; /* else offset and strides may be any numbers */
    const void *const first = spw_indices_at(&s->plain, any ? plain->offset : 0);
    const void *const second = spw_indices_at(&s->plain, any ? plain->offset + plain->strides[0] : 0);
    p->row_indices = plan->transposed ? second : first;
    p->plain = plan->transposed ? first : second;
  } else {
    p->compressed = spw_indices_at(&s->compressed, spw_batch_place(&s->compressed.array, plan->batch_dims, b));
    p->plain = spw_indices_at(&s->plain, plan->nse == 0 ? 0 : spw_batch_place(plain, plan->batch_dims, b));
  }
}

/* As spw_value_at, of values whose bytes are known. */
static const char *value_at(const spw_value_array *values, int64_t place, int64_t scalar)
{
  return (const char *)values->data + place * scalar;
}

static void point_at_values(const spw_product_plan *plan, const workspace *w, int64_t b, spw_line_product *p)
{
  const spw_value_array *const v = &plan->sparse->values;
  if (plan->nse == 0) return;
  if (plan->values_packed) spw_pack_cells(plan, b, w->values);
  const int64_t dims = is_flat(plan) ? 0 : plan->batch_dims;
  p->values = plan->values_packed ? w->values : value_at(v, spw_batch_place(&v->array, dims, b), plan->scalar);
}

static void point_at_dense(const spw_product_plan *plan, const workspace *w, int64_t b, spw_line_product *p)
{
  const spw_value_array *const d = &plan->dense->values;
  const spw_dense_lines *const l = &plan->in_lines;
  const int64_t n = at_once(plan);
  p->dense_lead = spw_lead_of(l, plan->dense_packed);
  if (l->lines == 0 || l->width == 0) return;
  p->dense = plan->dense_packed ? w->dense : value_at(d, spw_batch_place(&d->array, plan->batch_dims, b), plan->scalar);
  if (plan->dense_packed)
    for (int64_t i = 0; i < n; i++)
      spw_pack_lines(spw_value_at(d, spw_batch_place(&d->array, plan->batch_dims, b + i)), l, plan->scalar,
                     w->dense + i * l->lines * l->width * plan->scalar);
}

static char *output_at(const spw_product_plan *plan, int64_t b)
{
  return (char *)plan->out->data + spw_batch_place(&plan->out->array, plan->batch_dims, b) * plan->scalar;
}

static void point_at_output(const spw_product_plan *plan, const workspace *w, int64_t b, spw_line_product *p)
{
  const spw_dense_lines *const l = &plan->out_lines;
  const int64_t n = at_once(plan);
  p->out_lead = spw_lead_of(l, plan->out_packed);
  p->out = plan->out_packed ? w->out : output_at(plan, b);
  if (plan->out_packed && plan->mode == 2)
    for (int64_t i = 0; i < n; i++)
      spw_pack_lines(output_at(plan, b + i), l, plan->scalar, w->out + i * l->lines * l->width * plan->scalar);
}

static void put_output(const spw_product_plan *plan, const workspace *w, int64_t b)
{
  const spw_dense_lines *const l = &plan->out_lines;
  if (!plan->out_packed) return;
  for (int64_t i = 0; i < at_once(plan); i++)
    spw_unpack_lines(w->out + i * l->lines * l->width * plan->scalar, l, plan->scalar, output_at(plan, b + i));
}

/* ---- Threads --------------------------------------------------------------------------------- */

enum { WORTH_A_THREAD = SPW_OR_SMALL(20000, 3) }; /* multiplications */

/* The first of lines 0 .. lines that has at least `count` elements before it. */
static int64_t line_at(const spw_line_product *p, int64_t lines, int64_t count)
{
  int64_t low = 0, high = lines;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    const int64_t before = p->wide ? ((const int64_t *)p->compressed)[middle] : ((const int32_t *)p->compressed)[middle];
    if (before < count)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Where part i of n begins: parts have about as many elements where lines are gathered, else lines. */
static int64_t part_at(const spw_line_product *p, int64_t lines, int64_t i, int64_t n)
{
  if (i == 0) return 0;
  if (i == n) return lines;
  if (spw_spreads(p->layout) || p->reads_nothing || p->nse / n == 0) return lines / n * i + lines % n * i / n;
  return line_at(p, lines, p->nse / n * i + p->nse % n * i / n);
}

static int64_t parts_of(const spw_product_plan *plan, const spw_line_product *p)
{
  if (plan->how.threads <= 1 || !SPW_HAS_PARTS) return 1;
  const int64_t cells = spw_mul_saturated(p->nse, p->cell);
  const int64_t work = spw_mul_saturated(spw_add_saturated(cells, p->rows), p->width) / WORTH_A_THREAD;
  const int64_t most = SPW_AT_MOST(plan->how.threads);
  return work < 1 ? 1 : work < most ? work : most;
}

static void multiply_tile(const spw_product_plan *plan, const spw_line_product *p)
{
  const int64_t lines = spw_has_blocks(p->layout) ? p->rows / p->height : p->rows, n = parts_of(plan, p);
  if (n == 1) { /* even a team of one costs more than a small product */
    spw_multiply_lines(p, plan->dtype, 0, lines);
    return;
  }
#ifdef _OPENMP
#pragma omp parallel for num_threads((int)n) schedule(static, 1)
#endif
  for (int64_t i = 0; i < n; i++)
    spw_multiply_lines(p, plan->dtype, part_at(p, lines, i, n), part_at(p, lines, i + 1, n));
}

/* Tile after tile and not side by side: where the sums of a line lie depends on the width of the tile. */
static void multiply(const spw_product_plan *plan, spw_line_product *p)
{
  const int64_t most = spw_spreads(p->layout) ? SPREAD : p->width;
  for (p->tile = 0; p->tile < p->width; p->tile += most) {
    p->tile_width = p->width - p->tile < most ? p->width - p->tile : most;
    multiply_tile(plan, p);
  }
}

/* ---- Calls ----------------------------------------------------------------------------------- */

static void multiply_all(const spw_product_plan *plan, const workspace *w)
{
  const int64_t n = at_once(plan);
  /* Each member by its name, so that none of it is cleared first. */
  spw_line_product p = {.layout = plan->layout, .wide = plan->wide, .compressed = NULL, .plain = NULL, .row_indices = NULL,
                        .values = NULL, .C = plan->C, .nse = plan->nse, .height = plan->height, .length = plan->length,
                        .cell = plan->cell, .rows = n * plan->rows, .inner = n * plan->inner, .dense = NULL, .dense_lead = 0,
                        .width = plan->width, .out = NULL, .out_lead = 0, .sums = w->sums, .tile = 0, .tile_width = 0,
                        .mode = plan->mode, .reads_nothing = plan->reads_nothing,
                        .alpha = plan->how.alpha ? plan->alpha : NULL, .beta = plan->how.beta ? plan->beta : NULL};
  for (int64_t b = 0; b < plan->batches; b += n) {
    if (!plan->reads_nothing) {
      point_at_indices(plan, w, b, &p);
      point_at_values(plan, w, b, &p);
      point_at_dense(plan, w, b, &p);
    }
    point_at_output(plan, w, b, &p);
    multiply(plan, &p);
    put_output(plan, w, b);
  }
}

static spw_status size_of(const spw_product_plan *plan, size_t *work, spw_refusal *refusal)
{
  const int64_t bytes = needs_work(plan) ? lay_out(plan, NULL).bytes : 0;
  if (bytes > 0 && !spw_is_object_size(bytes)) return spw_refuse(refusal, SPW_OBSTACLE_SIZE, -1, -1, -1, -1);
  *work = (size_t)bytes;
  return SPW_OK;
}

/* None of the others is written to either. */
static bool others_apart(const spw_product_plan *plan, const spw_tensor *const *others, int64_t count, const void *work,
                         size_t needed)
{
  const spw_byte_range bytes = spw_byte_range_of(work, (int64_t)needed, 1);
  for (int64_t i = 0; i < count; i++) {
    spw_memory m;
    spw_memory_of(others[i], spw_dtype_size(others[i]->values.array.dtype), &m);
    if (spw_meets(&m, plan->out_bytes) || spw_meets(&m, bytes)) return false;
  }
  return true;
}

static spw_status multiply_into(const spw_product_plan *plan, const spw_tensor *const *others, int64_t count, void *work,
                                size_t work_bytes, spw_refusal *refusal)
{
  size_t needed = 0;
  spw_status status = size_of(plan, &needed, refusal);
  if (status != SPW_OK) return status;
  if (work_bytes < needed || (needed > 0 && (!work || (uintptr_t)work % 8 != 0))) return SPW_EINVAL;
  if (needed > 0) status = spw_work_apart(plan, work, needed, refusal);
  if (status != SPW_OK) return status;
  if (!others_apart(plan, others, count, work, needed)) return spw_refuse_operand(refusal, 0, SPW_OBSTACLE_OVERLAP, -1, -1, -1);
  const workspace w = lay_out(plan, work);
  if (!plan->writes_nothing) multiply_all(plan, &w);
  return SPW_OK;
}

spw_status spw_multiply_size(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, const spw_output *c, size_t *work,
                             spw_refusal *refusal)
{
  spw_product_plan plan;
  if (!work) return SPW_EINVAL;
  const spw_status status = spw_product_plan_make(a, b, how, c, true, &plan, refusal);
  return status == SPW_OK ? size_of(&plan, work, refusal) : status;
}

spw_status spw_multiply_size_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, const spw_output *c,
                                       size_t *work, spw_refusal *refusal)
{
  spw_product_plan plan;
  if (!work) return SPW_EINVAL;
  const spw_status status = spw_product_plan_make(a, b, how, c, false, &plan, refusal);
  return status == SPW_OK ? size_of(&plan, work, refusal) : status;
}

spw_status spw_multiply(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, const spw_output *c, void *work,
                        size_t work_bytes, spw_refusal *refusal)
{
  spw_product_plan plan;
  const spw_status status = spw_product_plan_make(a, b, how, c, true, &plan, refusal);
  return status == SPW_OK ? multiply_into(&plan, NULL, 0, work, work_bytes, refusal) : status;
}

spw_status spw_multiply_part(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, const spw_output *c,
                             const spw_tensor *const *others, int64_t count, void *work, size_t work_bytes, spw_refusal *refusal)
{
  spw_product_plan plan;
  const spw_status status = spw_product_plan_make(a, b, how, c, false, &plan, refusal);
  return status == SPW_OK ? multiply_into(&plan, others, count, work, work_bytes, refusal) : status;
}

spw_status spw_multiply_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, const spw_output *c,
                                  void *work, size_t work_bytes, spw_refusal *refusal)
{
  return spw_multiply_part(a, b, how, c, NULL, 0, work, work_bytes, refusal);
}
