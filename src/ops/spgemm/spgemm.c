/* SPDX-License-Identifier: Apache-2.0 */
/* The public calls of products of two sparse operands: count the elements of the result, then fill it, row by row. */
#include "spgemm.h"
#include "../../operand/fits.h"
#include "../../operand/overlap.h"
#include "../multiply/pack.h"
#include "../instances/instances.h"
#include "../../convert/buffers.h"
#include "../../convert/plan.h"
#include "../../convert/share.h"
#include "../../convert/shape.h"
#include "../../convert/values.h"
#include "../../core/size.h"

#include <string.h>

#define FILL_ROWS(type, name) case type: return spw_fill_rows_##name(p, work, from, to, done);

int64_t spw_fill_rows(const spw_row_products *p, const spw_row_work *work, spw_dtype dtype, int64_t from, int64_t to,
                      int64_t done)
{
  switch (dtype) {
  case SPW_DTYPE_NONE: break;
  SPW_EACH_VALUE_TYPE(FILL_ROWS)
  }
  return -1;
}

/* ---- Workspace and room ------------------------------------------------------------------------ */

static spw_status too_large(spw_refusal *refusal)
{
  return spw_refuse_operand(refusal, 2, SPW_OBSTACLE_SIZE, -1, -1, -1);
}

static spw_status work_of(const spw_spgemm_plan *plan, size_t *bytes, spw_refusal *refusal)
{
  const int64_t needed = spw_spgemm_lay_out(plan, NULL).bytes;
  if (!spw_is_object_size(needed)) return too_large(refusal);
  *bytes = (size_t)needed;
  return SPW_OK;
}

/* All but the elements. */
static spw_status take_room(const spw_spgemm_plan *plan, spw_room *room, spw_refusal *refusal)
{
  const spw_room r = {.index_dtype = plan->index_dtype,
                      .dtype = plan->dtype,
                      .dims = plan->batch_dims + 2 + 6 * (plan->batch_dims + 1),
                      .compressed = spw_mul_saturated(plan->batches, spw_add_saturated(plan->rows, 1))};
  *room = r;
  return r.compressed == INT64_MAX ? too_large(refusal) : work_of(plan, &room->work, refusal);
}

static spw_status too_many(int64_t nse, spw_refusal *refusal)
{
  return spw_refuse_operand(refusal, 2, SPW_OBSTACLE_INDEX, -1, nse, INT32_MAX);
}

static spw_status take_elements(const spw_spgemm_plan *plan, int64_t nse, spw_room *room, spw_refusal *refusal)
{
  if (!plan->wide && nse > INT32_MAX) return too_many(nse, refusal);
  room->nse = nse;
  room->plain = room->values = spw_mul_saturated(plan->batches, nse);
  return room->values == INT64_MAX ? too_large(refusal) : SPW_OK;
}

static spw_status apart(const spw_spgemm_plan *plan, const spw_buffers *buffers, const spw_room *needed, spw_refusal *refusal)
{
  return spw_keep_apart(plan->taken, 2, NULL, 0, buffers, needed, refusal);
}

/* ---- Filling ----------------------------------------------------------------------------------- */

/* Values that have been packed for the batch before, and lie where those did, are there still. */
static const char *values_of(const spw_spgemm_plan *plan, const spw_tensor *t, int64_t nse, int64_t b, char *packed)
{
  const spw_array *const a = &t->values.array;
  if (nse == 0) return NULL;
  const int64_t n = plan->batch_dims, place = spw_batch_place(a, n, b);
  const char *const values = spw_value_at(&t->values, place);
  const spw_dense_lines line = {1, nse, 0, a->strides[n]};
  if (!packed) return values;
  if (b == 0 || place != spw_batch_place(a, n, b - 1)) spw_pack_lines(values, &line, plan->scalar, packed);
  return packed;
}

/* No column has been met, where counting may have written. */
static void clear_rows(const spw_spgemm_plan *plan, const spw_row_work *work)
{
  spw_clear_distinct(&work->columns, plan->columns);
  if (plan->columns > 0) memset(work->where, 0, (size_t)plan->columns * sizeof *work->where);
}

/* Parts are counted first, to know where they begin; one alone finds out on the way whether there is room. */
static int64_t fill_batch(const spw_spgemm_plan *plan, const spw_spgemm_work *work, const spw_row_products *p, bool cleared)
{
  const int64_t parts = plan->parts, most = plan->wide ? INT64_MAX : INT32_MAX;
  if (parts == 1) {
    const spw_row_work own = spw_row_work_at(plan, work, 0);
    if (!cleared) clear_rows(plan, &own);
    return spw_fill_rows(p, &own, plan->dtype, 0, p->rows, 0);
  }
  spw_clear_before_counting(plan, work); /* the batch before has filled them */
  const int64_t all = spw_count_batch(plan, work, p);
  if (all > p->room || all > most) return -1;
  SPW_SHARE
  for (int64_t i = 0; i < parts; i++) {
    const spw_row_work own = spw_row_work_at(plan, work, i);
    clear_rows(plan, &own);
    (void)spw_fill_rows(p, &own, plan->dtype, work->first[i], work->first[i + 1], work->done[i]);
  }
  return all;
}

/* All batches have as many elements as the first, which *nse becomes. */
static spw_status fill(const spw_spgemm_plan *plan, const spw_spgemm_work *work, const spw_buffers *buffers, int64_t room,
                       int64_t *nse, spw_refusal *refusal)
{
  const int64_t size = plan->wide ? 8 : 4;
  void *const rows = plan->wide ? (void *)buffers->compressed_i64 : buffers->compressed_i32;
  void *const columns = plan->wide ? (void *)buffers->plain_i64 : buffers->plain_i32;
  spw_row_products p = {.wide = plan->wide, .rows = plan->rows, .inner = plan->inner, .columns = plan->columns,
                        .left_nse = plan->left_nse, .right_nse = plan->right_nse};
  int64_t done = 0;
  *nse = 0;
  for (int64_t b = 0; b < plan->batches; b++) {
    spw_point_at_rows(plan, b, &p);
    p.left_values = values_of(plan, plan->left, plan->left_nse, b, work->left_values);
    p.right_values = values_of(plan, plan->right, plan->right_nse, b, work->right_values);
    p.out_rows = spw_elements_from(rows, b * (plan->rows + 1), size);
    p.out_columns = spw_elements_from(columns, done, size);
    p.out_values = spw_elements_from(buffers->values, done, plan->scalar);
    p.room = room - done;
    const int64_t n = fill_batch(plan, work, &p, b > 0);
    if (n < 0 && !plan->wide && p.room >= INT32_MAX) /* no buffer is too short for what the type can number */
      return too_many((int64_t)INT32_MAX + 1, refusal);
    if (n < 0) return SPW_EINVAL;
    if (b == 0) *nse = n;
    if (n != *nse) return spw_refuse_batches(refusal, b, 0, n, *nse);
    done += n;
  }
  return SPW_OK;
}

static void put_size(const spw_spgemm_plan *plan, int64_t *size)
{
  const int64_t n = plan->batch_dims;
  for (int64_t d = 0; d < n; d++) size[d] = plan->left->size[d];
  size[n] = plan->layout == SPW_CSC ? plan->columns : plan->rows;
  size[n + 1] = plan->layout == SPW_CSC ? plan->rows : plan->columns;
}

static spw_array batches_of(const spw_spgemm_plan *plan, spw_dtype dtype, int64_t last, const int64_t *size, int64_t **dims)
{
  const spw_shape s = spw_take_shape(dims, plan->batch_dims + 1);
  for (int64_t d = 0; d < plan->batch_dims; d++) s.entries[d] = size[d];
  s.entries[plan->batch_dims] = last;
  return spw_array_of(dtype, s);
}

static void view(const spw_spgemm_plan *plan, const spw_buffers *buffers, int64_t nse, spw_tensor *result)
{
  int64_t *dims = buffers->dims;
  int64_t *const size = spw_take_numbers(&dims, plan->batch_dims + 2);
  spw_tensor r = {.layout = plan->layout, .has_size = true, .ndim = plan->batch_dims + 2, .size = size,
                  .index_dtype = plan->index_dtype, .dtype = plan->dtype, .coalesced = SPW_CLAIM_NONE};
  put_size(plan, size);
  r.compressed.array = batches_of(plan, plan->index_dtype, plan->rows + 1, size, &dims);
  r.plain.array = batches_of(plan, plan->index_dtype, nse, size, &dims);
  r.values.array = batches_of(plan, plan->dtype, nse, size, &dims);
  r.compressed.i32 = plan->wide ? NULL : buffers->compressed_i32;
  r.compressed.i64 = plan->wide ? buffers->compressed_i64 : NULL;
  r.plain.i32 = plan->wide ? NULL : buffers->plain_i32;
  r.plain.i64 = plan->wide ? buffers->plain_i64 : NULL;
  r.values.data = buffers->values;
  *result = r;
}

static int64_t least(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static spw_status multiply_into(const spw_spgemm_plan *plan, const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal)
{
  spw_room need;
  int64_t nse = 0;
  spw_status status = take_room(plan, &need, refusal);
  if (status != SPW_OK) return status;
  /* How many elements there are shows on the way: all that the buffers have room for are theirs. */
  need.plain = need.values = least(buffers->room.plain, buffers->room.values);
  if (need.plain < 0 || !spw_buffers_hold(buffers, &need)) return SPW_EINVAL;
  status = apart(plan, buffers, &need, refusal);
  if (status != SPW_OK) return status;
  const spw_spgemm_work work = spw_spgemm_lay_out(plan, buffers->work);
  status = fill(plan, &work, buffers, need.values, &nse, refusal);
  if (status == SPW_OK) view(plan, buffers, nse, result);
  return status;
}

/* ---- Calls --------------------------------------------------------------------------------------- */

static spw_status find_work(const spw_tensor *a, const spw_tensor *b, bool judged, int threads, size_t *work,
                            int64_t *multiplications, spw_refusal *refusal)
{
  spw_spgemm_plan plan;
  if (!work || !multiplications) return SPW_EINVAL;
  spw_status status = spw_spgemm_plan_make(a, b, judged, threads, &plan, refusal);
  if (status == SPW_OK) status = work_of(&plan, work, refusal);
  if (status == SPW_OK) *multiplications = spw_count_multiplications(&plan);
  return status;
}

static spw_status find_room(const spw_tensor *a, const spw_tensor *b, bool judged, int threads, void *work, size_t work_bytes,
                            spw_room *room, spw_refusal *refusal)
{
  spw_spgemm_plan plan;
  spw_room r;
  int64_t nse = 0;
  if (!room) return SPW_EINVAL;
  spw_status status = spw_spgemm_plan_make(a, b, judged, threads, &plan, refusal);
  if (status == SPW_OK) status = take_room(&plan, &r, refusal);
  if (status != SPW_OK) return status;
  if (work_bytes < r.work || (r.work > 0 && (!work || (uintptr_t)work % 8 != 0))) return SPW_EINVAL;
  const spw_room only_work = {.work = r.work};
  const spw_buffers lent = {.work = work};
  status = apart(&plan, &lent, &only_work, refusal);
  if (status != SPW_OK) return status;
  const spw_spgemm_work w = spw_spgemm_lay_out(&plan, work);
  status = spw_count_products(&plan, &w, &nse, refusal);
  if (status == SPW_OK) status = take_elements(&plan, nse, &r, refusal);
  if (status == SPW_OK) *room = r;
  return status;
}

static spw_status multiply(const spw_tensor *a, const spw_tensor *b, bool judged, int threads, const spw_buffers *buffers,
                           spw_tensor *result, spw_refusal *refusal)
{
  spw_spgemm_plan plan;
  if (!buffers || !result) return SPW_EINVAL;
  const spw_status status = spw_spgemm_plan_make(a, b, judged, threads, &plan, refusal);
  return status == SPW_OK ? multiply_into(&plan, buffers, result, refusal) : status;
}

spw_status spw_multiply_sparse_work(const spw_tensor *a, const spw_tensor *b, size_t *work, int64_t *multiplications,
                                    spw_refusal *refusal)
{
  return find_work(a, b, true, 1, work, multiplications, refusal);
}

spw_status spw_multiply_sparse_work_unchecked(const spw_tensor *a, const spw_tensor *b, size_t *work, int64_t *multiplications,
                                              spw_refusal *refusal)
{
  return find_work(a, b, false, 1, work, multiplications, refusal);
}

spw_status spw_multiply_sparse_size(const spw_tensor *a, const spw_tensor *b, void *work, size_t work_bytes, spw_room *room,
                                    spw_refusal *refusal)
{
  return find_room(a, b, true, 1, work, work_bytes, room, refusal);
}

spw_status spw_multiply_sparse_size_unchecked(const spw_tensor *a, const spw_tensor *b, void *work, size_t work_bytes,
                                              spw_room *room, spw_refusal *refusal)
{
  return find_room(a, b, false, 1, work, work_bytes, room, refusal);
}

spw_status spw_multiply_sparse(const spw_tensor *a, const spw_tensor *b, const spw_buffers *buffers, spw_tensor *result,
                               spw_refusal *refusal)
{
  return multiply(a, b, true, 1, buffers, result, refusal);
}

spw_status spw_multiply_sparse_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_buffers *buffers,
                                         spw_tensor *result, spw_refusal *refusal)
{
  return multiply(a, b, false, 1, buffers, result, refusal);
}

spw_status spw_multiply_sparse_work_parallel(const spw_tensor *a, const spw_tensor *b, int threads, size_t *work,
                                             int64_t *multiplications, spw_refusal *refusal)
{
  return find_work(a, b, true, threads, work, multiplications, refusal);
}

spw_status spw_multiply_sparse_size_parallel(const spw_tensor *a, const spw_tensor *b, int threads, void *work, size_t work_bytes,
                                             spw_room *room, spw_refusal *refusal)
{
  return find_room(a, b, true, threads, work, work_bytes, room, refusal);
}

spw_status spw_multiply_sparse_parallel(const spw_tensor *a, const spw_tensor *b, int threads, const spw_buffers *buffers,
                                        spw_tensor *result, spw_refusal *refusal)
{
  return multiply(a, b, true, threads, buffers, result, refusal);
}
