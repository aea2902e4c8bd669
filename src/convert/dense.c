/* SPDX-License-Identifier: Apache-2.0 */
/* From a dense array to anything. One batch is a matrix of rows x columns elements: of a COO result, rows are all
 * dimensions but the last. */
#include "batch_room.h"
#include "count.h"
#include "dense.h"
#include "instances/from_dense.h"
#include "share.h"
#include "steps.h"
#include "transpose_lines.h"
#include "values.h"
#include "../core/size.h"

#include <string.h>

/* Where less than one element in FEW is stored, zeros are skipped in groups. */
enum { FEW = 20 };

/* Places are divided for each element, numbers of rows once: by rows, where of one more than FEW_IN_ROW elements are stored. */
enum { FEW_IN_ROW = 3 };

/* A dense array without gaps, which has an element. */
typedef struct matrix {
  const spw_plan *plan;
  const char *packed;
  int64_t rows, columns; /* of a batch */
  int64_t first;         /* element */
  bool few;              /* of them are stored, if no more than the room is for */
} matrix;

static int64_t rows_of(const spw_plan *plan)
{
  return spw_is_compressed(plan->to.layout) ? plan->rows : spw_size_product(plan, plan->sparse_dims - 1);
}

static matrix matrix_of(const spw_plan *plan, const char *packed, int64_t b)
{
  const int64_t rows = rows_of(plan);
  const matrix m = {plan, packed, rows, plan->columns, b * rows * plan->columns, plan->cap < rows * plan->columns / FEW};
  return m;
}

/* The first element of the matrix; null where there is none. */
static const void *elements_of(const matrix *m)
{
  const int64_t at = m->first * m->plan->element_bytes;
  return at == 0 ? m->packed : m->packed + at;
}

/* ---- Elements that are one scalar ------------------------------------------------------------ */

/* Does what travels with an index consist of such scalars? */
static bool has_scalars(const spw_plan *plan)
{
  return plan->payload != SPW_PLACES || (!plan->gathers && plan->width == 1);
}

/* The bits that make a scalar, or a part of a complex one, differ from zero. */
static uint64_t telling_bits(const spw_plan *plan)
{
  const uint64_t all = UINT64_MAX >> (64 - 8 * spw_alignment(plan->dtype));
  return plan->to.bits || plan->dtype < SPW_FLOAT16 ? all : all >> 1;
}

static spw_pair32 pair32_of(uint64_t telling)
{
  const spw_pair32 pair = {(uint32_t)telling, (uint32_t)telling};
  return pair;
}

static spw_pair64 pair64_of(uint64_t telling)
{
  const spw_pair64 pair = {telling, telling};
  return pair;
}

#define COUNT(TYPE)                                                    \
  do {                                                                 \
    const TYPE *const x = (const void *)bytes, mask = (TYPE)telling;   \
    for (int64_t k = 0; k < n; k++) count += (x[k] & mask) != 0;       \
  } while (0)

#define COUNT_PAIRS(TYPE)                                                                \
  do {                                                                                   \
    const TYPE *const x = (const void *)bytes, mask = (TYPE)telling;                     \
    for (int64_t k = 0; k < n; k++) count += ((x[2 * k] | x[2 * k + 1]) & mask) != 0;    \
  } while (0)

static int64_t count_scalars(const char *bytes, int64_t n, spw_dtype dtype, uint64_t telling)
{
  int64_t count = 0;
  if (dtype == SPW_COMPLEX64)
    COUNT_PAIRS(uint32_t);
  else if (dtype == SPW_COMPLEX128)
    COUNT_PAIRS(uint64_t);
  else
    switch (spw_dtype_size(dtype)) {
    case 1: COUNT(uint8_t); break;
    case 2: COUNT(uint16_t); break;
    case 4: COUNT(uint32_t); break;
    default: COUNT(uint64_t);
    }
  return count;
}

/* Is any scalar of an element stored? */
static bool any_stored(const matrix *m, int64_t element)
{
  const spw_plan *plan = m->plan;
  const char *const at = m->packed + (m->first + element) * plan->element_bytes;
  return spw_any_nonzero(at, plan->width, plan->dtype, plan->to.bits);
}

/* ---- Counting -------------------------------------------------------------------------------- */

/* One kernel for each kind of scalar; from the first element x of a matrix. */
#define BY_SCALAR(m, CALL)                                                \
  const uint64_t t = telling_bits((m)->plan);                             \
  const void *const x = elements_of(m);                                   \
  if ((m)->plan->dtype == SPW_COMPLEX64) return CALL(pair32, pair32_of(t)); \
  switch ((m)->plan->scalar) {                                            \
  case 1: return CALL(u8, (uint8_t)t);                                    \
  case 2: return CALL(u16, (uint16_t)t);                                  \
  case 4: return CALL(u32, (uint32_t)t);                                  \
  case 8: return CALL(u64, t);                                            \
  default: return CALL(pair64, pair64_of(t));                             \
  }

#define COUNT_BLOCKS(kind, mask)                                                                                         \
  spw_count_blocks_from_dense_i64_##kind(x, m->rows / height, m->columns / across, height, width, mask)

/* How many blocks are stored; of elements of several scalars, which are blocks of one row, too. No index is written, so that one
 * type of indices does for both. */
static int64_t count_blocks(const matrix *m, int64_t height, int64_t across)
{
  const int64_t width = across * m->plan->width;
  BY_SCALAR(m, COUNT_BLOCKS)
}

/* Of the elements lo .. hi - 1, how many are stored? */
static int64_t count_elements(const matrix *m, int64_t lo, int64_t hi)
{
  const spw_plan *const plan = m->plan;
  if (plan->width == 1)
    return count_scalars(m->packed + (m->first + lo) * plan->scalar, hi - lo, plan->dtype, telling_bits(plan));
  const matrix one_column = {plan, m->packed, hi - lo, 1, m->first + lo, false};
  return count_blocks(&one_column, 1, 1);
}

static int64_t count_packed(const spw_plan *plan, int64_t b)
{
  const matrix m = matrix_of(plan, spw_value_at(&plan->t->values, plan->t->values.array.offset), b);
  if (spw_has_blocks(plan->to.layout)) return count_blocks(&m, plan->out_block[0], plan->out_block[1]);
  const int64_t n = m.rows * m.columns, parts = spw_parts_of_work(n, plan->threads);
  int64_t count = 0;
  SPW_SHARE_SUM(count)
  for (int64_t t = 0; t < parts; t++) count += count_elements(&m, spw_part_at(n, t, parts), spw_part_at(n, t + 1, parts));
  return count;
}

/* The rows of a matrix, in parts: where the elements of each start in the result, and where those of the last one end. */
static void count_parts(const matrix *m, int64_t parts, int64_t *starts)
{
  SPW_SHARE
  for (int64_t t = 0; t < parts; t++) {
    const int64_t from = spw_part_at(m->rows, t, parts), to = spw_part_at(m->rows, t + 1, parts);
    starts[t + 1] = count_elements(m, from * m->columns, to * m->columns);
  }
  starts[0] = 0;
  for (int64_t t = 0; t < parts; t++) starts[t + 1] += starts[t];
}

/* ---- Counting by strides: along a stride of 0 everything is the same -------------------------- */

/* Indices of dimension d that differ. */
static int64_t different(const spw_array *a, int64_t d)
{
  return a->strides[d] == 0 ? 1 : a->shape[d];
}

/* In dimensions from .. end - 1. */
static int64_t different_in(const spw_array *a, int64_t from, int64_t end)
{
  int64_t count = 1;
  for (int64_t d = from; d < end; d++) count *= different(a, d);
  return count;
}

/* Where number k of these lies, from the first one. */
static int64_t place_in(const spw_array *a, int64_t from, int64_t end, int64_t k)
{
  int64_t place = 0;
  for (int64_t d = end - 1; d >= from; d--) {
    place += k % different(a, d) * a->strides[d];
    k /= different(a, d);
  }
  return place;
}

/* Is the element at `place` stored? */
static bool stored_at(const spw_plan *plan, int64_t place)
{
  const spw_value_array *const v = &plan->t->values;
  const spw_array *const a = &v->array;
  const int64_t n = different_in(a, plan->sparse_dims, a->ndim);
  for (int64_t i = 0; i < n; i++)
    if (spw_any_nonzero(spw_value_at(v, place + place_in(a, plan->sparse_dims, a->ndim, i)), 1, plan->dtype, plan->to.bits))
      return true;
  return false;
}

/* Dimension d in blocks: how many of them differ, how many indices of one do, and how far it is to the next. */
typedef struct side {
  int64_t blocks, inside, stride;
} side;

static side side_of(const spw_array *a, int64_t d, int64_t block)
{
  const bool same = a->strides[d] == 0;
  const side s = {same ? 1 : a->shape[d] / block, same ? 1 : block, a->strides[d]};
  return s;
}

static bool block_stored_at(const spw_plan *plan, int64_t place, side rows, side columns)
{
  for (int64_t r = 0; r < rows.inside; r++)
    for (int64_t c = 0; c < columns.inside; c++)
      if (stored_at(plan, place + r * rows.stride + c * columns.stride)) return true;
  return false;
}

static int64_t count_strided_blocks(const spw_plan *plan, int64_t start)
{
  const spw_array *const a = &plan->t->values.array;
  const int64_t *const block = plan->out_block, d = plan->sparse_dims - 2;
  const side rows = side_of(a, d, block[0]), columns = side_of(a, d + 1, block[1]);
  int64_t count = 0;
  for (int64_t i = 0; i < rows.blocks; i++)
    for (int64_t j = 0; j < columns.blocks; j++)
      count += block_stored_at(plan, start + i * block[0] * rows.stride + j * block[1] * columns.stride, rows, columns);
  return count * (plan->rows / block[0] / rows.blocks) * (plan->columns / block[1] / columns.blocks);
}

static int64_t count_strided(const spw_plan *plan, int64_t b)
{
  const spw_array *const a = &plan->t->values.array;
  const int64_t first = plan->to.batch_dims, end = plan->sparse_dims;
  const int64_t start = a->offset + spw_position_of(a->shape, a->strides, first, b);
  if (spw_has_blocks(plan->to.layout)) return count_strided_blocks(plan, start);
  const int64_t n = different_in(a, first, end);
  int64_t count = 0;
  for (int64_t k = 0; k < n; k++) count += stored_at(plan, start + place_in(a, first, end, k));
  for (int64_t d = first; d < end; d++) count *= a->shape[d] / different(a, d);
  return count;
}

int64_t spw_count_dense(const spw_plan *plan, int64_t b)
{
  return plan->packed ? count_strided(plan, b) : count_packed(plan, b);
}

int64_t spw_different_batches(const spw_plan *plan)
{
  return different_in(&plan->t->values.array, 0, plan->to.batch_dims);
}

int64_t spw_different_batch(const spw_plan *plan, int64_t i)
{
  const spw_array *const a = &plan->t->values.array;
  int64_t b = 0, step = 1;
  for (int64_t d = plan->to.batch_dims - 1; d >= 0; d--) {
    b += i % different(a, d) * step;
    i /= different(a, d);
    step *= a->shape[d];
  }
  return b;
}

/* ---- Filling --------------------------------------------------------------------------------- */

/* The coordinates of what lies in row `row` of the matrix, in all dimensions but the last, for elements
 * from .. to - 1 of the result. */
static void put_row(const spw_plan *plan, const spw_target *out, int64_t row, int64_t from, int64_t to)
{
  for (int64_t d = plan->sparse_dims - 2; d >= 0; d--) {
    const int64_t entry = spw_size_entry(plan, d);
    for (int64_t k = from; k < to; k++) spw_put_index(out->p, d * out->nse + k, row % entry);
    row /= entry;
  }
}

/* What is stored, n elements, one after the other, whatever they are: where no index numbers places, or there is no coordinate.
 * False: the values are not those that were counted any more. */
static bool fill_one_by_one(const matrix *m, const spw_target *out, int64_t n)
{
  const spw_plan *const plan = m->plan;
  const int64_t cell = plan->element_bytes;
  int64_t at = 0;
  for (int64_t i = 0; i < m->rows; i++) {
    const int64_t before = at;
    for (int64_t j = 0; j < m->columns; j++) {
      if (!any_stored(m, i * m->columns + j)) continue;
      if (at == n) return false;
      if (plan->sparse_dims > 0) spw_put_index(out->p, (plan->sparse_dims - 1) * n + at, j);
      memcpy(out->values + at * cell, m->packed + (i * m->columns + j) * cell, (size_t)cell);
      at++;
    }
    put_row(plan, out, i, before, at);
  }
  return at == n;
}

/* The first batch has more than indices of the type can number; SPW_EINVAL: it had, when it was filled. */
static spw_status refuse_stored(const spw_plan *plan, spw_refusal *refusal)
{
  const spw_status status = spw_fits_index(plan, spw_count_dense(plan, 0), refusal);
  return status == SPW_OK ? SPW_EINVAL : status;
}

#define SPW_TEMPLATE "../convert/dense.inc"
#include "../core/each_index_type.h"

static spw_status to_coo(const spw_plan *plan, spw_target *out, spw_refusal *refusal)
{
  const matrix m = matrix_of(plan, out->source, 0);
  const int64_t count = count_elements(&m, 0, m.rows * m.columns);
  const spw_status status = spw_take_count(plan, out, 0, count, refusal);
  if (status != SPW_OK || count == 0) return status;
  const bool filled = out->p.wide ? fill_coo_i64(&m, out, count) : fill_coo_i32(&m, out, count);
  return filled ? SPW_OK : SPW_EINVAL;
}

static spw_status copy_dense(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  (void)w, (void)refusal;
  out->nse = 0;
  memcpy(out->values, out->source, (size_t)(plan->values * plan->scalar));
  return SPW_OK;
}

static spw_status store_list(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  (void)w;
  return to_coo(plan, out, refusal);
}

#define STEP(name)                                                                                                      \
  static spw_status name(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)           \
  {                                                                                                                     \
    return plan->wide ? name##_i64(plan, w, out, refusal) : name##_i32(plan, w, out, refusal);                          \
  }
STEP(store_batches)
STEP(store_blocks)
STEP(store_lines)

/* Lines of rows, before columns are compressed. */
static void batches_room(const spw_plan *plan, spw_arena *arena, spw_workspace *w)
{
  if (!spw_has(plan, SPW_FACT_TRANSPOSES)) return;
  w->ptr[0] = spw_take_indices(arena, spw_add_saturated(plan->lines[0], 1), plan->wide);
  w->index[0] = spw_take_indices(arena, plan->cap, plan->wide);
  w->payload[0] = spw_take(arena, plan->cap, plan->scalar);
  w->cursor = spw_take(arena, plan->lines[1], 8);
}

static void lines_room(const spw_plan *plan, spw_arena *arena, spw_workspace *w)
{
  const int64_t parts = spw_parts_of_work(spw_mul_saturated(plan->rows, plan->columns), plan->threads);
  if (parts > 1) w->starts = spw_take(arena, parts + 1, 8);
  if (spw_has(plan, SPW_FACT_TRANSPOSES)) spw_take_lines(plan, arena, w, 0, spw_add_saturated(plan->lines[0], 1), plan->cap);
}

const spw_step spw_step_copy_dense = {"copy dense", "copies the values", .run = copy_dense};
const spw_step spw_step_store_list = {"store list", "counts what is not zero, and writes it down as a list", .run = store_list};
const spw_step spw_step_store_batches = {
    "store batches", "writes what is not zero of all batches down, in one kernel", .run = store_batches, .room = batches_room};
const spw_step spw_step_store_blocks = {
    "store blocks", "writes every block or cell that is not all zero down, in one kernel", .run = store_blocks};
const spw_step spw_step_store_lines = {
    "store lines", "writes rows of one batch down, each thread a part of them, which it counts first", .turn = SPW_STEP_GROUPED,
    .run = store_lines, .room = lines_room};
