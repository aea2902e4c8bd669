/* SPDX-License-Identifier: Apache-2.0 */
#include "boxes.h"
#include "../convert/plan.h"
#include "../convert/values.h"
#include "../core/size.h"

#include <string.h>

static int64_t blocks_of(const spw_request *r)
{
  return spw_has_blocks(r->layout) ? 2 : 0;
}

int64_t spw_cell_shape(const spw_request *r, int64_t shape[SPW_ENTRIES])
{
  int64_t ndim = 0;
  for (int64_t i = 0; i < blocks_of(r); i++) shape[ndim++] = r->block[i];
  for (int64_t d = r->leading; d < r->ndim; d++) shape[ndim++] = r->size[d];
  return ndim;
}

/* ---- Strides ---------------------------------------------------------------------------------- */

/* Those of the operand's values for the dimensions that a cell of the result has. */
static void take_strides(spw_boxes *x)
{
  const spw_request *r = x->r;
  const int64_t *stride = x->form->t->values.array.strides + x->form->batch_dims + 1;
  if (x->nothing) {
    for (int64_t d = 0; d < x->box.ndim; d++) x->box.from[d] = 0;
    return;
  }
  const int64_t dim = r->dim - r->a.leading;
  int64_t at = 0;
  if (r->exploded) {
    x->first += r->start % r->a.block[r->dim] * stride[r->dim];
    x->part = stride[1 - r->dim];
  } else {
    for (int64_t i = 0; i < blocks_of(r); i++) x->box.from[at++] = stride[i];
  }
  if (spw_has_blocks(x->form->layout)) stride += 2;
  for (int64_t d = 0; d <= x->form->dense_dims; d++) {
    const bool along = r->along == SPW_ALONG_DENSE && d == dim;
    if (along && r->added) x->box.from[at++] = 0;
    if (d == x->form->dense_dims) break;
    if (along && r->taken)
      x->first += r->start * stride[d];
    else
      x->box.from[at++] = stride[d];
  }
}

/* What of the dimension of the operation the operand has, and where that begins. */
static void take_axis(spw_boxes *x, int64_t begin)
{
  const spw_request *r = x->r;
  const int64_t axis = blocks_of(r) + r->dim - r->a.leading;
  if (r->along != SPW_ALONG_DENSE || r->taken) return;
  switch (r->wanted->kind) {
  case SPW_NARROW:
    if (x->box.shape[axis] > 0) x->first += r->start * x->box.from[axis];
    break;
  case SPW_BROADCAST: x->box.from[axis] = 0; break;
  case SPW_INDEX_SELECT:
    x->axis = axis;
    x->box.shape[axis] = 1;
    break;
  case SPW_CAT: case SPW_STACK:
    x->box.shape[axis] = r->added ? 1 : x->form->size[r->dim];
    if (!x->nothing && x->box.shape[axis] > 0) x->to = begin * x->box.to[axis];
    break;
  default: break;
  }
}

void spw_boxes_make(const spw_request *r, const spw_form *form, int64_t begin, spw_boxes *boxes)
{
  spw_box *const box = &boxes->box;
  boxes->r = r;
  boxes->form = form;
  boxes->scalar = (size_t)spw_dtype_size(form->t->values.array.dtype);
  boxes->axis = -1;
  boxes->first = boxes->to = boxes->part = 0;
  boxes->nothing = spw_count_values(&form->t->values.array) == 0;
  box->ndim = spw_cell_shape(r, box->shape);
  boxes->cell = spw_product(box->shape, box->ndim);
  for (int64_t d = box->ndim - 1, step = 1; d >= 0; d--) {
    box->to[d] = step;
    step = spw_mul_saturated(step, box->shape[d]); /* where it is beyond, there are no scalars */
  }
  take_strides(boxes);
  take_axis(boxes, begin);
}

/* ---- Copies ----------------------------------------------------------------------------------- */

/* To the next run along the dimensions before `outer`; false behind the last. */
static bool advance(const spw_box *b, int64_t outer, int64_t *index, int64_t *to, int64_t *from)
{
  for (int64_t d = outer - 1; d >= 0; d--) {
    if (b->shape[d] == 1) continue; /* whose stride may be any number */
    if (index[d] + 1 < b->shape[d]) {
      index[d]++;
      *to += b->to[d];
      *from += b->from[d];
      return true;
    }
    *to -= index[d] * b->to[d];
    *from -= index[d] * b->from[d];
    index[d] = 0;
  }
  return false;
}

static void copy_box(const spw_box *b, const spw_value_array *values, int64_t from, char *out, int64_t to, size_t scalar)
{
  int64_t index[SPW_ENTRIES], run = 1, outer = b->ndim;
  for (int64_t d = 0; d < b->ndim; d++)
    if (b->shape[d] == 0) return;
  for (; outer > 0; outer--) {
    const int64_t d = outer - 1;
    if (b->shape[d] != 1 && (b->to[d] != run || b->from[d] != run)) break;
    run *= b->shape[d];
  }
  for (int64_t d = 0; d < outer; d++) index[d] = 0;
  do
    memcpy(out + (size_t)to * scalar, spw_value_at(values, from), (size_t)run * scalar);
  while (advance(b, outer, index, &to, &from));
}

void spw_boxes_copy(const spw_boxes *x, const int64_t *batch, int64_t k, int64_t part, char *values, int64_t n)
{
  if (x->nothing) return;
  const spw_request *r = x->r;
  const spw_value_array *const v = &x->form->t->values;
  const int64_t from = spw_cell_start(x->form, batch, k) + x->first + part * x->part;
  const int64_t to = n * x->cell + x->to;
  if (x->axis < 0) {
    copy_box(&x->box, v, from, values, to, x->scalar);
    return;
  }
  for (int64_t i = 0; i < r->wanted->count; i++)
    copy_box(&x->box, v, from + r->wanted->numbers[i] * x->box.from[x->axis], values, to + i * x->box.to[x->axis], x->scalar);
}
