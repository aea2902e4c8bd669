/* SPDX-License-Identifier: Apache-2.0 */
#include "joined.h"
#include "buffers.h"
#include "../core/size.h"

/* All batches below each other, or beside each other where columns are compressed, as COO of two sparse dimensions. The dense
 * dimensions are one. */
typedef struct matrix {
  int64_t size[3], index_shape[2], index_strides[2], value_shape[2], value_strides[2];
  spw_tensor tensor;
} matrix;

/* The buffers of both conversions: to a list of all elements, and to lines that are cut apart. */
typedef struct room {
  spw_buffers list, lines;
} room;

static bool is_asked(const spw_plan *plan)
{
  return plan->to.prune && spw_is_compressed(plan->to.layout) && plan->out_batches > 1;
}

static spw_conversion list_of(const spw_plan *plan)
{
  return (spw_conversion){.layout = SPW_COO, .batch_dims = -1, .dense_dims = -1, .index_dtype = SPW_INT64,
                          .duplicates = plan->to.duplicates, .canonicalize = plan->to.canonicalize};
}

static spw_conversion lines_of(const spw_plan *plan)
{
  const bool blocks = spw_has_blocks(plan->to.layout);
  return (spw_conversion){.layout = plan->to.layout, .block_rows = blocks ? plan->out_block[0] : 0,
                          .block_columns = blocks ? plan->out_block[1] : 0, .batch_dims = -1, .dense_dims = -1,
                          .index_dtype = SPW_INT64, .prune = true};
}

/* Of n elements. */
static void make_matrix(const spw_plan *plan, int64_t n, const int64_t *indices, const void *values, matrix *m)
{
  const int major = spw_major_of(plan->to.layout);
  const int64_t sizes[2] = {plan->rows, plan->columns};
  *m = (matrix){.size = {sizes[0], sizes[1], plan->width}, .index_shape = {2, n}, .index_strides = {n, 1},
                .value_shape = {n, plan->width}, .value_strides = {plan->width, 1}};
  m->size[major] = spw_mul_saturated(sizes[major], plan->out_batches);
  const int64_t scalars = spw_mul_saturated(n, plan->width);
  m->tensor = (spw_tensor){.layout = SPW_COO, .has_size = true, .ndim = 3, .size = m->size, .dtype = plan->dtype,
                           .index_dtype = SPW_INT64, .coalesced = major == 0 ? SPW_CLAIM_YES : SPW_CLAIM_NONE};
  m->tensor.plain = (spw_index_array){.array = {.dtype = SPW_INT64, .ndim = 2, .shape = m->index_shape,
                                                .strides = m->index_strides, .length = spw_mul_saturated(n, 2)},
                                      .i64 = indices};
  m->tensor.values = (spw_value_array){.array = {.dtype = plan->dtype, .ndim = 2, .shape = m->value_shape,
                                                 .strides = m->value_strides, .length = scalars},
                                       .data = values};
}

/* Divides the workspace; how many bytes it has. INT64_MAX: too many. */
static int64_t lay_out(const spw_plan *plan, void *base, room *r)
{
  spw_arena arena = {base, 0};
  matrix all;
  spw_room list, lines;
  spw_refusal unused;
  const spw_conversion to_list = list_of(plan), to_lines = lines_of(plan);
  if (spw_convert_size_unchecked(plan->t, &to_list, &list, &unused) != SPW_OK) return INT64_MAX;
  make_matrix(plan, list.nse, all.size, all.size, &all); /* contents are not read where only sizes are asked for */
  if (plan->width == INT64_MAX || all.size[0] == INT64_MAX || all.size[1] == INT64_MAX) return INT64_MAX;
  /* No more cells than the result has room for, and in its memory. */
  const spw_buffers within = {.room.nse = spw_mul_saturated(plan->cap, plan->out_batches)};
  if (spw_convert_within(&all.tensor, &to_lines, &within, &lines, &unused) != SPW_OK) return INT64_MAX;
  const int64_t values = lines.values;
  const size_t work = list.work > lines.work ? list.work : lines.work;
  r->list = spw_take_buffers(&arena, &list);
  lines.values = 0;
  r->lines = spw_take_buffers(&arena, &lines);
  r->lines.room.values = values;
  r->list.work = r->lines.work = spw_take_bytes(&arena, work);
  return arena.used;
}

int64_t spw_joined_work(const spw_plan *plan)
{
  room unused;
  return is_asked(plan) ? lay_out(plan, NULL, &unused) : 0;
}

/* The rows of coordinates before the last two become part of that of the lines. */
static void join_batches(const spw_plan *plan, int64_t *coordinates, int64_t n)
{
  const int major = spw_major_of(plan->to.layout);
  const int64_t batch_dims = plan->sparse_dims - 2, lines = major ? plan->columns : plan->rows;
  int64_t *const of_lines = coordinates + (batch_dims + major) * n;
  for (int64_t k = 0; k < n; k++) {
    int64_t batch = 0;
    for (int64_t d = 0; d < batch_dims; d++) batch = batch * spw_size_entry(plan, d) + coordinates[d * n + k];
    of_lines[k] += batch * lines;
  }
}

static spw_status cut_apart(const spw_plan *plan, const spw_tensor *lines, spw_target *out, spw_refusal *refusal)
{
  const int64_t *const starts = lines->compressed.i64, C = plan->out_C, kept = starts[C];
  for (int64_t b = 1; b < plan->out_batches; b++) {
    const int64_t count = starts[(b + 1) * C] - starts[b * C];
    if (count != kept) return spw_refuse(refusal, SPW_OBSTACLE_BATCHES, 0, b, kept, count);
  }
  const spw_status status = spw_fits_index(plan, kept, refusal);
  if (status != SPW_OK) return status;
  for (int64_t b = 0; b < plan->out_batches; b++)
    for (int64_t i = 0; i <= C; i++) spw_put_index(out->c, b * (C + 1) + i, starts[b * C + i] - starts[b * C]);
  for (int64_t k = 0; k < plan->out_batches * kept; k++) spw_put_index(out->p, k, lines->plain.i64[k]);
  out->nse = kept;
  return SPW_OK;
}

spw_status spw_convert_joined(const spw_plan *plan, const spw_buffers *buffers, spw_target *out, spw_refusal *refusal)
{
  room r;
  matrix all;
  spw_tensor list, lines;
  spw_refusal unused;
  const spw_conversion to_list = list_of(plan), to_lines = lines_of(plan);
  if (!is_asked(plan) || lay_out(plan, buffers->work, &r) == INT64_MAX) return SPW_EUNSUPPORTED;
  r.lines.values = buffers->values;
  if (spw_convert_unchecked(plan->t, &to_list, &r.list, &list, &unused) != SPW_OK) return SPW_EUNSUPPORTED;
  const int64_t n = list.plain.array.shape[1];
  join_batches(plan, r.list.plain_i64, n);
  make_matrix(plan, n, r.list.plain_i64 + (plan->sparse_dims - 2) * n, list.values.data, &all);
  if (spw_convert_unchecked(&all.tensor, &to_lines, &r.lines, &lines, &unused) != SPW_OK) return SPW_EUNSUPPORTED;
  return cut_apart(plan, &lines, out, refusal);
}
