/* SPDX-License-Identifier: Apache-2.0 */
/* The public calls of elementwise operations: plan, lay out the workspace, fill batch for batch, view. */
#include "plan.h"
#include "../../operand/fits.h"
#include "../../operand/overlap.h"
#include "../../convert/share.h"
#include "../../convert/target.h"
#include "../../convert/values.h"
#include "../../core/size.h"

#include <string.h>

/* ---- Workspace --------------------------------------------------------------------------------- */

typedef struct workspace {
  uint64_t *cursor[2], *ramp, *flat;
  int64_t *starts; /* of the parts that threads share the lines in */
  char *values[2];
  int64_t capacity;
  int64_t bytes; /* INT64_MAX beyond */
} workspace;

static bool is_coo(const spw_elementwise_plan *plan)
{
  return plan->operands[0]->layout == SPW_COO;
}

/* Cells that lines have in one place or the other, before their values are computed. */
static int64_t cursors_of(const spw_elementwise_plan *plan)
{
  const int64_t all = plan->form[0].batches == 0 ? 0 : spw_add_saturated(plan->form[0].nse, plan->form[1].nse);
  const int64_t most = is_coo(plan) || plan->longest < SPW_UNION_PART ? SPW_UNION_PART : plan->longest;
  return all < most ? all : most;
}

/* COO operands that have to be made canonical are made so here, if there is a base. */
static spw_status lay_out(spw_elementwise_plan *plan, char *base, workspace *w, spw_refusal *refusal)
{
  const bool cursors = is_coo(plan) || plan->cell != 1;
  spw_arena arena = {base, 0};
  memset(w, 0, sizeof *w);
  if (plan->keeps) return SPW_OK;
  if (cursors) w->capacity = cursors_of(plan);
  for (int i = 0; i < 2 && cursors; i++) w->cursor[i] = spw_take(&arena, spw_add_saturated(w->capacity, 1), sizeof(uint64_t));
  w->starts = spw_take(&arena, spw_add_saturated(plan->parts, 1), sizeof(int64_t));
  if (plan->wanted.scalar && plan->cell > 1 && w->capacity > 0) {
    w->ramp = spw_take(&arena, spw_add_saturated(plan->cell, 1), sizeof(uint64_t));
    w->flat = spw_take(&arena, spw_add_saturated(plan->cell, 1), sizeof(uint64_t));
  }
  for (int i = 0; i < 2; i++) {
    const int64_t scalars = spw_mul_saturated(plan->form[i].nse, plan->cell);
    if (plan->packed[i]) w->values[i] = spw_take(&arena, scalars, plan->scalar);
    if (!is_coo(plan)) continue;
    const spw_status status = spw_specified_make(plan->operands[i], &plan->columns[i], &arena, refusal);
    if (status == SPW_ERANGE && refusal) refusal->operand = i;
    if (status != SPW_OK) return status;
  }
  w->bytes = arena.used;
  return SPW_OK;
}

/* ---- Room -------------------------------------------------------------------------------------- */

static spw_status size_of(spw_elementwise_plan *plan, spw_room *room, spw_refusal *refusal)
{
  spw_room r;
  workspace w;
  spw_status status = plan->exact ? spw_fits_index(&plan->result, plan->result.cap, refusal) : SPW_OK;
  if (status == SPW_OK) status = spw_plan_room(&plan->result, &r, refusal);
  if (status == SPW_OK) status = lay_out(plan, NULL, &w, refusal);
  if (status != SPW_OK) return status;
  if (!spw_is_object_size(w.bytes)) return spw_refuse(refusal, SPW_OBSTACLE_SIZE, -1, -1, -1, -1);
  r.work = (size_t)w.bytes;
  *room = r;
  return SPW_OK;
}

/* ---- Overlap ----------------------------------------------------------------------------------- */

/* No buffer may lie on an operand, on what is asked for, nor on another buffer. */
static spw_status apart(const spw_elementwise_plan *plan, const spw_elementwise_request *wanted, const spw_buffers *buffers,
                        const spw_room *need, spw_refusal *refusal)
{
  return spw_keep_apart(plan->taken, plan->operands[1] ? 2 : 1, wanted, (int64_t)sizeof *wanted, buffers, need, refusal);
}

/* ---- Filling ----------------------------------------------------------------------------------- */

static spw_line_union union_of(const spw_elementwise_plan *plan, const workspace *w, const void *alpha)
{
  const spw_line_union u = {.kind = plan->wanted.kind,
                            .in = {.wide = plan->operands[0]->plain.array.dtype == SPW_INT64, .lines = plan->form[0].C},
                            .nse = {plan->form[0].nse, plan->form[1].nse},
                            .cell = plan->cell,
                            .alpha = alpha,
                            .cursor = {w->cursor[0], w->cursor[1]},
                            .capacity = w->capacity,
                            .ramp = w->ramp,
                            .flat = w->flat,
                            .room = plan->result.cap};
  for (int64_t t = 0; w->ramp && t <= plan->cell; t++) {
    w->ramp[t] = (uint64_t)t;
    w->flat[t] = 0;
  }
  return u;
}

/* The values of one batch, in order. */
static const void *values_of(const spw_elementwise_plan *plan, int i, const int64_t *at, char *room)
{
  const spw_form *const f = &plan->form[i];
  if (f->nse == 0 || plan->cell == 0) return NULL;
  const spw_value_array one = spw_batch_values(f, spw_cell_start(f, at, 0));
  if (!plan->packed[i]) return spw_value_at(&one, one.array.offset);
  spw_pack_values(&one, room);
  return room;
}

/* Each part is counted, to know where it begins, and then filled. */
static void unite_parts(const spw_elementwise_plan *plan, const workspace *w, const spw_line_union *u)
{
  const int64_t parts = plan->parts, elements = spw_add_saturated(u->nse[0], u->nse[1]);
  w->starts[0] = 0;
  if (parts > 1) {
    SPW_SHARE
    for (int64_t i = 0; i < parts; i++) {
      const int64_t from = spw_line_part(&u->in, elements, i, parts), to = spw_line_part(&u->in, elements, i + 1, parts);
      const spw_common found = spw_count_common(&u->in, from, to);
      w->starts[i + 1] = spw_united(plan, found.elements, found.cells);
    }
    for (int64_t i = 0; i < parts; i++) w->starts[i + 1] += w->starts[i];
  }
  SPW_SHARE
  for (int64_t i = 0; i < parts; i++)
    spw_unite_lines(u, plan->dtype, spw_line_part(&u->in, elements, i, parts), spw_line_part(&u->in, elements, i + 1, parts),
                    w->starts[i]);
}

static void unite_batches(const spw_elementwise_plan *plan, const workspace *w, spw_line_union *u, spw_target *out)
{
  const int64_t index = u->in.wide ? 8 : 4, nse = plan->result.cap, lines = u->in.lines + 1;
  void *const c = spw_indices_data(out->c), *const p = spw_indices_data(out->p);
  int64_t at[SPW_STRUCTURE_DIMS];
  for (int64_t b = 0; b < plan->form[0].batches; b++) {
    for (int i = 0; i < 2; i++) {
      const spw_form *const f = &plan->form[i];
      spw_batch_at(f, b, at);
      const spw_lines place = spw_lines_of(f, at);
      u->in.compressed[i] = spw_indices_at(&f->t->compressed, place.c);
      u->in.plain[i] = f->nse == 0 ? NULL : spw_indices_at(&f->t->plain, place.p);
      u->values[i] = values_of(plan, i, at, w->values[i]);
    }
    u->out_compressed = spw_elements_from(c, b * lines, index);
    u->out_plain = spw_elements_from(p, b * nse, index);
    u->out_values = spw_elements_from(out->values, nse == 0 || plan->cell == 0 ? 0 : b * nse * plan->cell, plan->scalar);
    unite_parts(plan, w, u);
  }
  if (!plan->exact) out->nse = spw_get_index(out->c, u->in.lines); /* of one batch */
}

/* Both are canonical now, and may have fewer cells than before. */
static spw_status unite_coo(spw_elementwise_plan *plan, spw_line_union *u, spw_target *out, spw_refusal *refusal)
{
  for (int i = 0; i < 2; i++) {
    const spw_tensor *const t = plan->columns[i].t;
    const spw_value_array *const v = &t->values;
    plan->form[i].nse = u->nse[i] = t->plain.array.shape[1];
    u->values[i] = u->nse[i] == 0 || plan->cell == 0 ? NULL : spw_value_at(v, v->array.offset);
  }
  const int64_t nse = spw_united(plan, u->nse[0] + u->nse[1], spw_count_common_columns(plan->columns[0].t, plan->columns[1].t));
  const spw_status status = spw_fits_index(&plan->result, nse, refusal);
  if (status != SPW_OK) return status;
  u->out_values = out->values;
  out->nse = nse;
  spw_unite_columns(plan, u, nse, out->p);
  return SPW_OK;
}

static spw_status fill(spw_elementwise_plan *plan, const spw_buffers *b, spw_tensor *result, spw_refusal *refusal)
{
  const bool wide = plan->operands[0]->plain.array.dtype == SPW_INT64;
  _Alignas(16) char factor[16];
  workspace w;
  spw_status status = lay_out(plan, b->work, &w, refusal);
  if (status != SPW_OK) return status;
  memcpy(factor, plan->factor, sizeof factor);
  spw_line_union u = union_of(plan, &w, plan->wanted.scalar ? factor : NULL);
  spw_target out = {.c = {b->compressed_i32, b->compressed_i64, wide}, .p = {b->plain_i32, b->plain_i64, wide},
                    .values = b->values, .nse = plan->result.cap};
  if (plan->keeps)
    spw_keep_pattern(plan, b);
  else if (is_coo(plan))
    status = unite_coo(plan, &u, &out, refusal);
  else
    unite_batches(plan, &w, &u, &out);
  if (status != SPW_OK) return status;
  for (int64_t d = 0; d < plan->form[0].ndim; d++) b->dims[d] = plan->form[0].size[d];
  spw_tensor made;
  spw_view_result(&plan->result, &out, b, &made);
  if (plan->keeps) made.coalesced = plan->operands[0]->coalesced;
  *result = made;
  return SPW_OK;
}

/* ---- Calls ------------------------------------------------------------------------------------- */

static spw_status elementwise_size(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted, bool judged,
                                   spw_room *room, spw_refusal *refusal)
{
  spw_elementwise_plan plan;
  if (!room) return SPW_EINVAL;
  const spw_status status = spw_elementwise_plan_make(a, b, wanted, judged, &plan, refusal);
  return status == SPW_OK ? size_of(&plan, room, refusal) : status;
}

static spw_status elementwise(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted, bool judged,
                              const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  spw_elementwise_plan plan;
  spw_room need;
  if (!buffers || !result) return SPW_EINVAL;
  spw_status status = spw_elementwise_plan_make(a, b, wanted, judged, &plan, refusal);
  if (status == SPW_OK) status = size_of(&plan, &need, refusal);
  if (status != SPW_OK) return status;
  if (!spw_buffers_hold(buffers, &need)) return SPW_EINVAL;
  status = apart(&plan, wanted, buffers, &need, refusal);
  return status == SPW_OK ? fill(&plan, buffers, result, refusal) : status;
}

spw_status spw_elementwise_size(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted, spw_room *room,
                                spw_refusal *refusal)
{
  return elementwise_size(a, b, wanted, true, room, refusal);
}

spw_status spw_elementwise_size_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted,
                                          spw_room *room, spw_refusal *refusal)
{
  return elementwise_size(a, b, wanted, false, room, refusal);
}

spw_status spw_elementwise(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted,
                           const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  return elementwise(a, b, wanted, true, buffers, result, refusal);
}

spw_status spw_elementwise_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted,
                                     const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  return elementwise(a, b, wanted, false, buffers, result, refusal);
}
