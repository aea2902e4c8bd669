/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of what is made: elements of the operands are visited one by one, filtered, and moved. */
#include "plan.h"
#include "../convert/values.h"
#include "../core/size.h"
#include "../ops/elementwise/elementwise.h"

#include <stdalign.h>
#include <string.h>

/* ---- Elements ---------------------------------------------------------------------------------- */

typedef struct elements {
  const spw_form *form;
  spw_element_visit *visit;
  void *context;
  const int64_t *batch;
  bool values; /* are there any? else strides may be any numbers */
} elements;

static void visit_cell(void *context, const int64_t *at, int64_t k)
{
  const elements *const e = context;
  const spw_form *const f = e->form;
  const int64_t *const strides = f->t->values.array.strides + f->batch_dims + 1;
  const int64_t first = e->values ? spw_cell_start(f, e->batch, k) : 0, row = f->batch_dims;
  if (f->block[0] == 1 && f->block[1] == 1) {
    e->visit(e->context, at, first);
    return;
  }
  int64_t to[SPW_STRUCTURE_DIMS];
  for (int64_t d = 0; d < f->leading; d++) to[d] = at[d];
  for (int64_t i = 0; i < f->block[0]; i++)
    for (int64_t j = 0; j < f->block[1]; j++) {
      to[row] = at[row] * f->block[0] + i;
      to[row + 1] = at[row + 1] * f->block[1] + j;
      e->visit(e->context, to, e->values ? first + i * strides[0] + j * strides[1] : 0);
    }
}

void spw_visit_elements(const spw_form *form, spw_element_visit *visit, void *context)
{
  int64_t at[SPW_STRUCTURE_DIMS];
  const spw_array *const values = &form->t->values.array;
  elements e = {form, visit, context, at, spw_product(values->shape, values->ndim) != 0};
  for (int64_t b = 0; form->nse > 0 && b < form->batches; b++) {
    spw_batch_at(form, b, at);
    spw_visit_cells(form, at, visit_cell, &e);
  }
}

/* ---- Listing ----------------------------------------------------------------------------------- */

typedef struct lister {
  const spw_make_plan *plan;
  spw_make_list *list;
  /* How the scalars of a cell lie in the values of operand 0. */
  int64_t dims, first, shape[SPW_STRUCTURE_DIMS], strides[SPW_STRUCTURE_DIMS];
  /* Resplit: the dense dimensions that cells of the result lie in. */
  int64_t moved, moved_shape[SPW_STRUCTURE_DIMS], moved_strides[SPW_STRUCTURE_DIMS];
  int64_t first_of_b; /* kron: the first cell of an element of a */
  const int64_t *at_of_a;
} lister;

static void copy_scalars(const lister *l, const spw_value_array *values, int64_t place, char *to)
{
  const size_t scalar = (size_t)l->plan->scalar;
  for (int64_t i = 0; i < l->plan->width; i++) {
    int64_t from = place + l->first;
    for (int64_t d = l->dims - 1, rest = i; d >= 0; d--) {
      from += rest % l->shape[d] * l->strides[d];
      rest /= l->shape[d];
    }
    memcpy(to + (size_t)i * scalar, spw_value_at(values, from), scalar);
  }
}

/* The next cell, with the scalars that begin at `place`; a list that is full takes no more: what was counted has changed. */
static void put(lister *l, const int64_t *at, const spw_value_array *values, int64_t place)
{
  spw_make_list *const list = l->list;
  if (list->counting) {
    list->n = spw_add_saturated(list->n, 1);
    return;
  }
  if (list->n == list->length) return;
  for (int64_t d = 0; d < l->plan->leading; d++) list->at[d * list->length + list->n] = at[d];
  if (list->values) copy_scalars(l, values, place, list->values + (size_t)list->n * (size_t)(l->plan->width * l->plan->scalar));
  list->n++;
}

/* The dense dimensions of operand 0 as they are. */
static void take_dense_part(lister *l)
{
  const spw_form *const a = &l->plan->form[0];
  const spw_array *const v = &a->t->values.array;
  l->dims = a->dense_dims;
  for (int64_t d = 0; d < l->dims; d++) {
    l->shape[d] = a->size[a->leading + d];
    l->strides[d] = v->strides[v->ndim - l->dims + d];
  }
}

/* ---- Diagonals --------------------------------------------------------------------------------- */

/* 1 of a type. */
static void one_of(spw_dtype dtype, char *one)
{
  const float f32 = 1;
  const double f64 = 1;
  memset(one, 0, 16);
  switch (dtype) {
  case SPW_FLOAT16: one[1] = 0x3c; break;
  case SPW_BFLOAT16: one[0] = (char)0x80, one[1] = 0x3f; break;
  case SPW_FLOAT32: case SPW_COMPLEX64: memcpy(one, &f32, sizeof f32); break;
  case SPW_FLOAT64: case SPW_COMPLEX128: memcpy(one, &f64, sizeof f64); break;
  default: one[0] = 1; break;
  }
}

/* The columns of diagonal i that lie in the matrix: from *lo up to, but without *hi. */
static void columns_of(const spw_make_plan *p, int64_t i, int64_t *lo, int64_t *hi)
{
  const int64_t offset = p->wanted->numbers[i], end = spw_add_saturated(p->size[0], offset);
  *lo = offset > 0 ? offset : 0;
  *hi = end < p->columns ? end : p->columns;
  if (*hi < *lo) *hi = *lo;
}

static int64_t count_diagonals(const spw_make_plan *p)
{
  int64_t n = 0, lo, hi;
  for (int64_t i = 0; i < p->rows; i++) {
    columns_of(p, i, &lo, &hi);
    n = spw_add_saturated(n, hi - lo);
  }
  return n;
}

static void list_diagonals(lister *l, bool ones)
{
  const spw_make_plan *const p = l->plan;
  alignas(16) char one[16];
  one_of(p->dtype, one);
  const spw_value_array unit = {.data = one, .array = {.dtype = p->dtype}};
  const spw_value_array *const values = ones ? &unit : &p->operands[0]->values;
  const spw_array *const v = &values->array;
  int64_t lo, hi;
  for (int64_t i = 0; i < p->rows; i++) {
    columns_of(p, i, &lo, &hi);
    for (int64_t j = lo; j < hi; j++) {
      const int64_t at[2] = {j - p->wanted->numbers[i], j};
      const int64_t row = v->ndim == 2 ? i * v->strides[0] : 0;
      put(l, at, values, ones ? 0 : v->offset + row + j * v->strides[v->ndim - 1]);
    }
  }
}

/* ---- Slices, diagonals, triangles --------------------------------------------------------------- */

/* The place of an index among those of a slice; -1: it is none of them. */
static int64_t place_in_slice(const spw_making *w, int64_t index)
{
  const bool back = w->step < 0;
  const int64_t far = back ? w->start - index : index - w->start;
  const uint64_t step = back ? 0 - (uint64_t)w->step : (uint64_t)w->step;
  if (far < 0 || (uint64_t)far % step != 0) return -1;
  const uint64_t place = (uint64_t)far / step;
  return place < (uint64_t)w->length ? (int64_t)place : -1;
}

static void put_slice(void *context, const int64_t *at, int64_t place)
{
  lister *const l = context;
  const spw_making *const w = l->plan->wanted;
  int64_t to[SPW_STRUCTURE_DIMS];
  if (w->dim >= l->plan->leading) {
    put(l, at, &l->plan->operands[0]->values, place);
    return;
  }
  for (int64_t d = 0; d < l->plan->leading; d++) to[d] = at[d];
  to[w->dim] = place_in_slice(w, at[w->dim]);
  if (to[w->dim] >= 0) put(l, to, &l->plan->operands[0]->values, place);
}

/* Along a dense dimension the scalars are sliced, and the cells stay. */
static void slice_dense_part(lister *l)
{
  const spw_making *const w = l->plan->wanted;
  const int64_t d = w->dim - l->plan->leading;
  if (d < 0 || w->length == 0 || l->plan->width == 0) return;
  int64_t step = 0;
  /* Where that is beyond int64, there is no element: another size is 0. */
  if (__builtin_mul_overflow(w->start, l->strides[d], &l->first)) l->first = 0;
  if (w->length > 1 && __builtin_mul_overflow(w->step, l->strides[d], &step)) step = 0;
  l->strides[d] = step;
  l->shape[d] = w->length;
}

static void put_diagonal(void *context, const int64_t *at, int64_t place)
{
  lister *const l = context;
  const int64_t k = l->plan->wanted->diagonal, leading = l->plan->form[0].leading;
  int64_t to[SPW_STRUCTURE_DIMS];
  if (leading == 1) {
    to[0] = k < 0 ? at[0] - k : at[0];
    to[1] = k > 0 ? at[0] + k : at[0];
  } else {
    const int64_t i = at[leading - 2], j = at[leading - 1];
    if (j - i != k) return;
    for (int64_t d = 0; d + 1 < leading; d++) to[d] = at[d];
    to[leading - 2] = k < 0 ? j : i;
  }
  put(l, to, &l->plan->operands[0]->values, place);
}

static void put_triangle(void *context, const int64_t *at, int64_t place)
{
  lister *const l = context;
  const int64_t leading = l->plan->leading, far = at[leading - 1] - at[leading - 2], k = l->plan->wanted->diagonal;
  if (l->plan->wanted->kind == SPW_MAKE_LOWER ? far <= k : far >= k) put(l, at, &l->plan->operands[0]->values, place);
}

/* ---- Kronecker products ------------------------------------------------------------------------- */

static void put_second(void *context, const int64_t *at, int64_t place)
{
  lister *const l = context;
  const spw_make_plan *const p = l->plan;
  int64_t to[SPW_STRUCTURE_DIMS];
  for (int64_t d = 0; d < p->leading; d++) to[d] = l->at_of_a[d] * p->form[1].size[d] + at[d];
  put(l, to, &p->operands[1]->values, place);
}

/* All of b, and then times this element of a. */
static void put_first(void *context, const int64_t *at, int64_t place)
{
  lister *const l = context;
  const spw_make_plan *const p = l->plan;
  alignas(16) char factor[16];
  const int64_t first = l->list->n;
  l->at_of_a = at;
  spw_visit_elements(&p->form[1], put_second, l);
  if (!l->list->values || l->list->n == first) return;
  memcpy(factor, spw_value_at(&p->operands[0]->values, place), (size_t)p->scalar);
  spw_scale_values(l->list->values + (size_t)first * (size_t)p->scalar, p->dtype, l->list->n - first, factor, 0);
}

/* INT64_MAX beyond. */
static int64_t count_elements(const spw_form *f)
{
  if (f->nse == 0 || f->batches == 0) return 0;
  return spw_mul_saturated(spw_mul_saturated(f->batches, f->nse), spw_mul_saturated(f->block[0], f->block[1]));
}

/* ---- Other dense dimensions ---------------------------------------------------------------------- */

/* Fewer: the first of the dense dimensions of the operand say where cells of the result lie. */
static void move_dense_part(lister *l)
{
  const spw_make_plan *const p = l->plan;
  l->moved = p->leading - p->form[0].leading;
  if (l->moved < 0) l->moved = 0;
  for (int64_t d = 0; d < l->moved; d++) {
    l->moved_shape[d] = l->shape[d];
    l->moved_strides[d] = l->strides[d];
  }
  l->dims -= l->moved;
  for (int64_t d = 0; d < l->dims; d++) {
    l->shape[d] = l->shape[l->moved + d];
    l->strides[d] = l->strides[l->moved + d];
  }
}

static void put_parts(void *context, const int64_t *at, int64_t place)
{
  lister *const l = context;
  const int64_t own = l->plan->form[0].leading, parts = spw_product(l->moved_shape, l->moved);
  int64_t to[SPW_STRUCTURE_DIMS];
  for (int64_t d = 0; d < own; d++) to[d] = at[d];
  for (int64_t i = 0; i < parts; i++) {
    int64_t from = place;
    for (int64_t d = l->moved - 1, rest = i; d >= 0; d--) {
      to[own + d] = rest % l->moved_shape[d];
      from += to[own + d] * l->moved_strides[d];
      rest /= l->moved_shape[d];
    }
    put(l, to, &l->plan->operands[0]->values, from);
  }
}

/* More: elements in order, of which those with the same first indices become one cell. */
typedef struct joiner {
  lister l;
  int64_t last[SPW_STRUCTURE_DIMS];
  bool any;
  int64_t part; /* scalars of an element */
} joiner;

static bool begins_cell(const joiner *j, const int64_t *at)
{
  for (int64_t d = 0; d < j->l.plan->leading; d++)
    if (!j->any || at[d] != j->last[d]) return true;
  return !j->any;
}

/* One more cell, of zeros. */
static bool begin_cell(joiner *j, const int64_t *at)
{
  spw_make_list *const list = j->l.list;
  const spw_make_plan *const p = j->l.plan;
  const bool counts = list->counting;
  if (!counts && list->n == list->length) return false;
  for (int64_t d = 0; d < p->leading; d++) j->last[d] = at[d];
  for (int64_t d = 0; !counts && d < p->leading; d++) list->at[d * list->length + list->n] = at[d];
  if (list->values) { /* where there is memory, a cell has that many bytes; before, nobody knows */
    const size_t bytes = (size_t)(p->width * p->scalar);
    memset(list->values + (size_t)list->n * bytes, 0, bytes);
  }
  j->any = true;
  list->n++;
  return true;
}

static void join(void *context, const int64_t *at, int64_t place)
{
  joiner *const j = context;
  const spw_make_plan *const p = j->l.plan;
  const spw_make_list *const list = j->l.list;
  if (begins_cell(j, at) && !begin_cell(j, at)) return;
  if (!list->values || p->width == 0) return;
  int64_t within = 0;
  for (int64_t d = p->leading; d < p->form[0].leading; d++) within = within * p->size[d] + at[d];
  char *const to = list->values + (size_t)((list->n - 1) * p->width + within * j->part) * (size_t)p->scalar;
  for (int64_t i = 0; i < j->part; i++) {
    int64_t from = place;
    for (int64_t d = j->l.dims - 1, rest = i; d >= 0; d--) {
      from += rest % j->l.shape[d] * j->l.strides[d];
      rest /= j->l.shape[d];
    }
    memcpy(to + i * p->scalar, spw_value_at(&p->operands[0]->values, from), (size_t)p->scalar);
  }
}

static void list_resplit(lister *l)
{
  const spw_make_plan *const p = l->plan;
  if (p->leading >= p->form[0].leading) {
    move_dense_part(l);
    spw_visit_elements(&p->form[0], put_parts, l);
    return;
  }
  joiner j = {.l = *l};
  j.part = spw_product(l->shape, l->dims);
  spw_visit_elements(&p->form[0], join, &j);
}

/* ---- All --------------------------------------------------------------------------------------- */

void spw_make_cells(const spw_make_plan *plan, spw_make_list *list)
{
  const spw_making *const w = plan->wanted;
  lister l = {.plan = plan, .list = list};
  list->n = 0;
  if (w->kind > SPW_MAKE_DIAGONALS) take_dense_part(&l);
  switch (w->kind) {
  case SPW_MAKE_DIAGONALS: list_diagonals(&l, plan->ones); break;
  case SPW_MAKE_SLICE:
    slice_dense_part(&l);
    spw_visit_elements(&plan->form[0], put_slice, &l);
    break;
  case SPW_MAKE_DIAGONAL: spw_visit_elements(&plan->form[0], put_diagonal, &l); break;
  case SPW_MAKE_LOWER: case SPW_MAKE_UPPER: spw_visit_elements(&plan->form[0], put_triangle, &l); break;
  case SPW_MAKE_KRON: spw_visit_elements(&plan->form[0], put_first, &l); break;
  case SPW_MAKE_RESPLIT: list_resplit(&l); break;
  default: break; /* zeros list nothing */
  }
}

int64_t spw_make_count(const spw_make_plan *plan)
{
  spw_make_list none = {.counting = true};
  if (plan->wanted->kind == SPW_MAKE_DIAGONALS) return count_diagonals(plan);
  if (plan->wanted->kind == SPW_MAKE_KRON) {
    const int64_t a = count_elements(&plan->form[0]), b = count_elements(&plan->form[1]);
    return a == 0 || b == 0 ? 0 : spw_mul_saturated(a, b);
  }
  if (plan->wanted->kind == SPW_MAKE_RESPLIT && plan->leading >= plan->form[0].leading) {
    const spw_form *const f = &plan->form[0];
    const int64_t parts = spw_product(plan->size + f->leading, plan->leading - f->leading);
    return spw_mul_saturated(count_elements(f), parts < 0 ? INT64_MAX : parts);
  }
  spw_make_cells(plan, &none);
  return none.n;
}
