/* SPDX-License-Identifier: Apache-2.0 */
#include "mask.h"
#include "form.h"
#include "pattern.h"
#include "request.h"
#include "specified.h"
#include "../convert/buffers.h"
#include "../convert/plan.h"
#include "../core/size.h"

#include <string.h>

typedef struct masking {
  spw_form m;
  spw_specified x;
  int64_t cell[SPW_STRUCTURE_DIMS], cell_dims; /* of the mask: block and dense dimensions */
  int64_t scalars, scalar;                     /* of a cell, and bytes */
  spw_room room;
} masking;

static spw_status unlike(spw_refusal *refusal, int64_t dim, int64_t own, int64_t first)
{
  return spw_refuse(refusal, SPW_OBSTACLE_OPERAND, dim, 1, own, first);
}

/* The size of x, a dense array or not. */
static spw_status compare_sizes(const spw_tensor *x, const spw_form *m, spw_refusal *refusal)
{
  spw_form form;
  int64_t ndim = x->values.array.ndim;
  const int64_t *size = x->values.array.shape;
  if (x->layout != SPW_DENSE) {
    const spw_status status = spw_form_read(x, &form);
    if (status != SPW_OK) return status;
    ndim = form.ndim;
    size = form.size;
  }
  if (m->ndim != ndim) return unlike(refusal, -1, m->ndim, ndim);
  for (int64_t d = 0; d < ndim; d++)
    if (size[d] != m->size[d]) return unlike(refusal, d, m->size[d], size[d]);
  return SPW_OK;
}

static void take_room(masking *k)
{
  const spw_form *m = &k->m;
  const spw_tensor *t = m->t;
  const spw_array *v = &t->values.array;
  k->cell_dims = v->ndim - m->batch_dims - 1;
  k->scalar = spw_dtype_size(v->dtype);
  for (int64_t d = 0; d < k->cell_dims; d++) k->cell[d] = v->shape[m->batch_dims + 1 + d];
  k->scalars = k->cell_dims == 0 ? 1 : spw_product(k->cell, k->cell_dims);
  if (k->scalars < 0) k->scalars = INT64_MAX; /* only where there are no cells */
  k->room = spw_pattern_room(m, k->scalars);
}

static spw_status plan(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted, masking *k,
                       spw_refusal *refusal)
{
  if (count != 2 || wanted->duplicates < SPW_COMBINE_SUM || wanted->duplicates > SPW_COMBINE_REFUSE) return SPW_EINVAL;
  const spw_tensor *const x = operands[0], *const m = operands[1];
  spw_status status = spw_form_read(m, &k->m);
  if (status == SPW_OK) status = compare_sizes(x, &k->m, refusal);
  if (status != SPW_OK) return status;
  if (x->values.array.dtype != m->values.array.dtype)
    return unlike(refusal, -1, (int64_t)m->values.array.dtype, (int64_t)x->values.array.dtype);
  status = spw_specified_size(x, wanted->duplicates, SPW_INT64, &k->x, refusal);
  if (status == SPW_OK) take_room(k);
  return status;
}

spw_status spw_mask_size(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted, spw_room *room,
                         spw_refusal *refusal)
{
  masking k;
  spw_arena arena = {NULL, 0};
  spw_status status = plan(operands, count, wanted, &k, refusal);
  if (status == SPW_OK) status = spw_specified_make(operands[0], &k.x, &arena, refusal);
  if (status != SPW_OK) return status;
  const spw_room *r = &k.room;
  if (!spw_is_object_size(arena.used) || r->compressed == INT64_MAX || r->plain == INT64_MAX || r->values == INT64_MAX)
    return spw_refuse(refusal, SPW_OBSTACLE_SIZE, -1, -1, -1, -1);
  k.room.work = (size_t)arena.used;
  *room = k.room;
  return SPW_OK;
}

/* ---- Filling ----------------------------------------------------------------------------------- */

typedef struct writer {
  const masking *k;
  char *to;
  int64_t element; /* of x, where the last value was found */
} writer;

/* The scalars of a cell, one behind the other. */
static void write_cell(void *context, const int64_t *at, int64_t number)
{
  writer *const w = context;
  const masking *const k = w->k;
  const spw_form *const m = &k->m;
  const int64_t blocks = spw_has_blocks(m->layout) ? 2 : 0;
  int64_t position[SPW_STRUCTURE_DIMS], index[SPW_STRUCTURE_DIMS];
  (void)number;
  for (int64_t i = 0; i < k->scalars; i++, w->to += k->scalar) {
    for (int64_t d = k->cell_dims - 1, rest = i; d >= 0; d--) {
      index[d] = rest % k->cell[d];
      rest /= k->cell[d];
    }
    for (int64_t d = 0; d < m->leading; d++) position[d] = at[d];
    for (int64_t d = 0; d < blocks; d++)
      position[m->batch_dims + d] = at[m->batch_dims + d] * m->block[d] + index[d];
    for (int64_t d = 0; d < m->dense_dims; d++) position[m->leading + d] = index[blocks + d];
    const char *const value = spw_specified_at(&k->x, position, &w->element);
    if (value)
      memcpy(w->to, value, (size_t)k->scalar);
    else
      memset(w->to, 0, (size_t)k->scalar);
  }
}

static void write_values(const masking *k, void *values)
{
  const spw_form *const m = &k->m;
  writer w = {k, values, 0};
  for (int64_t b = 0; k->room.values > 0 && b < m->batches; b++) {
    int64_t at[SPW_STRUCTURE_DIMS];
    for (int64_t d = m->batch_dims - 1, rest = b; d >= 0; d--) {
      at[d] = rest % m->size[d];
      rest /= m->size[d];
    }
    spw_visit_cells(m, at, write_cell, &w);
  }
}

spw_status spw_mask(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted, const spw_buffers *buffers,
                    spw_tensor *result, spw_refusal *refusal)
{
  masking k;
  spw_room need;
  spw_status status = spw_mask_size(operands, count, wanted, &need, refusal);
  if (status == SPW_OK) status = plan(operands, count, wanted, &k, refusal);
  if (status != SPW_OK) return status;
  if (!spw_buffers_hold(buffers, &need)) return SPW_EINVAL;
  status = spw_request_apart(operands, count, wanted, buffers, &need, refusal);
  if (status != SPW_OK) return status;
  spw_arena arena = {buffers->work, 0};
  status = spw_specified_make(operands[0], &k.x, &arena, refusal);
  if (status == SPW_ERANGE && refusal) refusal->other = 0; /* whose duplicates they are */
  if (status != SPW_OK) return status;
  spw_pattern_copy(&k.m, &need, buffers);
  write_values(&k, buffers->values);
  spw_pattern_view(&k.m, &need, buffers, result);
  return SPW_OK;
}
