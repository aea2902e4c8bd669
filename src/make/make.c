/* SPDX-License-Identifier: Apache-2.0 */
/* The public calls: cells are listed as those of a COO tensor, which is converted. */
#include "plan.h"
#include "../convert/arena.h"
#include "../convert/buffers.h"
#include "../convert/plan.h"
#include "../convert/values.h"
#include "../core/size.h"
#include "../operand/overlap.h"
#include "../structure/pattern.h"

#include <string.h>

/* The list in the workspace, and the tensor that it is. */
typedef struct job {
  spw_make_plan plan;
  spw_make_list list;
  int64_t list_bytes;
  spw_tensor listed;
  int64_t size[SPW_STRUCTURE_DIMS], plain_shape[2], plain_strides[2];
  int64_t shape[SPW_STRUCTURE_DIMS + 1], strides[SPW_STRUCTURE_DIMS + 1];
} job;

/* ---- The listed tensor --------------------------------------------------------------------------- */

static void lay_out(job *j, char *base)
{
  const spw_make_plan *const p = &j->plan;
  spw_arena arena = {base, 0};
  j->list.at = spw_take(&arena, spw_mul_saturated(p->leading, j->list.length), sizeof(int64_t));
  j->list.values = spw_take(&arena, spw_mul_saturated(p->width, j->list.length), p->scalar);
  j->list_bytes = arena.used;
}

static void view_list(job *j, bool filled)
{
  const spw_make_plan *const p = &j->plan;
  const int64_t n = j->list.length, cell_dims = p->ndim - p->leading;
  int64_t step = 1;
  j->shape[0] = n;
  for (int64_t d = 0; d < p->ndim; d++) j->size[d] = p->size[d];
  for (int64_t d = 0; d < cell_dims; d++) j->shape[d + 1] = p->size[p->leading + d];
  for (int64_t d = cell_dims; d >= 0; d--) {
    j->strides[d] = step;
    step = spw_mul_saturated(step, j->shape[d]); /* beyond only where there is no scalar */
  }
  j->plain_shape[0] = p->leading;
  j->plain_shape[1] = j->plain_strides[0] = n;
  j->plain_strides[1] = 1;
  /* Before there is memory, only the shapes are looked at. */
  const spw_array plain = {SPW_INT64, 2, j->plain_shape, j->plain_strides, 0, filled ? p->leading * n : 0};
  const spw_array values = {p->dtype, cell_dims + 1, j->shape, j->strides, 0, filled ? p->width * n : 0};
  const spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = p->ndim, .size = j->size,
                        .coalesced = p->ordered ? SPW_CLAIM_YES : SPW_CLAIM_NO,
                        .plain = {plain, NULL, filled ? j->list.at : NULL, NULL},
                        .values = {values, filled ? j->list.values : NULL}};
  j->listed = t;
}

/* ---- Room -------------------------------------------------------------------------------------- */

static spw_status beyond(spw_refusal *refusal)
{
  return spw_refuse(refusal, SPW_OBSTACLE_SIZE, -1, -1, -1, -1);
}

/* What list and conversion take; of buffers, where there are some. */
static spw_status find_room(job *j, const spw_buffers *buffers, spw_room *room, spw_refusal *refusal)
{
  j->list.length = spw_make_count(&j->plan);
  if (j->list.length > INT64_MAX / 16) return beyond(refusal);
  lay_out(j, NULL);
  if (j->list_bytes == INT64_MAX) return beyond(refusal);
  view_list(j, false);
  const spw_status status = buffers ? spw_convert_within(&j->listed, &j->plan.to, buffers, room, refusal)
                                    : spw_convert_size_unchecked(&j->listed, &j->plan.to, room, refusal);
  if (status != SPW_OK) return status;
  if (room->work > (size_t)(INT64_MAX - j->list_bytes)) return beyond(refusal);
  room->work += (size_t)j->list_bytes;
  return SPW_OK;
}

/* Clone and fill. */
static spw_status pattern_room(const spw_make_plan *p, spw_room *room, spw_refusal *refusal)
{
  const spw_array *const v = &p->form[0].t->values.array;
  spw_room r = spw_pattern_room(&p->form[0], 0);
  r.values = spw_product(v->shape, v->ndim);
  if (r.values < 0 || r.plain == INT64_MAX || r.compressed == INT64_MAX) return beyond(refusal);
  *room = r;
  return SPW_OK;
}

static spw_status room_of(job *j, const spw_buffers *buffers, spw_room *room, spw_refusal *refusal)
{
  return j->plan.pattern ? pattern_room(&j->plan, room, refusal) : find_room(j, buffers, room, refusal);
}

/* ---- Filling ----------------------------------------------------------------------------------- */

/* What the call was given and reads while it writes. */
static spw_status keep_apart(const spw_tensor *const *operands, int64_t count, const spw_making *w, const spw_buffers *buffers,
                             const spw_room *need, int64_t scalar, spw_refusal *refusal)
{
  const struct {
    const void *at;
    int64_t bytes;
  } read[] = {{w, (int64_t)sizeof *w},
              {operands, count * (int64_t)sizeof *operands},
              {w->kind <= SPW_MAKE_DIAGONALS ? w->size : NULL, w->ndim * (int64_t)sizeof *w->size},
              {w->kind == SPW_MAKE_DIAGONALS ? w->numbers : NULL, w->count * (int64_t)sizeof *w->numbers},
              {w->kind == SPW_MAKE_FILL ? w->scalar : NULL, scalar}};
  spw_meeting m = spw_meeting_of(buffers, need);
  for (int64_t number = 0; number < count; number++) {
    spw_memory memory;
    spw_memory_of(operands[number], spw_dtype_size(operands[number]->values.array.dtype), &memory);
    spw_meeting_add(&m, &memory);
  }
  spw_status status = SPW_OK;
  for (int i = 0; i < 5 && status == SPW_OK; i++)
    status = spw_meeting_end(&m, read[i].at, read[i].at ? read[i].bytes : 0, refusal);
  return status;
}

static void fill_pattern(const spw_make_plan *p, const spw_room *need, const spw_buffers *b, spw_tensor *result)
{
  const int64_t n = need->values;
  spw_pattern_copy(&p->form[0], need, b);
  if (p->wanted->kind == SPW_MAKE_CLONE && n > 0) spw_pack_values(&p->form[0].t->values, b->values);
  for (int64_t i = 0; p->wanted->kind == SPW_MAKE_FILL && i < n; i++)
    memcpy((char *)b->values + i * p->scalar, p->wanted->scalar, (size_t)p->scalar);
  spw_pattern_view(&p->form[0], need, b, result);
}

static spw_status fill_list(job *j, const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  lay_out(j, buffers->work);
  view_list(j, true);
  spw_make_cells(&j->plan, &j->list);
  if (j->list.n < j->list.length) return SPW_EINVAL; /* what was counted has changed */
  spw_buffers rest = *buffers;
  rest.room.work -= (size_t)j->list_bytes;
  rest.work = j->list_bytes > 0 ? (char *)buffers->work + j->list_bytes : buffers->work;
  return spw_convert_unchecked(&j->listed, &j->plan.to, &rest, result, refusal);
}

/* ---- The calls --------------------------------------------------------------------------------- */

static spw_status judge_operands(const spw_tensor *const *operands, int64_t count, const spw_making *wanted, bool judged,
                                 spw_refusal *refusal)
{
  if (!wanted || count < 0 || count > 2 || (count > 0 && !operands)) return SPW_EINVAL;
  for (int64_t i = 0; i < count; i++) {
    if (!operands[i]) return SPW_EINVAL;
    if (operands[i]->layout == SPW_DENSE && wanted->kind != SPW_MAKE_DIAGONALS) return SPW_EUNSUPPORTED;
  }
  const bool dense = count > 0 && operands[0]->layout == SPW_DENSE; /* is always judged */
  return judged || dense ? spw_convert_judge_all(operands, count, refusal) : SPW_OK;
}

static spw_status size_of(const spw_tensor *const *operands, int64_t count, const spw_making *wanted, bool judged, spw_room *room,
                          spw_refusal *refusal)
{
  job j = {.list_bytes = 0};
  spw_room r;
  if (!room) return SPW_EINVAL;
  spw_status status = judge_operands(operands, count, wanted, judged, refusal);
  if (status == SPW_OK) status = spw_make_plan_of(operands, count, wanted, &j.plan, refusal);
  if (status == SPW_OK) status = room_of(&j, NULL, &r, refusal);
  if (status == SPW_OK) *room = r;
  return status;
}

static spw_status make(const spw_tensor *const *operands, int64_t count, const spw_making *wanted, bool judged,
                       const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  job j = {.list_bytes = 0};
  spw_room need;
  if (!buffers || !result) return SPW_EINVAL;
  spw_status status = judge_operands(operands, count, wanted, judged, refusal);
  if (status == SPW_OK) status = spw_make_plan_of(operands, count, wanted, &j.plan, refusal);
  if (status == SPW_OK) status = room_of(&j, buffers, &need, refusal);
  if (status != SPW_OK) return status;
  if (!spw_buffers_hold(buffers, &need)) return SPW_EINVAL;
  status = keep_apart(operands, count, wanted, buffers, &need, j.plan.scalar, refusal);
  if (status != SPW_OK) return status;
  if (!j.plan.pattern) return fill_list(&j, buffers, result, refusal);
  fill_pattern(&j.plan, &need, buffers, result);
  return SPW_OK;
}

spw_status spw_make_size(const spw_tensor *const *operands, int64_t count, const spw_making *wanted, spw_room *room,
                         spw_refusal *refusal)
{
  return size_of(operands, count, wanted, true, room, refusal);
}

spw_status spw_make_size_unchecked(const spw_tensor *const *operands, int64_t count, const spw_making *wanted, spw_room *room,
                                   spw_refusal *refusal)
{
  return size_of(operands, count, wanted, false, room, refusal);
}

spw_status spw_make(const spw_tensor *const *operands, int64_t count, const spw_making *wanted, const spw_buffers *buffers,
                    spw_tensor *result, spw_refusal *refusal)
{
  return make(operands, count, wanted, true, buffers, result, refusal);
}

spw_status spw_make_unchecked(const spw_tensor *const *operands, int64_t count, const spw_making *wanted,
                              const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  return make(operands, count, wanted, false, buffers, result, refusal);
}
