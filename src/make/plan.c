/* SPDX-License-Identifier: Apache-2.0 */
#include "plan.h"
#include "../convert/indices/sort/sort_cells.h"
#include "../convert/plan.h"
#include "../core/size.h"

/* ---- Operands ---------------------------------------------------------------------------------- */

static bool sensible(const spw_tensor *const *operands, int64_t count, const spw_making *w)
{
  const int64_t most = w->kind == SPW_MAKE_ZEROS ? 0 : w->kind == SPW_MAKE_KRON ? 2 : 1;
  if (w->kind < SPW_MAKE_ZEROS || w->kind > SPW_MAKE_RESPLIT || count > most || (count > 0 && !operands)) return false;
  if (count < most && w->kind != SPW_MAKE_DIAGONALS) return false;
  for (int64_t i = 0; i < count; i++)
    if (!operands[i]) return false;
  if (w->kind == SPW_MAKE_SLICE) return w->step != 0;
  if (w->kind == SPW_MAKE_FILL) return w->scalar;
  if (w->kind == SPW_MAKE_DIAGONALS && (w->count < 0 || (w->count > 0 && !w->numbers))) return false;
  return w->kind > SPW_MAKE_DIAGONALS || (w->ndim >= 0 && (w->ndim == 0 || w->size));
}

static bool supported(const spw_tensor *const *operands, int64_t count, const spw_making *w)
{
  for (int64_t i = 0; i < count; i++)
    if ((operands[i]->layout == SPW_DENSE) != (w->kind == SPW_MAKE_DIAGONALS)) return false;
  return true;
}

static spw_status take_form(spw_make_plan *p, int i)
{
  const spw_status status = spw_form_read(p->operands[i], &p->form[i]);
  p->dtype = p->operands[i]->values.array.dtype;
  return status;
}

/* COO that may store a position twice. */
static bool may_repeat(const spw_form *f)
{
  return f->layout == SPW_COO && f->nse > 1 && f->t->coalesced != SPW_CLAIM_YES;
}

static spw_status refuse_repeated(int operand, spw_refusal *refusal)
{
  const spw_status status = spw_refuse_operand(refusal, operand, SPW_OBSTACLE_DUPLICATE, -1, -1, -1);
  if (refusal) refusal->other = operand;
  return status;
}

/* ---- Results ----------------------------------------------------------------------------------- */

/* Of the layout of operand 0, with its blocks, batches and index type. */
static void keep_layout(spw_make_plan *p)
{
  const spw_form *const a = &p->form[0];
  const bool blocks = spw_has_blocks(a->layout);
  p->to.layout = a->layout;
  p->to.batch_dims = a->layout == SPW_COO ? -1 : a->batch_dims;
  p->to.block_rows = blocks ? a->block[0] : 0;
  p->to.block_columns = blocks ? a->block[1] : 0;
}

static void keep_size(spw_make_plan *p)
{
  const spw_form *const a = &p->form[0];
  p->ndim = a->ndim;
  p->leading = a->leading;
  for (int64_t d = 0; d < a->ndim; d++) p->size[d] = a->size[d];
}

/* A size that a caller gives. */
static spw_status take_size(spw_make_plan *p, spw_refusal *refusal)
{
  const spw_making *const w = p->wanted;
  if (w->ndim > SPW_STRUCTURE_DIMS) return SPW_EUNSUPPORTED;
  if (w->layout < SPW_COO || w->layout > SPW_BSC || w->batch_dims < 0 || w->dense_dims < 0) return SPW_EINVAL;
  if (w->layout == SPW_COO && w->batch_dims != 0) return SPW_EINVAL;
  const int64_t sparse = w->layout == SPW_COO ? 0 : spw_add_saturated(w->batch_dims, 2);
  if (spw_add_saturated(sparse, w->dense_dims) > w->ndim || (sparse > 0 && w->ndim - w->dense_dims != sparse))
    return spw_refuse(refusal, SPW_OBSTACLE_DIMENSIONS, -1, -1, w->ndim, spw_add_saturated(sparse, w->dense_dims));
  p->ndim = w->ndim;
  p->leading = w->ndim - w->dense_dims;
  for (int64_t d = 0; d < w->ndim; d++) {
    if (w->size[d] < 0) return spw_refuse(refusal, SPW_OBSTACLE_RANGE, d, -1, w->size[d], 0);
    p->size[d] = w->size[d];
  }
  p->to.layout = w->layout;
  p->to.batch_dims = w->layout == SPW_COO ? -1 : w->batch_dims;
  p->to.block_rows = w->block_rows;
  p->to.block_columns = w->block_columns;
  p->to.index_dtype = w->index_dtype == SPW_DTYPE_NONE ? SPW_INT64 : w->index_dtype;
  p->dtype = w->dtype;
  return SPW_OK;
}

static spw_status judge_zeros(spw_make_plan *p, spw_refusal *refusal)
{
  p->ordered = true;
  return take_size(p, refusal);
}

/* ---- Diagonals --------------------------------------------------------------------------------- */

enum { PART = 2048 }; /* numbers that are sorted at a time */

/* Numbers in the order of their bits: only equal ones matter. */
static void sort_part(const int64_t *numbers, int64_t n, spw_cell *cells, spw_cell *room, const spw_cell **sorted)
{
  for (int64_t k = 0; k < n; k++) {
    cells[k].key = (uint64_t)numbers[k];
    cells[k].payload = (uint64_t)k;
  }
  *sorted = spw_sort_cells(cells, room, n, 0, 64) ? room : cells;
}

/* The first place, from the beginning of the part, of a number; -1. */
static int64_t find_number(const spw_cell *sorted, int64_t n, uint64_t number)
{
  int64_t lo = 0, hi = n;
  while (lo < hi) {
    const int64_t middle = lo + (hi - lo) / 2;
    if (sorted[middle].key < number)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo < n && sorted[lo].key == number ? (int64_t)sorted[lo].payload : -1;
}

/* No offset twice. */
static spw_status judge_offsets(const spw_making *w, spw_refusal *refusal)
{
  spw_cell cells[PART], room[PART];
  const spw_cell *sorted;
  for (int64_t first = 0; first < w->count; first += PART) {
    const int64_t n = w->count - first < PART ? w->count - first : PART;
    sort_part(w->numbers + first, n, cells, room, &sorted);
    for (int64_t k = first; k < w->count; k++) {
      const int64_t same = find_number(sorted, n, (uint64_t)w->numbers[k]);
      if (same >= 0 && first + same != k)
        return spw_refuse(refusal, SPW_OBSTACLE_DUPLICATE, -1, -1, first + same < k ? first + same : k,
                          first + same < k ? k : first + same);
    }
  }
  return SPW_OK;
}

static spw_status judge_diagonals(spw_make_plan *p, int64_t count, spw_refusal *refusal)
{
  const spw_making *const w = p->wanted;
  const spw_tensor *const dense = count > 0 ? p->operands[0] : NULL;
  spw_status status = take_size(p, refusal);
  if (status != SPW_OK) return status;
  if (w->ndim != 2 || p->leading != 2) return spw_refuse(refusal, SPW_OBSTACLE_DIMENSIONS, -1, -1, p->leading, 2);
  p->rows = w->count;
  p->columns = p->size[1];
  p->ones = !dense;
  if (dense) {
    const spw_array *const d = &dense->values.array;
    p->dtype = d->dtype;
    if (d->ndim != 1 && d->ndim != 2) return spw_refuse(refusal, SPW_OBSTACLE_DIMENSIONS, -1, -1, d->ndim, 2);
    p->rows = d->ndim == 1 ? 1 : d->shape[0];
    if (d->shape[d->ndim - 1] < p->columns) p->columns = d->shape[d->ndim - 1];
    if (p->rows != w->count) return spw_refuse(refusal, SPW_OBSTACLE_SHAPES, 0, -1, p->rows, w->count);
  }
  return judge_offsets(w, refusal);
}

/* ---- Of one operand ---------------------------------------------------------------------------- */

static spw_status judge_slice(spw_make_plan *p, spw_refusal *refusal)
{
  const spw_making *const w = p->wanted;
  keep_size(p);
  keep_layout(p);
  if (w->dim < 0 || w->dim >= p->ndim) return spw_refuse(refusal, SPW_OBSTACLE_DIMENSION, w->dim, -1, w->dim, p->ndim);
  const int64_t size = p->size[w->dim];
  if (w->start < 0 || w->start > size || (w->start == size && w->length > 0))
    return spw_refuse(refusal, SPW_OBSTACLE_RANGE, w->dim, -1, w->start, size);
  if (w->length < 0) return spw_refuse(refusal, SPW_OBSTACLE_RANGE, w->dim, -1, w->length, size);
  /* the last index, (length - 1) * step behind the first */
  const int64_t room = w->step > 0 ? size - 1 - w->start : w->start;
  const uint64_t step = w->step > 0 ? (uint64_t)w->step : 0 - (uint64_t)w->step;
  if (w->length > 1 && (uint64_t)w->length - 1 > (uint64_t)room / step) {
    const int64_t far = step > INT64_MAX ? INT64_MAX : spw_mul_saturated(w->length - 1, (int64_t)step);
    const int64_t last = w->step > 0 ? spw_add_saturated(w->start, far) : spw_sub_saturated(w->start, far);
    return spw_refuse(refusal, SPW_OBSTACLE_RANGE, w->dim, -1, last, size);
  }
  p->size[w->dim] = w->length;
  return SPW_OK;
}

/* The least of two lengths from a diagonal's beginning to an edge. */
static int64_t diagonal_length(int64_t rows, int64_t columns, int64_t offset)
{
  const int64_t down = offset < 0 ? spw_add_saturated(rows, offset) : rows;
  const int64_t right = offset > 0 ? columns - offset : columns;
  const int64_t least = down < right ? down : right;
  return least > 0 ? least : 0;
}

/* A vector goes on the diagonal of a matrix; of matrices, diagonals are taken. */
static spw_status judge_diagonal(spw_make_plan *p, spw_refusal *refusal)
{
  const spw_form *const a = &p->form[0];
  const int64_t leading = a->leading, k = p->wanted->diagonal;
  if (leading == 0) return spw_refuse(refusal, SPW_OBSTACLE_DIMENSIONS, -1, -1, 0, 1);
  keep_size(p);
  p->to.layout = SPW_COO;
  if (leading == 1) {
    int64_t side;
    if (a->ndim == SPW_STRUCTURE_DIMS) return SPW_EUNSUPPORTED;
    if (k < 0 ? __builtin_sub_overflow(a->size[0], k, &side) : __builtin_add_overflow(a->size[0], k, &side))
      return spw_refuse(refusal, SPW_OBSTACLE_SIZE, -1, -1, -1, -1);
    for (int64_t d = p->ndim; d > 1; d--) p->size[d] = p->size[d - 1];
    p->size[0] = p->size[1] = side;
    p->leading++;
    p->ndim++;
    return SPW_OK;
  }
  p->size[leading - 2] = diagonal_length(a->size[leading - 2], a->size[leading - 1], k);
  for (int64_t d = leading - 1; d + 1 < p->ndim; d++) p->size[d] = p->size[d + 1];
  p->leading--;
  p->ndim--;
  return SPW_OK;
}

static spw_status judge_triangle(spw_make_plan *p, spw_refusal *refusal)
{
  keep_size(p);
  keep_layout(p);
  if (p->leading < 2) return spw_refuse(refusal, SPW_OBSTACLE_DIMENSIONS, -1, -1, p->leading, 2);
  return SPW_OK;
}

static spw_status judge_resplit(spw_make_plan *p, spw_refusal *refusal)
{
  const int64_t n = p->wanted->sparse_dims;
  keep_size(p);
  if (p->form[0].layout != SPW_COO)
    return spw_refuse(refusal, SPW_OBSTACLE_LAYOUT, -1, -1, (int64_t)p->form[0].layout, SPW_COO);
  if (n > p->ndim || (n < 1 && p->ndim > 0) || n < 0) return spw_refuse(refusal, SPW_OBSTACLE_DIMENSIONS, -1, -1, n, p->ndim);
  if (may_repeat(&p->form[0])) return refuse_repeated(0, refusal);
  p->ordered = true;
  p->leading = n;
  p->to.layout = SPW_COO;
  p->to.prune = true;
  return SPW_OK;
}

/* ---- Of two ------------------------------------------------------------------------------------ */

static spw_status judge_kron(spw_make_plan *p, spw_refusal *refusal)
{
  const spw_form *const f = p->form;
  spw_status status = take_form(p, 1);
  if (status != SPW_OK) return status;
  for (int i = 0; i < 2; i++)
    if (f[i].dense_dims > 0) return spw_refuse_operand(refusal, i, SPW_OBSTACLE_HYBRID, -1, f[i].dense_dims, 0);
  if (f[1].ndim != f[0].ndim) return spw_refuse_operand(refusal, 1, SPW_OBSTACLE_DIMENSIONS, -1, f[1].ndim, f[0].ndim);
  const spw_dtype a = f[0].t->values.array.dtype, b = f[1].t->values.array.dtype;
  if (a != b) return spw_refuse_operand(refusal, 1, SPW_OBSTACLE_TYPES, -1, (int64_t)b, (int64_t)a);
  for (int i = 0; i < 2; i++)
    if (may_repeat(&f[i])) return refuse_repeated(i, refusal);
  keep_size(p);
  keep_layout(p);
  for (int64_t d = 0; d < p->ndim; d++) {
    if (p->size[d] > 0 && f[1].size[d] > INT64_MAX / p->size[d]) return spw_refuse(refusal, SPW_OBSTACLE_SIZE, -1, -1, -1, -1);
    p->size[d] *= f[1].size[d];
  }
  return SPW_OK;
}

/* ---- All --------------------------------------------------------------------------------------- */

static spw_status judge_kind(spw_make_plan *p, int64_t count, spw_refusal *refusal)
{
  switch (p->wanted->kind) {
  case SPW_MAKE_ZEROS: return judge_zeros(p, refusal);
  case SPW_MAKE_DIAGONALS: return judge_diagonals(p, count, refusal);
  case SPW_MAKE_CLONE: case SPW_MAKE_FILL: p->pattern = true; return SPW_OK;
  case SPW_MAKE_SLICE: return judge_slice(p, refusal);
  case SPW_MAKE_DIAGONAL: return judge_diagonal(p, refusal);
  case SPW_MAKE_LOWER: case SPW_MAKE_UPPER: return judge_triangle(p, refusal);
  case SPW_MAKE_KRON: return judge_kron(p, refusal);
  case SPW_MAKE_RESPLIT: return judge_resplit(p, refusal);
  }
  return SPW_EINVAL;
}

static spw_status finish(spw_make_plan *p, spw_refusal *refusal)
{
  p->scalar = spw_dtype_size(p->dtype);
  if (p->scalar == 0) return SPW_EINVAL;
  if (p->pattern) return SPW_OK;
  p->width = spw_product(p->size + p->leading, p->ndim - p->leading);
  if (p->width < 0) p->width = 0; /* a size of 0 before: there is no cell */
  if (spw_product(p->size, p->ndim) < 0) return spw_refuse(refusal, SPW_OBSTACLE_SIZE, -1, -1, -1, -1); /* 3.11 */
  return SPW_OK;
}

spw_status spw_make_plan_of(const spw_tensor *const *operands, int64_t count, const spw_making *wanted, spw_make_plan *plan,
                            spw_refusal *refusal)
{
  if (!sensible(operands, count, wanted)) return SPW_EINVAL;
  if (!supported(operands, count, wanted)) return SPW_EUNSUPPORTED;
  const spw_make_plan fresh = {.wanted = wanted, .operands = operands,
                               .to = {.batch_dims = -1, .dense_dims = -1}};
  *plan = fresh;
  spw_status status = SPW_OK;
  if (wanted->kind > SPW_MAKE_DIAGONALS) {
    status = take_form(plan, 0);
    plan->to.index_dtype = operands[0]->plain.array.dtype;
  }
  if (status == SPW_OK) status = judge_kind(plan, count, refusal);
  return status == SPW_OK ? finish(plan, refusal) : status;
}
