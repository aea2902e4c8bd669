/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of the operands are visited one by one. Along batch dimensions only those are that are wanted; along a sparse one
 * they are filtered, and renumbered; along a dense one they are put together from parts. */
#include "cells.h"
#include "boxes.h"
#include "../convert/indices.h"
#include "../convert/plan.h"
#include "../core/size.h"

/* A part of an operand along the dimension of the operation, in cells: from .. from + length - 1 become to, to + 1, ... */
typedef struct piece {
  spw_form form;
  int64_t number, begin; /* where it begins in the result, in elements */
  int64_t from, length, to;
} piece;

/* What is done with each cell of a piece. */
typedef struct visitor {
  const spw_request *r;
  const piece *p;
  spw_visit *visit;
  int64_t count;
  spw_list *list;
  const spw_boxes *boxes;
  int64_t lost; /* dimension along which a cell lies beyond the new size; -1 */
  int64_t lost_at;
} visitor;

/* ---- Pieces ----------------------------------------------------------------------------------- */

static int64_t count_pieces(const spw_request *r)
{
  if (r->wanted->kind == SPW_INDEX_SELECT && r->along == SPW_ALONG_BATCH) return r->wanted->count;
  return r->count;
}

/* Of an operand that is judged already: its form cannot be refused. */
static void take_operand(const spw_request *r, int64_t number, spw_form *form)
{
  *form = r->a;
  if (number > 0) (void)spw_form_read(r->operands[number], form);
}

/* What is cut out of the operand, in elements. */
static void cut(const spw_request *r, piece *p)
{
  const spw_structure *w = r->wanted;
  p->from = 0;
  p->length = r->added || r->along == SPW_ALONG_NONE ? 0 : p->form.size[r->dim];
  if (w->kind == SPW_SELECT) p->from = r->start, p->length = 1;
  if (w->kind == SPW_NARROW) p->from = r->start, p->length = w->length;
  if (w->kind == SPW_INDEX_SELECT && r->along == SPW_ALONG_BATCH) p->from = w->numbers[p->number], p->length = 1;
}

/* The next one after p, behind which the first has number -1; false behind the last. */
static bool next_piece(const spw_request *r, piece *p)
{
  if (p->number >= 0) p->begin += r->added ? 1 : r->wanted->kind == SPW_CAT ? p->form.size[r->dim] : 1;
  if (++p->number >= count_pieces(r)) return false;
  if (p->number == 0) p->begin = 0;
  take_operand(r, r->count > 1 ? p->number : 0, &p->form);
  cut(r, p);
  p->to = p->begin;
  const int64_t block = r->added || r->along == SPW_ALONG_NONE ? 1 : spw_form_block(&r->a, r->dim);
  p->from /= block;
  p->length = r->taken ? 1 : p->length / block;
  p->to /= block;
  return true;
}

static void first_piece(const spw_request *r, piece *p)
{
  p->number = -1;
  (void)next_piece(r, p);
}

/* Batches of a piece along batch dimension d, from .. from + length - 1. */
static void batch_range(const spw_request *r, const piece *p, int64_t d, int64_t *from, int64_t *length)
{
  const bool cut = r->along == SPW_ALONG_BATCH && !r->added && d == r->dim;
  *from = cut ? p->from : 0;
  *length = cut ? p->length : p->form.size[d];
}

/* INT64_MAX beyond. */
static int64_t count_batches(const spw_request *r, const piece *p)
{
  int64_t count = 1, from, length;
  for (int64_t d = 0; d < p->form.batch_dims; d++) {
    batch_range(r, p, d, &from, &length);
    if (length == 0) return 0;
    count = spw_mul_saturated(count, length);
  }
  return count;
}

/* ---- Visits ----------------------------------------------------------------------------------- */

/* Batch number b of the piece. */
static void visit_batch(visitor *v, int64_t b)
{
  const spw_form *f = &v->p->form;
  int64_t at[SPW_STRUCTURE_DIMS], from, length;
  for (int64_t d = f->batch_dims - 1; d >= 0; d--) {
    batch_range(v->r, v->p, d, &from, &length);
    at[d] = from + b % length;
    b /= length;
  }
  spw_visit_cells(f, at, v->visit, v);
}

/* ---- What is wanted of a list ------------------------------------------------------------------ */

/* Sorted numbers, of which those equal to one are looked for. */
typedef struct range {
  int64_t first, last;
} range;

/* The first of them, from `lo` on, that is not less. */
static int64_t first_from(const spw_cell *sorted, int64_t lo, int64_t n, int64_t number)
{
  int64_t hi = n;
  while (lo < hi) {
    const int64_t middle = lo + (hi - lo) / 2;
    if ((int64_t)sorted[middle].key < number)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo;
}

/* An index is less than INT64_MAX, as a size is not more. */
static range equal_to(const spw_cell *sorted, int64_t n, int64_t number)
{
  const int64_t first = first_from(sorted, 0, n, number);
  const range found = {first, first_from(sorted, first, n, number + 1)};
  return found;
}

/* Sorts the numbers first .. first + n - 1 of the list, in blocks, to one of two lists, which is given. */
static spw_cell *sort_wanted(const spw_request *r, int64_t first, int64_t n, spw_cell *cells, spw_cell *room)
{
  const int64_t block = spw_form_block(&r->a, r->dim);
  for (int64_t k = 0; k < n; k++) {
    cells[k].key = (uint64_t)(r->wanted->numbers[(first + k) * block] / block);
    cells[k].payload = (uint64_t)(first + k);
  }
  return spw_sort_cells(cells, room, n, 0, 63) ? room : cells;
}

/* ---- Counting --------------------------------------------------------------------------------- */

static bool is_filtered(const spw_request *r)
{
  const spw_structure_kind kind = r->wanted->kind;
  return r->along == SPW_ALONG_SPARSE && (kind == SPW_SELECT || kind == SPW_NARROW || kind == SPW_INDEX_SELECT);
}

/* Elements of a cell that are cells of the result. */
static int64_t parts_of(const spw_request *r)
{
  return r->exploded ? r->a.block[1 - r->dim] : 1;
}

static void count_in_range(void *context, const int64_t *at, int64_t k)
{
  visitor *const v = context;
  const int64_t own = at[v->r->dim] - v->p->from;
  (void)k;
  if (own >= 0 && own < v->p->length) v->count = spw_add_saturated(v->count, parts_of(v->r));
}

static void count_in_list(void *context, const int64_t *at, int64_t k)
{
  visitor *const v = context;
  const range found = equal_to(v->list->found, v->list->wanted, at[v->r->dim]);
  (void)k;
  v->count = spw_add_saturated(v->count, found.last - found.first);
}

/* The list, some numbers at a time. */
static int64_t count_listed(const spw_request *r, const piece *p, int64_t b)
{
  enum { PART = 2048 };
  spw_cell cells[PART], room[PART];
  const int64_t n = r->wanted->count / spw_form_block(&r->a, r->dim);
  spw_list part = {.n = 0};
  visitor v = {.r = r, .p = p, .visit = count_in_list, .list = &part};
  for (int64_t k = 0; k < n; k += PART) {
    part.wanted = n - k < PART ? n - k : PART;
    part.found = sort_wanted(r, k, part.wanted, cells, room);
    visit_batch(&v, b);
  }
  return v.count;
}

/* Are all cells of COO at one place, by its strides, or because there is only one? */
static bool lie_at_one_place(const spw_form *f)
{
  return f->layout == SPW_COO && f->nse > 1 && (f->leading == 0 || f->t->plain.array.strides[1] == 0);
}

static int64_t count_visited(const spw_request *r, const piece *p, int64_t b)
{
  visitor v = {.r = r, .p = p, .visit = count_in_range};
  if (r->wanted->kind == SPW_INDEX_SELECT) return count_listed(r, p, b);
  visit_batch(&v, b);
  return v.count;
}

static int64_t count_filtered(const spw_request *r, const piece *p, int64_t b)
{
  if (!lie_at_one_place(&p->form)) return count_visited(r, p, b);
  piece one = *p;
  one.form.nse = 1;
  return spw_mul_saturated(count_visited(r, &one, b), p->form.nse);
}

/* All batches need the same number of cells. */
static spw_status count_each_batch(const spw_request *r, const piece *p, int64_t *cells, spw_refusal *refusal)
{
  const int64_t batches = count_batches(r, p);
  int64_t each = 0;
  for (int64_t b = 0; b < batches; b++) {
    const int64_t count = count_filtered(r, p, b);
    if (b == 0) each = count;
    if (count != each) return spw_refuse(refusal, SPW_OBSTACLE_BATCHES, 0, b, each, count);
    if (p->form.nse == 0 || spw_form_shared(&p->form)) break; /* all that follow are the same */
  }
  *cells = batches == 0 ? 0 : spw_mul_saturated(each, batches);
  return SPW_OK;
}

/* The number of the first batch of a piece, in the result. */
static int64_t first_batch(const spw_request *r, const piece *p)
{
  int64_t number = p->to;
  for (int64_t d = r->dim + 1; d < r->batch_dims; d++) number = spw_mul_saturated(number, r->size[d]);
  return number;
}

static spw_status count_pieces_whole(const spw_request *r, int64_t *cells, spw_refusal *refusal)
{
  const int64_t repeats = r->wanted->kind == SPW_BROADCAST && r->along != SPW_ALONG_DENSE ? r->wanted->length : 1;
  int64_t first = -1, nse = 0;
  *cells = 0;
  for (piece p = {.number = -1}; next_piece(r, &p);) {
    if (r->along == SPW_ALONG_DENSE && p.number > 0) break; /* all have the same cells */
    const int64_t batches = count_batches(r, &p);
    if (batches == 0) continue;
    if (first < 0) first = first_batch(r, &p), nse = p.form.nse;
    if (r->along == SPW_ALONG_BATCH && p.form.nse != nse)
      return spw_refuse(refusal, SPW_OBSTACLE_BATCHES, first, first_batch(r, &p), nse, p.form.nse);
    const int64_t own = p.form.nse == 0 ? 0 : spw_mul_saturated(batches, p.form.nse);
    *cells = spw_add_saturated(*cells, repeats == 0 || own == 0 ? 0 : spw_mul_saturated(own, repeats));
  }
  return SPW_OK;
}

/* ---- Resize ----------------------------------------------------------------------------------- */

static void find_lost(void *context, const int64_t *at, int64_t k)
{
  visitor *const v = context;
  const spw_request *r = v->r;
  (void)k;
  for (int64_t d = 0; d < r->leading && v->lost < 0; d++) {
    const int64_t block = spw_form_block(&r->a, d);
    if (at[d] < r->size[d] / block) continue;
    v->lost = d;
    v->lost_at = at[d] * block;
  }
}

static spw_status refuse_lost(const spw_request *r, int64_t d, int64_t index, spw_refusal *refusal)
{
  return spw_refuse(refusal, SPW_OBSTACLE_LOST, d, -1, index, r->size[d]);
}

/* Cells without a scalar specify nothing. */
static bool have_scalars(const spw_form *f)
{
  for (int64_t d = f->leading; d < f->ndim; d++)
    if (f->size[d] == 0) return false;
  return true;
}

/* Where every batch has a cell, their number cannot change, nor can that of a cell's scalars: of fewer, the first that is cut off
 * is lost, and more would specify more. */
static spw_status judge_fixed(const spw_request *r, spw_refusal *refusal)
{
  int64_t step = 1;
  for (int64_t d = r->leading; d < r->ndim; d++) {
    if (r->size[d] < r->a.size[d]) return refuse_lost(r, d, r->size[d], refusal);
    if (r->size[d] > r->a.size[d]) return spw_refuse(refusal, SPW_OBSTACLE_OPERAND, d, 0, r->a.size[d], r->size[d]);
  }
  for (int64_t d = r->batch_dims - 1; d >= 0; d--) {
    if (r->size[d] < r->a.size[d]) return refuse_lost(r, d, r->size[d], refusal);
    if (r->size[d] > r->a.size[d])
      return spw_refuse(refusal, SPW_OBSTACLE_BATCHES, 0, spw_mul_saturated(r->a.size[d], step), r->a.nse, 0);
    step = spw_mul_saturated(step, r->size[d]);
  }
  return SPW_OK;
}

static spw_status judge_lost(const spw_request *r, spw_refusal *refusal)
{
  piece p;
  visitor v = {.r = r, .p = &p, .visit = find_lost, .lost = -1};
  first_piece(r, &p);
  const int64_t batches = count_batches(r, &p);
  if (p.form.nse == 0 || batches == 0) return SPW_OK;
  const spw_status status = judge_fixed(r, refusal);
  if (status != SPW_OK) return status;
  if (lie_at_one_place(&p.form)) p.form.nse = 1;
  for (int64_t b = 0; b < batches && v.lost < 0; b++) {
    visit_batch(&v, b);
    if (spw_form_shared(&p.form)) break;
  }
  return v.lost < 0 ? SPW_OK : refuse_lost(r, v.lost, v.lost_at, refusal);
}

/* ---- Operands that share their cells ----------------------------------------------------------- */

/* Entries i of the arrays of two operands, which lie at `a` and `b`; the first that differ. */
static spw_status compare_entries(const spw_index_array *x, int64_t a, const spw_index_array *y, int64_t b, int64_t n,
                                  int64_t x_step, int64_t y_step, int64_t operand, int64_t batch, spw_refusal *refusal)
{
  for (int64_t i = 0; i < n; i++) {
    const int64_t own = spw_index_at(y, b + i * y_step), first = spw_index_at(x, a + i * x_step);
    if (own != first) return spw_refuse(refusal, SPW_OBSTACLE_PATTERN, batch, operand, own, first);
  }
  return SPW_OK;
}

static spw_status compare_batch(const spw_form *a, const spw_form *b, int64_t operand, int64_t number, spw_refusal *refusal)
{
  int64_t at[SPW_STRUCTURE_DIMS];
  spw_status status = SPW_OK;
  spw_batch_at(a, number, at);
  const spw_lines of_a = spw_lines_of(a, at), of_b = spw_lines_of(b, at);
  const spw_index_array *x = &a->t->plain, *y = &b->t->plain;
  if (a->layout == SPW_COO) {
    const int64_t n = lie_at_one_place(a) && lie_at_one_place(b) ? 1 : a->nse;
    for (int64_t d = 0; d < a->leading && a->nse > 0 && status == SPW_OK; d++)
      status = compare_entries(x, of_a.p + d * x->array.strides[0], y, of_b.p + d * y->array.strides[0], n,
                               x->array.strides[1], y->array.strides[1], operand, number, refusal);
    return status;
  }
  status = compare_entries(&a->t->compressed, of_a.c, &b->t->compressed, of_b.c, a->C + 1, 1, 1, operand, number, refusal);
  if (status != SPW_OK) return status;
  return compare_entries(x, of_a.p, y, of_b.p, a->nse, 1, 1, operand, number, refusal);
}

static spw_status compare_patterns(const spw_request *r, spw_refusal *refusal)
{
  piece p;
  first_piece(r, &p);
  const int64_t batches = count_batches(r, &p);
  for (int64_t i = 1; i < r->count && batches > 0; i++) {
    spw_form form;
    spw_status status = spw_form_read(r->operands[i], &form);
    if (status == SPW_OK && form.nse != r->a.nse)
      status = spw_refuse(refusal, SPW_OBSTACLE_PATTERN, -1, i, form.nse, r->a.nse);
    for (int64_t b = 0; b < batches && r->a.nse > 0 && status == SPW_OK; b++) {
      status = compare_batch(&r->a, &form, i, b, refusal);
      if (spw_form_shared(&r->a) && spw_form_shared(&form)) break;
    }
    if (status != SPW_OK) return status;
  }
  return SPW_OK;
}

spw_status spw_count_cells(const spw_request *r, int64_t *cells, spw_refusal *refusal)
{
  piece p;
  spw_status status = SPW_OK;
  *cells = 0;
  if (r->along == SPW_ALONG_NONE && !have_scalars(&r->a)) return SPW_OK; /* the result is as empty, without them */
  if (r->along == SPW_ALONG_NONE) status = judge_lost(r, refusal);
  if (r->along == SPW_ALONG_DENSE) status = compare_patterns(r, refusal);
  if (status != SPW_OK) return status;
  if (!is_filtered(r)) return count_pieces_whole(r, cells, refusal);
  first_piece(r, &p);
  return count_each_batch(r, &p, cells, refusal);
}

/* ---- Listing ---------------------------------------------------------------------------------- */

static void write_cell(visitor *v, const int64_t *at, const int64_t *source, int64_t k, int64_t part)
{
  spw_list *const list = v->list;
  for (int64_t d = 0; d < v->r->leading; d++) list->at[d * list->length + list->n] = at[d];
  if (list->values) spw_boxes_copy(v->boxes, source, k, part, list->values, list->n);
}

/* Along a dense dimension every operand has the cell: the first is named. */
static void note_origin(visitor *v, int64_t k)
{
  spw_origin *const origin = v->list->origin;
  if (v->list->n != origin->number || origin->element >= 0) return;
  origin->operand = v->r->count > 1 ? v->p->number : 0;
  origin->element = k;
}

/* One cell of the result, from the values of cell k; `part` of them where blocks are exploded. */
static void put(visitor *v, const int64_t *at, const int64_t *source, int64_t k, int64_t part)
{
  if (v->list->n == v->list->length) return; /* what was counted has changed */
  if (v->list->origin)
    note_origin(v, k);
  else
    write_cell(v, at, source, k, part);
  v->list->n++;
}

static void put_taken(visitor *v, const int64_t *at, int64_t k)
{
  const spw_request *r = v->r;
  int64_t to[SPW_STRUCTURE_DIMS];
  if (at[r->dim] != v->p->from) return;
  for (int64_t d = 0; d < r->leading; d++) to[d] = at[d + (d >= r->dim)];
  const int64_t parts = parts_of(r), first = r->exploded ? to[0] * parts : 0;
  for (int64_t part = 0; part < parts; part++) {
    if (r->exploded) to[0] = first + part;
    put(v, to, at, k, part);
  }
}

/* The index along the dimension of the operation becomes `index`. */
static void put_at(visitor *v, const int64_t *at, int64_t k, int64_t index)
{
  const spw_request *r = v->r;
  int64_t to[SPW_STRUCTURE_DIMS];
  for (int64_t d = 0; d < r->leading; d++) to[d] = d == r->dim ? index : at[d - (r->added && d > r->dim)];
  put(v, to, at, k, 0);
}

static void put_cell(void *context, const int64_t *at, int64_t k)
{
  visitor *const v = context;
  const spw_request *r = v->r;
  if (r->along == SPW_ALONG_NONE || r->along == SPW_ALONG_DENSE) {
    put(v, at, at, k, 0);
  } else if (r->taken) {
    put_taken(v, at, k);
  } else if (r->wanted->kind == SPW_BROADCAST) {
    for (int64_t i = 0; i < r->wanted->length; i++) put_at(v, at, k, i);
  } else if (r->wanted->kind == SPW_INDEX_SELECT && r->along == SPW_ALONG_SPARSE) {
    const range found = equal_to(v->list->found, v->list->wanted, at[r->dim]);
    for (int64_t i = found.first; i < found.last; i++) put_at(v, at, k, (int64_t)v->list->found[i].payload);
  } else if (r->added) {
    put_at(v, at, k, v->p->to);
  } else if (at[r->dim] >= v->p->from && at[r->dim] - v->p->from < v->p->length) {
    put_at(v, at, k, at[r->dim] - v->p->from + v->p->to);
  }
}

void spw_list_cells(const spw_request *r, spw_list *list)
{
  if (list->found) {
    list->wanted = r->wanted->count / spw_form_block(&r->a, r->dim);
    list->found = sort_wanted(r, 0, list->wanted, list->found, list->found + list->wanted);
  }
  list->n = 0;
  for (piece p = {.number = -1}; next_piece(r, &p);) {
    spw_boxes boxes;
    visitor v = {.r = r, .p = &p, .visit = put_cell, .list = list, .boxes = &boxes};
    const int64_t batches = p.form.nse == 0 ? 0 : count_batches(r, &p);
    spw_boxes_make(r, &p.form, p.begin, &boxes);
    if (r->along == SPW_ALONG_DENSE) list->n = 0; /* another part of the same cells */
    for (int64_t b = 0; b < batches && list->n < list->length; b++) visit_batch(&v, b);
  }
}
